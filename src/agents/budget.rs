//! How much a move may cost.

use std::time::{Duration, Instant};

use crate::params::Values;

/// A limit in nodes, in time, in both or in none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
}

impl Budget {
    pub fn new(options: &Values) -> Self {
        Budget {
            nodes: options.integer("nodes").map(|nodes| nodes as u64),
            time: options.number("ms").map(|ms| Duration::from_secs_f64(ms / 1000.0)),
        }
    }

    pub fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time.is_some()
    }

    pub fn start(&self) -> Meter {
        Meter {
            limit: self.nodes.unwrap_or(u64::MAX),
            deadline: self.time.map(|time| Instant::now() + time),
            next_look: 0,
        }
    }
}

/// Nodes between two looks at the clock: about 20 microseconds.
const LOOK_EVERY: u64 = 1024;

/// A budget being spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    limit: u64,
    deadline: Option<Instant>,
    next_look: u64,
}

impl Meter {
    /// Whether the budget is used up once `nodes` have been visited.
    #[inline(always)]
    pub fn is_spent(&mut self, nodes: u64) -> bool {
        nodes >= self.limit || (self.deadline.is_some() && self.is_late(nodes))
    }

    fn is_late(&mut self, nodes: u64) -> bool {
        if nodes < self.next_look {
            return false;
        }
        self.next_look = nodes + LOOK_EVERY;
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The nodes left to spend.
    pub fn left(&self, nodes: u64) -> u64 {
        self.limit.saturating_sub(nodes)
    }
}
