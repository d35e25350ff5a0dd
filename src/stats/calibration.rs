//! Tests of the coverage of intervals and of the error rates of tests, on simulated samples with known parameters and
//! fixed seeds.
//!
//! Scores are lognormal with the spread of 2048 scores (coefficient of variation about 0.5), or those of games that
//! stop at a goal. Rates are from 5 to 95 %.

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

/// The exact coverage: the sum of the probabilities of all counts whose interval covers the rate.
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

/// Pairs of games. With probability `shared` both games use the same random number.
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

/// Scores of games that stop at a goal: won games end close together, lost games are spread out below.
fn stopped_scores(rng: &mut Rng, win_rate: f64, n: usize) -> Vec<f64> {
    let mut score = || match rng.random_bool(win_rate) {
        true => rng.random_range(20_000.0..20_800.0),
        false => rng.random_range(3_000.0..18_000.0),
    };
    (0..n).map(|_| score()).collect()
}

#[test]
fn bca_intervals_cover_the_mean_of_stopped_games_better_than_t_intervals() {
    for (win_rate, at_least) in [(0.5, 0.93), (0.9, 0.925), (0.95, 0.91)] {
        let truth = win_rate * 20_400.0 + (1.0 - win_rate) * 10_500.0;
        let (mut bca, mut t) = (0, 0);
        let mut rng = seeded(20);
        for _ in 0..1_500 {
            let scores = stopped_scores(&mut rng, win_rate, 100);
            bca += u32::from(bootstrap::bca_mean_interval(&scores, rng.random()).unwrap().contains(truth));
            t += u32::from(Moments::of(&scores).mean_interval().unwrap().contains(truth));
        }
        let (bca, t) = (f64::from(bca) / 1_500.0, f64::from(t) / 1_500.0);
        assert!(bca >= at_least && bca <= 0.97, "{win_rate}: BCa covers {bca}");
        assert!(bca >= t - 0.005, "{win_rate}: BCa covers {bca}, t {t}");
    }
}

#[test]
fn ratio_intervals_cover_the_ratio() {
    // Moves are lognormal; each move takes 5 nodes on average, more in longer games.
    let covers = |rng: &mut Rng| {
        let moves = scores(rng, 6.0, 100);
        let ratio: Ratio = moves.iter().map(|&x| (x * rng.random_range(2.0..8.0), x)).collect();
        ratio.interval().unwrap().contains(5.0)
    };
    assert_covers(share(5_000, 21, covers));
}

#[test]
fn simultaneous_intervals_hold_together() {
    let all_hold = |rng: &mut Rng| {
        let control = scores(rng, MU, 100);
        (0..8).all(|_| {
            let other = scores(rng, MU, 100);
            means::paired_difference_at(&other, &control, Level::simultaneous(8)).unwrap().interval.contains(0.0)
        })
    };
    let together = share(2_000, 22, all_hold);
    assert!((0.945..=0.99).contains(&together), "{together}");
}

#[test]
fn the_best_of_many_equal_agents_is_rarely_removed() {
    // All 23 agents are equal, so agent 0 is as good as any; an ordinary interval would often place it behind.
    let k = 23;
    let keeps = |level: Level| {
        share(300, 23, |rng| {
            let agents: Vec<Vec<f64>> = (0..k).map(|_| scores(rng, MU, 100)).collect();
            let lead = |i: usize, j: usize| {
                means::paired_difference_at(&agents[i], &agents[j], level).map(|found| found.interval.low)
            };
            best::may_be_best(k, lead)[0]
        })
    };
    let corrected = keeps(best::bound_level(k));
    assert!(corrected >= 0.95, "{corrected}");
    let uncorrected = keeps(Level::P95);
    assert!(uncorrected < 0.85, "{uncorrected}");
}

/// Games that are lost at a constant rate and stopped at move 100 if not lost before.
fn lifetimes(rng: &mut Rng, danger: f64, n: usize) -> Vec<survival::Lifetime> {
    let mut game = || {
        let moves = (-rng.random::<f64>().ln() / danger).ceil() as u32;
        survival::Lifetime { moves: moves.min(100), lost: moves < 100 }
    };
    (0..n).map(|_| game()).collect()
}

#[test]
fn survival_intervals_cover_and_the_log_rank_test_keeps_its_level() {
    let danger = 0.01;
    let covers = |rng: &mut Rng| {
        let steps = survival::kaplan_meier(&lifetimes(rng, danger, 100));
        let step = steps.iter().rev().find(|step| step.moves <= 50).unwrap();
        step.survival.contains((-danger * 50.0).exp())
    };
    assert_covers(share(3_000, 24, covers));
    assert_alarms(share(4_000, 25, |rng| {
        let (a, b) = (lifetimes(rng, danger, 100), lifetimes(rng, danger, 100));
        survival::log_rank(&a, &b).unwrap() < 0.05
    }));
}

#[test]
fn power_is_the_share_of_tests_that_reject() {
    let rejects = |rng: &mut Rng| {
        let wins = |rng: &mut Rng, rate: f64| (0..100).filter(|_| rng.random_bool(rate)).count() as u64;
        let (a, b) = (wins(rng, 0.65), wins(rng, 0.5));
        !proportions::difference((a, 100), (b, 100)).unwrap().contains(0.0)
    };
    let promised = power::power_of_rates((0.65, 0.5), (100, 100), Level::P95).unwrap();
    let found = share(5_000, 26, rejects);
    assert!((found - promised).abs() < 0.03, "found {found}, promised {promised}");
}

/// Plays a sequential test on win rates to its end.
fn sequential(rng: &mut Rng, test: &SequentialTest, p: f64, q: f64) -> Look {
    let games: Vec<(bool, bool)> = (0..test.most_games).map(|_| (rng.random_bool(p), rng.random_bool(q))).collect();
    for games_played in test.looks() {
        let outcomes: PairedOutcomes = games[..games_played as usize].iter().copied().collect();
        let look = test.look(games_played, |level| outcomes.difference_at(level)).unwrap();
        if look.decision != Decision::Continue {
            return look;
        }
    }
    unreachable!("the last look always decides")
}

#[test]
fn a_sequential_test_keeps_both_error_rates_and_the_coverage_of_its_interval() {
    let test = SequentialTest { alpha: 0.05, beta: 0.1, margin: 0.1, most_games: 800 };
    for (p, q) in [(0.5, 0.5), (0.9, 0.9), (0.5, 0.4), (0.2, 0.3)] {
        let (mut different, mut within, mut covered, mut games) = (0, 0, 0, 0);
        let mut rng = seeded(27);
        for _ in 0..1_000 {
            let look = sequential(&mut rng, &test, p, q);
            different += u32::from(matches!(look.decision, Decision::FirstBetter | Decision::SecondBetter));
            within += u32::from(look.decision == Decision::WithinMargin);
            covered += u32::from(look.interval.contains(p - q));
            games += look.games;
        }
        assert!(covered >= 950, "{p} {q}: covers {covered}");
        if p == q {
            assert!(different <= 50, "{p} {q}: false alarms {different}");
        } else {
            assert!(within <= 100, "{p} {q}: the margin is ruled out {within} times");
            assert!(different > 700 && games / 1_000 < 700, "{p} {q}: found {different} times");
        }
    }
}
