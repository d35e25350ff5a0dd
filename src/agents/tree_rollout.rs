//! Tree-rollout: every sequence of a few moves, each finished by random play, a heuristic, or both.
//!
//! Between moves the environment's replies are sampled (`width` of them, averaged); a position is worth its best
//! continuation. Several trees are sampled and averaged. With a heuristic alone a tree is searched depth first and needs
//! no memory. With playouts the ends of all sequences are played out as one batch, which fills the playout engine; no
//! tree of boards is kept, only the order in which values are combined.
//!
//! With a budget the trees are made to fit: as many as it pays for, and where it does not pay for one, first fewer
//! playouts and then shorter sequences.
//!
//! Reference: Kearns, Mansour & Ng, *A sparse sampling algorithm for near-optimal planning* (2002).

mod config;

pub use config::TreeRollout;

use crate::games::Game;
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::{Rng, derive, seeded};

use super::budget::{Budget, Meter, StopFlag};
use super::config::{SamplingConfig, wanted};
use super::finish::{self, Allowance, Batch, Finish, Tally};
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, Values, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "tree-rollout",
    summary: "every sequence of a few moves, each finished by random play or a heuristic",
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
            finish::leaf_plies("1"),
        ],
        finish::PARAMS,
        options::BUDGET,
    ],
};

/// The most ends of sequences that are played out together, which bounds the memory (about 60 bytes each). They are far
/// more than the batch engine needs.
const MOST_ENDS: u64 = 1 << 18;

/// Without a budget, the most ends of a tree that is played out.
const MOST_ENDS_OF_TREE: u64 = 1 << 22;

/// How to combine values, in reverse Polish order: operands first.
enum Token {
    /// The value of this end of a sequence.
    End(usize),
    Known(f64),
    /// The best of the last so many values.
    Best(usize),
    /// Their mean.
    Mean(usize),
}

/// The ends of one or more sampled trees, and how their values combine.
struct Forest<P> {
    ends: Vec<P>,
    scores: Vec<u32>,
    tokens: Vec<Token>,
}

/// The size of the trees: what a budget changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    moves: u32,
    runs: u32,
    /// Trees in one batch.
    trees: u64,
}

struct TreeRolloutAgent<G: Game, E> {
    game: G,
    finish: Finish<E>,
    shape: Shape,
    width: u32,
    trees: u64,
    budget: Budget,
    seed: u64,
    rng: Rng,
    decisions: u64,
    /// What the latest ends cost with all that belongs to them: an end's tree, and its heuristic value or one playout.
    cost_of_end: Cost,
}

/// A budget is to pay for at least this many trees. Each samples the replies anew, so a few trees are too noisy: with a
/// heuristic and 4 trees of 3 moves the score was half of that with 20. Playouts sample replies as well and need fewer.
const LEAST_TREES: u64 = 16;
const LEAST_TREES_OF_PLAYOUTS: u64 = 4;

/// First estimates of the cost of an end: a playout of usual length in a full batch, and a heuristic value.
const COST_OF_PLAYOUT: Cost = Cost::picoseconds(250_000);
const COST_OF_VALUE: Cost = Cost::picoseconds(30_000);
/// No playout is expected to cost less. A board with short playouts may come before one with long ones.
const LEAST_COST_OF_PLAYOUT: u64 = 150_000;

impl<G: Game, E: Evaluator<G>> TreeRolloutAgent<G, E> {
    /// The heuristic's value of an after-position, with `left` moves of the sequence to come.
    fn value_after(&mut self, after: G::Position, score: u32, left: u32, meter: &mut Meter) -> f64 {
        if let Some(value) = self.finish.ended(&self.game, after, score, true) {
            return value;
        }
        if left == 0 {
            return self.finish.leaf(&self.game, after, score, meter);
        }
        meter.charge(Operation::InnerNode, 1);
        let mut sum = 0.0;
        for _ in 0..self.width {
            let position = self.game.sample(after, &mut self.rng);
            sum += self.value_position(position, score, left, meter);
        }
        sum / f64::from(self.width)
    }

