//! One walk: selection down the tree, the value of the new position, and the backup to the root.

use crate::games::{Game, is_win};
use crate::heuristics::Evaluator;
use crate::rng::{derive, scramble};

use super::super::leaf::{Allowance, PlayoutBatch, Tally};
use super::super::work::Operation;
use super::tree::ReplyLink;
use super::{Backup, Leaf, MctsAgent, PathStep};

impl<G: Game, E: Evaluator<G>> MctsAgent<G, E> {
    /// Descends until the position is new or the game is over. `None` if an earlier walk of the same batch has added
    /// this position, because it has no value yet.
    pub(super) fn descend(&mut self) -> Option<Leaf> {
        let mut node = 0;
        loop {
            self.meter.charge(Operation::MctsStep, 1);
            self.tree.nodes[node].visits += 1;
            let Some(edge) = self.select(node) else { return Some(Leaf::Ended(self.tree.nodes[node].value)) };
            let visits = self.tree.edges[edge].visits();
            self.tree.edges[edge].set_visits(visits + 1);
            self.path.push(PathStep { node, edge, reply: None });
            if let Some(value) = self.tree.edges[edge].ended {
                return Some(Leaf::Ended(value));
            }
            let reply = self.next_reply(edge);
            if let Some(step) = self.path.last_mut() {
                step.reply = Some(reply);
            }
            let Some(child) = self.tree.replies[reply].child() else {
                return Some(Leaf::Node(self.add_child(edge, reply)));
            };
            if !self.tree.nodes[child].is_valued {
                return None;
            }
            node = child;
        }
    }

    fn add_child(&mut self, edge: usize, reply: usize) -> usize {
        let score = self.tree.edges[edge].score;
        let child = self.tree.add_node(&self.game, self.tree.replies[reply].position, score);
        self.tree.replies[reply].set_child(child);
        self.tree.nodes[child].visits += 1;
        child
    }

    /// The move with the greatest value plus bonus. `None` if the game is over here.
    fn select(&self, node: usize) -> Option<usize> {
        let bonus = self.bonus(self.tree.nodes[node].visits);
        let priority = |edge: usize| {
            let edge = &self.tree.edges[edge];
            edge.value + bonus * edge.inverse_sqrt_visits
        };
        let priorities = self.tree.edges_of(node).map(|edge| (edge, priority(edge)));
        priorities.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }

    /// The bonus of a move that was visited once, at a node with this many visits.
    pub(super) fn bonus(&self, visits: u32) -> f64 {
        self.exploration * self.spread.typical() * f64::from(visits).sqrt().sqrt()
    }

    /// The reply with which the walk continues.
    fn next_reply(&mut self, edge: usize) -> usize {
        if self.tree.edges[edge].reply_count == 0 {
            self.add_replies(edge);
        }
        if G::ADVERSARIAL { self.worst_reply(edge) } else { self.chance_reply(edge) }
    }

    pub(super) fn add_replies(&mut self, edge: usize) {
        let first = self.tree.replies.len();
        let (after, score, leaf) = {
            let edge = &self.tree.edges[edge];
            (edge.after, edge.score, edge.value)
        };
        let replies = &mut self.tree.replies;
        if self.runs == 0 && self.leaf_evaluator.has_reply_values() {
            self.leaf_evaluator.fold_replies(&self.game, after, score, &mut self.meter, (), |(), reply, value| {
                replies.push(ReplyLink::new(reply, value));
            });
        } else {
            replies.extend(self.game.replies(after).map(|reply| ReplyLink::new(&reply, leaf)));
        }
        let mut sum = 0.0;
        for reply in &mut replies[first..] {
            sum += reply.probability;
            reply.cumulative = sum;
        }
        let count = replies.len() - first;
        (self.tree.edges[edge].first_reply, self.tree.edges[edge].reply_count) = (first, count);
    }

    /// Visits the replies in proportion to their probabilities. The fractional parts of the multiples of the golden
    /// ratio fill the unit interval evenly. Each move has its own starting point.
    pub(super) fn chance_reply(&self, edge: usize) -> usize {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let visits = u64::from(self.tree.edges[edge].visits());
        let start = scramble(derive(self.seed, self.game.key(self.tree.edges[edge].after)));
        let point = start.wrapping_add(GOLDEN.wrapping_mul(visits)) as f64 / 2f64.powi(64);
        let mut replies = self.tree.replies_of(edge);
        // Rounding may leave the sum of all probabilities below the point.
        let last = replies.end - 1;
        replies.find(|&reply| point < self.tree.replies[reply].cumulative).unwrap_or(last)
    }

    /// The reply with the least value minus bonus for the mover. Replies without a visit come first.
    fn worst_reply(&self, edge: usize) -> usize {
        let bonus = self.bonus(self.tree.edges[edge].visits());
        let priority = |reply: usize| {
            let reply = &self.tree.replies[reply];
            let visits = reply.child().map_or(0, |node| self.tree.nodes[node].visits);
            if visits == 0 { f64::NEG_INFINITY } else { reply.value - bonus / f64::from(visits).sqrt() }
        };
        let priorities = self.tree.replies_of(edge).map(|reply| (reply, priority(reply)));
        let worst = priorities.reduce(|worst, next| if next.1 < worst.1 { next } else { worst });
        worst.map_or(self.tree.edges[edge].first_reply, |(reply, _)| reply)
    }

