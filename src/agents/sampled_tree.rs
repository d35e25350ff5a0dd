//! The tree of a Monte Carlo search, for the explanation of a search.

use crate::games::Game;

/// A node of the tree that an agent built for its latest decision: see
/// [`Agent::sampled_tree`](super::Agent::sampled_tree).
#[derive(Clone, Debug)]
pub struct SampledNode<G: Game> {
    /// The index of its parent; `None` for the root. A parent comes before its children.
    pub parent: Option<usize>,
    /// The mover's move that leads here; `None` for the root and for a position after a reply.
    pub action: Option<G::Move>,
    /// The position after the move, or after the reply.
    pub position: G::Position,
    /// The probability of the reply that leads here.
    pub probability: Option<f64>,
    /// How often the search visited the node.
    pub visits: u64,
    /// The value that the search estimates.
    pub value: f64,
    /// The value plus a bonus for few visits. The search visits the sibling with the best bound. `None` where there is
    /// no choice: for the root, and for random replies.
    pub bound: Option<f64>,
    /// The number of children that are not in the list.
    pub omitted: u64,
}
