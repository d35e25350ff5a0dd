//! Alpha-beta: minimax's value without visiting lines that cannot matter.
//!
//! A window (alpha, beta) holds what either side is sure of already; a line outside it is cut. The value is always
//! that of minimax, and so is the move. To 5 plies moves are searched as they come, which is fastest; from 6 on the
//! inner nodes are ordered by the heuristic and remembered in a table.
//!
//! With [`Weighing::TILE`] each reply's value is first weighted by its tile's probability: see `expectiminimax`.
//!
//! Reference: Knuth & Moore, *An analysis of alpha-beta pruning* (1975).

use arrayvec::ArrayVec;

use crate::games::{Game, MOST_REPLIES, Reply, Step};
use crate::heuristics::{Evaluator, LeafCosts};
use crate::params::{InputError, Values as Options};

use super::budget::Meter;
use super::options::{self, Depth, Searched};
use super::registry::AgentKind;
use super::transposition::TranspositionTable;
use super::work::Operation;
use super::{Agent, Decision, MOST_MOVES, Values};

pub(super) const KIND: AgentKind = AgentKind {
    name: "alphabeta",
    summary: "minimax's move and value, without the lines that cannot matter",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

/// Searches this deep order their inner nodes and keep a table (measured: shallower ones lose by it).
const ORDERED_FROM: u32 = 6;
/// Nodes with fewer plies left than this are not worth ordering.
const INNER_PLIES: u32 = 2;

/// How a reply's value is weighted before the worst is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Weighing {
    None,
    Tile,
}

impl Weighing {
    #[inline(always)]
    fn of<P>(self, reply: &Reply<P>) -> f64 {
        match self {
            Weighing::None => 1.0,
            Weighing::Tile => reply.weight,
        }
    }
}

/// What is known of a position's value.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    low: f64,
    high: f64,
}

impl Known {
    /// From a search that returned `value` within the window.
    fn new(value: f64, alpha: f64, beta: f64) -> Self {
        Known {
            low: if value > alpha { value } else { f64::NEG_INFINITY },
            high: if value < beta { value } else { f64::INFINITY },
        }
    }

    /// The value, if it is known as well as the window needs.
    fn within(self, alpha: f64, beta: f64) -> Option<f64> {
        if self.low >= beta || self.low == self.high {
            Some(self.low)
        } else {
            (self.high <= alpha).then_some(self.high)
        }
    }
}

pub(super) struct AlphaBeta<G: Game, E> {
    game: G,
    evaluator: E,
    weighing: Weighing,
    depth: Depth,
    table: Option<TranspositionTable<Known>>,
    ordered: bool,
    costs: LeafCosts,
    meter: Meter,
    stopped: bool,
    met_horizon: bool,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    pub fn new(game: G, evaluator: E, weighing: Weighing, options: &Options) -> Self {
        let depth = Depth::new(options);
        AlphaBeta {
            game,
            costs: evaluator.costs(),
            evaluator,
            weighing,
            depth,
            table: TranspositionTable::new(options.integer("table").unwrap_or(0)),
            ordered: false,
            meter: depth.budget.start(),
            stopped: false,
            met_horizon: false,
        }
    }

    /// The value of each legal move. With `exact` every move gets the full window; otherwise a move that is no better
    /// than an earlier one gets an upper bound, which is at most that one's value.
    fn values(&mut self, position: G::Position, score: u32, plies: u32, exact: bool) -> Values<G> {
        self.ordered = plies >= ORDERED_FROM;
        if let Some(table) = &mut self.table {
            table.clear();
        }
        let (game, mut alpha) = (self.game.clone(), f64::NEG_INFINITY);
        let mut values = Values::<G>::new();
        for step in game.steps(position) {
            let value = self.after(step.after, score + step.reward, plies - 1, alpha, f64::INFINITY);
            if !exact {
                alpha = alpha.max(value);
            }
            values.push((step.action, value));
        }
        values
    }

