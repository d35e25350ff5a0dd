//! The best move of many boards at once.
//!
//! Reading a weight takes far longer than computing where it is. So the places of all moves of several boards are
//! computed first and their weights are asked for; when they are read, they have arrived.

use super::index::ORIENTATIONS;
use super::network::Network;
use crate::games::twenty48::{Board, Direction, Twenty48};

/// How many boards have the weights of their moves prefetched before the first is read. With too many, the first weights
/// have left the nearest cache again. Trials with 4, 8, 16 and 32 on one machine showed no clear difference.
pub const BOARDS_AHEAD: usize = 4;

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub after: Board,
    pub reward: u32,
    /// The network's value of `after`.
    pub value: f64,
    /// Where its places are noted.
    number: usize,
}

impl Candidate {
    /// What the rest of the game is expected to bring after this move is made.
    pub fn total(&self) -> f64 {
        f64::from(self.reward) + self.value
    }
}

/// The moves of the boards that are looked at together.
pub struct Moves {
    afters: Vec<(Board, u32)>,
    /// One entry for each move and table.
    places: Vec<[u32; ORIENTATIONS]>,
    tables: usize,
    /// Where the moves of each board end.
    ends: Vec<usize>,
}

impl Moves {
    pub fn new(network: &Network) -> Self {
        let (tables, moves) = (network.tables().len(), BOARDS_AHEAD * Direction::ALL.len());
        let places = vec![[0; ORIENTATIONS]; moves * tables];
        Moves { afters: Vec::with_capacity(moves), places, tables, ends: Vec::with_capacity(BOARDS_AHEAD) }
    }

    /// Begins with up to [`BOARDS_AHEAD`] new boards: asks for the weights of all their moves.
    pub fn prefetch(&mut self, network: &Network, game: &Twenty48, boards: impl Iterator<Item = Board>) {
        self.afters.clear();
        self.ends.clear();
        for board in boards.take(BOARDS_AHEAD) {
            for (after, reward) in game.slides(board) {
                if after != board {
                    let first = self.afters.len() * self.tables;
                    network.prefetch(after, &mut self.places[first..first + self.tables]);
                    self.afters.push((after, reward));
                }
            }
            self.ends.push(self.afters.len());
        }
    }

    /// How many legal moves a board has.
    pub fn count(&self, board: usize) -> usize {
        self.ends[board] - self.start(board)
    }

    fn start(&self, board: usize) -> usize {
        if board == 0 { 0 } else { self.ends[board - 1] }
    }

    /// The move of a board with this number, from 0 in the order of the directions.
    pub fn nth(&self, network: &Network, board: usize, nth: usize) -> Candidate {
        let number = self.start(board) + nth;
        let (after, reward) = self.afters[number];
        Candidate { after, reward, value: network.value_at(self.places_of(number)), number }
    }

    /// The first of a board's best moves; `None` if no move is legal.
    pub fn best(&self, network: &Network, board: usize) -> Option<Candidate> {
        let candidates = (0..self.count(board)).map(|nth| self.nth(network, board, nth));
        candidates.reduce(|best, next| if next.total() > best.total() { next } else { best })
    }

    /// The places of a move in each table.
    pub fn places(&self, candidate: &Candidate) -> &[[u32; ORIENTATIONS]] {
        self.places_of(candidate.number)
    }

    fn places_of(&self, number: usize) -> &[[u32; ORIENTATIONS]] {
        &self.places[number * self.tables..(number + 1) * self.tables]
    }
}
