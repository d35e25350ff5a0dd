//! What one thread needs and produces in a training step.

use super::choose::{BOARDS_AHEAD, Moves};
use super::index::ORIENTATIONS;
use super::learner::{Learner, StepOptions};
use super::network::Network;
use crate::games::twenty48::Twenty48;

/// The part of a training step that belongs to some of the games.
///
/// The updates are copied from the games into lists, because another thread may read them next. A list is read in
/// order, which is fast even if another core has just written it; the games themselves are scattered over the memory.
pub struct Worker {
    ahead: Vec<Moves>,
    /// The weights to change, one list for each table. All lists have the same length.
    places: Vec<Vec<[u32; ORIENTATIONS]>>,
    /// The errors, in the same order.
    errors: Vec<f32>,
    /// The number of moves in the step.
    pub moves: u64,
    /// The number of games that have ended in the step.
    pub ended: usize,
}

impl Worker {
    pub fn new(network: &Network) -> Self {
        let ahead = (0..BOARDS_AHEAD).map(|_| Moves::new(network)).collect();
        let places = network.tables().iter().map(|_| Vec::new()).collect();
        Worker { ahead, places, errors: Vec::new(), moves: 0, ended: 0 }
    }

    /// Makes a move in each of these games. All games read the same weights.
    pub fn make_moves(&mut self, network: &Network, game: &Twenty48, learners: &mut [Learner], options: StepOptions) {
        self.clear();
        for (moves, learner) in self.ahead.iter_mut().zip(&*learners) {
            moves.prefetch(network, game, learner.lane.board);
        }
        for number in 0..learners.len() {
            let moves = &mut self.ahead[number % BOARDS_AHEAD];
            learners[number].step(network, game, moves, options);
            if let Some(next) = learners.get(number + BOARDS_AHEAD) {
                moves.prefetch(network, game, next.lane.board);
            }
            self.collect(&learners[number]);
        }
    }

    fn clear(&mut self) {
        self.places.iter_mut().for_each(Vec::clear);
        self.errors.clear();
        (self.moves, self.ended) = (0, 0);
    }

    fn collect(&mut self, learner: &Learner) {
        for (places, error) in learner.ready_updates() {
            self.places.iter_mut().zip(places).for_each(|(list, places)| list.push(*places));
            self.errors.push(error);
        }
        if learner.is_over() { self.ended += 1 } else { self.moves += 1 }
    }

    /// The weights of a table to change, with the error of each.
    #[inline(always)]
    pub fn updates(&self, table: usize) -> impl Iterator<Item = (&[u32; ORIENTATIONS], f32)> {
        self.places[table].iter().zip(self.errors.iter().copied())
    }
}
