//! Monte Carlo tree search: UCT with nodes for the environment's replies.
//!
//! A walk goes from the root to a position that is not in the tree yet, adds it, and values all of its legal moves at
//! once: by playouts, or by the heuristic alone with `runs = 0`. Then it goes back and updates every move on the way.
//!
//! - *Selection.* The mover takes the move with the greatest value plus bonus. The bonus is `exploration` times the
//!   typical difference between the moves of a node, times the root of sqrt(N)/n for a move visited n of N times. This is
//!   the polynomial bonus of Shah et al.; unlike a logarithm it gives the same bits on every machine.
//! - *First-play urgency.* A move is never untried: the value of its first playouts decides when it is visited again.
//! - *Chance.* Replies are visited in proportion to their exact probabilities, by a low-discrepancy sequence. Where the
//!   environment is an opponent, it takes the reply that is worst for the mover, with the bonus subtracted.
//! - *Backup.* `mean`: a move is worth the mean of the values that walks brought back. `max`: the same, but a node hands
//!   back the value of its best move. `expectimax`: a move is worth the mean over all replies by their probabilities, and
//!   a node its best move. Playouts are noisy and the maximum of noisy values is too large, so they do best with the
//!   mean. A heuristic is not noisy, and there the mean would mix in the moves that the search has rejected.
//! - *Batches.* Several walks are made before their leaves are played out together, since the batch engine plays 32
//!   games at a time. Visits are counted on the way down, so the walks of a batch go different ways.
//!
//! References: Kocsis & Szepesvari, *Bandit based Monte-Carlo planning* (2006); Shah, Xie & Xu, *Non-asymptotic analysis
//! of Monte Carlo tree search* (2020); Baier & Winands, *MCTS-minimax hybrids* (2015) for shallow searches at leaves.

mod tree;

use arrayvec::ArrayVec;

use crate::games::{Game, is_win};
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::{derive, scramble};

use super::budget::{Budget, Meter};
use super::finish::{self, Allowance, Batch, Finish, Tally};
use super::registry::AgentKind;
use super::work::{Operation, UNIT};
use super::{Agent, Decision, options};
use tree::{Edge, ReplyLink, Tree};

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
                help: "moves valued as leaves of the tree (a budget replaces it)",
            },
            Param {
                name: "exploration",
                kind: ParamType::Number { min: 0.0, max: 1000.0 },
                default: "0.5",
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
            finish::LEAF_PLIES,
        ],
        finish::PARAMS,
        options::BUDGET,
    ],
};

/// The most positions in a tree, so that its memory is bounded (about 400 MB). A full tree ends the search.
const MOST_NODES: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq)]
enum Backup {
    Mean,
    Max,
    Expectimax,
}

impl Backup {
    /// The one of this name, or else the one that suits the playouts or the heuristic.
    fn new(name: Option<&str>, runs: u32) -> Self {
        match name {
            Some("mean") => Backup::Mean,
            Some("max") => Backup::Max,
            Some(_) => Backup::Expectimax,
            None if runs > 0 => Backup::Mean,
            None => Backup::Expectimax,
        }
    }
}

struct Mcts<G: Game, E> {
    game: G,
    finish: Finish<E>,
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
    spread: Spread,
    meter: Meter,
    /// Leaves valued in this decision.
    leaves: u64,
    /// The cost of a walk with its leaves, by the latest ones.
    cost_of_walk: Cost,
    path: Vec<PathStep>,
    walks: Vec<Walk>,
}

/// A move on the way from the root to a leaf, and the reply to it if the walk went on.
#[derive(Clone, Copy)]
struct PathStep {
    node: usize,
    edge: usize,
    reply: Option<usize>,
}

/// A walk from the root that waits for the value of its leaf.
struct Walk {
    /// Where its steps end in the path of all walks; they begin where those of the walk before end.
    end: usize,
    leaf: Leaf,
}

