//! A group-sequential test: it looks at the results several times, and stops as soon as they decide the question.
//!
//! With an ordinary 95 % interval, repeated looks have far more than 5 % false positives. This test has wider intervals
//! at early looks. After `n` of at most `N` games the critical value is `c / sqrt(n / N)` (O'Brien and Fleming 1979).
//! `c` is chosen such that `4 (1 - Phi(c)) = alpha`. Then the probability that a Brownian motion ever crosses the
//! boundary is at most `alpha` (the reflection principle), so the guarantee holds for any number of looks. The
//! intervals are repeated confidence intervals (Jennison and Turnbull 1989): with probability `1 - alpha` all of them
//! cover the true value. So the last interval is valid although the results decided when to stop.
//!
//! A second boundary rules out a difference of at least the margin. It uses one-sided bounds with `2 (1 - Phi(c)) =
//! beta` on both sides. If the true difference is at least the margin, it is ruled out with probability at most `beta`.

use serde::{Deserialize, Serialize};

use super::critical::normal_cdf;
use super::equivalence::within_margin;
use super::{Interval, Level};

/// The number of looks. With more looks the test stops a little earlier, but threads have to wait more often.
const LOOKS: u64 = 20;
/// The number of games between two looks is a multiple of this, the size of a block of games.
const STEP: u64 = 10;

/// The plan of a test, fixed before the first game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequentialTest {
    /// The probability of finding a difference if there is none.
    pub alpha: f64,
    /// The probability of ruling out the margin if the difference is that large.
    pub beta: f64,
    /// The smallest difference that matters.
    pub margin: f64,
    /// The number of games after which the test ends without a decision.
    pub most_games: u64,
}

/// The decision after a look at the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// More games are needed.
    Continue,
    /// The interval lies above 0.
    FirstBetter,
    /// The interval lies below 0.
    SecondBetter,
    /// The difference is smaller than the margin.
    WithinMargin,
    /// All games are played without a decision.
    Undecided,
}

/// The result of one look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// The number of games of each agent so far.
    pub games: u64,
    /// The decision.
    pub decision: Decision,
    /// The repeated confidence interval with error `alpha`.
    pub interval: Interval,
    /// The bounds that the margin is compared with: each has error `beta`.
    pub bounds: Interval,
}

impl SequentialTest {
    /// The numbers of games after which to look. The last is the limit.
    pub fn looks(&self) -> Vec<u64> {
        let even = (1..=LOOKS).map(|look| (self.most_games.saturating_mul(look) / LOOKS).next_multiple_of(STEP));
        let mut looks: Vec<u64> = even.map(|games| games.clamp(1, self.most_games.max(1))).collect();
        looks.dedup();
        looks
    }

    /// The level of the repeated confidence interval after this many games.
    pub fn level(&self, games: u64) -> Level {
        self.boundary(self.alpha / 4.0, games)
    }

    /// Decides after `games` games. `difference` returns the interval of the difference at a level; `None` if there are
    /// too few games for one.
    pub fn look(&self, games: u64, difference: impl Fn(Level) -> Option<Interval>) -> Option<Look> {
        let interval = difference(self.level(games))?;
        let bounds = difference(self.boundary(self.beta / 2.0, games))?;
        let decision = if interval.low > 0.0 {
            Decision::FirstBetter
        } else if interval.high < 0.0 {
            Decision::SecondBetter
        } else if within_margin(bounds, self.margin) {
            Decision::WithinMargin
        } else if games >= self.most_games {
            Decision::Undecided
        } else {
            Decision::Continue
        };
        Some(Look { games, decision, interval, bounds })
    }

    fn boundary(&self, tail: f64, games: u64) -> Level {
        let share = (games as f64 / self.most_games.max(1) as f64).clamp(1e-9, 1.0);
        let deviate = Level::with_tail(tail).z() / share.sqrt();
        Level::with_tail(normal_cdf(-deviate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: SequentialTest = SequentialTest { alpha: 0.05, beta: 0.05, margin: 1.0, most_games: 1_000 };

    fn at(games: u64, estimate: f64, se: f64) -> Decision {
        TEST.look(games, |level| Some(Interval::around(estimate, level.z() * se))).unwrap().decision
    }

    #[test]
    fn looks_are_fixed_by_the_plan() {
        let looks = TEST.looks();
        assert_eq!((looks.len(), looks[0], looks[19]), (20, 50, 1_000));
        let of = |most_games| SequentialTest { most_games, ..TEST }.looks();
        assert_eq!(of(45), [10, 20, 30, 40, 45]);
        assert_eq!(of(1), [1]);
        assert_eq!(of(0), [1]);
    }

    #[test]
    fn the_boundary_starts_wide_and_ends_at_the_known_constant() {
        // Phi^-1(1 - 0.05 / 4), scipy 1.17; at a quarter of the games it is twice as large.
        assert!((TEST.level(1_000).z() - 2.241402727604945).abs() < 1e-6);
        assert!((TEST.level(250).z() - 2.0 * 2.241402727604945).abs() < 1e-5);
    }

    #[test]
    fn each_decision_is_reached() {
        assert_eq!(at(500, 4.0, 1.0), Decision::FirstBetter);
        assert_eq!(at(500, -4.0, 1.0), Decision::SecondBetter);
        assert_eq!(at(500, 0.1, 0.2), Decision::WithinMargin);
        assert_eq!(at(500, 1.0, 1.0), Decision::Continue);
        assert_eq!(at(1_000, 1.0, 1.0), Decision::Undecided);
        assert_eq!(TEST.look(10, |_| None), None);
        // An early lead of three standard errors is not enough.
        assert_eq!(at(100, 3.0, 1.0), Decision::Continue);
    }
}
