//! The tree of Monte Carlo tree search: positions, their moves, and the environment's replies to each move.

use std::num::NonZeroU32;

use crate::games::{Game, Reply};

use super::super::leaf::Tally;

/// A position with the mover to move.
#[derive(Clone, Copy)]
pub struct Node<P> {
    pub position: P,
    pub score: u32,
    /// The number of walks through this node.
    pub visits: u32,
    pub value: f64,
    /// The index of its first move; the others follow.
    pub first_edge: usize,
    pub edge_count: usize,
    /// Whether its moves have values.
    pub is_valued: bool,
}

/// A legal move of a node.
#[derive(Clone, Copy)]
pub struct Edge<P, M> {
    pub action: M,
    pub after: P,
    pub score: u32,
    /// The number of walks through this move, plus one for its first value.
    visits: u32,
    /// 1 / sqrt(visits), which the selection needs.
    pub inverse_sqrt_visits: f64,
    pub value: f64,
    /// The values that walks have backed up.
    pub tally: Tally,
    /// The value if the move ends the game.
    pub ended: Option<f64>,
    /// The index of its first reply; the others follow. There are none until a walk continues below this move.
    pub first_reply: usize,
    pub reply_count: usize,
}

impl<P, M> Edge<P, M> {
    pub fn visits(&self) -> u32 {
        self.visits
    }

    pub fn set_visits(&mut self, visits: u32) {
        (self.visits, self.inverse_sqrt_visits) = (visits, 1.0 / f64::from(visits).sqrt());
    }
}

/// A reply to a move.
#[derive(Clone, Copy)]
pub struct ReplyLink<P> {
    pub position: P,
    pub probability: f64,
    /// The probability of this reply and of those before it.
    pub cumulative: f64,
    /// The current estimate of the position's value.
    pub value: f64,
    /// Its node, if a walk has reached it. No reply leads to the root, so index 0 is free to mean `None`.
    pub node: Option<NonZeroU32>,
}

impl<P: Copy> ReplyLink<P> {
    pub fn new(reply: &Reply<P>, value: f64) -> Self {
        let &Reply { position, probability, .. } = reply;
        ReplyLink { position, probability, cumulative: 0.0, value, node: None }
    }

    pub fn child(&self) -> Option<usize> {
        self.node.map(|node| node.get() as usize)
    }

    pub fn set_child(&mut self, node: usize) {
        self.node = NonZeroU32::new(node as u32);
    }
}

/// The nodes, moves and replies of a tree. They refer to each other by index. The root is node 0.
pub struct Tree<G: Game> {
    pub nodes: Vec<Node<G::Position>>,
    pub edges: Vec<Edge<G::Position, G::Move>>,
    pub replies: Vec<ReplyLink<G::Position>>,
}

impl<G: Game> Tree<G> {
    pub fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new(), replies: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.replies.clear();
    }

    /// Adds a position with its legal moves, none of which has a value yet.
    pub fn add_node(&mut self, game: &G, position: G::Position, score: u32) -> usize {
        let first_edge = self.edges.len();
        let has_ended = game.verdict(position).is_some();
        self.edges.extend(game.steps(position).filter(|_| !has_ended).map(|step| Edge {
            action: step.action,
            after: step.after,
            score: score + step.reward,
            visits: 0,
            inverse_sqrt_visits: 0.0,
            value: 0.0,
            tally: Tally::default(),
            ended: None,
            first_reply: 0,
            reply_count: 0,
        }));
        let edge_count = self.edges.len() - first_edge;
        self.nodes.push(Node { position, score, visits: 0, value: 0.0, first_edge, edge_count, is_valued: false });
        self.nodes.len() - 1
    }

    pub fn edges_of(&self, node: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[node];
        node.first_edge..node.first_edge + node.edge_count
    }

    pub fn replies_of(&self, edge: usize) -> std::ops::Range<usize> {
        let edge = &self.edges[edge];
        edge.first_reply..edge.first_reply + edge.reply_count
    }

    /// The greatest value of a node's moves.
    pub fn best_value(&self, node: usize) -> f64 {
        self.edges[self.edges_of(node)].iter().fold(f64::NEG_INFINITY, |best, edge| best.max(edge.value))
    }

    /// Makes the node at this position, two plies below the root, the new root. All nodes that are not below it are
    /// dropped. If there is no such node, the tree becomes empty and the result is false. The nodes that are kept are
    /// copied into `spare`, and the two trees are swapped, so that decisions reuse memory instead of allocating it.
    pub fn descend_to(&mut self, spare: &mut Tree<G>, position: G::Position, score: u32) -> bool {
        let found = self.grandchildren().find(|&node| {
            let node = &self.nodes[node];
            node.position == position && node.score == score && node.is_valued
        });
        spare.clear();
        if let Some(node) = found {
            spare.copy(self, node);
        }
        std::mem::swap(self, spare);
        found.is_some()
    }

    /// The nodes two plies below the root.
    fn grandchildren(&self) -> impl Iterator<Item = usize> {
        let edges = if self.nodes.is_empty() { 0..0 } else { self.edges_of(0) };
        edges.flat_map(|edge| self.replies_of(edge)).filter_map(|reply| self.replies[reply].child())
    }

    /// Copies `root` and all below it from another tree, breadth first.
    fn copy(&mut self, from: &Tree<G>, root: usize) {
        self.nodes.push(from.nodes[root]);
        let mut next = 0;
        // Until a node is processed, `first_edge` is still its index in the other tree.
        while next < self.nodes.len() {
            let node = self.nodes[next];
            self.nodes[next].first_edge = self.edges.len();
            for mut edge in from.edges[node.first_edge..node.first_edge + node.edge_count].iter().copied() {
                let replies = &from.replies[edge.first_reply..edge.first_reply + edge.reply_count];
                edge.first_reply = self.replies.len();
                for mut reply in replies.iter().copied() {
                    if let Some(child) = reply.child() {
                        reply.set_child(self.nodes.len());
                        self.nodes.push(from.nodes[child]);
                    }
                    self.replies.push(reply);
                }
                self.edges.push(edge);
            }
            next += 1;
        }
    }
}
