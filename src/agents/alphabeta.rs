//! Alpha-beta: minimax without the lines that cannot change its value.
//!
//! The window (alpha, beta) holds the values that the mover and the opponent can already guarantee. A line whose value
//! lies outside the window is cut. The value and the move are always those of minimax. Up to 5 plies the moves are
//! searched in the order of the game, which is fastest. From 6 plies on, inner nodes are ordered by the heuristic and
//! stored in a transposition table.
//!
//! With [`ReplyWeighting::TileProbability`] each reply's value is first multiplied by the probability of its tile: see
//! `expectiminimax`.
//!
//! Reference: Knuth & Moore, *An analysis of alpha-beta pruning* (1975).

use arrayvec::ArrayVec;

use crate::games::{Game, MOST_MOVES, MOST_REPLIES, Reply, Step};
use crate::heuristics::{Cost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues};
use crate::params::{InputError, Values as Options};

use super::budget::{Budget, Meter, StopFlag};
use super::config::AgentConfig;
use super::depth::{Depth, IterativeDeepening, RootResult};
use super::options;
use super::registry::AgentKind;
use super::transposition::{Bounds, TranspositionTable};
use super::work::Operation;
use super::{Agent, Decision, Steps};

mod config;

pub use config::AlphaBeta;

pub(super) const KIND: AgentKind = AgentKind {
    name: "alphabeta",
    summary: "the move and value of minimax, without the lines that cannot change them",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(AlphaBeta::from_options(options).build(&game, evaluator))
}

/// Searches of at least this depth sort the moves and replies of inner nodes, and use the table. Shallower searches are
/// faster without both (measured).
const ORDERED_FROM: u32 = 6;
/// At nodes with at most this many plies left, moves are not sorted and the table is not used.
const UNCACHED_PLIES: u32 = 2;
/// Replies are not sorted if at most this many plies are left: sorting them then takes at least as long as searching
/// them (measured).
const UNORDERED_REPLIES: u32 = 3;

/// The factor of a reply's value before the worst value is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReplyWeighting {
    /// Every reply has the factor 1.
    Equal,
    /// Every reply has the probability of its tile as a factor.
    TileProbability,
}

impl ReplyWeighting {
    #[inline(always)]
    fn of<P>(self, reply: &Reply<P>) -> f64 {
        match self {
            ReplyWeighting::Equal => 1.0,
            ReplyWeighting::TileProbability => reply.weight,
        }
    }
}

pub(super) struct AlphaBetaSearch<G: Game, E> {
    game: G,
    evaluator: E,
    weighting: ReplyWeighting,
    depth: Depth,
    budget: Budget,
    table: Option<TranspositionTable<Bounds>>,
    costs: LeafCosts,
    /// Whether this search sorts moves and replies, and uses the table.
    ordered: bool,
    meter: Meter,
    reply_values: ReplyValues,
    /// Whether the budget is spent. All values returned after that are meaningless.
    stopped: bool,
    /// Whether some line was cut off at the horizon, so that a deeper search could find another value.
    met_horizon: bool,
}

impl<G: Game, E: Evaluator<G>> AlphaBetaSearch<G, E> {
    pub fn new(game: G, evaluator: E, weighting: ReplyWeighting, config: &AlphaBeta) -> Self {
        AlphaBetaSearch {
            game,
            costs: evaluator.costs(),
            evaluator,
            weighting,
            depth: Depth::or_default(config.depth, &config.budget),
            budget: config.budget,
            table: TranspositionTable::new(config.table_bits),
            ordered: false,
            meter: config.budget.start(),
            reply_values: ReplyValues::default(),
            stopped: false,
            met_horizon: false,
        }
    }

    /// The value of each legal move. With `root.exact` every move is searched with the full window. Otherwise a move
    /// that is no better than an earlier move gets an upper bound, which is at most the value of that earlier move.
    fn root(&mut self, root: &Root<G>, plies: u32, order: &[usize]) -> RootResult {
        self.ordered = plies >= ORDERED_FROM;
        self.met_horizon = false;
        if let Some(table) = &mut self.table {
            table.clear();
        }
        let (mut searched, mut alpha) = (RootResult::default(), f64::NEG_INFINITY);
        for &number in order {
            let step = &root.steps[number];
            let value = self.after(step.after, root.score + step.reward, plies - 1, alpha, f64::INFINITY);
            if self.stopped {
                break;
            }
            searched.push_bound(number, value);
            if !root.exact {
                alpha = alpha.max(value);
            }
        }
        searched.met_horizon = self.met_horizon;
        searched
    }

