//! Tests that every optimizer must pass, on a noisy problem with a known maximum.
//!
//! The problem is a quadratic function in 8 dimensions with condition number 100 and random axes. Its maximum is 1000,
//! at a random point. Every game multiplies the value by lognormal noise with sigma 0.5 and mean 1, which is about the
//! noise of 2048 scores.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::Rng as _;
use rand_distr::{Distribution, LogNormal};

use super::matrix::dot;
use super::normal::standard_normal;
use super::*;
use crate::params::Values;
use crate::rng::{derive, seeded};

const DIMENSIONS: usize = 8;
const CONDITION: f64 = 100.0;
const SIGMA: f64 = 0.5;
const BUDGET: u64 = 20_000;

struct Quadratic {
    optimum: Vec<f64>,
    axes: Vec<Vec<f64>>,
    seed: u64,
    played: AtomicU64,
}

impl Quadratic {
    fn new(seed: u64) -> Self {
        let mut rng = seeded(derive(seed, 1));
        let optimum = (0..DIMENSIONS).map(|_| rng.random_range(-1.5..1.5)).collect();
        let mut axes: Vec<Vec<f64>> = Vec::new();
        while axes.len() < DIMENSIONS {
            let normal = (0..DIMENSIONS).map(|_| standard_normal(&mut rng)).collect();
            axes.push(orthonormal(normal, &axes));
        }
        Quadratic { optimum, axes, seed, played: AtomicU64::new(0) }
    }

    /// Quadratic down to half the maximum. Below that it is a hyperbola, because no score is negative.
    fn truth(&self, point: &[f64]) -> f64 {
        let offset: Vec<f64> = point.iter().zip(&self.optimum).map(|(x, best)| x - best).collect();
        let curvature = |axis: usize| CONDITION.powf(axis as f64 / (DIMENSIONS - 1) as f64);
        let part = |(axis, direction): (usize, &Vec<f64>)| 5.0 * curvature(axis) * dot(direction, &offset).powi(2);
        let loss: f64 = self.axes.iter().enumerate().map(part).sum();
        if loss < 500.0 { 1000.0 - loss } else { 250_000.0 / loss }
    }

    fn space() -> Space {
        let dimension =
            |index| Dimension { name: format!("x{index}"), start: 0.0, low: -3.0, high: 3.0, scale: Scale::Linear };
        Space::new((0..DIMENSIONS).map(dimension).collect()).unwrap()
    }
}

/// The part of a vector that is orthogonal to the others, scaled to length 1 (Gram and Schmidt).
fn orthonormal(mut vector: Vec<f64>, others: &[Vec<f64>]) -> Vec<f64> {
    for other in others {
        let along = dot(&vector, other);
        vector.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
    }
    let length = dot(&vector, &vector).sqrt();
    vector.iter().map(|x| x / length).collect()
}

impl NoisyObjective for Quadratic {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let noise = LogNormal::new(-SIGMA * SIGMA / 2.0, SIGMA)?;
        let play = |candidate: &Candidate| {
            self.played.fetch_add(candidate.games, Ordering::Relaxed);
            let truth = self.truth(&candidate.point);
            let game = |index| truth * noise.sample(&mut seeded(derive(self.seed, index)));
            let values: Vec<f64> = candidate.game_indices().map(game).collect();
            Evaluation::of(&values).ok_or_else(|| anyhow::anyhow!("no games"))
        };
        batch.iter().map(play).collect()
    }
}

fn search(kind: &'static OptimizerKind, seed: u64, budget: u64) -> Search {
    let options = Values::check(kind.name, kind.params, &crate::params::Table::new()).unwrap();
    Search { space: Quadratic::space(), kind, options, seed, budget, restarts: 0 }
}

fn run(kind: &'static OptimizerKind, seed: u64, budget: u64) -> SearchResult {
    search(kind, seed, budget).run(&Quadratic::new(seed), Vec::new()).unwrap()
}

/// First game, number of games, and the bits of the point.
type EvaluationKey = (u64, u64, Vec<u64>);

