//! The depth-first search of expectimax and minimax. An [`Operator`] combines the values of the replies.
//!
//! Expectimax takes the mean of the replies and minimax the worst. Everything else is the same for both: the maximum
//! over the mover's moves, the cuts, the transposition table and the budget.

use arrayvec::ArrayVec;

use crate::games::{Game, Reply, Step};
use crate::heuristics::{Cost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues};
use crate::params::Values as Options;

use super::budget::{Budget, Meter, StopFlag};
use super::depth::{Depth, IterativeDeepening, RootResult};
use super::transposition::TranspositionTable;
use super::work::Operation;
use super::{Agent, Decision, Steps};

/// How the values of the replies combine.
pub(super) trait Operator: Copy + Send + 'static {
    /// The value to start from, before any reply is combined.
    const START: f64;
    /// The kind of horizon directly after the replies.
    const HORIZON: Horizon;

    fn combine<P>(so_far: f64, reply: &Reply<P>, value: f64) -> f64;

    /// The combined value of the replies to `after` if the search ends directly after them.
    fn at_horizon<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64;

    /// The cost of [`Operator::at_horizon`].
    fn horizon_cost(costs: &LeafCosts, replies: usize) -> Cost;
}

/// Conditions under which a search evaluates a position before it reaches its depth. The values are then no longer
/// exact, so both cuts are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cuts {
    /// Evaluate where 6 or more cells are empty and 2 or fewer plies are left.
    pub partial: bool,
    /// Evaluate after a move if the replies on the path to it have together a probability below this.
    pub min_probability: f64,
}

/// The partial cut needs at least this many empty cells.
const PARTIAL_CUT_CELLS: u32 = 6;
/// The partial cut needs at most this many plies left.
const PARTIAL_CUT_PLIES: u32 = 2;

impl Cuts {
    pub(super) fn new(options: &Options) -> Self {
        Cuts { partial: options.flag("partial-cut"), min_probability: options.number("min-probability").unwrap_or(0.0) }
    }

    /// The reason to evaluate this position now, or `None` to search on. The probability is tested only where the
    /// environment is to reply and its replies are not the last ply, because the last replies cost almost nothing.
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

/// The configuration that the tree searches share.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeConfig {
    pub depth: Option<Depth>,
    pub table_bits: u32,
    pub cuts: Cuts,
    pub budget: Budget,
}

/// A depth-first search with a fixed operator.
pub(super) struct TreeSearch<G: Game, E, O> {
    game: G,
    evaluator: E,
    operator: std::marker::PhantomData<O>,
    depth: Depth,
    budget: Budget,
    cuts: Cuts,
    table: Option<TranspositionTable<f64>>,
    costs: LeafCosts,
    meter: Meter,
    reply_values: ReplyValues,
    /// Whether the budget is spent. All values returned after that are meaningless.
    stopped: bool,
    /// Whether some line was cut off at the horizon, so that a deeper search could find another value.
    met_horizon: bool,
}

impl<G: Game, E: Evaluator<G>, O: Operator> TreeSearch<G, E, O> {
    pub fn new(game: G, evaluator: E, config: &TreeConfig) -> Self {
        TreeSearch {
            game,
            costs: evaluator.costs(),
            evaluator,
            operator: std::marker::PhantomData,
            depth: Depth::or_default(config.depth, &config.budget),
            budget: config.budget,
            cuts: config.cuts,
            table: TranspositionTable::new(config.table_bits),
            meter: config.budget.start(),
            reply_values: ReplyValues::default(),
            stopped: false,
            met_horizon: false,
        }
    }

    /// The values of the moves at a depth of `plies`, as many as the budget allows.
    fn root(&mut self, steps: &[Step<G::Position, G::Move>], score: u32, plies: u32, order: &[usize]) -> RootResult {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.met_horizon = false;
        let mut searched = RootResult::default();
        for &number in order {
            let step = &steps[number];
            let value = self.after(step.after, score + step.reward, plies - 1, 1.0);
            if self.stopped {
                break;
            }
            searched.push_exact(number, value);
        }
        searched.met_horizon = self.met_horizon;
        searched
    }

