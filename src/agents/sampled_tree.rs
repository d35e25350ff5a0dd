//! The tree of a search that samples, for those who explain it.

use crate::games::Game;

/// A node of the tree that an agent grew for its latest decision. See [`Agent::sampled_tree`](super::Agent::sampled_tree).
#[derive(Clone, Debug)]
pub struct SampledNode<G: Game> {
    /// The index of its parent; none for the root. A parent comes before its children.
    pub parent: Option<usize>,
    /// The mover's move that leads here; none for the root and for what follows a reply.
    pub action: Option<G::Move>,
    /// The position after the move, or after the reply.
    pub position: G::Position,
    /// The probability of the reply that leads here.
    pub probability: Option<f64>,
    /// How often the search came here.
    pub visits: u64,
    /// What the search takes it to be worth.
    pub value: f64,
    /// What the search compares with that of the siblings to decide where to go: the value with a bonus for few visits. None
    /// where nobody chooses: at the root, and for replies by chance.
    pub bound: Option<f64>,
    /// How many nodes below this one are not in the list.
    pub omitted: u64,
}
