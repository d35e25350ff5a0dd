//! An estimate with its 95 % confidence interval.

use serde::{Deserialize, Serialize};

/// An estimate with the ends of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval from `estimate - margin` to `estimate + margin`.
    pub fn around(estimate: f64, margin: f64) -> Self {
        Interval { estimate, low: estimate - margin, high: estimate + margin }
    }

    /// Whether `value` lies in the interval. A difference whose interval excludes 0 is called significant.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The same interval in other units, such as points of win rate (`factor` 100). A negative factor swaps the ends.
    pub fn scaled(&self, factor: f64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        Interval { estimate: self.estimate * factor, low: a.min(b), high: a.max(b) }
    }

    /// The interval extended, if necessary, so that it contains `value`. Its coverage does not fall.
    pub fn widened_to(self, value: f64) -> Self {
        Interval { low: self.low.min(value), high: self.high.max(value), ..self }
    }

    /// The part of the interval inside `least..=most`, the possible values of the quantity.
    pub(super) fn clamped(self, least: f64, most: f64) -> Self {
        Interval { low: self.low.max(least), high: self.high.min(most), ..self }
    }
}

/// Compares an interval with known ends, for the tests of other files.
#[cfg(test)]
#[track_caller]
pub(super) fn assert_close(found: Option<Interval>, estimate: f64, low: f64, high: f64) {
    let found = found.expect("an interval");
    for (found, known) in [(found.estimate, estimate), (found.low, low), (found.high, high)] {
        assert!((found - known).abs() < 1e-9 * known.abs().max(1.0), "found {found}, known {known}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_and_widening_keep_the_ends_in_order() {
        let interval = Interval { estimate: 1.0, low: -1.0, high: 4.0 };
        assert_eq!(interval.scaled(-2.0), Interval { estimate: -2.0, low: -8.0, high: 2.0 });
        assert_eq!(interval.widened_to(6.0), Interval { high: 6.0, ..interval });
        assert_eq!(interval.widened_to(2.0), interval);
        assert!(interval.contains(-1.0) && interval.contains(4.0) && !interval.contains(4.1));
    }
}
