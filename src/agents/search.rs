//! One search, three agents: what the replies of the environment come to is an [`Operator`].
//!
//! Expectimax takes their mean and minimax the worst of them. All else (the mover's maximum, cuts, table, budget) is
//! the same and is here.

use arrayvec::ArrayVec;

use crate::games::{Game, Reply};
use crate::heuristics::{Best, Evaluator, Horizon, LastMoves, LeafCosts};
use crate::params::Values as Options;

use super::budget::Meter;
use super::options::{Depth, Searched};
use super::transposition::TranspositionTable;
use super::work::Operation;
use super::{Agent, Decision, Values};

/// What the values of the replies come to.
pub(super) trait Operator: Copy + Send + 'static {
    /// With no reply yet.
    const START: f64;
    /// What the replies come to where the horizon lies right after them: a name for it, and its value.
    const HORIZON: Horizon;

    fn combine<P>(so_far: f64, reply: &Reply<P>, value: f64) -> f64;

    fn at_horizon<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64;
}

/// Stop early where the rest matters little. These give up exactness; both are off by default.
#[derive(Clone, Copy, Debug)]
pub struct Cuts {
    partial: bool,
    min_probability: f64,
}

/// The partial cut: at least this many empty cells and at most this many plies left.
const PARTIAL_CUT_CELLS: u32 = 6;
const PARTIAL_CUT_PLIES: u32 = 2;

impl Cuts {
    pub(super) fn new(options: &Options) -> Self {
        Cuts { partial: options.flag("partial-cut"), min_probability: options.number("min-probability").unwrap_or(0.0) }
    }

    /// Why to evaluate here and now, if so. Of the probability it is the environment that is asked, and only while its
    /// replies are not the last: those cost next to nothing.
    #[inline(always)]
    pub fn reason<G: Game>(
        &self,
        game: &G,
        position: G::Position,
        is_mover: bool,
        plies: u32,
        probability: f64,
    ) -> Option<&'static str> {
        if !is_mover && plies > 1 && probability < self.min_probability {
            return Some("too unlikely");
        }
        let partial = self.partial && plies <= PARTIAL_CUT_PLIES && game.empty_cells(position) >= PARTIAL_CUT_CELLS;
        partial.then_some("partial cut")
    }
}

/// A depth-first search with a fixed operator.
pub(super) struct TreeSearch<G: Game, E, O> {
    game: G,
    evaluator: E,
    operator: std::marker::PhantomData<O>,
    depth: Depth,
    cuts: Cuts,
    table: Option<TranspositionTable<f64>>,
    costs: LeafCosts,
    meter: Meter,
    stopped: bool,
    met_horizon: bool,
}

impl<G: Game, E: Evaluator<G>, O: Operator> TreeSearch<G, E, O> {
    pub fn new(game: G, evaluator: E, options: &Options) -> Self {
        let depth = Depth::new(options);
        TreeSearch {
            game,
            costs: evaluator.costs(),
            evaluator,
            operator: std::marker::PhantomData,
            depth,
            cuts: Cuts::new(options),
            table: TranspositionTable::new(options.integer("table").unwrap_or(0)),
            meter: depth.budget.start(),
            stopped: false,
            met_horizon: false,
        }
    }

    /// The value of each legal move, looking `plies` ahead.
    fn values(&mut self, position: G::Position, score: u32, plies: u32) -> Values<G> {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        let game = self.game.clone();
        let steps: ArrayVec<_, { super::MOST_MOVES }> = game.steps(position).collect();
        steps.iter().map(|step| (step.action, self.after(step.after, score + step.reward, plies - 1, 1.0))).collect()
    }

    /// The environment is to reply; `plies` are left.
    fn after(&mut self, after: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        self.meter.visit(1);
        if let Some(outcome) = self.game.after_step(after) {
            return self.game.utility(outcome);
        }
        if plies <= 1 {
            self.met_horizon = true;
        }
        if plies == 0 || self.cuts.reason(&self.game, after, false, plies, probability).is_some() {
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        if plies == 1 {
            self.meter.charge_cost(self.costs.expected);
            return O::at_horizon(&self.evaluator, &self.game, after, score);
        }
        self.replies(after, score, plies, probability)
    }

    fn replies(&mut self, after: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        if self.stopped || self.meter.is_spent() {
            self.stopped = true;
            return 0.0;
        }
        self.meter.charge(Operation::TableLookup, 1);
        let key = self.game.key(after);
        if let Some(value) = self.table.as_ref().and_then(|table| table.get(key, plies)) {
            return value;
        }
        let value = match plies {
            2 | 3 if !self.cuts.partial => self.last_moves(after, score, plies),
            _ => self.positions(after, score, plies, probability),
        };
        if let Some(table) = &mut self.table {
            table.put(key, plies, value);
        }
        value
    }

    fn positions(&mut self, after: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        let game = self.game.clone();
        game.replies(after).fold(O::START, |so_far, reply| {
            let value = self.position(reply.position, score, plies - 1, probability * reply.probability);
            O::combine(so_far, &reply, value)
        })
    }

    /// Replies with nothing but a last move after them, and replies to it if `plies` is 3: the evaluator does it all.
    fn last_moves(&mut self, after: G::Position, score: u32, plies: u32) -> f64 {
        let (game, evaluator, start) = (&self.game, &self.evaluator, (O::START, 0));
        let last = |horizon: Horizon| LastMoves { game, after, score, horizon };
        let fold = |(value, nodes): (f64, u64), reply: &Reply<G::Position>, best: Best| {
            let worth = match game.after_reply(reply.position) {
                Some(outcome) => game.utility(outcome),
                None if best.steps == 0 => game.utility(G::STUCK),
                None => best.value,
            };
            (O::combine(value, reply, worth), nodes + 1 + u64::from(best.steps))
        };
        let (value, nodes) = match plies {
            2 => evaluator.fold_best(last(Horizon::Step), start, fold),
            _ => evaluator.fold_best(last(O::HORIZON), start, fold),
        };
        self.met_horizon = true;
        self.meter.visit(nodes);
        self.meter.charge_cost(self.costs.fold + self.costs.fold_reply * nodes);
        value
    }

    /// The mover is to move; `plies` are left, one at least.
    fn position(&mut self, position: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        self.meter.visit(1);
        self.meter.charge(Operation::InnerNode, 1);
        if let Some(outcome) = self.game.after_reply(position) {
            return self.game.utility(outcome);
        }
        if self.cuts.reason(&self.game, position, true, plies, probability).is_some() {
            return self.evaluator.after_reply(&self.game, position, score);
        }
        let game = self.game.clone();
        let best = game.steps(position).fold(f64::NEG_INFINITY, |best, step| {
            best.max(self.after(step.after, score + step.reward, plies - 1, probability))
        });
        if best == f64::NEG_INFINITY { self.game.utility(G::STUCK) } else { best }
    }
}

impl<G: Game, E: Evaluator<G>, O: Operator> Agent<G> for TreeSearch<G, E, O> {
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        (self.stopped, self.meter) = (false, self.depth.budget.start());
        self.meter.charge(Operation::Decision, 1);
        let (depth, empty_cells) = (self.depth, self.game.empty_cells(position));
        let (values, plies) = depth.search(empty_cells, |plies| {
            self.met_horizon = false;
            let values = self.values(position, score, plies);
            Searched { values, is_finished: !self.stopped, met_horizon: self.met_horizon }
        });
        Decision::new(values, self.meter.spent()).map(|decision| Decision { depth: Some(plies), ..decision })
    }
}
