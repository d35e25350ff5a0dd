//! The bootstrap: the interquartile mean (IQM) with its percentile interval, and the mean with its BCa interval.
//!
//! The IQM is the mean of the middle half of the sample. Agarwal et al. (2021) recommend it for comparing agents: a few
//! lucky games move it less than the mean, and it needs fewer games than the median. Its interval is the percentile
//! bootstrap's (Efron 1979).
//!
//! The BCa interval (bias-corrected and accelerated, Efron 1987) corrects the percentiles for skew. Scores of games
//! that stop at a goal need it: most of them are close together at the goal, and the lost games form a long lower tail.

use rand::Rng as _;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::critical::{Level, normal_cdf};
use super::quantiles::{quantile_of_sorted, sorted};
use super::{Interval, Moments};
use crate::rng::{derive, seeded};

/// The number of resamples for each interval. Efron and Tibshirani (1993) recommend at least 1,000 for percentile
/// intervals. With 2,000, another seed changes the ends by one or two hundredths of the interval's width.
pub const RESAMPLES: u64 = 2_000;

/// The mean of the sample without its lowest and its highest quarter (each rounded down), as in the authors' library
/// rliable.
pub fn iqm(values: &[f64]) -> Option<f64> {
    Some(iqm_of_sorted(&sorted(values)?))
}

/// The IQM with its percentile bootstrap interval; `None` for fewer than two values. The same `seed` gives the same
/// interval on any number of threads.
pub fn iqm_interval(values: &[f64], seed: u64) -> Option<Interval> {
    let sorted = sorted(values).filter(|sorted| sorted.len() > 1)?;
    percentile_interval(iqm_of_sorted(&sorted), resampled_iqms(&sorted, seed))
}

/// The mean with its BCa interval; `None` for fewer than two values. The same `seed` gives the same interval on any
/// number of threads.
pub fn bca_mean_interval(values: &[f64], seed: u64) -> Option<Interval> {
    let sorted = sorted(values).filter(|sorted| sorted.len() > 1)?;
    let estimate = Moments::of(values).mean()?;
    let acceleration = acceleration_of_mean(&sorted, estimate);
    let n = sorted.len() as f64;
    let mean = |counts: &[u32]| sorted.iter().zip(counts).map(|(value, &k)| value * f64::from(k)).sum::<f64>() / n;
    bca_interval(estimate, acceleration, resampled(sorted.len(), seed, mean))
}

/// Efron's acceleration: the skewness of the jackknife values, divided by 6. For the mean it has this closed form.
fn acceleration_of_mean(values: &[f64], mean: f64) -> f64 {
    let power = |exponent| values.iter().map(|value| (value - mean).powi(exponent)).sum::<f64>();
    let squares = power(2);
    if squares > 0.0 { power(3) / (6.0 * squares.powf(1.5)) } else { 0.0 }
}

fn bca_interval(estimate: f64, acceleration: f64, resampled: Vec<f64>) -> Option<Interval> {
    let resampled = sorted(&resampled)?;
    let below = resampled.partition_point(|&value| value < estimate);
    let up_to = resampled.partition_point(|&value| value <= estimate);
    // The normal deviate of a share of 0 or 1 is infinite, so the share stays half a resample away from both.
    let share = (below + up_to) as f64 / (2 * resampled.len()) as f64;
    let half = 0.5 / resampled.len() as f64;
    let bias = Normal::standard().inverse_cdf(share.clamp(half, 1.0 - half));
    let end = |z: f64| {
        let shifted = bias + (bias + z) / (1.0 - acceleration * (bias + z));
        quantile_of_sorted(&resampled, normal_cdf(shifted))
    };
    Some(Interval { estimate, low: end(-Level::P95.z())?, high: end(Level::P95.z())? })
}

fn iqm_of_sorted(sorted: &[f64]) -> f64 {
    middle_mean(sorted, &vec![1; sorted.len()])
}

/// The IQMs of [`RESAMPLES`] resamples.
fn resampled_iqms(sorted: &[f64], seed: u64) -> Vec<f64> {
    resampled(sorted.len(), seed, |counts| middle_mean(sorted, counts))
}

