//! Records the nodes of a search, up to a limit, from the root downwards.
//!
//! A search runs twice. The first run counts the nodes of each ply. The second run then records every node of the plies
//! that fit. Of the next ply it records as many groups of siblings as fit. So a student sees all moves of the root, and
//! not only the subtree of the first one.

use super::tree::{Bound, Cut, Node, NodeId, NodeKind, Status, Tree, Window};

/// What is known about a node before it is visited.
pub struct NewNode {
    pub kind: NodeKind,
    pub label: String,
    pub probability: Option<f64>,
    pub weight: Option<f64>,
    pub board: String,
}

/// A node of the search. If it is not recorded, `node` is its nearest recorded ancestor.
#[derive(Clone, Copy)]
pub struct NodeRef {
    pub node: NodeId,
    pub recorded: bool,
    pub depth: u32,
}

/// How many nodes are recorded.
#[derive(Clone, Copy)]
pub struct Capacity {
    /// The plies of which every node is recorded.
    full: u32,
    /// The number of nodes of the next ply that may be recorded.
    spare: u64,
}

impl Capacity {
    /// The root only.
    pub const ROOT: Capacity = Capacity { full: 0, spare: 0 };

    /// The capacity for at most `max_nodes` nodes, where `counts` are the nodes of each ply.
    fn of(max_nodes: u64, counts: &[u64]) -> Capacity {
        let mut left = max_nodes.saturating_sub(1);
        for (depth, &count) in counts.iter().enumerate().skip(1) {
            if count > left {
                return Capacity { full: depth as u32 - 1, spare: left };
            }
            left -= count;
        }
        Capacity { full: counts.len() as u32, spare: 0 }
    }
}

/// Builds the tree of a search.
pub struct Recorder {
    pub tree: Tree,
    capacity: Capacity,
    /// The number of nodes of each ply, including those that were cut.
    counts: Vec<u64>,
}

impl Recorder {
    pub fn new(mut tree: Tree, capacity: Capacity, root: NewNode) -> (Self, NodeRef) {
        tree.nodes = vec![node(root, None, 0)];
        let node_ref = NodeRef { node: Tree::ROOT, recorded: true, depth: 0 };
        (Recorder { tree, capacity, counts: vec![1] }, node_ref)
    }

    /// The capacity of a second run that records at most `max_nodes` nodes.
    pub fn capacity_for(&self, max_nodes: u64) -> Capacity {
        Capacity::of(max_nodes, &self.counts)
    }

    /// Whether the `count` children of a node are recorded.
    pub fn admits(&mut self, parent: NodeRef, count: usize) -> bool {
        let depth = parent.depth + 1;
        if !parent.recorded || depth <= self.capacity.full {
            return parent.recorded;
        }
        let fits = depth == self.capacity.full + 1 && count as u64 <= self.capacity.spare;
        if fits {
            self.capacity.spare -= count as u64;
        }
        fits
    }

    /// Adds a child. `describe` is called only if the child is recorded.
    pub fn open(&mut self, parent: NodeRef, keep: bool, describe: impl FnOnce() -> NewNode) -> NodeRef {
        let depth = parent.depth + 1;
        if self.counts.len() <= depth as usize {
            self.counts.push(0);
        }
        self.counts[depth as usize] += 1;
        if !keep {
            self.tree.nodes[parent.node].omitted += 1;
            return NodeRef { node: parent.node, recorded: false, depth };
        }
        let id = self.tree.nodes.len();
        self.tree.nodes.push(node(describe(), Some(parent.node), depth));
        self.tree.nodes[parent.node].children.push(id);
        NodeRef { node: id, recorded: true, depth }
    }

    /// The node, if it is recorded.
    pub fn node(&mut self, node_ref: NodeRef) -> Option<&mut Node> {
        node_ref.recorded.then(|| &mut self.tree.nodes[node_ref.node])
    }

    pub fn set_window(&mut self, node_ref: NodeRef, window: Option<Window>) {
        if let Some(node) = self.node(node_ref) {
            node.window = window;
        }
    }

    /// Marks a branch as cut.
    pub fn cut(&mut self, node_ref: NodeRef, cut: Cut) {
        self.tree.cut += 1;
        if let Some(node) = self.node(node_ref) {
            node.status = Status::Cut(cut);
        }
    }
}

fn node(new_node: NewNode, parent: Option<NodeId>, depth: u32) -> Node {
    Node {
        kind: new_node.kind,
        depth,
        parent,
        children: Vec::new(),
        label: new_node.label,
        probability: new_node.probability,
        weight: new_node.weight,
        board: new_node.board,
        value: None,
        bound: Bound::Exact,
        window: None,
        status: Status::Expanded,
        best: None,
        omitted: 0,
    }
}
