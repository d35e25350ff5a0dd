//! The configuration of playouts, which all Monte Carlo agents share.

use crate::games::Policy;
use crate::params::Values;

/// The value of a playout. With a heuristic this has no effect, because the value is then that of the last position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistic {
    /// Its final score, or its score so far if it was cut.
    #[default]
    Score,
    /// 1 for a win, else 0.
    Win,
    /// Its number of moves.
    Survival,
}

/// How playouts are played and valued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayoutConfig {
    /// How moves are chosen.
    pub policy: Policy,
    /// The value of a playout without a heuristic.
    pub statistic: Statistic,
    /// Playouts stop after this many moves. `None` is 10 moves with a heuristic, and the end of the game without one.
    pub cap: Option<u32>,
}

impl PlayoutConfig {
    pub(super) fn new(options: &Values) -> Self {
        let statistic = match options.text("statistic") {
            Some("win") => Statistic::Win,
            Some("survival") => Statistic::Survival,
            _ => Statistic::Score,
        };
        let policy = options.text("policy").and_then(Policy::named).unwrap_or_default();
        PlayoutConfig { policy, statistic, cap: options.integer("cap").map(|cap| cap as u32) }
    }
}
