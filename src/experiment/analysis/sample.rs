//! The games of each agent, as the statistics need them.
//!
//! This is the one place where memory grows with the number of games. Medians, ranks, the bootstrap and survival curves
//! need every game, which takes 21 bytes. Playing itself keeps only the blocks that are being played.

use std::collections::BTreeMap;
use std::path::Path;

use crate::experiment::GAMES;
use crate::experiment::error::Error;
use crate::play::GameResult;
use crate::report::records::read_games;
use crate::stats::survival::Lifetime;
use crate::stats::{Moments, Ratio};

/// The games of one agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::experiment) struct AgentGames {
    pub agent: String,
    /// In the order of the games, which all agents share.
    pub scores: Vec<f64>,
    pub won: Vec<bool>,
    /// How many games ended with this largest tile.
    pub tiles: BTreeMap<u32, u64>,
    /// The number of moves of each game.
    pub lengths: Vec<u32>,
    pub moves: u64,
    pub nodes: u64,
    pub nodes_per_move: Ratio,
    pub work_per_move: Ratio,
    /// The first game, without its seed, and how many games are equal to it.
    pub first_game: Option<(i64, u32, u32, bool, u64)>,
    pub equal_to_first: u64,
}

impl AgentGames {
    pub fn add(&mut self, row: &GameResult) {
        self.scores.push(row.score as f64);
        self.won.push(row.won);
        *self.tiles.entry(row.max_tile).or_default() += 1;
        self.moves += u64::from(row.moves);
        self.nodes += row.nodes;
        self.lengths.push(row.moves);
        self.nodes_per_move.push(row.nodes as f64, f64::from(row.moves));
        self.work_per_move.push(row.work as f64, f64::from(row.moves));
        let game = (row.score, row.max_tile, row.moves, row.won, row.nodes);
        self.equal_to_first += u64::from(*self.first_game.get_or_insert(game) == game);
    }

    /// The scores, outcomes and lengths of the first `games` games.
    pub fn first(&self, games: u64) -> Self {
        let n = self.scores.len().min(games as usize);
        AgentGames {
            agent: self.agent.clone(),
            scores: self.scores[..n].to_vec(),
            won: self.won[..n].to_vec(),
            lengths: self.lengths[..n].to_vec(),
            ..AgentGames::default()
        }
    }

    /// Whether all games, which have different seeds, are one and the same game. Then nothing in them is random, and
    /// they count as one game.
    pub fn is_one_game(&self) -> bool {
        self.games() > 1 && self.equal_to_first == self.games()
    }

    /// Whether both agents played exactly the same games, as minimax and alpha-beta do. Their costs may differ.
    pub fn plays_as(&self, other: &AgentGames) -> bool {
        self.scores == other.scores && self.won == other.won && self.lengths == other.lengths
    }

    /// The lengths of the games. A won game was stopped at its goal, and so is censored.
    pub fn lifetimes(&self) -> Vec<Lifetime> {
        self.lengths.iter().zip(&self.won).map(|(&moves, won)| Lifetime { moves, lost: !won }).collect()
    }

    /// The number of moves of each won game.
    pub fn moves_to_goal(&self) -> Vec<f64> {
        let won = self.lengths.iter().zip(&self.won).filter(|(_, won)| **won);
        won.map(|(moves, _)| f64::from(*moves)).collect()
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

/// Reads `games.csv`, in which the rows of one agent follow each other.
pub(in crate::experiment) fn read_samples(folder: &Path) -> Result<Vec<AgentGames>, Error> {
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

/// The measured times of one agent's games.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::experiment) struct AgentTimes {
    pub agent: String,
    /// The seconds of each game, in the order of the games.
    pub games: Vec<f64>,
    pub seconds: Moments,
    pub total: f64,
}

impl AgentTimes {
    pub fn add(&mut self, seconds: f64) {
        self.games.push(seconds);
        self.seconds.push(seconds);
        self.total += seconds;
    }

    /// Seconds per move, given the number of moves of each game.
    pub fn per_move(&self, lengths: &[u32]) -> Ratio {
        self.games.iter().zip(lengths).map(|(seconds, moves)| (*seconds, f64::from(*moves))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u64, score: i64, nodes: u64) -> GameResult {
        GameResult { seed, score, max_tile: 8, moves: 5, won: score > 9, nodes, work: 0, seconds: 0.0 }
    }

    fn games(rows: &[GameResult]) -> AgentGames {
        let mut games = AgentGames::default();
        rows.iter().for_each(|row| games.add(row));
        games
    }

    #[test]
    fn repeated_games_are_noticed() {
        let same = games(&[row(0, 3, 7), row(1, 3, 7), row(2, 3, 7)]);
        assert!(same.is_one_game());
        assert!(!games(&[row(0, 3, 7), row(1, 3, 8)]).is_one_game());
        assert!(!games(&[row(0, 3, 7), row(1, 4, 7), row(2, 3, 7)]).is_one_game());
        assert!(!games(&[row(0, 3, 7)]).is_one_game());
    }

    #[test]
    fn the_same_games_may_have_other_costs() {
        let (cheap, costly) = (games(&[row(0, 3, 7), row(1, 12, 9)]), games(&[row(0, 3, 70), row(1, 12, 90)]));
        assert!(cheap.plays_as(&costly));
        assert!(!cheap.plays_as(&games(&[row(0, 3, 7), row(1, 3, 9)])));
    }

    #[test]
    fn won_games_are_censored() {
        let played = games(&[row(0, 3, 7), row(1, 12, 9)]);
        assert_eq!(played.lifetimes(), [Lifetime { moves: 5, lost: true }, Lifetime { moves: 5, lost: false }]);
        assert_eq!(played.moves_to_goal(), [5.0]);
    }
}
