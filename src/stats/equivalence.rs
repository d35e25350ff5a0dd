//! Equivalence tests: they show that two agents differ by less than a margin that was fixed beforehand.
//!
//! A test without a significant difference does not show this, because with too few games no test finds a difference.
//! Equivalence is shown by two one-sided tests (TOST, Schuirmann 1987): one rejects "the difference is at least the
//! margin", the other "the difference is at most minus the margin". Both reject with error `alpha` exactly if the
//! interval of level `1 - 2 alpha` is within the margin, so the interval is enough.

use super::critical::t_upper;
use super::{Interval, Moments};

/// Whether the whole interval of a difference lies strictly within `margin` of 0.
pub fn within_margin(difference: Interval, margin: f64) -> bool {
    -margin < difference.low && difference.high < margin
}

/// The p-value of TOST on the differences of pairs: the larger p-value of the two one-sided t-tests. `None` for fewer
/// than two pairs, and if all differences are equal, because the standard error is then 0.
pub fn tost(differences: &Moments, margin: f64) -> Option<f64> {
    let (mean, se) = (differences.mean()?, differences.se().filter(|se| *se > 0.0)?);
    let df = differences.n() as f64 - 1.0;
    let not_below = t_upper((mean + margin) / se, df)?;
    let not_above = t_upper((margin - mean) / se, df)?;
    Some(not_below.max(not_above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Level, means::paired_difference_at};

    const A: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];
    const B: [f64; 10] = [10.0, 14.0, 15.0, 8.0, 13.0, 6.0, 19.0, 12.0, 9.0, 5.0];

    fn differences() -> Moments {
        A.iter().zip(B).map(|(a, b)| a - b).collect()
    }

    #[test]
    fn known_tost() {
        // statsmodels 0.15 ttost_paired(A, B, -margin, margin).
        for (margin, known) in [(5.0, 0.4832884505865025), (10.0, 0.0277978887278902), (15.0, 0.0009234078382569367)] {
            assert!((tost(&differences(), margin).unwrap() - known).abs() < 1e-9, "{margin}");
        }
    }

    #[test]
    fn the_test_rejects_exactly_when_the_interval_is_within_the_margin() {
        let interval = paired_difference_at(&A, &B, Level::two_sided(0.10)).unwrap().interval;
        for margin in 1..30 {
            let margin = f64::from(margin);
            let rejects = tost(&differences(), margin).unwrap() < 0.05;
            assert_eq!(within_margin(interval, margin), rejects, "{margin}");
        }
    }

    #[test]
    fn equal_values_have_no_test() {
        assert_eq!(tost(&Moments::of(&[0.0; 5]), 1.0), None);
        assert_eq!(tost(&Moments::of(&[1.0]), 1.0), None);
        assert!(!within_margin(Interval { estimate: 0.0, low: -1.0, high: 1.0 }, 1.0));
    }
}
