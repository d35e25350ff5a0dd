//! A second implementation of minimax, alpha-beta, expectimax and expectiminimax, which records its tree.
//!
//! The agents' searches are optimised for speed. This one is slower but records its nodes, up to a limit. Both give the
//! root the same value, which a test checks.

use crate::games::{Game, Outcome, Reply};
use crate::heuristics::Evaluator;

use super::backup::{Backup, BackupOperator, NodeValue};
use super::recorder::{Capacity, NewNode, NodeRef, Recorder};
use super::tree::{NodeKind, Sides, Status, Tree, Window};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The reply that is worst for the mover counts.
    Minimax,
    /// Minimax that skips branches which cannot change the value of the root.
    AlphaBeta,
    /// The mean over the replies counts.
    Expectimax,
    /// The worst reply counts, each weighted by [`Reply::weight`], with alpha-beta cuts.
    Expectiminimax,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Expectimax, Algorithm::Expectiminimax];

    /// The name of the agent that uses the algorithm.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::Expectimax => "expectimax",
            Algorithm::Expectiminimax => "expectiminimax",
        }
    }

    fn reply_kind(self) -> NodeKind {
        match self {
            Algorithm::Minimax | Algorithm::AlphaBeta => NodeKind::Min,
            Algorithm::Expectimax | Algorithm::Expectiminimax => NodeKind::Chance,
        }
    }

    fn reply_operator(self) -> BackupOperator {
        match self {
            Algorithm::Minimax | Algorithm::AlphaBeta => BackupOperator::Worst,
            Algorithm::Expectimax => BackupOperator::Mean,
            Algorithm::Expectiminimax => BackupOperator::WorstWeighted,
        }
    }

    /// The factor of a reply's value.
    fn weight<P>(self, reply: &Reply<P>) -> f64 {
        match self {
            Algorithm::Minimax | Algorithm::AlphaBeta => 1.0,
            Algorithm::Expectimax => reply.probability,
            Algorithm::Expectiminimax => reply.weight,
        }
    }

    /// The probability to show with a reply; `None` if the value does not depend on probabilities.
    fn probability<P>(self, reply: &Reply<P>) -> Option<f64> {
        (self.reply_kind() == NodeKind::Chance).then_some(reply.probability)
    }

    fn window(self) -> Option<Window> {
        matches!(self, Algorithm::AlphaBeta | Algorithm::Expectiminimax).then_some(Window::OPEN)
    }
}

/// A position within a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchState<P> {
    /// The position.
    pub position: P,
    /// Whether it is the mover's turn, and not the environment's.
    pub mover: bool,
    /// The score so far.
    pub score: u32,
    /// How many plies the search still looks ahead.
    pub plies_left: u32,
    /// The probability of all replies on the path from the root.
    pub probability: f64,
}

/// The maximum number of nodes of a recorded search. Larger searches are refused: this many nodes already take several
/// seconds, and nobody can follow more.
pub const MOST_VISITED: u64 = 20_000_000;

/// A search that records its tree.
pub struct TracedSearch<'a, G: Game, E> {
    /// The rules.
    pub game: &'a G,
    /// The value of leaves.
    pub evaluator: &'a E,
    /// How values are backed up, and whether branches are cut.
    pub algorithm: Algorithm,
    /// Plies; at least 1.
    pub depth: u32,
    /// Returns a reason to stop before the full depth, if there is one. It is not called for the root.
    pub stop: &'a dyn Fn(&SearchState<G::Position>) -> Option<&'static str>,
    /// How many nodes to record. The values do not depend on it.
    pub max_nodes: u64,
}

impl<G: Game, E: Evaluator<G>> TracedSearch<'_, G, E> {
    /// Searches a position with this score. Returns `None` if the search visits more than [`MOST_VISITED`] nodes.
    pub fn trace(&self, position: G::Position, score: u32) -> Option<Tree> {
        self.trace_within(position, score, MOST_VISITED)
    }

    pub(super) fn trace_within(&self, position: G::Position, score: u32, most_visited: u64) -> Option<Tree> {
        let counted = self.run(position, score, Capacity::ROOT, most_visited);
        if counted.tree.visited > most_visited {
            return None;
        }
        Some(self.run(position, score, counted.capacity_for(self.max_nodes), most_visited).tree)
    }

    fn run(&self, position: G::Position, score: u32, capacity: Capacity, most_visited: u64) -> Recorder {
        let tree = Tree {
            game: G::NAME,
            sides: Sides::of::<G>(),
            algorithm: self.algorithm.name(),
            heuristic: None,
            depth: self.depth,
            visited: 0,
            unit: "nodes",
            cut: 0,
            growth: Vec::new(),
            nodes: Vec::new(),
        };
        let board = position.to_string();
        let root = NewNode { kind: NodeKind::Max, label: String::new(), probability: None, weight: None, board };
        let (recorder, node_ref) = Recorder::new(tree, capacity, root);
        let mut run = Run { search: self, recorder, most_visited };
        let state = SearchState { position, mover: true, score, plies_left: self.depth.max(1), probability: 1.0 };
        run.visit(node_ref, state, self.algorithm.window());
        run.recorder
    }
}

