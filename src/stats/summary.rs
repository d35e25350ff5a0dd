//! A summary of a sample in nine numbers.

use serde::{Deserialize, Serialize};

use super::Moments;
use super::quantiles::{quantile_of_sorted, sorted};

/// The usual description of a sample. A single value has no `sd` and no `se`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of values.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: Option<f64>,
    /// The standard error of the mean.
    pub se: Option<f64>,
    /// The least value.
    pub min: f64,
    /// The 25 % quantile.
    pub lower_quartile: f64,
    /// The median.
    pub median: f64,
    /// The 75 % quantile.
    pub upper_quartile: f64,
    /// The greatest value.
    pub max: f64,
}

impl Summary {
    /// `None` for a sample that is empty or holds a NaN or infinity.
    pub fn of(values: &[f64]) -> Option<Self> {
        let sorted = sorted(values)?;
        let moments = Moments::of(values);
        Some(Summary {
            n: moments.n(),
            mean: moments.mean()?,
            sd: moments.sd(),
            se: moments.se(),
            min: *sorted.first()?,
            lower_quartile: quantile_of_sorted(&sorted, 0.25)?,
            median: quantile_of_sorted(&sorted, 0.5)?,
            upper_quartile: quantile_of_sorted(&sorted, 0.75)?,
            max: *sorted.last()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_summary() {
        // By hand: squared deviations from 5 sum to 40.
        let found = Summary::of(&[9.0, 1.0, 5.0, 3.0, 7.0]).unwrap();
        assert_eq!((found.n, found.mean, found.sd, found.se), (5, 5.0, Some(10f64.sqrt()), Some(2f64.sqrt())));
        assert_eq!((found.min, found.lower_quartile, found.median), (1.0, 3.0, 5.0));
        assert_eq!((found.upper_quartile, found.max), (7.0, 9.0));
    }

    #[test]
    fn samples_with_too_few_or_infinite_values() {
        let single = Summary::of(&[2.0]).unwrap();
        assert_eq!((single.mean, single.median, single.sd, single.se), (2.0, 2.0, None, None));
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
    }
}
