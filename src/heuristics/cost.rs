//! The costs of the operations of a heuristic, in the unit that all agents share.
//!
//! A cost is the time that an operation took on the calibration machine. It is a constant in the source and not a
//! measurement at run time, so that a budget allows the same operations on every machine.

use std::ops::{Add, Mul};

use super::evaluator::Horizon;

/// A cost in picoseconds on the calibration machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
    /// No cost.
    pub const ZERO: Cost = Cost(0);

    /// A cost of this many picoseconds.
    pub const fn picoseconds(picoseconds: u64) -> Self {
        Cost(picoseconds)
    }

    /// The number of picoseconds.
    pub const fn as_picoseconds(self) -> u64 {
        self.0
    }

    /// The sum, or the largest cost if the sum would overflow.
    pub const fn saturating_add(self, other: Cost) -> Self {
        Cost(self.0.saturating_add(other.0))
    }

    /// The difference, or 0 if the difference would be negative.
    pub const fn saturating_sub(self, other: Cost) -> Self {
        Cost(self.0.saturating_sub(other.0))
    }
}

impl Add for Cost {
    type Output = Cost;

    #[inline(always)]
    fn add(self, other: Cost) -> Cost {
        Cost(self.0 + other.0)
    }
}

impl Mul<u64> for Cost {
    type Output = Cost;

    #[inline(always)]
    fn mul(self, count: u64) -> Cost {
        Cost(self.0 * count)
    }
}

/// The costs of the methods of an [`Evaluator`](super::Evaluator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafCosts {
    /// `value`: one position.
    pub value: Cost,
    /// `best_step`: all moves of one position.
    pub best_step: Cost,
    /// `expected`: the mean over the replies.
    pub expected: CallCost,
    /// `worst`: the worst of the replies.
    pub worst: CallCost,
    /// `best_after_replies` with [`Horizon::Step`].
    pub last_steps: CallCost,
    /// `best_after_replies` with [`Horizon::Mean`].
    pub last_means: CallCost,
    /// `best_after_replies` with [`Horizon::Worst`].
    pub last_worsts: CallCost,
}

/// The cost of a call that values all replies to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCost {
    /// The fixed cost of the call.
    pub call: Cost,
    /// The cost for each reply.
    pub reply: Cost,
}

impl CallCost {
    /// The costs of the call and of each reply, in picoseconds.
    pub const fn new(call: u64, reply: u64) -> Self {
        CallCost { call: Cost(call), reply: Cost(reply) }
    }

    /// The cost of a call with this many replies.
    #[inline(always)]
    pub fn of(self, replies: usize) -> Cost {
        self.call + self.reply * replies as u64
    }
}

impl LeafCosts {
    /// The costs of an evaluator that does not declare them. A position takes 10 ns, positions are valued one after
    /// another, and the game has about 8 replies and 4 moves.
    pub const PLAIN: LeafCosts = LeafCosts::one_by_one(10_000, 8, 4);

    /// The costs of an evaluator that values positions one after another, each in `value` picoseconds, in a game with
    /// about `replies` replies and `moves` moves.
    pub const fn one_by_one(value: u64, replies: u64, moves: u64) -> Self {
        let last_replies = CallCost::new(0, value * moves * replies);
        LeafCosts {
            value: Cost(value),
            best_step: Cost(value * moves),
            expected: CallCost::new(0, value),
            worst: CallCost::new(0, value),
            last_steps: CallCost::new(0, value * moves),
            last_means: last_replies,
            last_worsts: last_replies,
        }
    }

    /// The cost of `best_after_replies` with this many replies.
    #[inline(always)]
    pub fn of_last_moves(&self, horizon: Horizon, replies: usize) -> Cost {
        let cost = match horizon {
            Horizon::Step => self.last_steps,
            Horizon::Mean => self.last_means,
            Horizon::Worst => self.last_worsts,
        };
        cost.of(replies)
    }
}
