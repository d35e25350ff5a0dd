//! Tree-rollout: every sequence of a few moves, with playouts or a heuristic at its end.
//!
//! After each move, `width` replies of the environment are sampled and their values averaged. The value of a position
//! is that of its best move. Several such trees are sampled and averaged. With a heuristic alone a tree is searched
//! depth first and needs no memory. With playouts, all leaves are played out as one batch, which fills the lanes of the
//! playout engine. No tree of boards is stored, only the order in which the values are combined.
//!
//! Under a budget, as many trees are sampled as it allows. If it does not allow one, there are first fewer playouts and
//! then shorter sequences.
//!
//! Reference: Kearns, Mansour & Ng, *A sparse sampling algorithm for near-optimal planning* (2002).

mod config;

pub use config::TreeRollout;

use crate::games::Game;
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::{Rng, derive, seeded};

use super::budget::{Budget, Meter, StopFlag};
use super::config::{SamplingConfig, if_heuristic_given};
use super::leaf::{self, Allowance, LeafEvaluator, PlayoutBatch, Tally};
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, Values, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "tree-rollout",
    summary: "every sequence of a few moves, with random playouts or a heuristic at its end",
    cost: "positions in the tree and moves played in playouts",
    params: &[
        &[
            Param {
                name: "moves",
                kind: ParamType::Integer { min: 1, max: 8 },
                default: "2",
                help: "length of the sequences, in moves of the mover",
            },
            Param {
                name: "width",
                kind: ParamType::Integer { min: 1, max: 100 },
                default: "1",
                help: "replies sampled after each move",
            },
            Param {
                name: "runs",
                kind: ParamType::Integer { min: 0, max: 1_000_000 },
                default: "10",
                help: "playouts from the end of each sequence; 0 takes the heuristic alone",
            },
            Param {
                name: "trees",
                kind: ParamType::Integer { min: 1, max: 1_000_000 },
                default: "1",
                help: "trees sampled and averaged (a budget replaces it)",
            },
            leaf::leaf_plies("1"),
        ],
        leaf::PARAMS,
        options::BUDGET,
    ],
};

/// The maximum number of leaves that are played out together. It bounds the memory (about 60 bytes for each leaf), and
/// is far more than the batch engine needs.
const MAX_BATCH_LEAVES: u64 = 1 << 18;

/// The maximum number of leaves of a tree with playouts and without a budget.
const MAX_TREE_LEAVES: u64 = 1 << 22;

/// An element of an expression in reverse Polish notation: operands come before their operator.
enum Token {
    /// The value of the leaf with this index.
    Leaf(usize),
    /// A value that is already known.
    Known(f64),
    /// The maximum of this many values before it.
    Best(usize),
    /// The mean of this many values before it.
    Mean(usize),
}

/// The leaves of one or more sampled trees, and the expression that combines their values.
struct SampledTrees<P> {
    leaves: Vec<P>,
    scores: Vec<u32>,
    tokens: Vec<Token>,
}

/// The size of the trees, which a budget may reduce.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TreeSize {
    moves: u32,
    runs: u32,
    /// Trees in one batch.
    trees: u64,
}

struct TreeRolloutAgent<G: Game, E> {
    game: G,
    leaf_evaluator: LeafEvaluator<E>,
    size: TreeSize,
    width: u32,
    trees: u64,
    budget: Budget,
    seed: u64,
    rng: Rng,
    decisions: u64,
    /// A running mean of the cost of a leaf: its share of the tree, and its heuristic value or one playout.
    leaf_cost: Cost,
}

/// Under a budget, trees are so small that at least this many fit. Each tree samples the replies anew, so the mean of
/// few trees is too noisy: with a heuristic, 4 trees of 3 moves had half the score of 20 trees. Playouts sample replies
/// as well, so they need fewer trees.
const MIN_TREES: u64 = 16;
const MIN_TREES_WITH_PLAYOUTS: u64 = 4;

/// First estimates of the cost of a leaf: a playout of usual length in a full batch, and a heuristic value.
const FIRST_PLAYOUT_COST: Cost = Cost::picoseconds(250_000);
const FIRST_VALUE_COST: Cost = Cost::picoseconds(30_000);
/// The estimated cost of a playout, in picoseconds, never falls below this. After a board with short playouts, one with
/// long playouts may follow.
const MIN_PLAYOUT_COST: u64 = 150_000;

impl<G: Game, E: Evaluator<G>> TreeRolloutAgent<G, E> {
    /// The heuristic value of an afterstate, with `left` more moves of the sequence.
    fn value_after(&mut self, after: G::Position, score: u32, left: u32, meter: &mut Meter) -> f64 {
        if let Some(value) = self.leaf_evaluator.outcome_value(&self.game, after, score, true) {
            return value;
        }
        if left == 0 {
            return self.leaf_evaluator.heuristic_value(&self.game, after, score, meter);
        }
        let mut sum = 0.0;
        for _ in 0..self.width {
            let position = self.game.sample(after, &mut self.rng);
            sum += self.value_position(position, score, left, meter);
        }
        sum / f64::from(self.width)
    }

