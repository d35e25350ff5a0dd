//! Monte Carlo tree search: UCT with chance nodes for the environment's replies.
//!
//! Each iteration (a *walk*) descends from the root to a position that is not in the tree yet and adds it as a node. It
//! values all legal moves of the node, by playouts or, with `runs = 0`, by the heuristic alone. Then it updates every
//! move on the path back to the root.
//!
//! - *Selection.* The mover takes the move with the greatest value plus bonus. The bonus is `exploration` times the
//!   typical difference between the moves of a node, times the square root of sqrt(N)/n for a move visited n of N
//!   times. This is the polynomial bonus of Shah et al. Unlike a logarithm it gives the same bits on every machine.
//! - *First-play urgency.* Every move of a new node gets a value at once, so selection never meets a move without one.
//! - *Chance nodes.* Replies are visited in proportion to their exact probabilities, by a low-discrepancy sequence. If
//!   the environment is an opponent, the reply with the least value minus bonus for the mover is visited.
//! - *Backup.* `mean`: the value of a move is the mean of the values of its walks. `max`: the same, but a node backs up
//!   the value of its best move. `expectimax`: the value of a move is the expectation over its replies, and the value
//!   of a node is that of its best move. Playouts are noisy, and the maximum of noisy values is biased upwards, so
//!   `mean` is best for them. A heuristic is not noisy, and there the mean would include moves that the search has
//!   rejected.
//! - *Batches.* The leaves of several walks are played out together, because the batch engine plays 32 games at a time.
//!   Visits are counted during the descent, so that the walks of a batch take different paths.
//!
//! References: Kocsis & Szepesvari, *Bandit based Monte-Carlo planning* (2006); Shah, Xie & Xu, *Non-asymptotic
//! analysis of Monte Carlo tree search* (2020); Baier & Winands, *MCTS-minimax hybrids* (2015) for shallow searches at
//! leaves.

mod config;
mod sampled;
mod spread;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

pub use config::{Backup, Mcts};

use crate::games::{Game, is_win};
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};

use super::budget::{Budget, Meter, StopFlag};
use super::config::{SamplingConfig, if_heuristic_given};
use super::leaf::{self, Allowance, LeafEvaluator};
use super::registry::AgentKind;
use super::work::{Operation, UNIT};
use super::{Agent, Decision, SampledNode, options};
use spread::Spread;
use tree::{Edge, Tree};

pub(super) const KIND: AgentKind = AgentKind {
    name: "mcts",
    summary: "UCT: a tree that grows at the most promising moves, with random playouts from its leaves",
    cost: "positions in the tree and moves played in playouts",
    params: &[
        &[
            Param {
                name: "iterations",
                kind: ParamType::Integer { min: 1, max: 100_000_000 },
                default: "100",
                help: "moves valued as leaves of the tree (a budget replaces it)",
            },
            Param {
                name: "exploration",
                kind: ParamType::Number { min: 0.0, max: 1000.0 },
                default: "2",
                help: "weight of the bonus for rarely visited moves",
            },
            Param {
                name: "runs",
                kind: ParamType::Integer { min: 0, max: 1_000_000 },
                default: "8",
                help: "playouts of each new move; 0 takes the heuristic alone",
            },
            Param {
                name: "backup",
                kind: ParamType::Choice(&["mean", "max", "expectimax"]),
                default: "",
                help: "how values combine on the way to the root; mean, or expectimax with a heuristic alone",
            },
            Param {
                name: "choice",
                kind: ParamType::Choice(&["visits", "value"]),
                default: "value",
                help: "play the move with the most visits, or the one with the greatest value",
            },
            Param {
                name: "reuse",
                kind: ParamType::Flag,
                default: "true",
                help: "keep the part of the tree that is still reachable after a move",
            },
            Param {
                name: "batch",
                kind: ParamType::Integer { min: 1, max: 1000 },
                default: "4",
                help: "positions added to the tree before their moves are played out together",
            },
            leaf::leaf_plies("2"),
        ],
        leaf::PARAMS,
        options::BUDGET,
    ],
};

/// The maximum number of positions in a tree. It bounds the memory to about 400 MB, and as much again for the copy that
/// the next decision keeps. A full tree ends the search.
const MAX_NODES: usize = 1 << 20;

struct MctsAgent<G: Game, E> {
    game: G,
    leaf_evaluator: LeafEvaluator<E>,
    iterations: u64,
    exploration: f64,
    runs: u32,
    backup: Backup,
    by_visits: bool,
    reuse: bool,
    batch: usize,
    budget: Budget,
    seed: u64,
    decisions: u64,
    tree: Tree<G>,
    /// Memory for the part of the tree that the next decision keeps.
    spare: Tree<G>,
    spread: Spread,
    meter: Meter,
    /// The number of leaves valued in this decision.
    leaves: u64,
    /// A running mean of the cost of a walk, its leaves included.
    cost_of_walk: Cost,
    path: Vec<PathStep>,
    walks: Vec<Walk>,
}

/// A move on the path from the root to a leaf, and the reply to it if the walk went on.
#[derive(Clone, Copy)]
struct PathStep {
    node: usize,
    edge: usize,
    reply: Option<usize>,
}

/// A walk whose leaf has no value yet.
struct Walk {
    /// The end of its steps in `path`, which holds the steps of all walks one after another.
    end: usize,
    leaf: Leaf,
}

#[derive(Clone, Copy)]
enum Leaf {
    /// A node that the walk has added.
    Node(usize),
    /// The game has ended with this value.
    Ended(f64),
}