    /// Values all moves of new nodes.
    pub(super) fn value_nodes(&mut self, nodes: &[usize], runs: u32, allowance: Allowance) {
        let mut leaves = Vec::new();
        for &node in nodes {
            for edge in self.tree.edges_of(node) {
                let (after, score) = (self.tree.edges[edge].after, self.tree.edges[edge].score);
                match self.leaf_evaluator.outcome_value(&self.game, after, score, true) {
                    Some(value) => self.set_first_value(edge, value, true),
                    None if runs > 0 => leaves.push(edge),
                    None => {
                        let value = self.leaf_evaluator.heuristic_value(&self.game, after, score, &mut self.meter);
                        self.set_first_value(edge, value, false);
                    }
                }
            }
        }
        if !leaves.is_empty() {
            self.play_out(&leaves, runs, allowance);
        }
        nodes.iter().for_each(|&node| self.value_node(node));
    }

    fn set_first_value(&mut self, edge: usize, value: f64, has_ended: bool) {
        self.leaves += 1;
        let edge = &mut self.tree.edges[edge];
        (edge.value, edge.ended) = (value, has_ended.then_some(value));
        edge.set_visits(1);
        edge.tally.add(value);
    }

    fn play_out(&mut self, leaves: &[usize], runs: u32, allowance: Allowance) {
        let afters: Vec<_> = leaves.iter().map(|&edge| self.tree.edges[edge].after).collect();
        let scores: Vec<_> = leaves.iter().map(|&edge| self.tree.edges[edge].score).collect();
        let mut tallies = vec![Tally::default(); leaves.len()];
        let seed = derive(derive(self.seed, self.decisions), self.leaves);
        let batch = PlayoutBatch { afters: &afters, scores: &scores, runs, seed, allowance };
        self.leaf_evaluator.play(&self.game, &batch, &mut self.meter, &mut tallies);
        for (&edge, tally) in leaves.iter().zip(&tallies) {
            self.set_first_value(edge, tally.mean(), false);
        }
    }

    /// Sets the first value of a node: the mean of its moves for backup `mean` with playouts, else the best of them.
    fn value_node(&mut self, node: usize) {
        let edges = &self.tree.edges[self.tree.edges_of(node)];
        let best = self.tree.best_value(node);
        let mean = edges.iter().map(|edge| edge.value).sum::<f64>() / edges.len() as f64;
        if edges.len() > 1 && !is_win(best) {
            self.spread.add(best - mean);
        }
        let (position, score) = (self.tree.nodes[node].position, self.tree.nodes[node].score);
        let value = match self.leaf_evaluator.outcome_value(&self.game, position, score, false) {
            Some(value) => value,
            None if self.runs > 0 && self.backup == Backup::Mean => mean,
            None => best,
        };
        (self.tree.nodes[node].value, self.tree.nodes[node].is_valued) = (value, true);
    }

    /// Backs up the value of a leaf to the root.
    pub(super) fn back_up(&mut self, steps: std::ops::Range<usize>, leaf: Leaf) {
        let mut value = match leaf {
            Leaf::Node(node) => self.tree.nodes[node].value,
            Leaf::Ended(value) => value,
        };
        for index in steps.rev() {
            let PathStep { node, edge, reply } = self.path[index];
            self.update_edge(edge, reply, value);
            if self.backup != Backup::Mean {
                value = self.tree.best_value(node);
            }
            self.tree.nodes[node].value = value;
        }
    }

    fn update_edge(&mut self, edge: usize, reply: Option<usize>, value: f64) {
        self.tree.edges[edge].tally.add(value);
        let change = reply.map_or(0.0, |reply| self.update_reply(reply, value));
        self.tree.edges[edge].value = match self.backup {
            Backup::Mean | Backup::Max => self.tree.edges[edge].tally.mean(),
            Backup::Expectimax if G::ADVERSARIAL => self.worst_reply_value(edge),
            Backup::Expectimax => self.tree.edges[edge].value + change,
        };
    }

    /// Updates a reply's value. Returns the change of the expectation over all replies.
    fn update_reply(&mut self, reply: usize, value: f64) -> f64 {
        let reply = &mut self.tree.replies[reply];
        let before = reply.value;
        let visits = reply.child().map_or(1, |node| self.tree.nodes[node].visits);
        reply.value = match self.backup {
            Backup::Mean if visits > 1 => before + (value - before) / f64::from(visits),
            _ => value,
        };
        reply.probability * (reply.value - before)
    }

    fn worst_reply_value(&self, edge: usize) -> f64 {
        let ended = self.tree.edges[edge].ended.unwrap_or(f64::INFINITY);
        self.tree.replies[self.tree.replies_of(edge)].iter().fold(ended, |least, reply| least.min(reply.value))
    }
}
