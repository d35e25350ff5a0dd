//! Agents: they decide which move to play at a position.
//!
//! Every agent runs on every game. Depth counts plies: a move of the mover is one, a reply of the environment is one,
//! so `depth = 3` is move, reply, move, then evaluate.
//!
//! **Ties**: of equally good moves an agent takes the first in the order of [`Game::steps`] (in 2048 left, right, up,
//! down). Values that differ by less than a part in 10^9 are equally good: rounding must not choose. [`Decision::new`] is
//! the only place where the choice is made.
//!
//! **To add an agent**: one file with a `KIND` and a `build`, and one word in the list of `registry`.

mod alphabeta;
mod budget;
mod config;
mod depth;
mod expectimax;
mod expectiminimax;
mod finish;
mod greedy;
mod mcts;
mod minimax;
mod options;
mod playout_config;
mod random;
mod registry;
mod rollout;
mod sampled_tree;
mod search;
mod spec;
mod transposition;
mod tree_rollout;
pub mod work;

#[cfg(test)]
mod tests;

pub use alphabeta::AlphaBeta;
pub use budget::{Budget, Meter, Spent, StopFlag};
pub use config::{AgentConfig, SamplingConfig};
pub use depth::Depth;
pub use expectimax::Expectimax;
pub use expectiminimax::Expectiminimax;
pub use greedy::Greedy;
pub use mcts::{Backup, Mcts};
pub use minimax::Minimax;
pub use playout_config::{PlayoutConfig, Statistic};
pub use random::Random;
pub use registry::{AgentKind, Factory, KINDS};
pub use rollout::Rollout;
pub use sampled_tree::SampledNode;
pub use search::Cuts;
pub use spec::AgentSpec;
pub use tree_rollout::TreeRollout;

use arrayvec::ArrayVec;

use depth::Deepened;

use crate::games::{Game, Step};

pub use crate::games::MOST_MOVES;

/// The value of each legal move, in the order of [`Game::steps`].
pub type Values<G> = ArrayVec<(<G as Game>::Move, f64), MOST_MOVES>;

/// The legal steps at a position.
pub(crate) type Steps<G> = ArrayVec<Step<<G as Game>::Position, <G as Game>::Move>, MOST_MOVES>;

/// What an agent has decided, and what it cost.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    /// The move to play. It is the first of the best by `values`, except where the agent knows more: a search that a budget
    /// has cut short may have compared the best moves one ply deeper, in games for two the shorter of two wins is played,
    /// and MCTS plays the move that it has visited most.
    pub choice: G::Move,
    /// The value of every legal move. Where alpha-beta decides, these are bounds (see [`Agent::evaluate`]).
    pub values: Values<G>,
    /// Positions valued: a statistic, which means something else for each kind of agent.
    pub nodes: u64,
    /// What the decision cost, in the unit that all agents share: see [`work`].
    pub work: u64,
    /// The plies of the deepest search that was finished, for a tree search.
    pub depth: Option<u32>,
    /// The playouts behind each value, for Monte Carlo.
    pub samples: Vec<Sample>,
}

/// A summary of the playouts of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// The number of playouts.
    pub runs: u64,
    /// Their mean value.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
}

/// Relative difference below which two values are equally good.
const TIE: f64 = 1e-9;

/// Whether `next` is better than `best` by more than rounding.
fn is_better(next: f64, best: f64) -> bool {
    next > best && (!best.is_finite() || next - best > TIE * best.abs())
}

/// The first of the best.
fn best_of<T>(values: impl Iterator<Item = (T, f64)>) -> Option<T> {
    values.reduce(|best, next| if is_better(next.1, best.1) { next } else { best }).map(|(item, _)| item)
}

impl<G: Game> Decision<G> {
    /// The first of the best moves; `None` if there is no legal move.
    pub fn new(values: Values<G>, spent: Spent) -> Option<Self> {
        let choice = best_of(values.iter().copied())?;
        let Spent { nodes, work } = spent;
        Some(Decision { choice, values, nodes, work, depth: None, samples: Vec::new() })
    }

    /// What a tree search found.
    fn of_search(steps: &Steps<G>, found: Deepened, spent: Spent) -> Option<Self> {
        let choice = steps.get(found.choice)?.action;
        let values = steps.iter().map(|step| step.action).zip(found.values).collect();
        Some(Decision { choice, depth: Some(found.depth), ..Decision::new(values, spent)? })
    }
}

/// A player of the game `G`.
pub trait Agent<G: Game>: Send {
    /// Resets the per-game state and reseeds the agent's generator.
    fn reset(&mut self, _seed: u64) {}

    /// Makes decisions end early once the flag is set. Agents that answer at once need not heed it.
    fn stop_on(&mut self, _flag: StopFlag) {}

    /// The move to play, or `None` if no move is legal.
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>>;

    /// As [`Agent::decide`], with the exact value of every legal move where deciding alone could do with bounds.
    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decide(position, score)
    }

    /// At most `most` nodes of the tree that the latest decision grew, the most visited ones; empty for agents that do not
    /// grow a tree by sampling.
    fn sampled_tree(&self, _most: usize) -> Vec<SampledNode<G>> {
        Vec::new()
    }
}
