//! One of several games that are played in parallel.

use serde::{Deserialize, Serialize};

use super::choose::Candidate;
use crate::games::Game;
use crate::games::twenty48::{Board, Twenty48};
use crate::rng::{GameSeed, Rng, Stage, agent_seed, environment, seeded};

/// A running game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lane {
    /// The index of the game in its stage.
    number: u64,
    seed: u64,
    #[serde(with = "as_word")]
    pub board: Board,
    score: u32,
    moves: u32,
    met_limit: bool,
    environment: Rng,
    /// The random numbers for exploration.
    pub own: Rng,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// The index of the game in its stage.
    pub number: u64,
    /// The seed with which the game can be played again.
    pub seed: u64,
    /// The final score.
    pub score: u32,
    /// The number of moves.
    pub moves: u32,
    /// The rank of the largest tile: k for 2^k.
    pub max_rank: u8,
    /// Whether two tiles of 32768 were on the board. They cannot merge, because a cell has only four bits.
    pub met_limit: bool,
}

impl Lane {
    pub fn start<S: Stage>(game: &Twenty48, number: u64, seed: GameSeed<S>) -> Self {
        let seed = seed.value();
        let mut environment = environment(seed);
        let board = game.start(&mut environment);
        Lane { number, seed, board, score: 0, moves: 0, met_limit: false, environment, own: seeded(agent_seed(seed)) }
    }

    /// Makes a move and draws the new tile.
    #[inline]
    pub fn advance(&mut self, game: &Twenty48, candidate: &Candidate) {
        self.score += candidate.reward;
        self.moves += 1;
        self.met_limit |= candidate.after.at_limit();
        self.board = game.sample(candidate.after, &mut self.environment);
    }

    /// The record of the game, after no move is legal.
    pub fn finish(&self) -> Finished {
        Finished {
            number: self.number,
            seed: self.seed,
            score: self.score,
            moves: self.moves,
            max_rank: self.board.max_rank(),
            met_limit: self.met_limit,
        }
    }
}

/// Serializes a board as its 64-bit number.
mod as_word {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Board;

    pub fn serialize<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(board.0)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
        u64::deserialize(deserializer).map(Board)
    }
}