    /// The environment is to reply; `plies` are left.
    fn after(&mut self, after: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        self.meter.visit(1);
        if let Some(outcome) = self.game.after_step(after) {
            return self.game.utility(outcome);
        }
        if plies <= 1 {
            self.met_horizon = true;
        }
        if plies == 0 {
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        if plies == 1 && self.weighing == Weighing::None {
            self.meter.charge_cost(self.costs.worst_reply * 8);
            return self.evaluator.worst(&self.game, after, score);
        }
        if self.stopped || self.meter.is_spent() {
            self.stopped = true;
            return 0.0;
        }
        self.remembered(self.game.key(after), plies, alpha, beta, |search| {
            search.replies(after, score, plies, alpha, beta)
        })
    }

    /// The worst reply within the window.
    fn replies(&mut self, after: G::Position, score: u32, plies: u32, alpha: f64, mut beta: f64) -> f64 {
        let mut replies: ArrayVec<Reply<G::Position>, MOST_REPLIES> = self.game.replies(after).collect();
        if self.ordered && plies > INNER_PLIES {
            let value = |reply: &Reply<G::Position>| self.evaluator.value(reply.position, score);
            order(&mut replies, |reply| self.weighing.of(reply) * value(reply));
        }
        let mut worst = f64::INFINITY;
        for reply in replies {
            let value = self.weighted(&reply, score, plies - 1, alpha, beta);
            worst = worst.min(value);
            beta = beta.min(worst);
            if worst <= alpha {
                break;
            }
        }
        worst
    }

    /// A reply's weighted value, searched in the window that the weight leaves. Division rounds: a window one step wider
    /// keeps bounds from passing for values, and a narrow window from closing.
    fn weighted(&mut self, reply: &Reply<G::Position>, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        let weight = self.weighing.of(reply);
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

    /// The mover is to move; `plies` are left.
    fn position(&mut self, position: G::Position, score: u32, plies: u32, alpha: f64, beta: f64) -> f64 {
        self.meter.visit(1);
        if plies == 0 {
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.after_reply(&self.game, position, score);
        }
        if let Some(outcome) = self.game.after_reply(position) {
            return self.game.utility(outcome);
        }
        if plies == 1 {
            let best = self.evaluator.best_step(&self.game, position, score);
            self.met_horizon = true;
            self.meter.visit(u64::from(best.steps));
            self.meter.charge_cost(self.costs.value * u64::from(best.steps));
            return if best.steps == 0 { self.game.utility(G::STUCK) } else { best.value };
        }
        self.meter.charge(Operation::InnerNode, 1);
        if plies <= INNER_PLIES {
            return self.steps(position, score, plies, alpha, beta);
        }
        self.remembered(self.game.key(position), plies, alpha, beta, |search| {
            search.steps(position, score, plies, alpha, beta)
        })
    }

    /// The best step within the window.
    fn steps(&mut self, position: G::Position, score: u32, plies: u32, mut alpha: f64, beta: f64) -> f64 {
        let mut steps: ArrayVec<Step<G::Position, G::Move>, MOST_MOVES> = self.game.steps(position).collect();
        if steps.is_empty() {
            return self.game.utility(G::STUCK);
        }
        if self.ordered && plies > INNER_PLIES {
            order(&mut steps, |step| -self.evaluator.value(step.after, score + step.reward));
        }
        let mut best = f64::NEG_INFINITY;
        for step in steps {
            best = best.max(self.after(step.after, score + step.reward, plies - 1, alpha, beta));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The value from the table, or from `search` and then into the table. Whose turn it is follows from the plies left.
    fn remembered(
        &mut self,
        key: u64,
        plies: u32,
        alpha: f64,
        beta: f64,
        search: impl FnOnce(&mut Self) -> f64,
    ) -> f64 {
        if !self.ordered || plies <= INNER_PLIES {
            return search(self);
        }
        let known = self.table.as_ref().and_then(|table| table.get(key, plies));
        if let Some(value) = known.and_then(|known| known.within(alpha, beta)) {
            return value;
        }
        let value = search(self);
        if let Some(table) = &mut self.table {
            table.put(key, plies, Known::new(value, alpha, beta));
        }
        value
    }

    fn search(&mut self, position: G::Position, score: u32, exact: bool) -> Option<Decision<G>> {
        (self.stopped, self.meter) = (false, self.depth.budget.start());
        self.meter.charge(Operation::Decision, 1);
        let (depth, empty_cells) = (self.depth, self.game.empty_cells(position));
        let (values, plies) = depth.search(empty_cells, |plies| {
            self.met_horizon = false;
            let values = self.values(position, score, plies, exact);
            Searched { values, is_finished: !self.stopped, met_horizon: self.met_horizon }
        });
        Decision::new(values, self.meter.spent()).map(|decision| Decision { depth: Some(plies), ..decision })
    }
}

/// Sorts the likeliest to cut first; equals keep their order.
fn order<T, const N: usize>(items: &mut ArrayVec<T, N>, rank: impl Fn(&T) -> f64) {
    items.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
}

impl<G: Game, E: Evaluator<G>> Agent<G> for AlphaBeta<G, E> {
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.search(position, score, false)
    }

    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.search(position, score, true)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(AlphaBeta::new(game, evaluator, Weighing::None, options)))
}
