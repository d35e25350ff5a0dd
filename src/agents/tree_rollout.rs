//! Tree-rollout: every sequence of a few moves, each finished by random play, a heuristic, or both.
//!
//! Between moves the environment's replies are sampled (`width` of them, averaged); a position is worth its best
//! continuation. The ends of all sequences are played out as one batch, which the playout engine wants; no tree of
//! boards is kept, only the order in which values are to be combined. A breadth-first version would differ in nothing
//! but the memory that it needs: all boards of a level at once.
//!
//! Reference: Kearns, Mansour & Ng, *A sparse sampling algorithm for near-optimal planning* (2002).

use crate::games::{Finished, Game, Outcome};
use crate::heuristics::Evaluator;
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::{Rng, derive, seeded};

use super::budget::{Budget, Meter};
use super::finish::{self, Finish, Tally};
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
        ],
        finish::PARAMS,
        options::BUDGET,
    ],
};

/// The most sequences of one tree, where four moves are legal: all of them are in memory at once.
const MOST_SEQUENCES: i64 = 4_000_000;

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

/// The ends of one sampled tree, and how their values combine.
struct Tree<P> {
    ends: Vec<P>,
    scores: Vec<u32>,
    tokens: Vec<Token>,
    nodes: u64,
}

struct TreeRollout<G: Game, E> {
    game: G,
    evaluator: E,
    finish: Finish<E>,
    moves: u32,
    width: u32,
    runs: u32,
    trees: u64,
    budget: Budget,
    seed: u64,
    rng: Rng,
    decisions: u64,
}

impl<G: Game, E: Evaluator<G>> TreeRollout<G, E> {
    /// The environment is to reply, with `left` moves of the sequence to come.
    fn grow_after(&mut self, tree: &mut Tree<G::Position>, after: G::Position, score: u32, left: u32) {
        tree.nodes += 1;
        if let Some(outcome) = self.game.after_step(after) {
            return tree.tokens.push(Token::Known(self.ended(after, score, outcome)));
        }
        if left == 0 {
            tree.tokens.push(Token::End(tree.ends.len()));
            tree.ends.push(after);
            return tree.scores.push(score);
        }
        for _ in 0..self.width {
            let position = self.game.sample(after, &mut self.rng);
            self.grow_position(tree, position, score, left);
        }
        tree.tokens.push(Token::Mean(self.width as usize));
    }

    fn grow_position(&mut self, tree: &mut Tree<G::Position>, position: G::Position, score: u32, left: u32) {
        tree.nodes += 1;
        if let Some(outcome) = self.game.verdict(position) {
            return tree.tokens.push(Token::Known(self.ended(position, score, outcome)));
        }
        let (game, mut count) = (self.game.clone(), 0);
        for step in game.steps(position) {
            self.grow_after(tree, step.after, score + step.reward, left - 1);
            count += 1;
        }
        tree.tokens.push(Token::Best(count));
    }

    fn ended(&self, last: G::Position, score: u32, outcome: Outcome) -> f64 {
        let finished = Finished { from: 0, last, gained: 0, moves: 0, outcome: Some(outcome) };
        self.finish.worth(&self.game, &finished, score)
    }

    /// What each end is worth, and the moves that it took to find out.
    fn values_of_ends(&mut self, tree: &Tree<G::Position>, seed: u64) -> (Vec<f64>, u64) {
        if self.runs == 0 {
            let ends = tree.ends.iter().zip(&tree.scores);
            return (ends.map(|(&end, &score)| self.evaluator.value(end, score).max(G::FLOOR)).collect(), 0);
        }
        let mut tallies = vec![Tally::default(); tree.ends.len()];
        let moves = self.finish.play(&self.game, &tree.ends, &tree.scores, self.runs, seed, &mut tallies);
        (tallies.iter().map(Tally::mean).collect(), moves)
    }

    /// One tree per legal move, all played out as one batch; the value of each move.
    fn sample(&mut self, position: G::Position, score: u32, seed: u64, meter: &mut Meter) -> Values<G> {
        let game = self.game.clone();
        let mut tree = Tree { ends: vec![], scores: vec![], tokens: vec![], nodes: 0 };
        let mut actions = Values::<G>::new();
        for step in game.steps(position) {
            self.grow_after(&mut tree, step.after, score + step.reward, self.moves - 1);
            actions.push((step.action, 0.0));
        }
        let (ends, moves) = self.values_of_ends(&tree, seed);
        let values = combine(&tree.tokens, &ends);
        for (action, value) in actions.iter_mut().zip(values) {
            action.1 = value;
        }
        meter.visit(tree.nodes + moves);
        meter.charge(Operation::InnerNode, tree.nodes);
        meter.charge(Operation::PlayoutMove, moves);
        if self.runs == 0 {
            meter.charge_cost(self.evaluator.costs().value * ends.len() as u64);
        }
        actions
    }
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

impl<G: Game, E: Evaluator<G>> Agent<G> for TreeRollout<G, E> {
    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions, self.rng) = (seed, 0, seeded(seed));
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        let decision_seed = derive(self.seed, self.decisions);
        let mut meter = self.budget.start();
        let mut total = self.sample(position, score, decision_seed, &mut meter);
        let mut trees = 1;
        while if self.budget.is_limited() { !meter.is_spent() } else { trees < self.trees } {
            let values = self.sample(position, score, derive(decision_seed, trees), &mut meter);
            total.iter_mut().zip(&values).for_each(|(sum, value)| sum.1 += value.1);
            trees += 1;
        }
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
    let number = |name| options.integer(name).unwrap_or(1);
    if number("runs") == 0 && options.get("heuristic").is_none() {
        return Err(InputError::at("runs", "tree-rollout: `runs = 0` leaves nothing to go by without a `heuristic`"));
    }
    let sequences = (4 * number("width")).checked_pow(number("moves") as u32).unwrap_or(i64::MAX);
    if sequences > MOST_SEQUENCES {
        let why = format!("tree-rollout: `moves` and `width` make more than {MOST_SEQUENCES} sequences of moves");
        return Err(InputError::at("width", why));
    }
    Ok(Box::new(TreeRollout {
        game,
        finish: Finish::new(evaluator.clone(), options),
        evaluator,
        moves: number("moves") as u32,
        width: number("width") as u32,
        runs: number("runs") as u32,
        trees: number("trees") as u64,
        budget: Budget::new(options),
        seed: 0,
        rng: seeded(0),
        decisions: 0,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_combine_in_reverse_polish() {
        let tokens = [Token::End(0), Token::End(1), Token::Best(2), Token::Known(8.0), Token::Mean(2), Token::End(2)];
        assert_eq!(combine(&tokens, &[1.0, 4.0, 7.0]), [6.0, 7.0]);
    }
}
