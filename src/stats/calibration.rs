//! Do the intervals keep their promise? Simulated samples with a known truth, fixed seeds.
//!
//! Scores are lognormal with the spread of 2048 scores (coefficient of variation about 0.5); rates run from 5 to 95 %.

use rand::Rng as _;
use rand_distr::{Distribution, LogNormal};
use statrs::distribution::{Binomial, ContinuousCDF, Discrete, Normal};

use super::*;
use crate::rng::{Rng, seeded};

const MU: f64 = 9.5;
const SIGMA: f64 = 0.5;

fn scores(rng: &mut Rng, mu: f64, n: usize) -> Vec<f64> {
    LogNormal::new(mu, SIGMA).unwrap().sample_iter(rng).take(n).collect()
}

fn phi(z: f64) -> f64 {
    Normal::standard().cdf(z)
}

/// The share of `runs` for which `event` holds.
fn share(runs: u32, seed: u64, mut event: impl FnMut(&mut Rng) -> bool) -> f64 {
    let mut rng = seeded(seed);
    (0..runs).filter(|_| event(&mut rng)).count() as f64 / f64::from(runs)
}

#[track_caller]
fn assert_covers(coverage: f64) {
    assert!((0.93..=0.97).contains(&coverage), "covers {coverage}");
}

#[track_caller]
fn assert_alarms(rate: f64) {
    assert!((0.04..=0.06).contains(&rate), "false alarms {rate}");
}

#[test]
fn mean_intervals_cover_the_mean() {
    let truth = (MU + SIGMA * SIGMA / 2.0).exp();
    for n in [100, 200] {
        let covers = |rng: &mut Rng| Moments::of(&scores(rng, MU, n)).mean_interval().unwrap().contains(truth);
        assert_covers(share(10_000, 1, covers));
    }
}

#[test]
fn median_and_quartile_intervals_cover_them() {
    for (n, p, z) in [(100, 0.5, 0.0), (150, 0.5, 0.0), (200, 0.25, -0.6744897501960817)] {
        let truth = (MU + SIGMA * z).exp();
        let covers = |rng: &mut Rng| quantiles::quantile_interval(&scores(rng, MU, n), p).unwrap().contains(truth);
        assert_covers(share(10_000, 2, covers));
    }
}

/// The mean of a lognormal between its quartiles, in closed form.
fn true_iqm(mu: f64) -> f64 {
    let quartile = 0.6744897501960817;
    2.0 * (mu + SIGMA * SIGMA / 2.0).exp() * (phi(quartile - SIGMA) - phi(-quartile - SIGMA))
}

#[test]
fn iqm_intervals_cover_the_iqm() {
    let covers = |rng: &mut Rng| {
        let seed = rng.random();
        bootstrap::iqm_interval(&scores(rng, MU, 100), seed).unwrap().contains(true_iqm(MU))
    };
    assert_covers(share(1_500, 3, covers));
}

#[test]
fn iqm_differences_cover_the_difference() {
    let truth = true_iqm(MU + 0.2) - true_iqm(MU);
    let covers = |rng: &mut Rng| {
        let (a, b) = (scores(rng, MU + 0.2, 100), scores(rng, MU, 120));
        bootstrap::iqm_difference(&a, &b, rng.random()).unwrap().contains(truth)
    };
    assert_covers(share(1_000, 4, covers));
}

#[test]
fn mean_differences_cover_the_difference() {
    let truth = (MU + 0.2 + SIGMA * SIGMA / 2.0).exp() - (MU + SIGMA * SIGMA / 2.0).exp();
    let paired = |rng: &mut Rng| {
        let (a, b) = (scores(rng, MU + 0.2, 100), scores(rng, MU, 100));
        means::paired_difference(&a, &b).unwrap().interval.contains(truth)
    };
    assert_covers(share(10_000, 5, paired));
    let unpaired = |rng: &mut Rng| {
        let (a, b) = (scores(rng, MU + 0.2, 200), scores(rng, MU, 100));
        means::welch_difference(&Moments::of(&a), &Moments::of(&b)).unwrap().interval.contains(truth)
    };
    assert_covers(share(10_000, 6, unpaired));
}

