//! A race between finalists, for solvers that have no better recommendation than the best value seen.
//!
//! The best of many noisy values is mostly luck. So the points that looked best are played again on fresh games, by
//! successive halving (Karnin, Koren, Somekh 2013): every round has the same number of games, and the better half of
//! the field, by all race games so far, goes on to the next. What a point showed during the search does not count.

use super::objective::{Candidate, Evaluation, NoisyObjective, RACE_FIRST_GAME};
use super::trials::{Trial, evaluate};

/// How many points race: three rounds of 8, 4 and 2.
const FINALISTS: usize = 8;

/// The part of a search's budget that its race has.
const SHARE: f64 = 0.2;

/// The games of a budget that go to the race.
pub(super) fn share(budget: u64) -> u64 {
    (budget as f64 * SHARE) as u64
}

/// Finds the best of the points that looked best, and returns it with the race's trials.
pub(super) fn run(
    searched: &[Trial],
    games: u64,
    objective: &dyn NoisyObjective,
) -> anyhow::Result<(Option<Vec<f64>>, Vec<Trial>)> {
    let mut field = finalists(searched);
    let mut log = Vec::new();
    let last = searched.last().map_or(0, |trial| trial.generation);
    let mut next_game = RACE_FIRST_GAME;
    let rounds = field.len().max(2).ilog2() as u64;
    for generation in last + 1..=last + rounds {
        let each = games / rounds / field.len() as u64;
        if each == 0 {
            break;
        }
        let batch = entries(&field, &mut next_game, each);
        for ((candidate, evaluation), racer) in batch.iter().zip(evaluate(&batch, objective)?).zip(&mut field) {
            racer.record = Some(racer.record.map_or(evaluation, |earlier| earlier.pooled(evaluation)));
            log.push(Trial { generation, candidate: candidate.clone(), evaluation });
        }
        halve(&mut field);
    }
    Ok((field.into_iter().next().map(|racer| racer.point), log))
}

struct Racer {
    point: Vec<f64>,
    /// Over the rounds so far.
    record: Option<Evaluation>,
}

/// The different points that looked best, best first.
fn finalists(searched: &[Trial]) -> Vec<Racer> {
    let mut order: Vec<&Trial> = searched.iter().collect();
    order.sort_by(|a, b| b.evaluation.mean.total_cmp(&a.evaluation.mean));
    let mut field: Vec<Racer> = Vec::new();
    for trial in order {
        if field.len() == FINALISTS {
            break;
        }
        if field.iter().all(|racer| racer.point != trial.candidate.point) {
            field.push(Racer { point: trial.candidate.point.clone(), record: None });
        }
    }
    field
}

fn entries(field: &[Racer], next_game: &mut u64, games: u64) -> Vec<Candidate> {
    let entry = |racer: &Racer| {
        let first_game = *next_game;
        *next_game += games;
        Candidate { point: racer.point.clone(), first_game, games }
    };
    field.iter().map(entry).collect()
}

fn halve(field: &mut Vec<Racer>) {
    let mean = |racer: &Racer| racer.record.map_or(f64::NEG_INFINITY, |record| record.mean);
    field.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    field.truncate(field.len().div_ceil(2));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a point is its only coordinate; every game agrees.
    struct Plain;

    impl NoisyObjective for Plain {
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
    fn the_race_is_won_by_truth_and_not_by_what_was_seen() {
        // The better a point is, the less luck it had; the tenth was too unlucky to race.
        let searched: Vec<Trial> = (0..10).map(|i| seen(i as f64, 100.0 - i as f64)).collect();
        let (winner, log) = run(&searched, 240, &Plain).unwrap();
        assert_eq!(winner, Some(vec![7.0]));
        let field = |generation| log.iter().filter(|trial| trial.generation == generation).count();
        assert_eq!([8, 9, 10, 11].map(field), [8, 4, 2, 0]);
        assert_eq!(log.iter().map(|trial| trial.evaluation.games).sum::<u64>(), 240);
        assert!(log.is_sorted_by(|a, b| a.candidate.game_indices().end == b.candidate.first_game));
    }

    #[test]
    fn small_fields_and_small_budgets_still_have_a_winner() {
        assert_eq!(run(&[seen(1.0, 1.0)], 100, &Plain).unwrap().0, Some(vec![1.0]));
        let (winner, log) = run(&[seen(1.0, 5.0), seen(2.0, 4.0)], 1, &Plain).unwrap();
        assert_eq!((winner, log), (Some(vec![1.0]), vec![]));
    }
}
