//! The most visited part of the tree, for the explanation of a search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::games::Game;
use crate::heuristics::Evaluator;

use super::super::SampledNode;
use super::MctsAgent;

/// The node or the move of the tree that a listed node stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TreeRef {
    Node(usize),
    Edge(usize),
}

/// Visits, index in the list, and place in the tree. The most visited entry is taken first; of equals, the first
/// listed.
type QueueEntry = (u64, Reverse<usize>, TreeRef);

impl<G: Game, E: Evaluator<G>> MctsAgent<G, E> {
    /// At most `most` nodes. The children of the most visited node are added first, and siblings are added together.
    pub(super) fn most_visited(&self, most: usize) -> Vec<SampledNode<G>> {
        let Some(root) = self.tree.nodes.first() else { return Vec::new() };
        let (visits, value) = (u64::from(root.visits), self.tree.best_value(0));
        let position = root.position;
        let root = SampledNode {
            parent: None,
            action: None,
            position,
            probability: None,
            visits,
            value,
            bound: None,
            omitted: 0,
        };
        let mut listed = vec![root];
        let mut queue: BinaryHeap<QueueEntry> = BinaryHeap::from([(visits, Reverse(0), TreeRef::Node(0))]);
        while let Some((_, Reverse(parent), tree_ref)) = queue.pop() {
            let children = match tree_ref {
                TreeRef::Node(node) => self.moves(node, parent),
                TreeRef::Edge(edge) => self.visited_replies(edge, parent),
            };
            if listed.len() + children.len() > most {
                listed[parent].omitted += children.len() as u64;
                continue;
            }
            for (child, tree_ref) in children {
                queue.push((child.visits, Reverse(listed.len()), tree_ref));
                listed.push(child);
            }
        }
        listed
    }

    fn moves(&self, node: usize, parent: usize) -> Vec<(SampledNode<G>, TreeRef)> {
        // A walk adds its own visit before it selects a move.
        let bonus = self.bonus(self.tree.nodes[node].visits + 1);
        let listed = |edge: usize| {
            let found = &self.tree.edges[edge];
            let child = SampledNode {
                parent: Some(parent),
                action: Some(found.action),
                position: found.after,
                probability: None,
                visits: u64::from(found.visits()),
                value: self.value_of(found),
                bound: Some(found.value + bonus * found.inverse_sqrt_visits),
                omitted: 0,
            };
            (child, TreeRef::Edge(edge))
        };
        self.tree.edges_of(node).map(listed).collect()
    }

    fn visited_replies(&self, edge: usize, parent: usize) -> Vec<(SampledNode<G>, TreeRef)> {
        let bonus = self.bonus(self.tree.edges[edge].visits() + 1);
        let listed = |reply: usize| {
            let found = &self.tree.replies[reply];
            let node = found.child()?;
            let visits = self.tree.nodes[node].visits;
            let child = SampledNode {
                parent: Some(parent),
                action: None,
                position: found.position,
                probability: Some(found.probability),
                visits: u64::from(visits),
                value: found.value,
                bound: G::ADVERSARIAL.then(|| found.value - bonus / f64::from(visits).sqrt()),
                omitted: 0,
            };
            Some((child, TreeRef::Node(node)))
        };
        self.tree.replies_of(edge).filter_map(listed).collect()
    }
}
