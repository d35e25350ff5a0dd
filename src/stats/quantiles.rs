//! Quantiles and their distribution-free intervals.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::Interval;

/// The values in ascending order; `None` for an empty sample or one that holds a NaN or infinity.
pub(super) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some(sorted)
}

/// The `p`-quantile, linear between the two nearest order statistics (type 7 of Hyndman and Fan 1996, the default of R
/// and numpy). `None` unless `p` is in 0..=1.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    quantile_of_sorted(&sorted(values)?, p)
}

/// The median; see [`quantile`].
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// [`quantile`] of values already in ascending order.
pub(super) fn quantile_of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let place = p * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (*sorted.get(place.floor() as usize)?, *sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

/// The `p`-quantile with the shortest equal-tailed pair of order statistics that covers it with at least 95 % for
/// every distribution (Thompson 1936). `None` when even the extremes do not cover: for the median, below 6 values.
pub fn quantile_interval(values: &[f64], p: f64) -> Option<Interval> {
    let sorted = sorted(values)?;
    let estimate = quantile_of_sorted(&sorted, p)?;
    let (low, high) = covering_ranks(sorted.len() as u64, p)?;
    Some(Interval { estimate, low: sorted[low as usize - 1], high: sorted[high as usize - 1] })
}

/// The median with its distribution-free interval; see [`quantile_interval`].
pub fn median_interval(values: &[f64]) -> Option<Interval> {
    quantile_interval(values, 0.5)
}

/// The median of repeated measurements with its interval. With fewer than six values, for which there is no such
/// interval, the ends are the least and the greatest value.
pub fn median_with_range(values: &[f64]) -> Interval {
    let middle = median(values).unwrap_or(0.0);
    let least = values.iter().copied().fold(middle, f64::min);
    let greatest = values.iter().copied().fold(middle, f64::max);
    median_interval(values).unwrap_or(Interval { estimate: middle, low: least, high: greatest })
}

/// Ranks, from 1, of the order statistics that enclose the quantile: the number of values below it is binomial, and
/// either tail beyond the ranks has a probability of at most 2.5 %.
fn covering_ranks(n: u64, p: f64) -> Option<(u64, u64)> {
    let below = Binomial::new(p, n).ok()?;
    let low = first_reaching(&below, n, 0.025);
    let high = first_reaching(&below, n, 0.975) + 1;
    (low >= 1 && high <= n).then_some((low, high))
}

/// The least k with P(X <= k) >= `level`, by bisection. The inverse in statrs panics if rounding makes the distribution
/// function non-monotonic.
fn first_reaching(binomial: &Binomial, n: u64, level: f64) -> u64 {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if binomial.cdf(middle) >= level { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        // numpy 2 quantile (method 'linear').
        let values = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];
        assert_eq!(quantile(&values, 0.25), Some(11.25));
        assert_eq!(median(&values), Some(15.0));
        assert_eq!(quantile(&values, 0.75), Some(19.5));
        assert!((quantile(&values, 0.1).unwrap() - 8.8).abs() < 1e-12);
        assert_eq!(quantile(&values, 0.0), Some(7.0));
        assert_eq!(quantile(&values, 1.0), Some(31.0));
    }

    #[test]
    fn known_ranks() {
        // scipy 1.17 binom.ppf(0.025) and binom.ppf(0.975) + 1.
        assert_eq!(covering_ranks(5, 0.5), None);
        assert_eq!(covering_ranks(6, 0.5), Some((1, 6)));
        assert_eq!(covering_ranks(10, 0.5), Some((2, 9)));
        assert_eq!(covering_ranks(25, 0.5), Some((8, 18)));
        assert_eq!(covering_ranks(100, 0.5), Some((40, 61)));
        assert_eq!(covering_ranks(100, 0.25), Some((17, 35)));
        assert_eq!(covering_ranks(1000, 0.9), Some((881, 919)));
        assert_eq!(covering_ranks(10_000, 0.5), Some((4902, 5099)));
        assert_eq!(covering_ranks(10_000_000, 0.1), Some((998_141, 1_001_861)));
    }

    #[test]
    fn the_interval_is_made_of_order_statistics() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(median_interval(&values), Some(Interval { estimate: 50.5, low: 40.0, high: 61.0 }));
        assert_eq!(median_interval(&[3.0; 8]), Some(Interval::around(3.0, 0.0)));
    }

    #[test]
    fn too_little_data_has_no_answer() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(quantile(&[1.0], f64::NAN), None);
        assert_eq!(median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]), None);
        assert_eq!(quantile_interval(&[1.0; 50], 0.0), None);
        assert_eq!(quantile_interval(&[1.0; 50], 1.0), None);
    }
}
