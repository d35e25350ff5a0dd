//! What one game left behind, in the columns of `games.csv` and `timing.csv`.

use serde::{Deserialize, Serialize};

/// A row of `games.csv`: all of it a function of the experiment's seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    pub agent: String,
    pub game: u64,
    pub seed: u64,
    pub score: i64,
    pub max_tile: u32,
    pub moves: u32,
    pub won: bool,
    pub nodes: u64,
}

/// A row of `timing.csv`: what the clock said, which no seed decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimingRow {
    pub agent: String,
    pub game: u64,
    pub seconds: f64,
    pub microseconds_per_move: f64,
}

impl TimingRow {
    pub fn new(agent: &str, game: u64, moves: u32, seconds: f64) -> Self {
        let microseconds_per_move = seconds * 1e6 / f64::from(moves.max(1));
        TimingRow { agent: agent.to_string(), game, seconds, microseconds_per_move }
    }
}
