//! How an experiment reports its progress.

use crate::play::GameResult;

/// Receives the progress of a run, from any thread.
pub trait Progress: Send + Sync {
    /// About how many games there will be in all.
    fn expect(&self, _games: u64) {}

    /// One more game of this player is finished.
    fn played(&self, _player: usize, _game: &GameResult) {}

    /// These games of this player were finished by an earlier run.
    fn resumed(&self, _player: usize, _games: &[GameResult]) {}

    /// A message for the user.
    fn say(&self, _line: &str) {}
}

/// Reports nothing.
impl Progress for () {}
