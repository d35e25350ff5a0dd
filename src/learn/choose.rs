//! The best move of a board by a network, with prefetched weights.
//!
//! Reading a weight from memory takes far longer than computing its index. So the indices of all moves of a board are
//! computed first and their weights prefetched. Other boards are processed until the weights have arrived in the cache.

use arrayvec::ArrayVec;

use super::index::ORIENTATIONS;
use super::network::Network;
use crate::games::twenty48::{Board, Direction, Twenty48};

/// The number of boards whose weights are prefetched before the first is read. With too many, the first weights are
/// evicted from the first-level cache before they are read.
pub const BOARDS_AHEAD: usize = 6;

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub after: Board,
    pub reward: u32,
    /// The network's value of `after`.
    pub value: f64,
    /// Its number, which is its index in `Moves`.
    number: usize,
}

impl Candidate {
    /// The expected reward of the rest of the game, this move included.
    pub fn total(&self) -> f64 {
        f64::from(self.reward) + self.value
    }
}

/// The legal moves of one board.
pub struct Moves {
    afters: ArrayVec<(Board, u32), { Direction::ALL.len() }>,
    /// The indices of the weights, one entry for each move and table.
    places: Vec<[u32; ORIENTATIONS]>,
    tables: usize,
}

impl Moves {
    /// No moves yet.
    pub fn new(network: &Network) -> Self {
        let tables = network.tables().len();
        Moves { afters: ArrayVec::new(), places: vec![[0; ORIENTATIONS]; Direction::ALL.len() * tables], tables }
    }

    /// Replaces the moves by those of this board, and prefetches their weights.
    #[inline(always)]
    pub fn prefetch(&mut self, network: &Network, game: &Twenty48, board: Board) {
        self.afters = game.slides(board).into_iter().filter(|(after, _)| *after != board).collect();
        for (places, (after, _)) in self.places.chunks_exact_mut(self.tables).zip(&self.afters) {
            network.prefetch(*after, places);
        }
    }

    /// How many legal moves there are.
    pub fn count(&self) -> usize {
        self.afters.len()
    }

    /// The move with this number, from 0 in the order of the directions.
    #[inline(always)]
    pub fn nth(&self, network: &Network, number: usize) -> Candidate {
        let (after, reward) = self.afters[number];
        Candidate { after, reward, value: network.value_at(self.places_of(number)), number }
    }

    /// The first move with the greatest total; `None` if no move is legal.
    #[inline(always)]
    pub fn best(&self, network: &Network) -> Option<Candidate> {
        let candidates = (0..self.count()).map(|number| self.nth(network, number));
        candidates.reduce(|best, next| if next.total() > best.total() { next } else { best })
    }

    /// The indices of a move's weights in each table.
    pub fn places(&self, candidate: &Candidate) -> &[[u32; ORIENTATIONS]] {
        self.places_of(candidate.number)
    }

    #[inline(always)]
    fn places_of(&self, number: usize) -> &[[u32; ORIENTATIONS]] {
        &self.places[number * self.tables..(number + 1) * self.tables]
    }
}