    /// The value of a position where the environment is to reply and `plies` are left.
    fn after(&mut self, after: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        if self.stopped {
            return 0.0;
        }
        self.meter.visit(1);
        if let Some(outcome) = self.game.after_step(after) {
            return self.evaluator.ended(&self.game, outcome, score);
        }
        if plies == 0 {
            self.met_horizon = true;
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        if plies == 1 && self.weighting == ReplyWeighting::Equal {
            return self.worst_at_horizon(after, score);
        }
        if plies == 2 {
            return self.last_moves(after, score);
        }
        if !self.fits(self.reply_cost(after, plies)) {
            return 0.0;
        }
        self.with_table(self.game.key(after), plies, alpha, beta, |search| {
            search.replies(after, score, plies, alpha, beta)
        })
    }

    /// Whether the budget allows an operation of this cost. If not, the search stops.
    #[inline(always)]
    fn fits(&mut self, cost: Cost) -> bool {
        self.stopped |= !self.meter.fits(cost);
        !self.stopped
    }

    /// What the replies cost before the budget is checked again.
    fn reply_cost(&self, after: G::Position, plies: u32) -> Cost {
        let leaf = self.costs.value + Operation::LoneLeaf.cost();
        if plies == 1 { leaf * self.game.reply_count(after) as u64 } else { Operation::InnerNode.cost() }
    }

    fn worst_at_horizon(&mut self, after: G::Position, score: u32) -> f64 {
        let replies = self.game.reply_count(after);
        let cost = self.costs.worst.of(replies);
        if !self.fits(cost) {
            return 0.0;
        }
        self.met_horizon = true;
        self.meter.visit(replies as u64);
        self.meter.charge_cost(cost);
        self.evaluator.worst(&self.game, after, score)
    }

    /// The worst reply if only one move follows the replies. The evaluator values all moves in one call, which is
    /// faster than one by one until a cut.
    fn last_moves(&mut self, after: G::Position, score: u32) -> f64 {
        let cost = self.costs.of_last_moves(Horizon::Step, self.game.reply_count(after));
        if !self.fits(cost) {
            return 0.0;
        }
        self.meter.charge_cost(cost);
        self.met_horizon = true;
        let last = LastMoves { game: &self.game, after, score, horizon: Horizon::Step };
        let worse = |worst: f64, reply: &Reply<G::Position>, value| worst.min(self.weighting.of(reply) * value);
        let value = last.fold_best(&self.evaluator, &mut self.reply_values, f64::INFINITY, worse);
        self.meter.visit(self.reply_values.positions());
        value
    }

    /// The worst reply within the window.
    fn replies(&mut self, after: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        self.meter.charge(Operation::InnerNode, 1);
        let game = self.game.clone();
        if !self.ordered || plies <= UNORDERED_REPLIES {
            return self.worst(game.replies(after), score, plies, alpha, beta);
        }
        // The array is filled in place, because moving it takes time.
        let mut replies: ArrayVec<Reply<G::Position>, MOST_REPLIES> = ArrayVec::new();
        replies.extend(game.replies(after));
        self.meter.charge_cost(self.costs.value * replies.len() as u64);
        let value = |reply: &Reply<G::Position>| self.evaluator.value(reply.position, score);
        let order: ArrayVec<Ranked, MOST_REPLIES> = ranked(&replies, |reply| self.weighting.of(reply) * value(reply));
        self.worst(order.iter().map(|ranked| replies[ranked.number]), score, plies, alpha, beta)
    }

    /// The lowest value of these replies, which are searched in this order until one of them closes the window.
    #[inline(always)]
    fn worst(
        &mut self,
        replies: impl Iterator<Item = Reply<G::Position>>,
        score: u32,
        plies: u32,
        alpha: f64,
        mut beta: f64,
    ) -> f64 {
        let mut worst = f64::INFINITY;
        for reply in replies {
            worst = worst.min(self.weighted(&reply, score, plies - 1, alpha, beta));
            beta = beta.min(worst);
            if worst <= alpha || self.stopped {
                break;
            }
        }
        worst
    }

    /// A reply's weighted value. The window is divided by the weight for the search below. Division rounds, so the
    /// divided window is widened by one floating-point step on both sides. Otherwise a bound could be mistaken for a
    /// value, and a narrow window could become empty.
    fn weighted(&mut self, reply: &Reply<G::Position>, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        let weight = self.weighting.of(reply);
        if weight == 1.0 {
            return self.position(reply.position, score, plies, alpha, beta);
        }
        let (low, high) = ((alpha / weight).next_down(), (beta / weight).next_up());
        let value = self.position(reply.position, score, plies, low, high);
        match weight * value {
            weighted if value <= low => weighted.min(alpha),
            weighted if value >= high => weighted.max(beta),
            weighted => weighted,
        }
    }

    /// The value of a position where the mover is to move and `plies` are left. `plies` is never 1, because
    /// [`AlphaBetaSearch::last_moves`] values these positions.
    fn position(&mut self, position: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        self.meter.visit(1);
        if plies == 0 {
            self.met_horizon = true;
            self.meter.charge_cost(self.costs.value + Operation::LoneLeaf.cost());
            return self.evaluator.after_reply(&self.game, position, score);
        }
        if let Some(outcome) = self.game.after_reply(position) {
            return self.evaluator.ended(&self.game, outcome, score);
        }
        self.meter.charge(Operation::InnerNode, 1);
        if plies <= UNCACHED_PLIES {
            return self.steps(position, score, plies, alpha, beta);
        }
        self.with_table(self.game.key(position), plies, alpha, beta, |search| {
            search.steps(position, score, plies, alpha, beta)
        })
    }

    /// The best step within the window.
    fn steps(&mut self, position: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        let game = self.game.clone();
        if !self.ordered || plies <= UNCACHED_PLIES {
            return self.best(game.steps(position), score, plies, alpha, beta);
        }
        let mut steps: Steps<G> = ArrayVec::new();
        steps.extend(game.steps(position));
        self.meter.charge_cost(self.costs.value * steps.len() as u64);
        let value = |step: &Step<G::Position, G::Move>| self.evaluator.value(step.after, score + step.reward);
        let order: ArrayVec<Ranked, MOST_MOVES> = ranked(&steps, |step| -value(step));
        self.best(order.iter().map(|ranked| steps[ranked.number]), score, plies, alpha, beta)
    }

    /// The highest value of these steps, which are searched in this order until one of them closes the window. Without
    /// a step the game has ended.
    #[inline(always)]
    fn best(
        &mut self,
        steps: impl Iterator<Item = Step<G::Position, G::Move>>,
        score: u32,
        plies: u32,
        mut alpha: f64,
        beta: f64,
    ) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for step in steps {
            best = best.max(self.after(step.after, score + step.reward, plies - 1, alpha, beta));
            alpha = alpha.max(best);
            if best >= beta || self.stopped {
                break;
            }
        }
        if best == f64::NEG_INFINITY { self.evaluator.ended(&self.game, G::STUCK, score) } else { best }
    }

