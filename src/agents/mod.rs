//! Agents: an agent decides which move to play at a position.
//!
//! Every agent can play every game. Depth counts plies: each move and each reply of the environment is one ply. So
//! `depth = 3` means move, reply, move, and then the heuristic evaluates the position.
//!
//! **Ties**: of equally good moves an agent takes the first in the order of [`Game::steps`] (in 2048 left, right, up,
//! down). Values whose relative difference is below 10^-9 count as equal, so that rounding errors cannot decide a move.
//! [`Decision::new`] applies this rule. [`Decision::choice`] lists the exceptions.
//!
//! **To add an agent**: one file with a `KIND` and a `build`, and one word in the list of `registry`.

mod alphabeta;
mod budget;
mod config;
mod depth;
mod expectimax;
mod expectiminimax;
mod greedy;
mod leaf;
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

use depth::DeepeningResult;

use crate::games::{Game, Step};

pub use crate::games::MOST_MOVES;

/// The value of each legal move, in the order of [`Game::steps`].
pub type Values<G> = ArrayVec<(<G as Game>::Move, f64), MOST_MOVES>;

/// The legal steps at a position.
pub(crate) type Steps<G> = ArrayVec<Step<<G as Game>::Position, <G as Game>::Move>, MOST_MOVES>;

/// The move that an agent has chosen, the values behind it, and its cost.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    /// The move to play. It is the first move with the greatest of `values`, with three exceptions. A search that ran
    /// out of budget may have compared the best moves one ply deeper. In two-player games the shorter of two wins is
    /// played. MCTS may play the move that it has visited most.
    pub choice: G::Move,
    /// The value of every legal move. Where alpha-beta decides, these are bounds (see [`Agent::evaluate`]).
    pub values: Values<G>,
    /// The number of positions evaluated. Each kind of agent counts them in its own way, so use `work` to compare
    /// agents.
    pub nodes: u64,
    /// The cost of the decision, in a unit that is the same for all agents: see [`work`].
    pub work: u64,
    /// The depth of the deepest search that was completed, for a tree search.
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

/// Two values whose relative difference is at most this count as equal.
const TIE: f64 = 1e-9;

/// Whether `next` is greater than `best` by more than a rounding error.
fn is_better(next: f64, best: f64) -> bool {
    next > best && (!best.is_finite() || next - best > TIE * best.abs())
}

/// The first item with the greatest value.
#[inline]
fn best_of<T>(values: impl Iterator<Item = (T, f64)>) -> Option<T> {
    let mut best: Option<(T, f64)> = None;
    for next in values {
        best = match best {
            Some(best) if !is_better(next.1, best.1) => Some(best),
            _ => Some(next),
        };
    }
    best.map(|(item, _)| item)
}

impl<G: Game> Decision<G> {
    /// Chooses the first move with the greatest value; `None` if there is no legal move.
    #[inline]
    pub fn new(values: Values<G>, spent: Spent) -> Option<Self> {
        let choice = best_of(values.iter().copied())?;
        let Spent { nodes, work } = spent;
        Some(Decision { choice, values, nodes, work, depth: None, samples: Vec::new() })
    }

    /// The decision of a tree search.
    ///
    /// The values are written in place, because a fast search would notice the time of moving them.
    #[inline]
    fn of_search(steps: &Steps<G>, found: &DeepeningResult, spent: Spent) -> Option<Self> {
        let choice = steps.get(found.choice)?.action;
        if found.values.is_empty() {
            return None;
        }
        let (Spent { nodes, work }, depth) = (spent, Some(found.depth));
        let mut decision = Decision { choice, values: ArrayVec::new(), nodes, work, depth, samples: Vec::new() };
        for (number, step) in steps.iter().enumerate() {
            if let Some(value) = found.values.get(number) {
                decision.values.push((step.action, *value));
            }
        }
        Some(decision)
    }
}

/// A player of the game `G`.
pub trait Agent<G: Game>: Send {
    /// Resets the per-game state and reseeds the agent's generator.
    fn reset(&mut self, _seed: u64) {}

    /// Ends decisions early once the flag is set. Agents whose decisions take no time can ignore it.
    fn stop_on(&mut self, _flag: StopFlag) {}

    /// The move to play, or `None` if no move is legal.
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>>;

    /// As [`Agent::decide`], but every legal move gets its exact value. For a decision alone, bounds can be enough.
    fn evaluate(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decide(position, score)
    }

    /// The most visited nodes, at most `most` of them, of the tree that the latest decision built by sampling. Empty
    /// for agents that build no such tree.
    fn sampled_tree(&self, _most: usize) -> Vec<SampledNode<G>> {
        Vec::new()
    }
}
