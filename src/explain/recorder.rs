//! Keeps a search's nodes, at most so many, whole levels first.
//!
//! A search runs twice: the first run counts the nodes of each ply, so that the second can keep every node of the
//! shallow plies, and of the first ply that does not fit as many families as there is room for. A student then sees
//! all root moves rather than all of the first one.

use super::tree::{Bound, Node, NodeId, NodeKind, Status, Tree, Window};

/// How a search comes to a node.
pub struct Arrival {
    pub kind: NodeKind,
    pub label: String,
    pub probability: Option<f64>,
    pub weight: Option<f64>,
    pub board: String,
}

/// A node of the search: itself if it is recorded, else its nearest recorded ancestor.
#[derive(Clone, Copy)]
pub struct Place {
    pub node: NodeId,
    pub recorded: bool,
    pub depth: u32,
}

/// How much is kept.
#[derive(Clone, Copy)]
pub struct Room {
    /// Plies of which every node is kept.
    full: u32,
    /// Nodes that may be kept of the next ply.
    spare: u64,
}

impl Room {
    /// Only the root.
    pub const ROOT: Room = Room { full: 0, spare: 0 };

    /// Room for at most `max_nodes` of a search with so many nodes at each ply.
    fn of(max_nodes: u64, counts: &[u64]) -> Room {
        let mut left = max_nodes.saturating_sub(1);
        for (depth, &count) in counts.iter().enumerate().skip(1) {
            if count > left {
                return Room { full: depth as u32 - 1, spare: left };
            }
            left -= count;
        }
        Room { full: counts.len() as u32, spare: 0 }
    }
}

pub struct Recorder {
    pub tree: Tree,
    room: Room,
    /// Nodes at each ply, cut ones included.
    counts: Vec<u64>,
}

impl Recorder {
    pub fn new(mut tree: Tree, room: Room, root: Arrival) -> (Self, Place) {
        tree.nodes = vec![node(root, None, 0)];
        let place = Place { node: Tree::ROOT, recorded: true, depth: 0 };
        (Recorder { tree, room, counts: vec![1] }, place)
    }

    /// The room that a second run needs to keep at most `max_nodes`.
    pub fn room_for(&self, max_nodes: u64) -> Room {
        Room::of(max_nodes, &self.counts)
    }

    /// Whether the `count` children of a node are kept.
    pub fn admits(&mut self, parent: Place, count: usize) -> bool {
        let depth = parent.depth + 1;
        if !parent.recorded || depth <= self.room.full {
            return parent.recorded;
        }
        let fits = depth == self.room.full + 1 && count as u64 <= self.room.spare;
        if fits {
            self.room.spare -= count as u64;
        }
        fits
    }

    /// Comes to a child; `describe` is asked only if the child is kept.
    pub fn open(&mut self, parent: Place, keep: bool, describe: impl FnOnce() -> Arrival) -> Place {
        let depth = parent.depth + 1;
        if self.counts.len() <= depth as usize {
            self.counts.push(0);
        }
        self.counts[depth as usize] += 1;
        if !keep {
            self.tree.nodes[parent.node].omitted += 1;
            return Place { node: parent.node, recorded: false, depth };
        }
        let id = self.tree.nodes.len();
        self.tree.nodes.push(node(describe(), Some(parent.node), depth));
        self.tree.nodes[parent.node].children.push(id);
        Place { node: id, recorded: true, depth }
    }

    /// The record of a node, if it is kept.
    pub fn node(&mut self, place: Place) -> Option<&mut Node> {
        place.recorded.then(|| &mut self.tree.nodes[place.node])
    }

    pub fn set_window(&mut self, place: Place, window: Option<Window>) {
        if let Some(node) = self.node(place) {
            node.window = window;
        }
    }

    /// Notes that a branch was never looked at.
    pub fn cut(&mut self, place: Place, reason: &str) {
        self.tree.cut += 1;
        if let Some(node) = self.node(place) {
            node.status = Status::Cut { reason: reason.to_string() };
        }
    }
}

fn node(arrival: Arrival, parent: Option<NodeId>, depth: u32) -> Node {
    Node {
        kind: arrival.kind,
        depth,
        parent,
        children: Vec::new(),
        label: arrival.label,
        probability: arrival.probability,
        weight: arrival.weight,
        board: arrival.board,
        value: None,
        bound: Bound::Exact,
        window: None,
        status: Status::Expanded,
        best: None,
        omitted: 0,
    }
}