    /// The heuristic value of a sampled position.
    fn value_position(&mut self, position: G::Position, score: u32, left: u32, meter: &mut Meter) -> f64 {
        meter.charge(Operation::SampledPosition, 1);
        if let Some(value) = self.leaf_evaluator.outcome_value(&self.game, position, score, false) {
            return value;
        }
        let game = self.game.clone();
        game.steps(position).fold(f64::NEG_INFINITY, |best, step| {
            best.max(self.value_after(step.after, score + step.reward, left - 1, meter))
        })
    }

    /// Adds the subtree below an afterstate, with `left` more moves of the sequence.
    fn grow_after(&mut self, sampled: &mut SampledTrees<G::Position>, after: G::Position, score: u32, left: u32) {
        if let Some(value) = self.leaf_evaluator.outcome_value(&self.game, after, score, true) {
            return sampled.tokens.push(Token::Known(value));
        }
        if left == 0 {
            sampled.tokens.push(Token::Leaf(sampled.leaves.len()));
            sampled.leaves.push(after);
            return sampled.scores.push(score);
        }
        for _ in 0..self.width {
            let position = self.game.sample(after, &mut self.rng);
            self.grow_position(sampled, position, score, left);
        }
        sampled.tokens.push(Token::Mean(self.width as usize));
    }

    fn grow_position(&mut self, sampled: &mut SampledTrees<G::Position>, position: G::Position, score: u32, left: u32) {
        if let Some(value) = self.leaf_evaluator.outcome_value(&self.game, position, score, false) {
            return sampled.tokens.push(Token::Known(value));
        }
        let (game, mut count) = (self.game.clone(), 0);
        for step in game.steps(position) {
            self.grow_after(sampled, step.after, score + step.reward, left - 1);
            count += 1;
        }
        sampled.tokens.push(Token::Best(count));
    }

    /// Samples trees whose leaves are valued by the heuristic, and adds the values of the moves to `total`.
    fn search_trees(&mut self, root: (G::Position, u32), size: TreeSize, total: &mut Values<G>, meter: &mut Meter) {
        let game = self.game.clone();
        for _ in 0..size.trees {
            for (index, step) in game.steps(root.0).enumerate() {
                total[index].1 += self.value_after(step.after, root.1 + step.reward, size.moves - 1, meter);
            }
        }
    }

    /// Samples trees, plays out all of their leaves as one batch, and adds the values of the moves to `total`.
    fn play_trees(&mut self, root: (G::Position, u32), size: TreeSize, total: &mut Values<G>, meter: &mut Meter) {
        let game = self.game.clone();
        let mut sampled = SampledTrees { leaves: vec![], scores: vec![], tokens: vec![] };
        for _ in 0..size.trees {
            for step in game.steps(root.0) {
                self.grow_after(&mut sampled, step.after, root.1 + step.reward, size.moves - 1);
            }
        }
        meter.visit(sampled.tokens.len() as u64);
        meter.charge(Operation::TreeBatch, 1);
        meter.charge(Operation::InnerNode, sampled.tokens.len() as u64);
        let mut tallies = vec![Tally::default(); sampled.leaves.len()];
        let seed = derive(derive(self.seed, self.decisions), meter.spent().work);
        let SampledTrees { leaves, scores, tokens } = sampled;
        let batch =
            PlayoutBatch { afters: &leaves, scores: &scores, runs: size.runs, seed, allowance: Allowance::all(meter) };
        self.leaf_evaluator.play(&self.game, &batch, meter, &mut tallies);
        let values: Vec<f64> = tallies.iter().map(Tally::mean).collect();
        let moves = total.len();
        for (index, value) in combine(&tokens, &values).into_iter().enumerate() {
            total[index % moves].1 += value;
        }
    }

    /// The number of leaves, each with one playout, that the rest of the budget allows.
    fn affordable_leaves(&self, meter: &Meter) -> u64 {
        leaf::budget_left(meter).as_picoseconds() / self.leaf_cost.as_picoseconds().max(1)
    }

    /// The greatest size of trees of which the required number fits into the budget.
    fn fitting_size(&self, moves_at_root: u64, meter: &Meter) -> TreeSize {
        let leaves = |moves: u32| leaf_count(moves_at_root, u64::from(self.width), moves);
        let affordable = self.affordable_leaves(meter);
        let trees = if self.size.runs == 0 { MIN_TREES } else { MIN_TREES_WITH_PLAYOUTS };
        let fits = |moves: &u32| leaves(*moves).saturating_mul(trees) <= affordable.min(MAX_BATCH_LEAVES);
        let moves = (1..=self.size.moves).rev().find(fits).unwrap_or(1);
        let most_runs = (affordable / (trees * leaves(moves))).max(1);
        let runs = self.size.runs.min(u32::try_from(most_runs).unwrap_or(u32::MAX));
        TreeSize { moves, runs, trees: 1 }
    }