    /// The value from the table if it is there. Otherwise the value of `search`, which is then stored. The key need not
    /// say whose turn it is, because that follows from the plies left.
    fn with_table(
        &mut self,
        key: u64,
        plies: u32,
        alpha: f64,
        beta: f64,
        search: impl FnOnce(&mut Self) -> f64,
    ) -> f64 {
        if !self.ordered || plies <= UNCACHED_PLIES {
            return search(self);
        }
        self.meter.charge(Operation::TableLookup, 1);
        let known = self.table.as_ref().and_then(|table| table.get(key, plies));
        if let Some(value) = known.and_then(|known| known.within(alpha, beta)) {
            return value;
        }
        let value = search(self);
        if let Some(table) = &mut self.table {
            table.put(key, plies, Bounds::new(value, alpha, beta));
        }
        value
    }

    fn search(&mut self, position: G::Position, score: u32, exact: bool) -> Option<Decision<G>> {
        (self.stopped, self.meter) = (false, self.budget.start());
        self.meter.charge(Operation::Decision, 1);
        let game = self.game.clone();
        let root = Root { steps: game.steps(position).collect(), score, exact };
        let max_plies = self.depth.plies(game.empty_cells(position));
        let deepening = IterativeDeepening {
            game: &game,
            max_plies,
            is_limited: self.budget.is_limited(),
            moves: root.steps.len(),
        };
        let found = deepening.run(|plies, order| self.root(&root, plies, order));
        Decision::of_search(&root.steps, found, self.meter.spent())
    }
}

/// The position at which a move is to be chosen.
struct Root<G: Game> {
    steps: Steps<G>,
    score: u32,
    /// Whether every move needs its exact value and not only a bound.
    exact: bool,
}

/// An item of a list and its rank in the order of the search.
struct Ranked {
    rank: f64,
    /// The index of the item in the list.
    number: usize,
}

/// The items by rising rank, so that those most likely to cause a cut come first. Items of equal rank keep their order.
#[inline(always)]
fn ranked<T, const N: usize>(items: &[T], rank: impl Fn(&T) -> f64) -> ArrayVec<Ranked, N> {
    let ranked = items.iter().enumerate().map(|(number, item)| Ranked { rank: rank(item), number });
    let mut order: ArrayVec<Ranked, N> = ranked.collect();
    order.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank).then(a.number.cmp(&b.number)));
    order
}

impl<G: Game, E: Evaluator<G>> Agent<G> for AlphaBetaSearch<G, E> {
    fn stop_on(&mut self, flag: StopFlag) {
        self.budget.stop = Some(flag);
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.search(position, score, false)
    }

    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.search(position, score, true)
    }
}
