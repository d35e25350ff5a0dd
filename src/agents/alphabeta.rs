//! Alpha-beta: minimax without the lines that cannot change its value.
//!
//! The window (alpha, beta) holds the values that the mover and the opponent can already guarantee. A line whose value
//! lies outside the window is cut. The value and the move are always those of minimax. Shallow searches take the moves
//! in the order of the game, which is fastest. Deeper ones order inner nodes and store them in a transposition table:
//! see `ordering`.
//!
//! With [`ReplyWeighting::TileProbability`] each reply's value is first multiplied by the probability of its tile: see
//! `expectiminimax`.
//!
//! Reference: Knuth & Moore, *An analysis of alpha-beta pruning* (1975).

use crate::games::{Game, Reply};
use crate::heuristics::{Cost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues};
use crate::params::{InputError, Values as Options};

use super::budget::{Budget, Meter, StopFlag};
use super::config::AgentConfig;
use super::depth::{Depth, IterativeDeepening, RootResult};
use super::options;
use super::registry::AgentKind;
use super::transposition::TranspositionTable;
use super::work::Operation;
use super::{Agent, Decision, Steps};

mod config;
mod ordering;
#[cfg(test)]
mod tests;

pub use config::AlphaBeta;
use ordering::{Node, NodeRecord, Ordering};

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

/// At nodes with at most this many plies left, moves are not sorted and the bounds in the table are not used.
const UNCACHED_PLIES: u32 = 2;
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
    table: Option<TranspositionTable<NodeRecord>>,
    costs: LeafCosts,
    /// The depth of the iteration.
    plies: u32,
    /// The order of this iteration.
    ordering: Ordering,
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
            plies: 0,
            ordering: Ordering::Game,
            meter: config.budget.start(),
            reply_values: ReplyValues::default(),
            stopped: false,
            met_horizon: false,
        }
    }

    /// The value of each legal move. With `root.exact` every move is searched with the full window. Otherwise a move
    /// that is no better than an earlier move gets an upper bound, which is at most the value of that earlier move.
    fn root(&mut self, root: &Root<G>, plies: u32, order: &[usize]) -> RootResult {
        (self.plies, self.ordering) = (plies, Ordering::of(plies, self.has_previous()));
        self.met_horizon = false;
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
        let node = Node { score, plies, alpha, beta };
        self.with_table(self.game.key(after), node, |search, first| search.replies(after, node, first))
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
        self.remember_worst_reply(after);
        value
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
        let node = Node { score, plies, alpha, beta };
        self.with_table(self.game.key(position), node, |search, first| search.steps(position, node, first))
    }

    fn search(&mut self, position: G::Position, score: u32, exact: bool) -> Option<Decision<G>> {
        (self.stopped, self.meter) = (false, self.budget.start());
        self.meter.charge(Operation::Decision, 1);
        if let Some(table) = &mut self.table {
            table.clear();
        }
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
        Decision::of_search(&root.steps, &found, self.meter.spent())
    }
}

/// The position at which a move is to be chosen.
struct Root<G: Game> {
    steps: Steps<G>,
    score: u32,
    /// Whether every move needs its exact value and not only a bound.
    exact: bool,
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