    /// The value of a position where the environment is to reply and `plies` are left.
    fn after(&mut self, after: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        if self.stopped {
            return 0.0;
        }
        self.meter.visit(1);
        if let Some(outcome) = self.game.after_step(after) {
            return self.evaluator.ended(&self.game, outcome, score);
        }
        if plies <= 1 {
            self.met_horizon = true;
        }
        if plies == 0 || self.cuts.reason(&self.game, after, false, plies, probability).is_some() {
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        if plies == 1 {
            let replies = self.game.reply_count(after);
            let cost = O::horizon_cost(&self.costs, replies);
            if !self.fits(cost) {
                return 0.0;
            }
            self.meter.visit(replies as u64);
            self.meter.charge_cost(cost);
            return O::at_horizon(&self.evaluator, &self.game, after, score);
        }
        self.replies(after, score, plies, probability)
    }

    fn replies(&mut self, after: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        self.meter.charge(Operation::TableLookup, 1);
        let key = self.game.key(after);
        let place = self.table.as_ref().map(|table| table.place(key, plies));
        if let (Some(table), Some(place)) = (&self.table, place)
            && let Some(value) = table.get(place)
        {
            return value;
        }
        let together = self.last_moves_cost(after, plies).filter(|cost| self.meter.is_small(*cost));
        let cost = together.unwrap_or(Operation::InnerNode.cost());
        if !self.fits(cost) {
            return 0.0;
        }
        self.meter.charge_cost(cost);
        let value = match together {
            Some(_) => self.last_moves(after, score, plies),
            None => self.positions(after, score, plies, probability),
        };
        if let (Some(table), Some(place)) = (&mut self.table, place) {
            table.put(place, value);
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

    /// The cost of [`TreeSearch::last_moves`]; `None` where it does not apply.
    #[inline(always)]
    fn last_moves_cost(&self, after: G::Position, plies: u32) -> Option<Cost> {
        let horizon = if plies == 2 { Horizon::Step } else { O::HORIZON };
        let applies = plies <= 3 && !self.cuts.partial;
        applies.then(|| self.costs.of_last_moves(horizon, self.game.reply_count(after)))
    }

    /// Whether the budget allows an operation of this cost. If not, the search stops.
    #[inline(always)]
    fn fits(&mut self, cost: Cost) -> bool {
        self.stopped |= !self.meter.fits(cost);
        !self.stopped
    }

    /// The combined value of the replies if only one move follows them (`plies` is 2), or one move and the replies to
    /// it (`plies` is 3). The evaluator values all these positions in one call, which is faster than one by one.
    fn last_moves(&mut self, after: G::Position, score: u32, plies: u32) -> f64 {
        let horizon = if plies == 2 { Horizon::Step } else { O::HORIZON };
        let last = LastMoves { game: &self.game, after, score, horizon };
        self.met_horizon = true;
        let value = last.fold_best(&self.evaluator, &mut self.reply_values, O::START, O::combine);
        self.meter.visit(self.reply_values.positions());
        value
    }

    /// The value of a position where the mover is to move and at least one of `plies` is left.
    fn position(&mut self, position: G::Position, score: u32, plies: u32, probability: f64) -> f64 {
        if self.stopped || !self.fits(Operation::InnerNode.cost()) {
            return 0.0;
        }
        self.meter.visit(1);
        self.meter.charge(Operation::InnerNode, 1);
        if let Some(outcome) = self.game.after_reply(position) {
            return self.evaluator.ended(&self.game, outcome, score);
        }
        if self.cuts.reason(&self.game, position, true, plies, probability).is_some() {
            self.meter.charge_cost(self.costs.value);
            return self.evaluator.after_reply(&self.game, position, score);
        }
        let game = self.game.clone();
        let best = game.steps(position).fold(f64::NEG_INFINITY, |best, step| {
            best.max(self.after(step.after, score + step.reward, plies - 1, probability))
        });
        if best == f64::NEG_INFINITY { self.evaluator.ended(&self.game, G::STUCK, score) } else { best }
    }
}

impl<G: Game, E: Evaluator<G>, O: Operator> Agent<G> for TreeSearch<G, E, O> {
    fn stop_on(&mut self, flag: StopFlag) {
        self.budget.stop = Some(flag);
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        (self.stopped, self.meter) = (false, self.budget.start());
        self.meter.charge(Operation::Decision, 1);
        let game = self.game.clone();
        let mut steps: Steps<G> = ArrayVec::new();
        game.steps(position).for_each(|step| steps.push(step));
        let max_plies = self.depth.plies(game.empty_cells(position));
        let deepening =
            IterativeDeepening { game: &game, max_plies, is_limited: self.budget.is_limited(), moves: steps.len() };
        let found = deepening.run(|plies, order| self.root(&steps, score, plies, order));
        Decision::of_search(&steps, &found, self.meter.spent())
    }
}
