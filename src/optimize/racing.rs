//! The allocation of games within one generation of CMA-ES.
//!
//! CMA-ES uses only the ranking of a generation, and mainly which candidates belong to the better half. So after a
//! first round, the candidates close to the middle of the ranking play again, as in the races of irace. A candidate is
//! close if the distance of its mean from the border of the halves is below its standard error.
//!
//! The number of games can also adapt to the noise, as in CMA-ES with uncertainty handling. If the differences within a
//! generation are not larger than the noise explains, every candidate of the next generation plays more games.
//!
//! References: M. Lopez-Ibanez et al., "The irace package", Operations Research Perspectives 3, 2016; N. Hansen et al.,
//! "A Method for Handling Uncertainty in Evolutionary Optimization", IEEE Transactions on Evolutionary Computation 13,
//! 2009.

use argmin::core::{Error, Problem};

use super::{Evaluation, Search, SearchProblem};

/// Decides how many games the candidates of a generation play.
pub(super) struct Racing {
    /// The maximum number of rounds of a generation.
    rounds: usize,
    /// The games of a candidate in a round as a multiple of the usual number, and its upper limit.
    level: f64,
    most: f64,
}

/// The level changes by this factor after each generation. UH-CMA-ES uses a larger factor.
const STEP: f64 = 1.2;
/// The share of noise in the variance of a generation above which the level rises, and below which it falls.
const NOISY: f64 = 0.8;
const CLEAR: f64 = 0.5;

impl Racing {
    pub fn new(search: &Search) -> Self {
        let usual = search.count("games") as f64;
        let most = search.options.integer("most-games").map_or(1.0, |most| (most as f64 / usual).max(1.0));
        Racing { rounds: search.count("rounds"), level: 1.0, most }
    }

    /// The costs of the points, after as many rounds as they need. `better` is the size of the better part.
    pub fn costs(
        &mut self,
        problem: &mut Problem<SearchProblem>,
        points: &[Vec<f64>],
        better: usize,
    ) -> Result<Vec<f64>, Error> {
        let times = self.level as u64;
        let mut known = problem.problem("cost_count", |problem| problem.evaluate_times(points, times))?;
        self.adapt(&known);
        for _ in 1..self.rounds {
            let close = undecided(&known, better);
            if close.is_empty() {
                break;
            }
            let again: Vec<&Vec<f64>> = close.iter().map(|place| &points[*place]).collect();
            let more = problem.problem("cost_count", |problem| problem.evaluate_times(&again, times))?;
            for (place, evaluation) in close.into_iter().zip(more) {
                known[place] = known[place].pooled(evaluation);
            }
        }
        Ok(known.iter().map(|evaluation| -evaluation.mean).collect())
    }

    fn adapt(&mut self, generation: &[Evaluation]) {
        let share = noise_share(generation);
        let factor = if share > NOISY {
            STEP
        } else if share < CLEAR {
            1.0 / STEP
        } else {
            1.0
        };
        self.level = (self.level * factor).clamp(1.0, self.most);
    }
}

/// The variance of one game: the mean over the candidates with several games.
fn variance_of_a_game(generation: &[Evaluation]) -> Option<f64> {
    let of = |evaluation: &Evaluation| Some(evaluation.standard_error?.powi(2) * evaluation.games as f64);
    let known: Vec<f64> = generation.iter().filter_map(of).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// The share of noise in the variance between the candidates; 1 if it is unknown.
fn noise_share(generation: &[Evaluation]) -> f64 {
    let n = generation.len() as f64;
    let mean = generation.iter().map(|evaluation| evaluation.mean).sum::<f64>() / n;
    let between = generation.iter().map(|evaluation| (evaluation.mean - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let games = generation.iter().map(|evaluation| evaluation.games as f64).sum::<f64>() / n;
    match variance_of_a_game(generation) {
        Some(variance) if between > 0.0 => variance / games / between,
        _ => 1.0,
    }
}

/// The candidates that may belong to either part of the generation.
fn undecided(generation: &[Evaluation], better: usize) -> Vec<usize> {
    let mut means: Vec<f64> = generation.iter().map(|evaluation| evaluation.mean).collect();
    means.sort_by(|a, b| b.total_cmp(a));
    let (Some(last), Some(first)) = (better.checked_sub(1).and_then(|last| means.get(last)), means.get(better)) else {
        return Vec::new();
    };
    let border = (last + first) / 2.0;
    let variance = variance_of_a_game(generation).unwrap_or(f64::INFINITY);
    let is_close =
        |evaluation: &Evaluation| (evaluation.mean - border).abs() < (variance / evaluation.games as f64).sqrt();
    (0..generation.len()).filter(|place| is_close(&generation[*place])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(means: [f64; 6], error: f64) -> Vec<Evaluation> {
        means.map(|mean| Evaluation { mean, standard_error: Some(error), games: 4 }).to_vec()
    }

    #[test]
    fn only_candidates_near_the_border_play_again() {
        let clear = generation([9.0, 8.0, 5.2, 4.8, 2.0, 1.0], 0.5);
        assert_eq!(undecided(&clear, 3), [2, 3]);
        assert!(undecided(&generation([9.0, 8.0, 7.0, 3.0, 2.0, 1.0], 0.5), 3).is_empty());
        assert_eq!(undecided(&generation([9.0, 8.0, 7.0, 3.0, 2.0, 1.0], 9.0), 3).len(), 6);
    }

    #[test]
    fn games_rise_with_noise_and_fall_without() {
        let mut racing = Racing { rounds: 1, level: 1.0, most: 4.0 };
        let noisy = generation([5.0, 5.5, 4.5, 5.2, 4.8, 5.0], 0.5);
        (0..20).for_each(|_| racing.adapt(&noisy));
        assert_eq!(racing.level, 4.0);
        let clear = generation([9.0, 8.0, 7.0, 3.0, 2.0, 1.0], 0.1);
        (0..20).for_each(|_| racing.adapt(&clear));
        assert_eq!(racing.level, 1.0);
    }
}
