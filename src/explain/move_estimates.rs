//! The decision of an agent without a search tree: a value for each legal move.

use super::recorder::{Capacity, NewNode, Recorder};
use super::tree::{NodeKind, Sides, Status, Tree};

/// An agent's estimate of one legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveEstimate {
    /// The move.
    pub label: String,
    /// The position after it, in the game's notation.
    pub board: String,
    /// The value that the agent compares.
    pub value: f64,
    /// Where the value comes from.
    pub status: Status,
}

/// An agent's estimates of all legal moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveEstimates {
    /// The name of the game.
    pub game: &'static str,
    /// The names of its sides.
    pub sides: Sides,
    /// The kind of agent.
    pub algorithm: &'static str,
    /// The position, in the game's notation.
    pub board: String,
    /// Every legal move, in the order of [`Game::steps`](crate::games::Game::steps).
    pub moves: Vec<MoveEstimate>,
    /// The index of the move that the agent plays.
    pub choice: usize,
    /// The cost of the decision.
    pub spent: u64,
    /// What `spent` counts.
    pub unit: &'static str,
}

impl From<MoveEstimates> for Tree {
    /// A tree with the root and its moves.
    fn from(estimates: MoveEstimates) -> Tree {
        let MoveEstimates { game, sides, algorithm, board, moves, choice, spent: visited, unit } = estimates;
        let (depth, cut, heuristic) = (0, 0, None);
        let tree = Tree {
            game,
            sides,
            algorithm,
            heuristic,
            depth,
            visited,
            unit,
            cut,
            growth: Vec::new(),
            nodes: Vec::new(),
        };
        let root = NewNode { kind: NodeKind::Max, label: String::new(), probability: None, weight: None, board };
        let (mut recorder, root_ref) = Recorder::new(tree, Capacity::ROOT, root);
        // An opponent chooses its reply; otherwise chance does.
        let kind = if sides.environment == "chance" { NodeKind::Chance } else { NodeKind::Min };
        for (index, MoveEstimate { label, board, value, status }) in moves.into_iter().enumerate() {
            let node = NewNode { kind, label, probability: None, weight: None, board };
            let child = recorder.open(root_ref, true, || node);
            if let Some(node) = recorder.node(child) {
                (node.value, node.status) = (Some(value), status);
            }
            if let (true, Some(root)) = (index == choice, recorder.node(root_ref)) {
                (root.value, root.best) = (Some(value), Some(child.node));
            }
        }
        recorder.tree
    }
}