impl<G: Game, E: Evaluator<G>> MctsAgent<G, E> {
    /// Makes up to `count` walks, values their leaves together, and backs up the values.
    fn walk(&mut self, count: usize) {
        self.path.clear();
        self.walks.clear();
        for _ in 0..count {
            let start = self.path.len();
            let Some(leaf) = self.descend() else {
                self.undo_visits(start);
                break;
            };
            self.walks.push(Walk { end: self.path.len(), leaf });
        }
        let added = |walk: &Walk| if let Leaf::Node(node) = walk.leaf { Some(node) } else { None };
        let nodes: Vec<usize> = self.walks.iter().filter_map(added).collect();
        self.leaves += (self.walks.len() - nodes.len()) as u64;
        // The number of walks was chosen to fit into the budget. Cutting their playouts would lower the values of the
        // most promising moves.
        self.value_nodes(&nodes, self.runs, Allowance::with_overdraft(&self.meter, self.overdraft()));
        let mut start = 0;
        for walk in std::mem::take(&mut self.walks) {
            self.back_up(start..walk.end, walk.leaf);
            start = walk.end;
        }
    }

    /// The cost by which running playouts may exceed the budget.
    fn overdraft(&self) -> Cost {
        let budget = self.budget.work.map_or(Cost::picoseconds(u64::MAX), |work| UNIT * work);
        Cost::picoseconds(budget.as_picoseconds() / 4)
    }

    /// Undoes the visits of a walk that was given up.
    fn undo_visits(&mut self, start: usize) {
        for step in self.path.drain(start..) {
            self.tree.nodes[step.node].visits -= 1;
            let edge = &mut self.tree.edges[step.edge];
            edge.set_visits(edge.visits() - 1);
        }
    }

    /// Makes walks until the iterations or the budget are used up, or the tree is full.
    fn grow(&mut self) {
        while self.tree.nodes.len() + self.batch <= MAX_NODES && !self.tree.edges.is_empty() {
            let count = match self.budget.is_limited() {
                true => self.walks_that_fit(),
                false if self.leaves < self.iterations && !self.meter.is_stopped() => self.batch,
                false => 0,
            };
            if count == 0 {
                return;
            }
            let before = self.meter.left();
            self.walk(count);
            let cost = before.saturating_sub(self.meter.left()).as_picoseconds() / count as u64;
            // An exponential moving average over about eight batches.
            self.cost_of_walk = Cost::picoseconds((7 * self.cost_of_walk.as_picoseconds() + cost) / 8);
        }
    }

    /// Starts a new tree with the root alone. If the budget allows little more, all of it is spent on the root.
    fn start_tree(&mut self, position: G::Position, score: u32) {
        self.tree.clear();
        self.tree.add_node(&self.game, position, score);
        let before = self.meter.left();
        let is_all = leaf::budget_left(&self.meter) < self.cost_of_walk * 2;
        let runs = if is_all && self.runs > 0 { u32::MAX } else { self.runs };
        // The playouts of all moves of the root are cut at the same point, so the comparison stays fair.
        self.value_nodes(&[0], runs, Allowance::all(&self.meter));
        if !is_all {
            self.cost_of_walk = self.cost_of_walk.max(before.saturating_sub(self.meter.left()));
        }
    }

    fn walks_that_fit(&mut self) -> usize {
        if !self.meter.fits(self.cost_of_walk) {
            return 0;
        }
        let fitting = leaf::budget_left(&self.meter).as_picoseconds() / self.cost_of_walk.as_picoseconds().max(1);
        (fitting as usize).clamp(1, self.batch)
    }

    /// The value of a move. If it ends the game, this is the utility of the outcome.
    fn value_of(&self, edge: &Edge<G::Position, G::Move>) -> f64 {
        match self.game.after_step(edge.after) {
            Some(outcome) => self.game.utility(outcome),
            None => edge.value,
        }
    }

    fn decision(&self) -> Option<Decision<G>> {
        if self.tree.nodes.is_empty() {
            return None;
        }
        let edges = &self.tree.edges[self.tree.edges_of(0)];
        let values = edges.iter().map(|edge| (edge.action, self.value_of(edge))).collect();
        let mut decision = Decision::new(values, self.meter.spent())?;
        decision.samples = edges.iter().map(|edge| edge.tally.sample()).collect();
        if self.by_visits && !decision.values.iter().any(|(_, value)| is_win(*value)) {
            let priority = |edge: &Edge<G::Position, G::Move>| (edge.visits(), edge.value);
            decision.choice = edges.iter().reduce(|a, b| if priority(b) > priority(a) { b } else { a })?.action;
        }
        Some(decision)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for MctsAgent<G, E> {
    fn stop_on(&mut self, flag: StopFlag) {
        self.budget.stop = Some(flag);
    }

    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions, self.spread) = (seed, 0, Spread::default());
        self.cost_of_walk = Cost::ZERO;
        self.tree.clear();
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        (self.leaves, self.meter) = (0, self.budget.start());
        self.meter.charge(Operation::Decision, 1);
        self.meter.visit(1);
        if self.reuse && self.tree.descend_to(&mut self.spare, position, score) {
            self.meter.charge(Operation::MctsStep, self.tree.nodes.len() as u64);
        } else {
            self.start_tree(position, score);
        }
        self.grow();
        self.decision()
    }

    fn sampled_tree(&self, most: usize) -> Vec<SampledNode<G>> {
        self.most_visited(most)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Mcts::new(options).create(&game, if_heuristic_given(evaluator, options))
}
