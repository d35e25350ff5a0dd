//! How an experiment reports its progress.

use crate::optimize::{Candidate, Evaluation};
use crate::play::GameResult;
use crate::stats::Interval;

/// Receives the progress of a run, from any thread.
pub trait Progress: Send + Sync {
    /// About how many games there will be in all.
    fn expect(&self, _games: u64) {}

    /// One more game of this player is finished.
    fn played(&self, _player: usize, _game: &GameResult) {}

    /// These games of this player were finished by an earlier run.
    fn resumed(&self, _player: usize, _games: &[GameResult]) {}

    /// A search has evaluated these candidates.
    fn evaluated(&self, _search: &str, _batch: &[Candidate], _evaluations: &[Evaluation]) {}

    /// A search would recommend this point now.
    fn moved(&self, _search: &str, _point: &[f64]) {}

    /// A search has validated the point that it would recommend after this many training games.
    fn validated(&self, _search: &str, _training_games: u64, _value: &Interval) {}

    /// A training has done this many games and moves. `mean_score` is that of its last games.
    fn trained(&self, _games: u64, _moves: u64, _mean_score: f64) {}

    /// A message for the user.
    fn say(&self, _line: &str) {}
}

/// Reports nothing.
impl Progress for () {}
