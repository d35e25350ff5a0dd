//! What the operations of a heuristic cost, in the unit that every agent shares.
//!
//! A cost is the time that an operation took on the machine of calibration. It is a constant in the source and not a
//! measurement at run time, so that a budget buys the same operations on every machine.

use std::ops::{Add, Mul};

use super::evaluator::Horizon;

/// A cost in picoseconds of the machine of calibration.
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

    /// A sum that stays at the largest cost where it would overflow.
    pub const fn saturating_add(self, other: Cost) -> Self {
        Cost(self.0.saturating_add(other.0))
    }

    /// A difference that stays at 0 where it would be negative.
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

/// What an evaluator's answers cost. The methods are those of [`Evaluator`](super::Evaluator).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafCosts {
    /// `value`: one position valued alone.
    pub value: Cost,
    /// `best_step`: the moves of one position valued together.
    pub best_step: Cost,
    /// `expected`: the mean over the replies, in closed form where there is one.
    pub expected: CallCost,
    /// `worst`: the worst of the replies.
    pub worst: CallCost,
    /// `best_after_replies`, where the search ends with the last moves.
    pub last_steps: CallCost,
    /// With the means of the replies to the last moves.
    pub last_means: CallCost,
    /// With the worst of the replies to the last moves.
    pub last_worsts: CallCost,
}

/// The cost of a call that values the replies to a position together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCost {
    /// Once for each call.
    pub call: Cost,
    /// Again for each reply.
    pub reply: Cost,
}

impl CallCost {
    /// In picoseconds.
    pub const fn new(call: u64, reply: u64) -> Self {
        CallCost { call: Cost(call), reply: Cost(reply) }
    }

    /// The cost of a call with so many replies.
    #[inline(always)]
    pub fn of(self, replies: usize) -> Cost {
        self.call + self.reply * replies as u64
    }
}

impl LeafCosts {
    /// Of an evaluator that says nothing about its costs: a position takes 10 ns, and every question is answered by
    /// valuing one position after the other, in a game of about 8 replies and 4 moves.
    pub const PLAIN: LeafCosts = LeafCosts::one_by_one(10_000, 8, 4);

    /// For an evaluator that values one position after the other, each at this many picoseconds, in a game of about
    /// `replies` replies and `moves` moves.
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

    /// The last moves after so many replies.
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