/// An objective that stores its evaluations. It fails after `left` new ones.
struct StoringObjective {
    objective: Quadratic,
    /// The key includes the number of games, because the race of an extended search has more games from the same first
    /// one.
    known: Mutex<HashMap<EvaluationKey, Evaluation>>,
    left: AtomicU64,
}

impl StoringObjective {
    fn new() -> Self {
        StoringObjective { objective: Quadratic::new(1), known: Mutex::default(), left: AtomicU64::new(u64::MAX) }
    }
}

impl NoisyObjective for StoringObjective {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let mut known = self.known.lock().unwrap();
        let answer = |candidate: &Candidate| {
            let bits = candidate.point.iter().map(|x| x.to_bits()).collect();
            let key = (candidate.first_game, candidate.games, bits);
            if let Some(evaluation) = known.get(&key) {
                return Ok(*evaluation);
            }
            let left = self.left.load(Ordering::Relaxed);
            self.left.store(left.checked_sub(1).ok_or_else(|| anyhow::anyhow!("stopped"))?, Ordering::Relaxed);
            let evaluation = self.objective.evaluate(std::slice::from_ref(candidate))?[0];
            known.insert(key, evaluation);
            Ok(evaluation)
        };
        batch.iter().map(answer).collect()
    }
}

/// The median over ten seeds of the recommendation's true value.
fn median_truth(kind: &'static OptimizerKind) -> f64 {
    let truth = |seed| {
        let found = run(kind, seed, BUDGET);
        Quadratic::new(seed).truth(&found.recommendation)
    };
    let mut truths: Vec<f64> = (1..=10).map(truth).collect();
    truths.sort_by(f64::total_cmp);
    (truths[4] + truths[5]) / 2.0
}

#[test]
fn the_default_finds_97_percent_of_the_maximum() {
    assert!(median_truth(&KINDS[0]) >= 970.0);
}

#[test]
fn every_optimizer_beats_random_search() {
    let (random, others) = KINDS.split_last().unwrap();
    let baseline = median_truth(random);
    for kind in others {
        let median = median_truth(kind);
        assert!(median > baseline, "{}: {median} against {baseline}", kind.name);
    }
}

#[test]
fn the_best_value_seen_is_far_above_the_true_maximum() {
    let found = run(&KINDS[0], 1, BUDGET);
    let best = found.best_seen().unwrap();
    assert!(best.evaluation.mean > 1300.0, "{}", best.evaluation.mean);
    assert!(Quadratic::new(1).truth(&found.recommendation) < 1000.0);
}

#[test]
fn no_game_is_played_twice_and_the_budget_is_kept() {
    for kind in KINDS {
        let found = run(kind, 2, 3_000);
        let mut next = 0;
        for trial in &found.trials {
            assert_eq!(trial.candidate.first_game, next, "{}", kind.name);
            next += trial.candidate.games;
            assert!(trial.candidate.point.iter().all(|x| (-3.0..=3.0).contains(x)), "{}", kind.name);
        }
        let raced: u64 = found.race.iter().map(|trial| trial.candidate.games).sum();
        assert!(next + raced <= 3_000, "{}: {next} and {raced}", kind.name);
        assert!(next + raced > 2_000, "{} stopped early, after {next} and {raced}", kind.name);
        assert_eq!(found.race.is_empty(), kind.recommend_by == RecommendBy::Solver);
        assert_eq!(found.trajectory.last().map(|iterate| iterate.generation), Some(generations(&found)));
    }
}

/// The number of the last completed generation.
fn generations(found: &SearchResult) -> u64 {
    let spent = found.trajectory.last().map_or(0, |iterate| iterate.games);
    let done = |trial: &&Trial| trial.candidate.first_game < spent;
    found.trials.iter().filter(done).map(|trial| trial.generation).max().unwrap_or(0)
}

