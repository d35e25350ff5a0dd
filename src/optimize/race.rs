//! A race between the points with the best values, for solvers that only know the best value seen.
//!
//! The best of many noisy values is mostly luck. So the points with the best values play fresh games, by successive
//! halving (Karnin, Koren, Somekh 2013). Every round has the same number of games. The better half of the points, by
//! all race games so far, enters the next round. The values from the search do not count.

use super::objective::{Candidate, Evaluation, NoisyObjective, RACE_FIRST_GAME};
use super::problem::{Trial, evaluate};

/// The number of points in the race: 8 in the first round, then 4, then 2.
const FINALISTS: usize = 8;

/// The fraction of the budget that is reserved for the race.
const SHARE: f64 = 0.2;

/// The number of games of a budget that are reserved for the race.
pub(super) fn share(budget: u64) -> u64 {
    (budget as f64 * SHARE) as u64
}

/// Runs a race between the points with the best values. Returns the winner and all evaluations of the race.
pub(super) fn run(
    searched: &[Trial],
    games: u64,
    objective: &dyn NoisyObjective,
) -> anyhow::Result<(Option<Vec<f64>>, Vec<Trial>)> {
    between(best_points(searched), searched, games, objective)
}

/// As [`run`], between these points.
pub(super) fn between(
    points: Vec<Vec<f64>>,
    searched: &[Trial],
    games: u64,
    objective: &dyn NoisyObjective,
) -> anyhow::Result<(Option<Vec<f64>>, Vec<Trial>)> {
    let mut finalists: Vec<Finalist> = points.into_iter().map(|point| Finalist { point, total: None }).collect();
    let mut log = Vec::new();
    let last = searched.last().map_or(0, |trial| trial.generation);
    let mut next_game = RACE_FIRST_GAME;
    let rounds = finalists.len().max(2).ilog2() as u64;
    for generation in last + 1..=last + rounds {
        let each = games / rounds / finalists.len() as u64 / objective.multiple() * objective.multiple();
        if each == 0 {
            break;
        }
        let batch = candidates(&finalists, &mut next_game, each);
        let evaluations = evaluate(&batch, objective)?;
        for ((candidate, evaluation), finalist) in batch.iter().zip(evaluations).zip(&mut finalists) {
            finalist.total = Some(finalist.total.map_or(evaluation, |earlier| earlier.pooled(evaluation)));
            log.push(Trial { generation, candidate: candidate.clone(), evaluation });
        }
        halve(&mut finalists);
    }
    Ok((finalists.into_iter().next().map(|finalist| finalist.point), log))
}

struct Finalist {
    point: Vec<f64>,
    /// Its evaluation over all rounds so far.
    total: Option<Evaluation>,
}

/// The points with the best values, best first, each only once.
fn best_points(searched: &[Trial]) -> Vec<Vec<f64>> {
    let mut order: Vec<&Trial> = searched.iter().collect();
    order.sort_by(|a, b| b.evaluation.mean.total_cmp(&a.evaluation.mean));
    let mut finalists: Vec<Vec<f64>> = Vec::new();
    for trial in order {
        if finalists.len() == FINALISTS {
            break;
        }
        if !finalists.contains(&trial.candidate.point) {
            finalists.push(trial.candidate.point.clone());
        }
    }
    finalists
}

/// One candidate for each finalist, with fresh games.
fn candidates(finalists: &[Finalist], next_game: &mut u64, games: u64) -> Vec<Candidate> {
    let candidate = |finalist: &Finalist| {
        let first_game = *next_game;
        *next_game += games;
        Candidate { point: finalist.point.clone(), first_game, games }
    };
    finalists.iter().map(candidate).collect()
}

/// Keeps the better half.
fn halve(finalists: &mut Vec<Finalist>) {
    let mean = |finalist: &Finalist| finalist.total.map_or(f64::NEG_INFINITY, |total| total.mean);
    finalists.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    finalists.truncate(finalists.len().div_ceil(2));
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
        let finalists = |generation| log.iter().filter(|trial| trial.generation == generation).count();
        assert_eq!([8, 9, 10, 11].map(finalists), [8, 4, 2, 0]);
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