#[derive(Clone, Copy)]
enum Leaf {
    /// A node that was added.
    Node(usize),
    /// The game has ended with this value.
    Ended(f64),
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    fn new(game: G, evaluator: E, options: &Options) -> Result<Self, InputError> {
        let number = |name| options.integer(name).unwrap_or(1);
        let runs = number("runs") as u32;
        if runs == 0 && options.get("heuristic").is_none() {
            return Err(InputError::at("runs", "mcts: `runs = 0` leaves nothing to go by without a `heuristic`"));
        }
        Ok(Mcts {
            finish: Finish::new::<G>(evaluator, options)?,
            game,
            iterations: number("iterations") as u64,
            exploration: options.number("exploration").unwrap_or(0.5),
            runs,
            backup: Backup::new(options.text("backup"), runs),
            by_visits: options.text("choice") == Some("visits"),
            reuse: options.flag("reuse"),
            // A heuristic values one leaf at a time, so its walks need not wait for each other.
            batch: if runs == 0 { 1 } else { number("batch") as usize },
            budget: Budget::new(options),
            seed: 0,
            decisions: 0,
            tree: Tree::new(),
            spread: Spread::default(),
            meter: Budget::default().start(),
            leaves: 0,
            cost_of_walk: Cost::ZERO,
            path: Vec::new(),
            walks: Vec::new(),
        })
    }