#[test]
fn the_same_seed_gives_the_same_result_and_another_seed_gives_another() {
    for kind in KINDS {
        let found = run(kind, 3, 3_000);
        assert_eq!(run(kind, 3, 3_000), found, "{}", kind.name);
        let other = search(kind, 4, 3_000).run(&Quadratic::new(3), Vec::new()).unwrap();
        // Nelder-Mead uses no random numbers.
        assert!(other.trials != found.trials || kind.name == "nelder-mead", "{}", kind.name);
    }
}

#[test]
fn a_search_that_is_stopped_and_run_again_gives_the_same_result() {
    for kind in KINDS {
        let objective = StoringObjective::new();
        let mut stops = 0;
        let found = loop {
            objective.left.store(5, Ordering::Relaxed);
            match search(kind, 1, 2_000).run(&objective, Vec::new()) {
                Ok(found) => break found,
                Err(error) => assert_eq!(error.to_string(), "stopped"),
            }
            stops += 1;
        };
        assert!(stops > 1, "{}", kind.name);
        assert_eq!(found, run(kind, 1, 2_000), "{}", kind.name);
    }
}

#[test]
fn a_larger_budget_continues_the_same_trajectory() {
    for kind in KINDS {
        let objective = StoringObjective::new();
        let short = search(kind, 1, 3_000).run(&objective, Vec::new()).unwrap();
        let first = objective.objective.played.swap(0, Ordering::Relaxed);
        let long = search(kind, 1, 6_000).run(&objective, Vec::new()).unwrap();
        let second = objective.objective.played.swap(0, Ordering::Relaxed);
        assert_eq!(long, run(kind, 1, 6_000), "{}: extended or run at once, the same", kind.name);
        assert_eq!(long.trajectory[..short.trajectory.len()], short.trajectory, "{}", kind.name);
        assert_eq!(long.trials[..short.trials.len()], short.trials, "{}", kind.name);
        assert!(second < 6_000 && first + second >= 5_000, "{}: {first} and {second} games", kind.name);
    }
}

#[test]
fn a_budget_too_small_for_one_generation_is_an_error() {
    for kind in KINDS {
        let refusal = search(kind, 1, 3).run(&Quadratic::new(1), Vec::new()).unwrap_err();
        assert!(matches!(&refusal, Error::Input(problem) if problem.key.as_deref() == Some("budget")), "{}", kind.name);
    }
}

#[test]
fn an_error_of_the_objective_or_of_an_observer_ends_the_search() {
    struct Broken;
    impl NoisyObjective for Broken {
        fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
            Ok(batch.iter().map(|_| Evaluation { mean: f64::NAN, standard_error: None, games: 1 }).collect())
        }
    }
    for kind in KINDS {
        let failure = search(kind, 1, 3_000).run(&Broken, Vec::new()).unwrap_err();
        assert!(matches!(&failure, Error::Objective(e) if e.to_string().contains("finite")), "{}", kind.name);
        let observer: Observer = Box::new(|iterate| match iterate.generation {
            2 => anyhow::bail!("enough"),
            _ => Ok(Signal::Continue),
        });
        let stopped = search(kind, 1, 3_000).run(&Quadratic::new(1), vec![observer]);
        assert_eq!(stopped.unwrap_err().to_string(), "enough", "{}", kind.name);
    }
}

#[test]
fn optimizers_are_found_by_name_and_all_have_the_option_games() {
    for kind in KINDS {
        assert_eq!(find(kind.name).unwrap().name, kind.name);
        assert!(kind.params.iter().any(|param| param.name == "games"), "{}", kind.name);
    }
    assert!(find("cmaes").unwrap_err().message.contains("did you mean `cma-es`"));
}

/// The maximum is 1000, where the switch is on, the count (0 to 9) is 7 and the weight is 0.6.
struct Mixed;

impl Mixed {
    fn space() -> Space {
        let dimension = |name: &str, start, high, scale| Dimension { name: name.into(), start, low: 0.0, high, scale };
        let dimensions = vec![
            dimension("switch", 0.0, 1.0, Scale::Choice),
            dimension("count", 2.0, 9.0, Scale::Integer),
            dimension("weight", 0.1, 1.0, Scale::Linear),
        ];
        Space::new(dimensions).unwrap()
    }

