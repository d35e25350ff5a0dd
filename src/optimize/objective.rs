//! What is maximised: the mean outcome of games, known only through samples.

use std::ops::Range;

/// The training games from here on are for the race between finalists; a search never gets that far.
pub const RACE_FIRST_GAME: u64 = 1 << 40;

/// A point to be played, with the training games that are its own.
///
/// Games are handed out in the order of asking and no game is played twice, so a candidate's games are a pure function
/// of the solver's trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// In the user's units, one number per dimension.
    pub point: Vec<f64>,
    pub first_game: u64,
    pub games: u64,
}

impl Candidate {
    /// The indices of its training games.
    pub fn game_indices(&self) -> Range<u64> {
        self.first_game..self.first_game + self.games
    }
}

/// What a candidate's games came to. Larger is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    pub mean: f64,
    /// Unknown after a single game.
    pub standard_error: Option<f64>,
    pub games: u64,
}

impl Evaluation {
    /// Of one value per game; `None` if there is no game.
    pub fn of(values: &[f64]) -> Option<Self> {
        let games = values.len() as f64;
        let mean = values.iter().sum::<f64>() / games;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let standard_error = (values.len() > 1).then(|| (squares / (games - 1.0) / games).sqrt());
        (!values.is_empty()).then_some(Evaluation { mean, standard_error, games: values.len() as u64 })
    }

    /// Of the games of both.
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

/// Plays candidates. The answer must be a pure function of each candidate: the same point and the same games give the
/// same evaluation, in whatever batch they come.
pub trait NoisyObjective: Sync {
    /// One evaluation per candidate, in order. A whole generation is asked at once, so that all its games can be
    /// played in parallel.
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>>;
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
