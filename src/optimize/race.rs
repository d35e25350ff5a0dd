//! A race between the best-looking points, for solvers that only know the best value seen.
//!
//! The best of many noisy values is mostly luck. So the points that looked best play fresh games, by successive halving
//! (Karnin, Koren, Somekh 2013). Every round has the same number of games. The better half of the points, by all race
//! games so far, enters the next round. The values from the search do not count.

use super::objective::{Candidate, Evaluation, NoisyObjective, RACE_FIRST_GAME};
use super::problem::{Trial, evaluate};

/// How many points race: 8 in the first round, then 4, then 2.
const FINALISTS: usize = 8;

/// The share of the budget that the race gets.
const SHARE: f64 = 0.2;

/// How many games of a budget are for the race.
pub(super) fn share(budget: u64) -> u64 {
    (budget as f64 * SHARE) as u64
}

/// Lets the points race that looked best. Returns the winner and all evaluations of the race.
pub(super) fn run(
    searched: &[Trial],
    games: u64,
    objective: &dyn NoisyObjective,
) -> anyhow::Result<(Option<Vec<f64>>, Vec<Trial>)> {
    between(finalists(searched), searched, games, objective)
}

/// Lets these points race.
pub(super) fn between(
    points: Vec<Vec<f64>>,
    searched: &[Trial],
    games: u64,
    objective: &dyn NoisyObjective,
) -> anyhow::Result<(Option<Vec<f64>>, Vec<Trial>)> {
    let mut field: Vec<Finalist> = points.into_iter().map(|point| Finalist { point, total: None }).collect();
    let mut log = Vec::new();
    let last = searched.last().map_or(0, |trial| trial.generation);
    let mut next_game = RACE_FIRST_GAME;
    let rounds = field.len().max(2).ilog2() as u64;
    for generation in last + 1..=last + rounds {
        let each = games / rounds / field.len() as u64 / objective.multiple() * objective.multiple();
        if each == 0 {
            break;
        }
        let batch = candidates(&field, &mut next_game, each);
        let evaluations = evaluate(&batch, objective)?;
        for ((candidate, evaluation), finalist) in batch.iter().zip(evaluations).zip(&mut field) {
            finalist.total = Some(finalist.total.map_or(evaluation, |earlier| earlier.pooled(evaluation)));
            log.push(Trial { generation, candidate: candidate.clone(), evaluation });
        }
        halve(&mut field);
    }
    Ok((field.into_iter().next().map(|finalist| finalist.point), log))
}

struct Finalist {
    point: Vec<f64>,
    /// Over all rounds so far.
    total: Option<Evaluation>,
}

/// The best-looking points, best first, each only once.
fn finalists(searched: &[Trial]) -> Vec<Vec<f64>> {
    let mut order: Vec<&Trial> = searched.iter().collect();
    order.sort_by(|a, b| b.evaluation.mean.total_cmp(&a.evaluation.mean));
    let mut field: Vec<Vec<f64>> = Vec::new();
    for trial in order {
        if field.len() == FINALISTS {
            break;
        }
        if !field.contains(&trial.candidate.point) {
            field.push(trial.candidate.point.clone());
        }
    }
    field
}

/// One candidate for each finalist, with fresh games.
fn candidates(field: &[Finalist], next_game: &mut u64, games: u64) -> Vec<Candidate> {
    let candidate = |finalist: &Finalist| {
        let first_game = *next_game;
        *next_game += games;
        Candidate { point: finalist.point.clone(), first_game, games }
    };
    field.iter().map(candidate).collect()
}

/// Keeps the better half.
fn halve(field: &mut Vec<Finalist>) {
    let mean = |finalist: &Finalist| finalist.total.map_or(f64::NEG_INFINITY, |total| total.mean);
    field.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    field.truncate(field.len().div_ceil(2));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a point is its only coordinate, without noise.
    struct Noiseless;

    impl NoisyObjective for Noiseless {
        fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
            let evaluation = |candidate: &Candidate| Evaluation {
                mean: candidate.point[0],
                standard_error: Some(0.0),
                games: candidate.games,
            };
            Ok(batch.iter().map(evaluation).collect())
        }
    }

    fn seen(point: f64, mean: f64) -> Trial {
        let candidate = Candidate { point: vec![point], first_game: 0, games: 1 };
        Trial { generation: 7, candidate, evaluation: Evaluation { mean, standard_error: None, games: 1 } }
    }

    #[test]
    fn the_truly_best_finalist_wins_and_not_the_one_that_looked_best() {
        // The better a point is, the worse it looked. The two best points looked too bad to be finalists.
        let searched: Vec<Trial> = (0..10).map(|i| seen(i as f64, 100.0 - i as f64)).collect();
        let (winner, log) = run(&searched, 240, &Noiseless).unwrap();
        assert_eq!(winner, Some(vec![7.0]));
        let field = |generation| log.iter().filter(|trial| trial.generation == generation).count();
        assert_eq!([8, 9, 10, 11].map(field), [8, 4, 2, 0]);
        assert_eq!(log.iter().map(|trial| trial.evaluation.games).sum::<u64>(), 240);
        assert!(log.is_sorted_by(|a, b| a.candidate.game_indices().end == b.candidate.first_game));
    }

    #[test]
    fn a_race_with_few_points_or_few_games_still_has_a_winner() {
        assert_eq!(run(&[seen(1.0, 1.0)], 100, &Noiseless).unwrap().0, Some(vec![1.0]));
        let (winner, log) = run(&[seen(1.0, 5.0), seen(2.0, 4.0)], 1, &Noiseless).unwrap();
        assert_eq!((winner, log), (Some(vec![1.0]), vec![]));
    }
}
