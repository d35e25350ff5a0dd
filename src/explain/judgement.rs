//! Agents that sample rather than search: what their random games say of each move.

use super::recorder::{Arrival, Recorder, Room};
use super::tree::{NodeKind, Status, Tree};

/// What an agent makes of one legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The move.
    pub label: String,
    /// The position after it, in the game's notation.
    pub board: String,
    /// What the agent compares.
    pub value: f64,
    /// Where the value comes from.
    pub status: Status,
}

/// What an agent without a search tree makes of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub game: &'static str,
    pub algorithm: &'static str,
    pub board: String,
    /// Every legal move, in the order of [`Game::steps`](crate::games::Game::steps).
    pub moves: Vec<Judged>,
    /// Which of them it takes.
    pub choice: usize,
    /// What it spent, and in what.
    pub spent: u64,
    pub unit: &'static str,
}

impl From<Judgement> for Tree {
    /// The root and its moves.
    fn from(judgement: Judgement) -> Tree {
        let Judgement { game, algorithm, board, moves, choice, spent: visited, unit } = judgement;
        let tree = Tree { game, algorithm, depth: 0, visited, unit, cut: 0, nodes: Vec::new() };
        let root = Arrival { kind: NodeKind::Max, label: String::new(), probability: None, weight: None, board };
        let (mut recorder, place) = Recorder::new(tree, Room::ROOT, root);
        for (index, Judged { label, board, value, status }) in moves.into_iter().enumerate() {
            let arrival = Arrival { kind: NodeKind::Chance, label, probability: None, weight: None, board };
            let child = recorder.open(place, true, || arrival);
            if let Some(node) = recorder.node(child) {
                (node.value, node.status) = (Some(value), status);
            }
            if let (true, Some(root)) = (index == choice, recorder.node(place)) {
                (root.value, root.best) = (Some(value), Some(child.node));
            }
        }
        recorder.tree
    }
}