    /// As many trees of this size as fit into the rest of the budget, but at least one. Trees without playouts are
    /// sampled one at a time, because only playouts gain from a batch.
    fn fitting_trees(&self, size: TreeSize, moves_at_root: u64, meter: &Meter) -> TreeSize {
        let leaves = leaf_count(moves_at_root, u64::from(self.width), size.moves);
        let affordable = self.affordable_leaves(meter).min(MAX_BATCH_LEAVES);
        let trees = if size.runs == 0 { 1 } else { affordable / (leaves * u64::from(size.runs)) };
        TreeSize { trees: trees.max(1), ..size }
    }

    /// Samples trees until the budget is spent. Returns their number.
    fn spend(&mut self, root: (G::Position, u32), total: &mut Values<G>, meter: &mut Meter) -> u64 {
        let (mut trees, mut cost_of_tree) = (0, Cost::ZERO);
        // All trees have the same size, so that their values can be averaged.
        let size = self.fitting_size(total.len() as u64, meter);
        while trees == 0 || meter.fits(cost_of_tree) {
            let batch = self.fitting_trees(size, total.len() as u64, meter);
            let before = meter.left();
            self.sample(root, batch, total, meter);
            trees += batch.trees;
            let cost = before.saturating_sub(meter.left()).as_picoseconds();
            cost_of_tree = Cost::picoseconds(cost / batch.trees);
            self.update_leaf_cost(total.len() as u64, batch, cost, leaf::budget_left(meter) == Cost::ZERO);
        }
        trees
    }

    /// Updates the estimated cost of a leaf. Playouts that were cut cost less than whole ones, so they can raise the
    /// estimate but not lower it.
    fn update_leaf_cost(&mut self, moves_at_root: u64, size: TreeSize, cost: u64, was_cut: bool) {
        let leaves = leaf_count(moves_at_root, u64::from(self.width), size.moves) * size.trees;
        let cost = cost / (leaves * u64::from(size.runs.max(1)));
        let known = self.leaf_cost.as_picoseconds();
        // An exponential moving average over about four batches.
        let learned = if was_cut { known.max(cost) } else { (3 * known + cost) / 4 };
        let least = if size.runs == 0 { 1 } else { MIN_PLAYOUT_COST };
        self.leaf_cost = Cost::picoseconds(learned.max(least));
    }

    fn sample(&mut self, root: (G::Position, u32), size: TreeSize, total: &mut Values<G>, meter: &mut Meter) {
        match size.runs {
            0 => self.search_trees(root, size, total, meter),
            _ => self.play_trees(root, size, total, meter),
        }
    }
}

/// About the number of leaves of a tree. Below the root four legal moves are assumed even if the root has fewer.
fn leaf_count(moves_at_root: u64, width: u64, moves: u32) -> u64 {
    let below = width.saturating_mul(moves_at_root.max(4));
    moves_at_root.saturating_mul(below.saturating_pow(moves - 1)).max(1)
}

/// Evaluates the expression. The stack then holds one value for each move of each tree.
fn combine(tokens: &[Token], leaves: &[f64]) -> Vec<f64> {
    let mut stack: Vec<f64> = Vec::new();
    for token in tokens {
        let value = match *token {
            Token::Leaf(index) => leaves[index],
            Token::Known(value) => value,
            Token::Best(count) => stack.drain(stack.len() - count..).fold(f64::NEG_INFINITY, f64::max),
            Token::Mean(count) => stack.drain(stack.len() - count..).sum::<f64>() / count as f64,
        };
        stack.push(value);
    }
    stack
}

impl<G: Game, E: Evaluator<G>> Agent<G> for TreeRolloutAgent<G, E> {
    fn stop_on(&mut self, flag: StopFlag) {
        self.budget.stop = Some(flag);
    }

    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions, self.rng) = (seed, 0, seeded(seed));
        self.leaf_cost = if self.size.runs == 0 { FIRST_VALUE_COST } else { FIRST_PLAYOUT_COST };
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        let mut meter = self.budget.start();
        meter.charge(Operation::Decision, 1);
        let mut total: Values<G> = self.game.steps(position).map(|step| (step.action, 0.0)).collect();
        if total.is_empty() {
            return None;
        }
        meter.visit(total.len() as u64);
        let root = (position, score);
        let trees = match self.budget.is_limited() {
            true => self.spend(root, &mut total, &mut meter),
            false => {
                let size = TreeSize { trees: 1, ..self.size };
                (0..self.trees).for_each(|_| self.sample(root, size, &mut total, &mut meter));
                self.trees
            }
        };
        total.iter_mut().for_each(|value| value.1 /= trees as f64);
        for (value, step) in total.iter_mut().zip(self.game.steps(position)) {
            if let Some(outcome) = self.game.after_step(step.after) {
                value.1 = self.game.utility(outcome);
            }
        }
        Decision::new(total, meter.spent())
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    TreeRollout::new(options).create(&game, if_heuristic_given(evaluator, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_combine_in_reverse_polish_order() {
        let tokens =
            [Token::Leaf(0), Token::Leaf(1), Token::Best(2), Token::Known(8.0), Token::Mean(2), Token::Leaf(2)];
        assert_eq!(combine(&tokens, &[1.0, 4.0, 7.0]), [6.0, 7.0]);
    }
}
