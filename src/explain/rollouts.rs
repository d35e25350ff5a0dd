//! Agents that sample rather than search: what their random games say of each move.

use super::recorder::{Arrival, Recorder, Room};
use super::tree::{Kind, Status, Tree};

/// What an agent's random games say of one legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The move.
    pub label: String,
    /// The position after it, in the game's notation.
    pub board: String,
    /// What the agent compares.
    pub value: f64,
    pub runs: u64,
    /// Mean and standard deviation over the runs.
    pub mean: f64,
    pub sd: f64,
}

impl Tree {
    /// The moves of a position with the statistics of each, in the order of [`Game::steps`](crate::games::Game::steps):
    /// of equally good ones the first is best. `visited` is what the agent spent.
    pub fn sampled(
        game: &'static str,
        algorithm: &'static str,
        board: String,
        moves: Vec<Sampled>,
        visited: u64,
    ) -> Tree {
        let tree = Tree { game, algorithm, depth: 0, visited, cut: 0, nodes: Vec::new() };
        let root = Arrival { kind: Kind::Max, label: String::new(), probability: None, weight: None, board };
        let (mut recorder, place) = Recorder::new(tree, Room::ROOT, root);
        let mut best: Option<(usize, f64)> = None;
        for Sampled { label, board, value, runs, mean, sd } in moves {
            let arrival = Arrival { kind: Kind::Chance, label, probability: None, weight: None, board };
            let child = recorder.open(place, true, || arrival);
            if let Some(node) = recorder.node(child) {
                node.value = Some(value);
                node.status = Status::Sampled { runs, mean, sd };
            }
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((child.node, value));
            }
        }
        if let (Some(root), Some((child, value))) = (recorder.node(place), best) {
            root.best = Some(child);
            root.value = Some(value);
        }
        recorder.tree
    }
}