/// The statistic of [`RESAMPLES`] resamples of `n` values. Its argument is how often each value was drawn. Each
/// resample has its own generator, so the number of threads cannot change the result.
fn resampled(n: usize, seed: u64, statistic: impl Fn(&[u32]) -> f64 + Sync) -> Vec<f64> {
    let one = |counts: &mut Vec<u32>, resample: u64| {
        let mut rng = seeded(derive(seed, resample));
        counts.fill(0);
        (0..n).for_each(|_| counts[rng.random_range(0..n as u64) as usize] += 1);
        statistic(counts)
    };
    (0..RESAMPLES).into_par_iter().map_init(|| vec![0; n], one).collect()
}

/// The IQM of the sample that contains `sorted[i]` `counts[i]` times. The counts must sum to the length of `sorted`.
/// With counts, a resample need not be sorted.
fn middle_mean(sorted: &[f64], counts: &[u32]) -> f64 {
    let quarter = sorted.len() / 4;
    let middle = sorted.len() - 2 * quarter;
    let (mut to_skip, mut to_take, mut sum) = (quarter as u32, middle as u32, 0.0);
    for (value, &count) in sorted.iter().zip(counts) {
        let skipped = count.min(to_skip);
        let taken = (count - skipped).min(to_take);
        to_skip -= skipped;
        to_take -= taken;
        sum += value * f64::from(taken);
    }
    sum / middle as f64
}

fn percentile_interval(estimate: f64, resampled: Vec<f64>) -> Option<Interval> {
    let resampled = sorted(&resampled)?;
    let end = |p| quantile_of_sorted(&resampled, p);
    Some(Interval { estimate, low: end(0.025)?, high: end(0.975)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];

    #[test]
    fn known_iqm() {
        // scipy 1.17 trim_mean(values, 0.25).
        assert!((iqm(&SCORES).unwrap() - 15.166666666666666).abs() < 1e-12);
        assert!((iqm(&SCORES[..7]).unwrap() - 14.8).abs() < 1e-12);
        assert_eq!(iqm(&[5.0]), Some(5.0));
    }

    #[test]
    fn counting_a_resample_is_the_same_as_sorting_it() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let counts = [3, 0, 2, 0, 0, 1, 0, 0, 3];
        let drawn = [1.0, 1.0, 1.0, 3.0, 3.0, 6.0, 9.0, 9.0, 9.0];
        assert_eq!(middle_mean(&values, &counts), iqm(&drawn).unwrap());
    }

    #[test]
    fn an_interval_depends_on_the_seed_and_not_on_threads() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (iqm_interval(&SCORES, 5), bca_mean_interval(&SCORES, 5)))
        };
        assert_eq!(run(1), run(3));
        assert_ne!(iqm_interval(&SCORES, 5), iqm_interval(&SCORES, 6));
    }

    #[test]
    fn known_bca_interval() {
        // scipy 1.17 bootstrap(SCORES, numpy.mean, method='BCa', n_resamples=200_000): 12.5 to 21.1. Ours has 2,000
        // resamples, so its ends are uncertain by a few hundredths of the width of 8.8.
        let found = bca_mean_interval(&SCORES, 1).unwrap();
        assert_eq!(found.estimate, 16.0);
        assert!((found.low - 12.5).abs() < 0.4 && (found.high - 21.1).abs() < 0.4, "{found:?}");
        // The sample is skewed to the right, and so is the interval. A t-interval would be symmetric.
        assert!(found.high - found.estimate > found.estimate - found.low);
    }

    #[test]
    fn bca_follows_the_skew_of_games_that_stop_at_a_goal() {
        let mut scores = vec![20_400.0; 90];
        scores.extend((0..10).map(|game| 5_000.0 + 1_000.0 * f64::from(game)));
        let found = bca_mean_interval(&scores, 3).unwrap();
        assert!(found.estimate - found.low > found.high - found.estimate, "{found:?}");
        assert!(found.high <= 20_400.0);
    }

    #[test]
    fn samples_with_too_few_or_infinite_values_have_no_interval() {
        assert_eq!(bca_mean_interval(&[], 1), None);
        assert_eq!(bca_mean_interval(&[5.0], 1), None);
        assert_eq!(bca_mean_interval(&[5.0, f64::NAN], 1), None);
        assert_eq!(bca_mean_interval(&[5.0; 9], 1), Some(Interval::around(5.0, 0.0)));
        assert_eq!(iqm(&[]), None);
        assert_eq!(iqm_interval(&[5.0], 1), None);
        assert_eq!(iqm_interval(&[5.0, f64::NAN], 1), None);
        assert_eq!(iqm_interval(&[5.0; 9], 1), Some(Interval::around(5.0, 0.0)));
    }
}
