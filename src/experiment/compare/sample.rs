//! The games of each agent, as the statistics need them.
//!
//! This is the one place where memory grows with the number of games: by 9 bytes for each, as medians, ranks and the
//! bootstrap need every score. Playing itself keeps only the blocks under way.

use std::collections::BTreeMap;
use std::path::Path;

use super::GAMES;
use crate::experiment::error::Error;
use crate::play::GameResult;
use crate::report::records::read_games;
use crate::stats::Moments;

/// What an agent did in its games.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::experiment) struct AgentGames {
    pub agent: String,
    /// In the order of the games, which all agents share.
    pub scores: Vec<f64>,
    pub won: Vec<bool>,
    /// How many games ended with this largest tile.
    pub tiles: BTreeMap<u32, u64>,
    pub moves: u64,
    pub nodes: u64,
}

impl AgentGames {
    /// Takes in one more game.
    pub fn add(&mut self, row: &GameResult) {
        self.scores.push(row.score as f64);
        self.won.push(row.won);
        *self.tiles.entry(row.max_tile).or_default() += 1;
        self.moves += u64::from(row.moves);
        self.nodes += row.nodes;
    }

    pub fn games(&self) -> u64 {
        self.scores.len() as u64
    }

    pub fn wins(&self) -> u64 {
        self.won.iter().filter(|won| **won).count() as u64
    }

    /// Games in which this tile was reached.
    pub fn reached(&self, tile: u32) -> u64 {
        self.tiles.range(tile..).map(|(_, games)| games).sum()
    }
}

/// Reads `games.csv`, whose rows stand agent by agent.
pub(super) fn read_samples(folder: &Path) -> Result<Vec<AgentGames>, Error> {
    let mut samples: Vec<AgentGames> = Vec::new();
    for row in read_games(&folder.join(GAMES))? {
        let (agent, _, game) = row?;
        if samples.last().is_none_or(|sample| sample.agent != agent) {
            samples.push(AgentGames { agent, ..AgentGames::default() });
        }
        if let Some(sample) = samples.last_mut() {
            sample.add(&game);
        }
    }
    Ok(samples)
}

/// What an agent's games cost in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clock {
    pub agent: String,
    pub seconds: Moments,
    pub total: f64,
}

impl Clock {
    /// Takes in the time of one more game.
    pub fn add(&mut self, seconds: f64) {
        self.seconds.push(seconds);
        self.total += seconds;
    }
}
