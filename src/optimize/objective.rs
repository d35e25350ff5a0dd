//! The function that a search maximises: the mean result of games, known only from samples.

use std::ops::Range;

/// Training games with this index or a higher one are for the race between finalists. No search plays so many games.
pub const RACE_FIRST_GAME: u64 = 1 << 40;

/// A point to be evaluated, with the training games to play.
///
/// Games are assigned in the order of the solver's evaluations, and no game is played twice. So the games of a
/// candidate depend only on the evaluations before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// In the user's units, one number per dimension.
    pub point: Vec<f64>,
    /// The index of the first training game.
    pub first_game: u64,
    /// The number of games to play.
    pub games: u64,
}

impl Candidate {
    /// The indices of the training games.
    pub fn game_indices(&self) -> Range<u64> {
        self.first_game..self.first_game + self.games
    }
}

/// The result of a candidate's games. Larger is better.
///
/// ```
/// use lab2048::optimize::Evaluation;
///
/// let evaluation = Evaluation::of(&[2.0, 4.0, 6.0, 8.0]).unwrap();
/// assert_eq!(evaluation.mean, 5.0);
/// assert!(evaluation.standard_error.unwrap() > 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The mean over the games.
    pub mean: f64,
    /// The standard error of the mean; `None` after a single game.
    pub standard_error: Option<f64>,
    /// The number of games played.
    pub games: u64,
}

impl Evaluation {
    /// The evaluation of these values, one per game; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let games = values.len() as f64;
        let mean = values.iter().sum::<f64>() / games;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_error = (values.len() > 1).then(|| (squares / (games - 1.0) / games).sqrt());
        (!values.is_empty()).then_some(Evaluation { mean, standard_error, games: values.len() as u64 })
    }

    /// The evaluation of the games of both together.
    pub fn pooled(self, other: Evaluation) -> Evaluation {
        let (n, m) = (self.games as f64, other.games as f64);
        let mean = (self.mean * n + other.mean * m) / (n + m);
        let squares = |of: Evaluation| {
            let k = of.games as f64;
            of.standard_error.unwrap_or(0.0).powi(2) * k * (k - 1.0) + k * (of.mean - mean).powi(2)
        };
        let variance = (squares(self) + squares(other)) / (n + m - 1.0);
        Evaluation { mean, standard_error: Some((variance / (n + m)).sqrt()), games: self.games + other.games }
    }
}

/// Evaluates candidates by playing games. The result must be a pure function of the candidate: the same point and the
/// same games give the same evaluation, whatever else is in the batch.
pub trait NoisyObjective: Sync {
    /// Returns one evaluation per candidate, in the same order. A batch holds a whole generation, so that all its games
    /// can be played in parallel.
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>>;

    /// The number of games of every candidate must be a multiple of this. An objective over several scenarios needs the
    /// same number of games in each.
    fn multiple(&self) -> u64 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooling_equals_evaluating_all_games_together() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0];
        let whole = Evaluation::of(&values).unwrap();
        for cut in 1..values.len() {
            let parts = [&values[..cut], &values[cut..]].map(|part| Evaluation::of(part).unwrap());
            let pooled = parts[0].pooled(parts[1]);
            assert!((pooled.mean - whole.mean).abs() < 1e-12);
            assert!((pooled.standard_error.unwrap() - whole.standard_error.unwrap()).abs() < 1e-12);
            assert_eq!(pooled.games, whole.games);
        }
        assert_eq!(Evaluation::of(&[2.0]).unwrap().standard_error, None);
        assert_eq!(Evaluation::of(&[]), None);
    }
}
