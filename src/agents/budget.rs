//! The limit on the cost of a decision, and the meter that counts what is spent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::heuristics::Cost;
use crate::params::Values;

use super::work::{Operation, UNIT, units};

/// The limits of each decision: in work, in time, in both or in neither.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// Units of work for each decision.
    pub work: Option<u64>,
    /// Wall-clock time for each decision.
    pub time: Option<Duration>,
    /// Ends a decision early when the flag is set.
    pub stop: Option<StopFlag>,
}

/// A flag that cancels a decision whose result is no longer needed. The move of a cancelled decision is meaningless.
#[derive(Clone, Copy, Debug)]
pub struct StopFlag(pub &'static AtomicBool);

impl StopFlag {
    /// Whether the decision is to end now.
    pub fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for StopFlag {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Budget {
    pub(super) fn new(options: &Values) -> Self {
        Budget {
            work: options.integer("work").map(|work| work as u64),
            time: options.number("ms").map(|ms| Duration::from_secs_f64(ms / 1000.0)),
            stop: None,
        }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.work.is_some() || self.time.is_some()
    }

    /// The meter of a new decision.
    pub fn start(&self) -> Meter {
        let unlimited = Cost::picoseconds(u64::MAX);
        Meter {
            spent: Cost::ZERO,
            nodes: 0,
            limit: self.work.map_or(unlimited, |work| Cost::picoseconds(work.saturating_mul(UNIT.as_picoseconds()))),
            // A time so long that the clock would overflow counts as no limit.
            deadline: self.time.and_then(|time| Instant::now().checked_add(time)),
            stop: self.stop,
            is_watched: self.time.is_some() || self.stop.is_some(),
            next_clock_check: Cost::ZERO,
        }
    }
}

/// The cost between two readings of the clock: about two microseconds, fifty times the cost of one reading.
const CLOCK_INTERVAL: Cost = Cost::picoseconds(2_000_000);

/// The cost of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The number of positions evaluated.
    pub nodes: u64,
    /// Units of work.
    pub work: u64,
}

/// Counts the cost of one decision against its budget.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    spent: Cost,
    nodes: u64,
    limit: Cost,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
    /// Whether there is a deadline or a stop flag to check.
    is_watched: bool,
    /// The clock and the flag are next read when this much is spent.
    next_clock_check: Cost,
}

impl Meter {
    /// Adds the cost of `count` operations.
    #[inline(always)]
    pub fn charge(&mut self, operation: Operation, count: u64) {
        self.charge_cost(operation.cost() * count);
    }

    /// Adds a cost that depends on the heuristic.
    #[inline(always)]
    pub fn charge_cost(&mut self, cost: Cost) {
        self.spent = self.spent + cost;
    }

    /// Counts evaluated positions. This is only a statistic and does not use up the budget.
    #[inline(always)]
    pub fn visit(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Whether to start an operation of this cost: at least half of it must fit into the rest of the budget. So a
    /// decision ends above its budget as often as below, and on average it spends the whole budget.
    #[inline(always)]
    pub fn fits(&mut self, cost: Cost) -> bool {
        let half = Cost::picoseconds(cost.as_picoseconds() / 2);
        self.spent.saturating_add(half) <= self.limit && (!self.is_watched || self.is_in_time(half))
    }

    fn is_in_time(&mut self, cost: Cost) -> bool {
        if self.spent.saturating_add(cost) < self.next_clock_check {
            return true;
        }
        self.next_clock_check = self.spent + CLOCK_INTERVAL;
        let expected = Duration::from_nanos(cost.as_picoseconds() / 1000);
        !self.is_stopped() && self.deadline.is_none_or(|deadline| Instant::now() + expected <= deadline)
    }

    /// Whether a cost is at most an eighth of the budget of work. Such an operation need not be split to end on budget.
    #[inline(always)]
    pub fn is_small(&self, cost: Cost) -> bool {
        cost.as_picoseconds() <= self.limit.as_picoseconds() / 8
    }

    /// Whether the budget is spent.
    #[inline(always)]
    pub fn is_spent(&mut self) -> bool {
        !self.fits(Cost::picoseconds(1))
    }

    /// The rest of the budget of work.
    pub fn left(&self) -> Cost {
        self.limit.saturating_sub(self.spent)
    }

    /// Whether the stop flag has been set.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopFlag::is_set)
    }

    /// The flag that ends the decision.
    pub fn stop_flag(&self) -> Option<StopFlag> {
        self.stop
    }

    /// When a budget of time ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The cost of the decision so far.
    pub fn spent(&self) -> Spent {
        Spent { nodes: self.nodes, work: units(self.spent) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentSpec;
    use crate::games::Game;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::heuristics::Playable;

    #[test]
    fn a_decision_spends_its_budget_to_within_half_an_operation() {
        let cost = Operation::PlayoutStep.cost();
        for work in [10, 100, 1_000, 12_345] {
            let mut meter = Budget { work: Some(work), ..Budget::default() }.start();
            while meter.fits(cost) {
                meter.charge(Operation::PlayoutStep, 1);
            }
            let spent = Cost::picoseconds(UNIT.as_picoseconds() * meter.spent().work);
            let difference = spent.as_picoseconds().abs_diff(UNIT.as_picoseconds() * work);
            assert!(difference <= cost.as_picoseconds() / 2 + UNIT.as_picoseconds(), "{work}: {difference}");
        }
    }

    #[test]
    fn without_a_limit_everything_fits() {
        let mut meter = Budget::default().start();
        meter.charge_cost(Cost::picoseconds(u64::MAX / 2));
        assert!(meter.fits(Cost::picoseconds(u64::MAX)) && !meter.is_spent());
    }

    #[test]
    fn a_deadline_ends_a_decision() {
        let mut meter = Budget { time: Some(Duration::from_millis(1)), ..Budget::default() }.start();
        std::thread::sleep(Duration::from_millis(2));
        assert!(meter.is_spent());
    }

    /// Without the flag, each of these decisions would take far longer than a test can wait.
    #[test]
    fn a_stop_flag_ends_every_search() {
        static STOP: AtomicBool = AtomicBool::new(true);
        let game = Twenty48::new(Goal::None);
        let board = game.parse("2,4,8,16/4,8,16,32/0,0,2,4/0,0,0,2").unwrap();
        for kind in ["minimax:depth=60", "alphabeta:depth=60", "expectimax:depth=60", "expectiminimax:depth=60"] {
            decide_stopped(&game, kind, board, &STOP);
        }
        for kind in ["mcts:iterations=100000000", "mcts:ms=1000000", "rollout:runs=10000000", "rollout:ms=1000000"] {
            decide_stopped(&game, kind, board, &STOP);
        }
        decide_stopped(&game, "tree-rollout:ms=1000000", board, &STOP);
    }

    fn decide_stopped<G: Playable>(game: &G, agent: &str, position: G::Position, stop: &'static AtomicBool) {
        let mut agent = agent.parse::<AgentSpec>().unwrap().build(game).unwrap();
        agent.stop_on(StopFlag(stop));
        agent.decide(position, 0);
    }
}