/// One run of a search.
struct Run<'a, G: Game, E> {
    search: &'a TracedSearch<'a, G, E>,
    recorder: Recorder,
    most_visited: u64,
}

/// A step or a reply, and the state after it.
struct Branch<G: Game> {
    state: SearchState<G::Position>,
    action: Option<G::Move>,
    probability: Option<f64>,
    weight: f64,
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    fn visit(&mut self, node_ref: NodeRef, state: SearchState<G::Position>, window: Option<Window>) -> NodeValue {
        self.recorder.tree.visited += 1;
        if self.recorder.tree.visited > self.most_visited {
            return NodeValue::exact(0.0);
        }
        self.recorder.set_window(node_ref, window);
        let (status, found) = match self.leaf(node_ref, state) {
            Some(status) => (status, NodeValue::exact(self.evaluate(state))),
            None => (Status::Expanded, self.expand(node_ref, state, window)),
        };
        if let Some(node) = self.recorder.node(node_ref) {
            node.status = status;
            node.value = Some(found.value);
            node.bound = found.bound;
            node.best = found.best.and_then(|index| node.children.get(index).copied());
        }
        found
    }

    /// Why the node is a leaf; `None` if the search goes deeper.
    fn leaf(&self, node_ref: NodeRef, state: SearchState<G::Position>) -> Option<Status> {
        if let Some(outcome) = self.outcome(state) {
            return Some(Status::Ended(outcome));
        }
        if state.plies_left == 0 {
            return Some(Status::Horizon { early: None });
        }
        let early = if node_ref.depth > 0 { (self.search.stop)(&state) } else { None };
        early.map(|reason| Status::Horizon { early: Some(reason) })
    }

    fn outcome(&self, state: SearchState<G::Position>) -> Option<Outcome> {
        let game = self.search.game;
        if state.mover { game.verdict(state.position) } else { game.after_step(state.position) }
    }

    fn evaluate(&self, state: SearchState<G::Position>) -> f64 {
        let TracedSearch { game, evaluator, .. } = self.search;
        match state.mover {
            true => evaluator.after_reply(game, state.position, state.score),
            false => evaluator.after_step(game, state.position, state.score),
        }
    }

    fn expand(&mut self, node_ref: NodeRef, state: SearchState<G::Position>, window: Option<Window>) -> NodeValue {
        let (branches, operator) = match state.mover {
            true => (self.steps(state), BackupOperator::Best),
            false => (self.replies(state), self.search.algorithm.reply_operator()),
        };
        let keep = self.recorder.admits(node_ref, branches.len());
        let mut backup = Backup::new(operator, window);
        let mut skipped = false;
        for branch in branches {
            let child = self.recorder.open(node_ref, keep, || new_node(self.search, state, &branch));
            match backup.cut() {
                Some(cut) => {
                    self.recorder.cut(child, cut);
                    skipped = true;
                }
                None => backup.take(self.visit(child, branch.state, backup.window(branch.weight)), branch.weight),
            }
        }
        backup.finish(skipped)
    }

    fn steps(&self, state: SearchState<G::Position>) -> Vec<Branch<G>> {
        let branch = |step: crate::games::Step<G::Position, G::Move>| Branch {
            state: SearchState {
                position: step.after,
                mover: false,
                score: state.score + step.reward,
                plies_left: state.plies_left - 1,
                ..state
            },
            action: Some(step.action),
            probability: None,
            weight: 1.0,
        };
        self.search.game.steps(state.position).map(branch).collect()
    }

    fn replies(&self, state: SearchState<G::Position>) -> Vec<Branch<G>> {
        let branch = |reply: Reply<G::Position>| Branch {
            state: SearchState {
                position: reply.position,
                mover: true,
                plies_left: state.plies_left - 1,
                probability: state.probability * reply.probability,
                ..state
            },
            action: None,
            probability: self.search.algorithm.probability(&reply),
            weight: self.search.algorithm.weight(&reply),
        };
        self.search.game.replies(state.position).map(branch).collect()
    }
}

fn new_node<G: Game, E>(search: &TracedSearch<G, E>, parent: SearchState<G::Position>, branch: &Branch<G>) -> NewNode {
    let to = branch.state.position;
    NewNode {
        kind: if branch.state.mover { NodeKind::Max } else { search.algorithm.reply_kind() },
        label: match branch.action {
            Some(action) => action.to_string(),
            None => search.game.reply_label(parent.position, to),
        },
        probability: branch.probability,
        weight: (search.algorithm == Algorithm::Expectiminimax && branch.action.is_none()).then_some(branch.weight),
        board: to.to_string(),
    }
}
