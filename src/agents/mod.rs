//! Agents: given a position, which move?
//!
//! Every agent runs on every game. Depth counts plies: a move of the mover is one, a reply of the environment is one,
//! so `depth = 3` is move, reply, move, then evaluate.
//!
//! **Ties**: of equally good moves an agent takes the first in the order of [`Game::steps`]; [`Decision::new`] is the
//! only place where that choice is made.

use arrayvec::ArrayVec;

use crate::games::Game;

/// The most legal moves that any game has in a position (noughts and crosses).
pub const MOST_MOVES: usize = 9;

/// The value of each legal move, in the order of [`Game::steps`].
pub type Values<G> = ArrayVec<(<G as Game>::Move, f64), MOST_MOVES>;

/// What an agent has decided, and what it cost.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    pub choice: G::Move,
    /// Of every legal move; for alpha-beta's own play, bounds rather than values (see [`Agent::evaluate`]).
    pub values: Values<G>,
    /// Positions visited, or moves played in rollouts.
    pub nodes: u64,
}

impl<G: Game> Decision<G> {
    /// The first of the best moves; `None` if there is no legal move.
    pub fn new(values: Values<G>, nodes: u64) -> Option<Self> {
        let best = values.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        Some(Decision { choice: best.0, values, nodes })
    }
}

/// A player of the game `G`.
pub trait Agent<G: Game>: Send {
    /// Forgets the last game and takes up a new stream of randomness.
    fn reset(&mut self, seed: u64);

    /// The move to play, or `None` if no move is legal.
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>>;

    /// As [`Agent::decide`], with the exact value of every legal move where deciding alone could do with bounds.
    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decide(position, score)
    }
}
