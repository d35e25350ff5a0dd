//! One walk: down the tree by selection, a value for the new position, and back to the root.

use crate::games::{Game, is_win};
use crate::heuristics::Evaluator;
use crate::rng::{derive, scramble};

use super::super::finish::{Allowance, Batch, Tally};
use super::super::work::Operation;
use super::tree::ReplyLink;
use super::{Backup, Leaf, MctsAgent, PathStep};

impl<G: Game, E: Evaluator<G>> MctsAgent<G, E> {
    /// Walks down until the position is new or the game is over. `None` if another walk of the batch got there first.
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
        let merit = |edge: usize| {
            let edge = &self.tree.edges[edge];
            edge.value + bonus * edge.rarity
        };
        let merits = self.tree.edges_of(node).map(|edge| (edge, merit(edge)));
        merits.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }

    /// The bonus of a choice that was visited once, of all the visits that its node had.
    pub(super) fn bonus(&self, visits: u32) -> f64 {
        self.exploration * self.spread.typical() * f64::from(visits).sqrt().sqrt()
    }

    /// The reply with which a walk goes on.
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
        if self.runs == 0 && self.finish.values_replies() {
            self.finish.fold_replies(&self.game, after, score, &mut self.meter, (), |(), reply, value| {
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

    /// Visits the replies in proportion to their probabilities. The multiples of the golden ratio, without their whole
    /// part, fill the unit interval evenly; a number of the edge's own decides where to begin.
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

    /// The reply with the least value less bonus for the mover; one not visited yet first.
    fn worst_reply(&self, edge: usize) -> usize {
        let bonus = self.bonus(self.tree.edges[edge].visits());
        let merit = |reply: usize| {
            let reply = &self.tree.replies[reply];
            let visits = reply.child().map_or(0, |node| self.tree.nodes[node].visits);
            if visits == 0 { f64::NEG_INFINITY } else { reply.value - bonus / f64::from(visits).sqrt() }
        };
        let merits = self.tree.replies_of(edge).map(|reply| (reply, merit(reply)));
        let worst = merits.reduce(|worst, next| if next.1 < worst.1 { next } else { worst });
        worst.map_or(self.tree.edges[edge].first_reply, |(reply, _)| reply)
    }

    /// Values all moves of new nodes.
    pub(super) fn value_nodes(&mut self, nodes: &[usize], runs: u32, allowance: Allowance) {
        let mut leaves = Vec::new();
        for &node in nodes {
            for edge in self.tree.edges_of(node) {
                let (after, score) = (self.tree.edges[edge].after, self.tree.edges[edge].score);
                match self.finish.ended(&self.game, after, score, true) {
                    Some(value) => self.set_first_value(edge, value, true),
                    None if runs > 0 => leaves.push(edge),
                    None => {
                        let value = self.finish.leaf(&self.game, after, score, &mut self.meter);
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
        let batch = Batch { afters: &afters, scores: &scores, runs, seed, allowance };
        self.finish.play(&self.game, &batch, &mut self.meter, &mut tallies);
        for (&edge, tally) in leaves.iter().zip(&tallies) {
            self.set_first_value(edge, tally.mean(), false);
        }
    }

    /// The first value of a node: what its moves are worth on average to random playouts, or the best of them.
    fn value_node(&mut self, node: usize) {
        let edges = &self.tree.edges[self.tree.edges_of(node)];
        let best = self.tree.best_value(node);
        let mean = edges.iter().map(|edge| edge.value).sum::<f64>() / edges.len() as f64;
        if edges.len() > 1 && !is_win(best) {
            self.spread.add(best - mean);
        }
        let (position, score) = (self.tree.nodes[node].position, self.tree.nodes[node].score);
        let value = match self.finish.ended(&self.game, position, score, false) {
            Some(value) => value,
            None if self.runs > 0 && self.backup == Backup::Mean => mean,
            None => best,
        };
        (self.tree.nodes[node].value, self.tree.nodes[node].is_valued) = (value, true);
    }

    /// Takes the value of a leaf back to the root.
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
            Backup::Expectimax if G::ADVERSARIAL => self.least_reply(edge),
            Backup::Expectimax => self.tree.edges[edge].value + change,
        };
    }

    /// Returns by how much the mean over all replies changes.
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

    fn least_reply(&self, edge: usize) -> f64 {
        let ended = self.tree.edges[edge].ended.unwrap_or(f64::INFINITY);
        self.tree.replies[self.tree.replies_of(edge)].iter().fold(ended, |least, reply| least.min(reply.value))
    }
}