    /// Walks down until the position is new or the game is over. `None` if another walk of the batch got there first.
    fn descend(&mut self) -> Option<Leaf> {
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
    fn bonus(&self, visits: u32) -> f64 {
        self.exploration * self.spread.typical() * f64::from(visits).sqrt().sqrt()
    }

    /// The reply with which a walk goes on.
    fn next_reply(&mut self, edge: usize) -> usize {
        if self.tree.edges[edge].reply_count == 0 {
            self.add_replies(edge);
        }
        if G::ADVERSARIAL { self.worst_reply(edge) } else { self.chance_reply(edge) }
    }

    fn add_replies(&mut self, edge: usize) {
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
    fn chance_reply(&self, edge: usize) -> usize {
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
    fn value_nodes(&mut self, nodes: &[usize], allowance: Allowance) {
        let mut leaves = Vec::new();
        for &node in nodes {
            for edge in self.tree.edges_of(node) {
                let (after, score) = (self.tree.edges[edge].after, self.tree.edges[edge].score);
                match self.finish.ended(&self.game, after, score, true) {
                    Some(value) => self.set_first_value(edge, value, true),
                    None if self.runs > 0 => leaves.push(edge),
                    None => {
                        let value = self.finish.leaf(&self.game, after, score, &mut self.meter);
                        self.set_first_value(edge, value, false);
                    }
                }
            }
        }
        if !leaves.is_empty() {
            self.play_out(&leaves, allowance);
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

    fn play_out(&mut self, leaves: &[usize], allowance: Allowance) {
        let afters: Vec<_> = leaves.iter().map(|&edge| self.tree.edges[edge].after).collect();
        let scores: Vec<_> = leaves.iter().map(|&edge| self.tree.edges[edge].score).collect();
        let mut tallies = vec![Tally::default(); leaves.len()];
        let seed = derive(derive(self.seed, self.decisions), self.leaves);
        let batch = Batch { afters: &afters, scores: &scores, runs: self.runs, seed, allowance };
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
    fn back_up(&mut self, steps: std::ops::Range<usize>, leaf: Leaf) {
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

    /// Makes up to `count` walks, values their leaves together, and takes the values back.
    fn walk(&mut self, count: usize) {
        self.path.clear();
        self.walks.clear();
        for _ in 0..count {
            let start = self.path.len();
            let Some(leaf) = self.descend() else {
                self.forget_visits(start);
                break;
            };
            self.walks.push(Walk { end: self.path.len(), leaf });
        }
        let added = |walk: &Walk| if let Leaf::Node(node) = walk.leaf { Some(node) } else { None };
        let nodes: Vec<usize> = self.walks.iter().filter_map(added).collect();
        self.leaves += (self.walks.len() - nodes.len()) as u64;
        // Walks are chosen so that they fit. To cut their playouts would make the most promising moves look bad.
        self.value_nodes(&nodes, Allowance::with_overdraft(&self.meter, self.overdraft()));
        let mut start = 0;
        for walk in std::mem::take(&mut self.walks) {
            self.back_up(start..walk.end, walk.leaf);
            start = walk.end;
        }
    }

    /// How far playouts under way may exceed the budget.
    fn overdraft(&self) -> Cost {
        let budget = self.budget.work.map_or(Cost::picoseconds(u64::MAX), |work| UNIT * work);
        Cost::picoseconds(budget.as_picoseconds() / 4)
    }

    /// Takes back the visits of a walk that was given up.
    fn forget_visits(&mut self, start: usize) {
        for step in self.path.drain(start..) {
            self.tree.nodes[step.node].visits -= 1;
            let edge = &mut self.tree.edges[step.edge];
            edge.set_visits(edge.visits() - 1);
        }
    }

    /// Walks until the iterations, the budget or the room for the tree are used up.
    fn grow(&mut self) {
        while self.tree.nodes.len() + self.batch <= MOST_NODES && !self.tree.edges.is_empty() {
            let count = match self.budget.is_limited() {
                true => self.walks_that_fit(),
                false if self.leaves < self.iterations => self.batch,
                false => 0,
            };
            if count == 0 {
                return;
            }
            let before = self.meter.left();
            self.walk(count);
            let cost = before.saturating_sub(self.meter.left()).as_picoseconds() / count as u64;
            // The mean of the latest eight or so.
            self.cost_of_walk = Cost::picoseconds((7 * self.cost_of_walk.as_picoseconds() + cost) / 8);
        }
    }

    /// Begins a tree that is its root alone.
    fn plant(&mut self, position: G::Position, score: u32) {
        self.tree.clear();
        self.tree.add_node(&self.game, position, score);
        let before = self.meter.left();
        // All moves of the root are cut alike, so the comparison stays fair.
        self.value_nodes(&[0], Allowance::all(&self.meter));
        self.cost_of_walk = self.cost_of_walk.max(before.saturating_sub(self.meter.left()));
    }

    fn walks_that_fit(&mut self) -> usize {
        if !self.meter.fits(self.cost_of_walk) {
            return 0;
        }
        let fitting = finish::left(&self.meter).as_picoseconds() / self.cost_of_walk.as_picoseconds().max(1);
        (fitting as usize).clamp(1, self.batch)
    }

    fn conclude(&self) -> Option<Decision<G>> {
        if self.tree.nodes.is_empty() {
            return None;
        }
        let edges = &self.tree.edges[self.tree.edges_of(0)];
        let value = |edge: &Edge<G::Position, G::Move>| match self.game.after_step(edge.after) {
            Some(outcome) => self.game.utility(outcome),
            None => edge.value,
        };
        let mut decision =
            Decision::new(edges.iter().map(|edge| (edge.action, value(edge))).collect(), self.meter.spent())?;
        decision.samples = edges.iter().map(|edge| edge.tally.sample()).collect::<ArrayVec<_, _>>();
        if self.by_visits && !decision.values.iter().any(|(_, value)| is_win(*value)) {
            let merit = |edge: &Edge<G::Position, G::Move>| (edge.visits(), edge.value);
            decision.choice = edges.iter().reduce(|a, b| if merit(b) > merit(a) { b } else { a })?.action;
        }
        Some(decision)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Mcts<G, E> {
    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions, self.spread) = (seed, 0, Spread::default());
        self.cost_of_walk = Cost::ZERO;
        self.tree.clear();
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        (self.leaves, self.meter) = (0, self.budget.start());
        self.meter.charge(Operation::Decision, 1);
        if self.reuse && self.tree.descend_to(position, score) {
            self.meter.charge(Operation::MctsStep, self.tree.nodes.len() as u64);
        } else {
            self.plant(position, score);
        }
        self.grow();
        self.conclude()
    }
}

/// The typical difference between the best move of a node and the mean of its moves.
#[derive(Clone, Copy, Default)]
struct Spread {
    mean: f64,
    count: f64,
}

/// How many of the latest nodes the typical difference goes back.
const SPREAD_MEMORY: f64 = 64.0;
/// A difference larger than this many typical ones counts as this many. One move that may lose the game would
/// otherwise hide the differences between all others.
const SPREAD_OUTLIER: f64 = 4.0;

impl Spread {
    fn add(&mut self, difference: f64) {
        let difference = if self.mean > 0.0 { difference.min(SPREAD_OUTLIER * self.mean) } else { difference };
        self.count = (self.count + 1.0).min(SPREAD_MEMORY);
        self.mean += (difference - self.mean) / self.count;
    }

    /// 1 as long as all moves are equally good.
    fn typical(&self) -> f64 {
        if self.mean > 0.0 { self.mean } else { 1.0 }
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(Mcts::new(game, evaluator, options)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentSpec;
    use crate::games::twenty48::{Board, Goal, Twenty48};
    use crate::rng::environment;

    fn agent(spec: &str) -> Box<dyn Agent<Twenty48>> {
        spec.parse::<AgentSpec>().unwrap().build(&Twenty48::new(Goal::None)).unwrap()
    }

    /// With a large bonus all moves are visited alike, so the tree grows evenly between two full searches.
    #[test]
    fn expectimax_backup_converges_to_expectimax() {
        let board = "1024,256,64,8/128,32,16,4/8,4,2,16/2,8,0,4".parse().unwrap();
        let tree =
            agent("mcts:runs=0,heuristic=line-sum,leaf-plies=1,backup=expectimax,iterations=600,exploration=1000")
                .decide(board, 20_000)
                .unwrap();
        let full =
            |depth: u32| agent(&format!("expectimax:heuristic=line-sum,depth={depth}")).decide(board, 20_000).unwrap();
        let (shallow, deep) = (full(4), full(6));
        for (index, (_, value)) in tree.values.iter().enumerate() {
            let (low, high) = (shallow.values[index].1, deep.values[index].1);
            let (low, high) = (low.min(high), low.max(high));
            assert!((0.98 * low..=1.02 * high).contains(value), "{value} and {low} to {high}");
        }
    }

    #[test]
    fn a_heuristic_makes_the_tree_agree_with_a_full_search() {
        let game = Twenty48::new(Goal::None);
        let mut rng = environment(3);
        let (mut board, mut score, mut agreed) = (game.start(&mut rng), 0, 0);
        let mut full = agent("expectimax:heuristic=line-sum,depth=5");
        let mut tree = agent("mcts:runs=0,heuristic=line-sum,leaf-plies=2,backup=expectimax,work=20000");
        for _ in 0..100 {
            let expected = full.decide(board, score).unwrap();
            agreed += u32::from(tree.decide(board, score).unwrap().choice == expected.choice);
            let step = game.steps(board).find(|step| step.action == expected.choice).unwrap();
            (board, score) = (game.sample(step.after, &mut rng), score + step.reward);
        }
        assert!(agreed >= 75, "{agreed} of 100");
    }

    const BOARD: &str = "2,4,8,2/8,64,32,4/0,0,256,16/0,0,4,0";

    /// A root with a node below its first move, and the position and score of that node.
    fn small_tree(is_valued: bool) -> (Tree<Twenty48>, Board, u32) {
        let game = Twenty48::new(Goal::None);
        let mut tree = Tree::new();
        tree.add_node(&game, BOARD.parse().unwrap(), 100);
        let (after, score) = (tree.edges[0].after, tree.edges[0].score);
        tree.replies.extend(game.replies(after).map(|reply| ReplyLink::new(&reply, 0.0)));
        (tree.edges[0].first_reply, tree.edges[0].reply_count) = (0, tree.replies.len());
        let next = tree.replies[3].position;
        let child = tree.add_node(&game, next, score);
        tree.replies[3].set_child(child);
        tree.nodes[child].is_valued = is_valued;
        (tree, next, score)
    }

    #[test]
    fn a_tree_is_kept_where_the_game_goes_on() {
        let (mut tree, next, score) = small_tree(true);
        assert!(tree.descend_to(next, score));
        assert_eq!((tree.nodes.len(), tree.nodes[0].position), (1, next));
        assert_eq!(tree.edges.len(), Twenty48::new(Goal::None).steps(next).count());
    }

    #[test]
    fn a_tree_is_dropped_where_another_game_begins() {
        for (position, score, is_valued) in
            [(None, 100, true), (None, 0, true), (Some(4), 0, true), (Some(0), 0, false)]
        {
            let (mut tree, next, at_next) = small_tree(is_valued);
            let (position, score) = match position {
                None => (BOARD.parse().unwrap(), score),
                Some(more) => (next, at_next + more),
            };
            assert!(!tree.descend_to(position, score) && tree.nodes.is_empty());
        }
    }

    #[derive(Clone)]
    struct Zero;

    impl Evaluator<Twenty48> for Zero {
        fn value(&self, _: Board, _: u32) -> f64 {
            0.0
        }
    }

    #[test]
    fn chance_replies_follow_their_probabilities() {
        let options = Options::check("mcts", &KIND.params(), &toml::Table::new()).unwrap();
        let mut mcts = Mcts::new(Twenty48::new(Goal::None), Zero, &options).unwrap();
        mcts.tree.add_node(&mcts.game, BOARD.parse().unwrap(), 0);
        mcts.add_replies(0);
        let mut counts = vec![0.0; mcts.tree.edges[0].reply_count];
        for visits in 1..=1000 {
            mcts.tree.edges[0].set_visits(visits);
            counts[mcts.chance_reply(0)] += 1.0;
        }
        for (count, reply) in counts.iter().zip(&mcts.tree.replies) {
            // A low-discrepancy sequence is off by a few visits, where independent draws are off by ten.
            let difference: f64 = count - 1000.0 * reply.probability;
            assert!(difference.abs() < 4.0, "{count} {}", reply.probability);
        }
    }
}