#[test]
fn a12_intervals_cover_the_effect() {
    // 0: equal agents; 0.3: A12 0.66; 1: A12 0.92.
    for shift in [0.0, 0.3, 1.0] {
        let truth = phi(shift / (SIGMA * 2f64.sqrt()));
        let covers = |rng: &mut Rng| {
            let (a, b) = (scores(rng, MU + shift, 100), scores(rng, MU, 100));
            ranks::a12(&a, &b).unwrap().contains(truth)
        };
        assert_covers(share(4_000, 7, covers));
    }
}

/// Exact: the probability of every number of successes times whether its interval covers.
fn wilson_coverage(p: f64, n: u64) -> f64 {
    let binomial = Binomial::new(p, n).unwrap();
    let covering = (0..=n).filter(|&k| proportions::wilson(k, n).unwrap().contains(p));
    covering.map(|k| binomial.pmf(k)).sum()
}

#[test]
fn wilson_intervals_cover_the_rate() {
    for n in [100, 200] {
        for percent in (5..=95).step_by(5) {
            assert_covers(wilson_coverage(f64::from(percent) / 100.0, n));
        }
    }
}

#[test]
fn unpaired_rate_differences_cover_the_difference() {
    for (p, q) in [(0.05, 0.1), (0.3, 0.3), (0.5, 0.8), (0.95, 0.9)] {
        let covers = |rng: &mut Rng| {
            let mut wins = |rate: f64, n: u64| (0..n).filter(|_| rng.random_bool(rate)).count() as u64;
            proportions::difference((wins(p, 100), 100), (wins(q, 150), 150)).unwrap().contains(p - q)
        };
        assert_covers(share(10_000, 8, covers));
    }
}

/// Pairs of games that share their luck, and so their outcome, with chance `shared` when the rates allow.
fn paired_games(rng: &mut Rng, p: f64, q: f64, shared: f64, n: u64) -> PairedOutcomes {
    let mut game = || {
        let luck: f64 = rng.random();
        let other: f64 = if rng.random_bool(shared) { luck } else { rng.random() };
        (luck < p, other < q)
    };
    (0..n).map(|_| game()).collect()
}

#[test]
fn paired_rate_differences_cover_the_difference() {
    for (p, q, shared) in [(0.05, 0.1, 0.0), (0.5, 0.5, 0.3), (0.5, 0.8, 0.0), (0.6, 0.7, 0.6), (0.95, 0.9, 0.1)] {
        let covers = |rng: &mut Rng| paired_games(rng, p, q, shared, 150).difference().unwrap().contains(p - q);
        assert_covers(share(10_000, 9, covers));
    }
}

#[test]
fn equal_agents_are_called_different_about_one_time_in_twenty() {
    let two = |rng: &mut Rng| (scores(rng, MU, 100), scores(rng, MU, 100));
    assert_alarms(share(10_000, 10, |rng| {
        let (a, b) = two(rng);
        ranks::mann_whitney(&a, &b).unwrap().p_value < 0.05
    }));
    assert_alarms(share(10_000, 11, |rng| {
        let (a, b) = two(rng);
        means::welch_difference(&Moments::of(&a), &Moments::of(&b)).unwrap().p_value < 0.05
    }));
    assert_alarms(share(10_000, 12, |rng| {
        let (a, b) = two(rng);
        means::paired_difference(&a, &b).unwrap().p_value < 0.05
    }));
    assert_alarms(share(10_000, 13, |rng| {
        let (a, b) = two(rng);
        !ranks::a12(&a, &b).unwrap().contains(0.5)
    }));
    assert_alarms(share(10_000, 14, |rng| paired_games(rng, 0.4, 0.4, 0.1, 200).mcnemar() < 0.05));
}

#[test]
fn a_family_of_equal_agents_rarely_raises_any_alarm() {
    // Six pairs of four equal agents: uncorrected, some pair differs in about one family out of five.
    let any_alarm = |correct: fn(&[f64]) -> Vec<f64>| {
        share(2_000, 15, |rng| {
            let agents: Vec<Vec<f64>> = (0..4).map(|_| scores(rng, MU, 100)).collect();
            let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
            let p: Vec<f64> =
                pairs.map(|(i, j)| ranks::mann_whitney(&agents[i], &agents[j]).unwrap().p_value).collect();
            correct(&p).iter().any(|&p| p < 0.05)
        })
    };
    assert!(any_alarm(|p| p.to_vec()) > 0.15);
    assert!(any_alarm(holm) < 0.06);
}
