//! What the operations of a heuristic cost, in the unit that every agent shares.
//!
//! A cost is the time that an operation took on the machine of calibration. It is a constant in the source and not a
//! measurement at run time, so that a budget buys the same operations on every machine.

use std::ops::{Add, Mul};

/// A cost in picoseconds of the machine of calibration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(u64);

impl Cost {
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
    /// One position valued alone: `value`.
    pub value: Cost,
    /// The mean over the replies, in closed form where there is one: `expected`.
    pub expected: Cost,
    /// The worst of the replies: `worst`, for each reply.
    pub worst_reply: Cost,
    /// The best last move after each reply: `fold_best`, once for a call and again for each reply.
    pub fold: Cost,
    pub fold_reply: Cost,
    /// The same where a last move is worth the mean or the worst of the replies to it.
    pub fold_replies: Cost,
    pub fold_replies_reply: Cost,
}

impl LeafCosts {
    /// For an evaluator that answers every question by valuing one position after the other: `value` for each, in a
    /// game of about `replies` replies and `moves` moves.
    pub const fn one_by_one(value: Cost, replies: u64, moves: u64) -> Self {
        LeafCosts {
            value,
            expected: Cost(value.0 * replies),
            worst_reply: value,
            fold: Cost::ZERO,
            fold_reply: Cost(value.0 * moves),
            fold_replies: Cost::ZERO,
            fold_replies_reply: Cost(value.0 * moves * replies),
        }
    }
}
