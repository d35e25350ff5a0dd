//! The interquartile mean (IQM) and its bootstrap interval.
//!
//! The IQM is the mean of the middle half of the sample. Agarwal et al. (2021) recommend it for comparing agents: a few
//! lucky games move it less than the mean, and it needs fewer games than the median. Its interval is the percentile
//! bootstrap's (Efron 1979).

use rand::Rng as _;
use rayon::prelude::*;

use super::Interval;
use super::quantiles::{quantile_of_sorted, sorted};
use crate::rng::{derive, seeded};

/// Resamples behind each interval. Efron and Tibshirani (1993) ask for at least 1,000 for percentile intervals; the
/// ends then move from seed to seed by one or two hundredths of the interval's width.
pub const RESAMPLES: u64 = 2_000;

/// The mean of what is left without the lowest and the highest quarter (each rounded down), as in the authors' library
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

/// The difference of the IQMs of two unpaired samples; `None` if either has fewer than two values.
pub fn iqm_difference(first: &[f64], second: &[f64], seed: u64) -> Option<Interval> {
    let first = sorted(first).filter(|sorted| sorted.len() > 1)?;
    let second = sorted(second).filter(|sorted| sorted.len() > 1)?;
    let pairs = resampled_iqms(&first, derive(seed, 0)).into_iter().zip(resampled_iqms(&second, derive(seed, 1)));
    percentile_interval(iqm_of_sorted(&first) - iqm_of_sorted(&second), pairs.map(|(a, b)| a - b).collect())
}

fn iqm_of_sorted(sorted: &[f64]) -> f64 {
    middle_mean(sorted, &vec![1; sorted.len()])
}

/// The IQMs of [`RESAMPLES`] resamples. Each has a generator of its own, so that threads cannot change the outcome.
fn resampled_iqms(sorted: &[f64], seed: u64) -> Vec<f64> {
    let n = sorted.len();
    let one = |counts: &mut Vec<u32>, resample: u64| {
        let mut rng = seeded(derive(seed, resample));
        counts.fill(0);
        (0..n).for_each(|_| counts[rng.random_range(0..n as u64) as usize] += 1);
        middle_mean(sorted, counts)
    };
    (0..RESAMPLES).into_par_iter().map_init(|| vec![0; n], one).collect()
}

/// The IQM of the sample that holds `sorted[i]` `counts[i]` times and has as many values as `sorted`. Counting how
/// often each value is drawn, instead of collecting what is drawn, saves sorting every resample.
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
    fn the_seed_alone_decides() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (iqm_interval(&SCORES, 5), iqm_difference(&SCORES, &SCORES[..6], 5)))
        };
        assert_eq!(run(1), run(3));
        assert_ne!(iqm_interval(&SCORES, 5), iqm_interval(&SCORES, 6));
    }

    #[test]
    fn few_or_broken_values() {
        assert_eq!(iqm(&[]), None);
        assert_eq!(iqm_interval(&[5.0], 1), None);
        assert_eq!(iqm_interval(&[5.0, f64::NAN], 1), None);
        assert_eq!(iqm_interval(&[5.0; 9], 1), Some(Interval::around(5.0, 0.0)));
        assert_eq!(iqm_difference(&[5.0; 9], &[], 1), None);
    }
}
