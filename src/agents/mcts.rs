//! Monte Carlo tree search: UCT with reply nodes.
//!
//! Each iteration walks from the root to a move not tried before, values it by playouts (or by the heuristic alone with
//! `runs = 0`), and adds the value to every move on the way. The mover picks by upper confidence bound; replies are
//! sampled where the environment is chance and picked against the mover where it is an opponent. Values are scaled to
//! the range seen so far, so that one exploration constant suits every game. The move most often tried is played; of
//! several, the one with the best mean.
//!
//! Reference: Kocsis & Szepesvari, *Bandit based Monte-Carlo planning* (2006).

use arrayvec::ArrayVec;

use crate::games::{Finished, Game, Reply};
use crate::heuristics::Evaluator;
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::{Rng, derive, seeded};

use super::budget::{Budget, Meter};
use super::finish::{self, Finish, Tally};
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, MOST_MOVES, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "mcts",
    summary: "UCT: a tree grown where it promises most, its leaves played out at random",
    cost: "positions in the tree and moves played in playouts",
    params: &[
        &[
            Param {
                name: "iterations",
                kind: ParamType::Integer { min: 1, max: 100_000_000 },
                default: "100",
                help: "walks down the tree (a budget replaces it)",
            },
            Param {
                name: "exploration",
                kind: ParamType::Number { min: 0.0, max: 1000.0 },
                default: "0.5",
                help: "weight of the confidence bound; values are scaled to 0..1",
            },
            Param {
                name: "runs",
                kind: ParamType::Integer { min: 0, max: 1_000_000 },
                default: "8",
                help: "playouts at each new leaf; 0 takes the heuristic alone",
            },
        ],
        finish::PARAMS,
        options::BUDGET,
    ],
};

/// A position with the mover to move.
struct Node<G: Game> {
    position: G::Position,
    edges: ArrayVec<Edge<G>, MOST_MOVES>,
    visits: u64,
    sum: f64,
    /// The next reply of the same edge.
    sibling: Option<usize>,
}

/// A legal move of a node.
struct Edge<G: Game> {
    action: G::Move,
    after: G::Position,
    score: u32,
    tally: Tally,
    /// The first reply seen so far; the others follow by `sibling`.
    first_reply: Option<usize>,
}

struct Mcts<G: Game, E> {
    game: G,
    evaluator: E,
    finish: Finish<E>,
    iterations: u64,
    exploration: f64,
    runs: u32,
    budget: Budget,
    seed: u64,
    decisions: u64,
    rng: Rng,
    tree: Vec<Node<G>>,
    low: f64,
    high: f64,
    meter: Meter,
    leaves: u64,
}

