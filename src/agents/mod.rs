//! Agents: given a position, which move?
//!
//! Every agent runs on every game. Depth counts plies: a move of the mover is one, a reply of the environment is one,
//! so `depth = 3` is move, reply, move, then evaluate.
//!
//! **Ties**: of equally good moves an agent takes the first in the order of [`Game::steps`] (in 2048 left, right, up,
//! down). Values that differ by less than a part in 10^9 are equally good: rounding must not choose. [`Decision::new`] is
//! the only place where the choice is made.
//!
//! **To add an agent**: one file with a `KIND` and a `build`, and its name in the list of `registry`.

mod alphabeta;
mod budget;
mod expectimax;
mod expectiminimax;
mod finish;
mod greedy;
mod mcts;
mod minimax;
mod options;
mod random;
mod registry;
mod rollout;
mod search;
mod spec;
mod transposition;
mod tree_rollout;
pub mod work;

#[cfg(test)]
mod tests;

pub use budget::{Budget, Meter, Spent};
pub use registry::{AgentKind, Factory, KINDS};
pub use search::Cuts;
pub use spec::AgentSpec;

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
    /// Positions valued: a statistic, which means something else for each kind of agent.
    pub nodes: u64,
    /// What the decision cost, in the unit that all agents share: see [`work`].
    pub work: u64,
    /// The plies searched in full, where a search deepens.
    pub depth: Option<u32>,
    /// Playouts behind each value, where there are any.
    pub samples: ArrayVec<Sample, MOST_MOVES>,
}

/// What the playouts of one move came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    pub runs: u64,
    pub mean: f64,
    pub sd: f64,
}

/// Relative difference below which two values are equally good.
const TIE: f64 = 1e-9;

impl<G: Game> Decision<G> {
    /// The first of the best moves; `None` if there is no legal move.
    pub fn new(values: Values<G>, spent: Spent) -> Option<Self> {
        let is_better = |next: f64, best: f64| next > best && (!best.is_finite() || next - best > TIE * best.abs());
        let best = values.iter().copied().reduce(|best, next| if is_better(next.1, best.1) { next } else { best })?;
        let Spent { nodes, work } = spent;
        Some(Decision { choice: best.0, values, nodes, work, depth: None, samples: ArrayVec::new() })
    }
}

/// A player of the game `G`.
pub trait Agent<G: Game>: Send {
    /// Forgets the last game and takes up a new stream of randomness.
    fn reset(&mut self, _seed: u64) {}

    /// The move to play, or `None` if no move is legal.
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>>;

    /// As [`Agent::decide`], with the exact value of every legal move where deciding alone could do with bounds.
    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decide(position, score)
    }
}