    fn truth(point: &[f64]) -> f64 {
        1000.0 - 150.0 * (1.0 - point[0]) - 6.0 * (point[1] - 7.0).powi(2) - 500.0 * (point[2] - 0.6).powi(2)
    }
}

impl NoisyObjective for Mixed {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let play = |candidate: &Candidate| {
            let game = |index| Mixed::truth(&candidate.point) + 100.0 * standard_normal(&mut seeded(derive(5, index)));
            Evaluation::of(&candidate.game_indices().map(game).collect::<Vec<_>>())
                .ok_or_else(|| anyhow::anyhow!("none"))
        };
        batch.iter().map(play).collect()
    }
}

#[test]
fn every_optimizer_finds_the_values_of_a_mixed_space() {
    for kind in KINDS {
        let mut truths: Vec<f64> = (1..=7)
            .map(|seed| {
                let search = Search { space: Mixed::space(), ..search(kind, seed, 10_000) };
                Mixed::truth(&search.run(&Mixed, Vec::new()).unwrap().recommendation)
            })
            .collect();
        truths.sort_by(f64::total_cmp);
        assert!(truths[3] > 970.0, "{}: {truths:?}", kind.name);
    }
}

#[test]
fn a_restart_has_another_start_and_twice_the_population_and_the_results_race() {
    let run = |restarts| {
        let asks: Observer =
            Box::new(|iterate| Ok(if iterate.generation % 10 == 9 { Signal::Restart } else { Signal::Continue }));
        Search { restarts, ..search(&KINDS[0], 1, 20_000) }.run(&Quadratic::new(1), vec![asks]).unwrap()
    };
    let found = run(2);
    let population = |generation| found.trials.iter().filter(|trial| trial.generation == generation).count();
    assert_eq!([1, 9, 10, 19, 20, 30, 40].map(population), [20, 20, 40, 40, 80, 80, 80]);
    let raced: Vec<&Trial> = found.race.iter().filter(|trial| trial.generation == found.race[0].generation).collect();
    assert_eq!(raced.len(), 3);
    assert_eq!(raced[0].candidate.point, found.trajectory[9].point, "the first search ended there");
    assert_eq!(run(2), found);
    assert!(run(0).race.is_empty());
}

#[test]
fn a_restart_of_the_largest_population_keeps_its_size() {
    let asks: Observer =
        Box::new(|iterate| Ok(if iterate.generation == 1 { Signal::Restart } else { Signal::Continue }));
    let mut search = Search { restarts: 1, ..search(&KINDS[0], 1, 50_000) };
    let table = crate::params::parse_assignments("games=1,population=10000").unwrap();
    search.options = Values::check(search.kind.name, search.kind.params, &table).unwrap();
    let found = search.run(&Quadratic::new(1), vec![asks]).unwrap();
    let population = |generation| found.trials.iter().filter(|trial| trial.generation == generation).count();
    assert_eq!([1, 2, 3].map(population), [10_000; 3]);
}

#[test]
fn rounds_give_games_to_close_candidates_only_and_keep_the_budget() {
    let mut search = search(&KINDS[0], 1, 6_000);
    let table = crate::params::parse_assignments("games=2,rounds=4").unwrap();
    search.options = Values::check(search.kind.name, search.kind.params, &table).unwrap();
    let found = search.run(&Quadratic::new(1), Vec::new()).unwrap();
    let counts: Vec<usize> =
        (1..=5).map(|generation| found.trials.iter().filter(|trial| trial.generation == generation).count()).collect();
    assert!(
        counts.iter().all(|count| (20..=80).contains(count)) && counts.iter().any(|count| *count < 80),
        "{counts:?}"
    );
    assert!(found.trials.iter().map(|trial| trial.candidate.games).sum::<u64>() <= 6_000);
    assert_eq!(search.run(&Quadratic::new(1), Vec::new()).unwrap(), found);
}