/// About as many moves as a random game of 2048 has.
const USUAL_PLAYOUT: u64 = 100;

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    fn add_node(&mut self, position: G::Position, score: u32) -> usize {
        let ended = self.game.verdict(position).is_some();
        let steps = self.game.steps(position).filter(|_| !ended);
        let edges = steps
            .map(|step| Edge {
                action: step.action,
                after: step.after,
                score: score + step.reward,
                tally: Tally::default(),
                first_reply: None,
            })
            .collect();
        self.tree.push(Node { position, edges, visits: 0, sum: 0.0, sibling: None });
        self.tree.len() - 1
    }

    /// Walks from `node` to something new, and returns its value.
    fn walk(&mut self, node: usize, score: u32) -> f64 {
        self.meter.visit(1);
        self.meter.charge(Operation::MctsStep, 1);
        let value = match self.select(node) {
            Some(edge) => self.walk_edge(node, edge),
            None => self.ended(self.tree[node].position, score),
        };
        self.tree[node].visits += 1;
        self.tree[node].sum += value;
        value
    }

    fn walk_edge(&mut self, node: usize, edge: usize) -> f64 {
        let (after, score, tried) = {
            let edge = &self.tree[node].edges[edge];
            (edge.after, edge.score, edge.tally.runs() > 0)
        };
        let value = if !tried || self.game.after_step(after).is_some() {
            self.leaf(after, score)
        } else {
            let child = self.reply(node, edge, after, score);
            self.walk(child, score)
        };
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
        self.tree[node].edges[edge].tally.add(value);
        value
    }

    /// The move with the greatest upper confidence bound; an untried one first. `None` if the game is over here.
    fn select(&self, node: usize) -> Option<usize> {
        let node = &self.tree[node];
        let total = (node.visits.max(1) as f64).ln();
        let bound = |edge: &Edge<G>| match edge.tally.runs() {
            0 => f64::INFINITY,
            runs => self.scaled(edge.tally.mean()) + self.exploration * (total / runs as f64).sqrt(),
        };
        let bounds = node.edges.iter().map(bound).enumerate();
        bounds.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(edge, _)| edge)
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.high > self.low { (value - self.low) / (self.high - self.low) } else { 0.5 }
    }

    /// The node of the environment's reply to an edge.
    fn reply(&mut self, node: usize, edge: usize, after: G::Position, score: u32) -> usize {
        let position =
            if G::ADVERSARIAL { self.worst_reply(node, edge, after) } else { self.game.sample(after, &mut self.rng) };
        let known = self.replies_seen(node, edge).find(|&reply| self.tree[reply].position == position);
        known.unwrap_or_else(|| {
            let child = self.add_node(position, score);
            self.tree[child].sibling = self.tree[node].edges[edge].first_reply.replace(child);
            child
        })
    }

    fn replies_seen(&self, node: usize, edge: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.tree[node].edges[edge].first_reply, |&reply| self.tree[reply].sibling)
    }

    /// The reply with the least lower confidence bound for the mover; an untried one first.
    fn worst_reply(&self, node: usize, edge: usize, after: G::Position) -> G::Position {
        let total = (self.tree[node].edges[edge].tally.runs().max(1) as f64).ln();
        let bound = |reply: &Reply<G::Position>| {
            let seen = self.replies_seen(node, edge).find(|&seen| self.tree[seen].position == reply.position);
            seen.map(|seen| &self.tree[seen]).filter(|seen| seen.visits > 0).map_or(f64::NEG_INFINITY, |seen| {
                let visits = seen.visits as f64;
                self.scaled(seen.sum / visits) - self.exploration * (total / visits).sqrt()
            })
        };
        let replies = self.game.replies(after).map(|reply| (bound(&reply), reply.position));
        replies.reduce(|worst, next| if next.0 < worst.0 { next } else { worst }).map_or(after, |(_, reply)| reply)
    }

    /// The value of a move tried for the first time.
    fn leaf(&mut self, after: G::Position, score: u32) -> f64 {
        self.leaves += 1;
        self.meter.visit(1);
        if let Some(outcome) = self.game.after_step(after) {
            let finished = Finished { from: 0, last: after, gained: 0, moves: 0, outcome: Some(outcome) };
            return self.finish.worth(&self.game, &finished, score);
        }
        if self.runs == 0 {
            self.meter.charge_cost(self.evaluator.costs().value);
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        // A small budget is better spent on trying every move than on many playouts of one.
        let playouts = Operation::PlayoutMove.cost() * (USUAL_PLAYOUT * self.tree[0].edges.len() as u64);
        let affordable = self.meter.left().as_picoseconds() / playouts.as_picoseconds();
        let runs = u64::from(self.runs).min(affordable).max(1) as u32;
        let seed = derive(derive(self.seed, self.decisions), self.leaves);
        let mut tally = [Tally::default()];
        let moves = self.finish.play(&self.game, &[after], &[score], runs, seed, &mut tally);
        self.meter.visit(moves);
        self.meter.charge(Operation::PlayoutMove, moves);
        tally[0].mean()
    }

    fn ended(&self, last: G::Position, score: u32) -> f64 {
        let outcome = self.game.verdict(last);
        self.finish.worth(&self.game, &Finished { from: 0, last, gained: 0, moves: 0, outcome }, score)
    }

    fn conclude(&self) -> Option<Decision<G>> {
        let edges = &self.tree[0].edges;
        let value = |edge: &Edge<G>| match self.game.after_step(edge.after) {
            Some(outcome) => self.game.utility(outcome),
            None => edge.tally.mean(),
        };
        let wins = |edge: &Edge<G>| self.game.after_step(edge.after).is_some_and(|o| self.game.utility(o) > 0.0);
        let tries = |edge: &Edge<G>| if wins(edge) { f64::INFINITY } else { edge.tally.runs() as f64 };
        let merit = |edge: &Edge<G>| (tries(edge), edge.tally.mean());
        let choice = edges.iter().reduce(|best, edge| if merit(edge) > merit(best) { edge } else { best })?.action;
        let mut decision =
            Decision::new(edges.iter().map(|edge| (edge.action, value(edge))).collect(), self.meter.spent())?;
        decision.samples = edges.iter().map(|edge| edge.tally.sample()).collect();
        Some(Decision { choice, ..decision })
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Mcts<G, E> {
    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions, self.rng) = (seed, 0, seeded(seed));
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        (self.low, self.high, self.leaves) = (f64::INFINITY, f64::NEG_INFINITY, 0);
        self.meter = self.budget.start();
        self.tree.clear();
        let root = self.add_node(position, score);
        let mut walks = 0;
        while if self.budget.is_limited() { !self.meter.is_spent() } else { walks < self.iterations } {
            self.walk(root, score);
            walks += 1;
        }
        self.conclude()
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let runs = options.integer("runs").unwrap_or(1) as u32;
    if runs == 0 && options.get("heuristic").is_none() {
        return Err(InputError::at("runs", "mcts: `runs = 0` leaves nothing to go by without a `heuristic`"));
    }
    Ok(Box::new(Mcts {
        game,
        finish: Finish::new(evaluator.clone(), options),
        evaluator,
        iterations: options.integer("iterations").unwrap_or(1) as u64,
        exploration: options.number("exploration").unwrap_or(1.0),
        runs,
        budget: Budget::new(options),
        seed: 0,
        decisions: 0,
        rng: seeded(0),
        tree: Vec::new(),
        low: 0.0,
        high: 0.0,
        meter: Budget::default().start(),
        leaves: 0,
    }))
}