    fn value_position(&mut self, position: G::Position, score: u32, left: u32, meter: &mut Meter) -> f64 {
        meter.charge(Operation::InnerNode, 1);
        if let Some(value) = self.finish.ended(&self.game, position, score, false) {
            return value;
        }
        let game = self.game.clone();
        let values =
            game.steps(position).map(|step| self.value_after(step.after, score + step.reward, left - 1, meter));
        values.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The environment is to reply, with `left` moves of the sequence to come.
    fn grow_after(&mut self, forest: &mut Forest<G::Position>, after: G::Position, score: u32, left: u32) {
        if let Some(value) = self.finish.ended(&self.game, after, score, true) {
            return forest.tokens.push(Token::Known(value));
        }
        if left == 0 {
            forest.tokens.push(Token::End(forest.ends.len()));
            forest.ends.push(after);
            return forest.scores.push(score);
        }
        for _ in 0..self.width {
            let position = self.game.sample(after, &mut self.rng);
            self.grow_position(forest, position, score, left);
        }
        forest.tokens.push(Token::Mean(self.width as usize));
    }

    fn grow_position(&mut self, forest: &mut Forest<G::Position>, position: G::Position, score: u32, left: u32) {
        if let Some(value) = self.finish.ended(&self.game, position, score, false) {
            return forest.tokens.push(Token::Known(value));
        }
        let (game, mut count) = (self.game.clone(), 0);
        for step in game.steps(position) {
            self.grow_after(forest, step.after, score + step.reward, left - 1);
            count += 1;
        }
        forest.tokens.push(Token::Best(count));
    }

    /// Samples the trees of a shape, valued by the heuristic alone, and adds the value of each move.
    fn search_trees(&mut self, root: (G::Position, u32), shape: Shape, total: &mut Values<G>, meter: &mut Meter) {
        let game = self.game.clone();
        for _ in 0..shape.trees {
            for (index, step) in game.steps(root.0).enumerate() {
                total[index].1 += self.value_after(step.after, root.1 + step.reward, shape.moves - 1, meter);
            }
        }
    }

    /// Samples the trees of a shape, plays out all of their ends as one batch, and adds the value of each move.
    fn play_trees(&mut self, root: (G::Position, u32), shape: Shape, total: &mut Values<G>, meter: &mut Meter) {
        let game = self.game.clone();
        let mut forest = Forest { ends: vec![], scores: vec![], tokens: vec![] };
        for _ in 0..shape.trees {
            for step in game.steps(root.0) {
                self.grow_after(&mut forest, step.after, root.1 + step.reward, shape.moves - 1);
            }
        }
        meter.visit(forest.tokens.len() as u64);
        meter.charge(Operation::InnerNode, forest.tokens.len() as u64);
        let mut tallies = vec![Tally::default(); forest.ends.len()];
        let seed = derive(derive(self.seed, self.decisions), meter.spent().work);
        let Forest { ends, scores, tokens } = forest;
        let batch = Batch { afters: &ends, scores: &scores, runs: shape.runs, seed, allowance: Allowance::all(meter) };
        self.finish.play(&self.game, &batch, meter, &mut tallies);
        let values: Vec<f64> = tallies.iter().map(Tally::mean).collect();
        let moves = total.len();
        for (index, value) in combine(&tokens, &values).into_iter().enumerate() {
            total[index % moves].1 += value;
        }
    }

    /// The number of ends, each with one playout, that what is left of the budget pays for.
    fn affordable_ends(&self, meter: &Meter) -> u64 {
        finish::left(meter).as_picoseconds() / self.cost_of_end.as_picoseconds().max(1)
    }

    /// The size of trees of which several fit into the budget.
    fn fitting_size(&self, moves_at_root: u64, meter: &Meter) -> Shape {
        let ends = |moves: u32| ends_of_tree(moves_at_root, u64::from(self.width), moves);
        let affordable = self.affordable_ends(meter);
        let trees = if self.shape.runs == 0 { LEAST_TREES } else { LEAST_TREES_OF_PLAYOUTS };
        let fits = |moves: &u32| ends(*moves).saturating_mul(trees) <= affordable.min(MOST_ENDS);
        let moves = (1..=self.shape.moves).rev().find(fits).unwrap_or(1);
        let most_runs = (affordable / (trees * ends(moves))).max(1);
        let runs = self.shape.runs.min(u32::try_from(most_runs).unwrap_or(u32::MAX));
        Shape { moves, runs, trees: 1 }
    }

    /// As many trees of a size as fit into what is left, but at least one. Trees without playouts are made one at a
    /// time, since only playouts gain from a batch.
    fn fitting_trees(&self, size: Shape, moves_at_root: u64, meter: &Meter) -> Shape {
        let ends = ends_of_tree(moves_at_root, u64::from(self.width), size.moves);
        let affordable = self.affordable_ends(meter).min(MOST_ENDS);
        let trees = if size.runs == 0 { 1 } else { affordable / (ends * u64::from(size.runs)) };
        Shape { trees: trees.max(1), ..size }
    }

    /// Samples trees until the budget is spent. Returns how many.
    fn spend(&mut self, root: (G::Position, u32), total: &mut Values<G>, meter: &mut Meter) -> u64 {
        let (mut trees, mut cost_of_tree) = (0, Cost::ZERO);
        // All trees have the same size, so that their values can be averaged.
        let size = self.fitting_size(total.len() as u64, meter);
        while trees == 0 || meter.fits(cost_of_tree) {
            let shape = self.fitting_trees(size, total.len() as u64, meter);
            let before = meter.left();
            self.sample(root, shape, total, meter);
            trees += shape.trees;
            let cost = before.saturating_sub(meter.left()).as_picoseconds();
            cost_of_tree = Cost::picoseconds(cost / shape.trees);
            self.learn_cost(total.len() as u64, shape, cost, finish::left(meter) == Cost::ZERO);
        }
        trees
    }

    /// Playouts that were cut cost less than whole ones, so they can only show that an estimate was too low.
    fn learn_cost(&mut self, moves_at_root: u64, shape: Shape, cost: u64, was_cut: bool) {
        let ends = ends_of_tree(moves_at_root, u64::from(self.width), shape.moves) * shape.trees;
        let cost = cost / (ends * u64::from(shape.runs.max(1)));
        let known = self.cost_of_end.as_picoseconds();
        // The mean of the latest four or so.
        let learned = if was_cut { known.max(cost) } else { (3 * known + cost) / 4 };
        let least = if shape.runs == 0 { 1 } else { LEAST_COST_OF_PLAYOUT };
        self.cost_of_end = Cost::picoseconds(learned.max(least));
    }

    fn sample(&mut self, root: (G::Position, u32), shape: Shape, total: &mut Values<G>, meter: &mut Meter) {
        match shape.runs {
            0 => self.search_trees(root, shape, total, meter),
            _ => self.play_trees(root, shape, total, meter),
        }
    }
}

/// About as many ends as a tree has. Where few moves are legal at the root, more may be legal below it.
fn ends_of_tree(moves_at_root: u64, width: u64, moves: u32) -> u64 {
    let below = width.saturating_mul(moves_at_root.max(4));
    moves_at_root.saturating_mul(below.saturating_pow(moves - 1)).max(1)
}

/// Works through the tokens; what is left on the stack is the value of each first move.
fn combine(tokens: &[Token], ends: &[f64]) -> Vec<f64> {
    let mut stack: Vec<f64> = Vec::new();
    for token in tokens {
        let value = match *token {
            Token::End(index) => ends[index],
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
        self.cost_of_end = if self.shape.runs == 0 { COST_OF_VALUE } else { COST_OF_PLAYOUT };
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
                let shape = Shape { trees: 1, ..self.shape };
                (0..self.trees).for_each(|_| self.sample(root, shape, &mut total, &mut meter));
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
    TreeRollout::new(options).create(&game, wanted(evaluator, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_combine_in_reverse_polish_order() {
        let tokens = [Token::End(0), Token::End(1), Token::Best(2), Token::Known(8.0), Token::Mean(2), Token::End(2)];
        assert_eq!(combine(&tokens, &[1.0, 4.0, 7.0]), [6.0, 7.0]);
    }
}
