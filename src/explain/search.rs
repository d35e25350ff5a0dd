//! Minimax, alpha-beta, expectimax and expectiminimax once more, slowly and in the open.
//!
//! The agents' searches are shaped for speed; this one keeps a record. Both give the root the same value.

use crate::games::{Game, Outcome, Reply};
use crate::heuristics::Evaluator;

use super::fold::{Fold, Found, Operator};
use super::recorder::{Arrival, Place, Recorder, Room};
use super::tree::{NodeKind, Status, Tree, Window};

/// Which search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Minimax,
    AlphaBeta,
    Expectimax,
    /// The worst reply, each weighted by [`Reply::weight`], with alpha-beta cuts.
    Expectiminimax,
}

impl Rule {
    pub const ALL: [Rule; 4] = [Rule::Minimax, Rule::AlphaBeta, Rule::Expectimax, Rule::Expectiminimax];

    /// The name of the agent that searches so.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Minimax => "minimax",
            Rule::AlphaBeta => "alphabeta",
            Rule::Expectimax => "expectimax",
            Rule::Expectiminimax => "expectiminimax",
        }
    }

    fn reply_kind(self) -> NodeKind {
        match self {
            Rule::Minimax | Rule::AlphaBeta => NodeKind::Min,
            Rule::Expectimax | Rule::Expectiminimax => NodeKind::Chance,
        }
    }

    fn reply_operator(self) -> Operator {
        match self {
            Rule::Minimax | Rule::AlphaBeta => Operator::Worst,
            Rule::Expectimax => Operator::Mean,
            Rule::Expectiminimax => Operator::WorstWeighted,
        }
    }

    /// What a reply's value is multiplied by.
    fn weight<P>(self, reply: &Reply<P>) -> f64 {
        match self {
            Rule::Minimax | Rule::AlphaBeta => 1.0,
            Rule::Expectimax => reply.probability,
            Rule::Expectiminimax => reply.weight,
        }
    }

    fn window(self) -> Option<Window> {
        matches!(self, Rule::AlphaBeta | Rule::Expectiminimax).then_some(Window::OPEN)
    }
}

/// Where a search stands, for deciding whether to go deeper.
#[derive(Clone, Copy, Debug)]
pub struct Here<P> {
    pub position: P,
    /// Whose turn it is: the mover's, or the environment's.
    pub mover: bool,
    pub score: u32,
    pub plies_left: u32,
    /// That the replies on the way here all come about.
    pub probability: f64,
}

/// Searches of more nodes are not run: a record is for following, and this is several seconds of work already.
pub const MOST_VISITED: u64 = 20_000_000;

/// A search to follow.
pub struct TracedSearch<'a, G: Game, E> {
    pub game: &'a G,
    pub evaluator: &'a E,
    pub rule: Rule,
    /// Plies; at least 1.
    pub depth: u32,
    /// A reason to evaluate before the full depth, if there is one. Never asked at the root.
    pub stop: &'a dyn Fn(&Here<G::Position>) -> Option<&'static str>,
    /// Nodes to keep; values are exact whatever it is.
    pub max_nodes: u64,
}

impl<G: Game, E: Evaluator<G>> TracedSearch<'_, G, E> {
    /// Searches a position where `score` has been collected; `None` if that takes more than [`MOST_VISITED`] nodes.
    pub fn trace(&self, position: G::Position, score: u32) -> Option<Tree> {
        self.trace_within(position, score, MOST_VISITED)
    }

    pub(super) fn trace_within(&self, position: G::Position, score: u32, most_visited: u64) -> Option<Tree> {
        let counted = self.run(position, score, Room::ROOT, most_visited);
        if counted.tree.visited > most_visited {
            return None;
        }
        Some(self.run(position, score, counted.room_for(self.max_nodes), most_visited).tree)
    }

    fn run(&self, position: G::Position, score: u32, room: Room, most_visited: u64) -> Recorder {
        let tree = Tree {
            game: G::NAME,
            algorithm: self.rule.name(),
            depth: self.depth,
            visited: 0,
            unit: "nodes",
            cut: 0,
            nodes: Vec::new(),
        };
        let board = position.to_string();
        let root = Arrival { kind: NodeKind::Max, label: String::new(), probability: None, weight: None, board };
        let (recorder, place) = Recorder::new(tree, room, root);
        let mut run = Run { search: self, recorder, most_visited };
        let here = Here { position, mover: true, score, plies_left: self.depth.max(1), probability: 1.0 };
        run.visit(place, here, self.rule.window());
        run.recorder
    }
}

/// One run of a search.
struct Run<'a, G: Game, E> {
    search: &'a TracedSearch<'a, G, E>,
    recorder: Recorder,
    most_visited: u64,
}

/// A step or a reply, with what comes after it.
struct Branch<G: Game> {
    here: Here<G::Position>,
    action: Option<G::Move>,
    probability: Option<f64>,
    weight: f64,
}

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    fn visit(&mut self, place: Place, here: Here<G::Position>, window: Option<Window>) -> Found {
        self.recorder.tree.visited += 1;
        if self.recorder.tree.visited > self.most_visited {
            return Found::exact(0.0);
        }
        self.recorder.set_window(place, window);
        let (status, found) = match self.leaf(place, here) {
            Some(status) => (status, Found::exact(self.evaluate(here))),
            None => (Status::Expanded, self.expand(place, here, window)),
        };
        if let Some(node) = self.recorder.node(place) {
            node.status = status;
            node.value = Some(found.value);
            node.bound = found.bound;
            node.best = found.best.and_then(|index| node.children.get(index).copied());
        }
        found
    }

    /// Why the search goes no deeper here, if it does not.
    fn leaf(&self, place: Place, here: Here<G::Position>) -> Option<Status> {
        if let Some(outcome) = self.outcome(here) {
            return Some(Status::Ended(outcome));
        }
        if here.plies_left == 0 {
            return Some(Status::Horizon { early: None });
        }
        let early = if place.depth > 0 { (self.search.stop)(&here) } else { None };
        early.map(|reason| Status::Horizon { early: Some(reason) })
    }

    fn outcome(&self, here: Here<G::Position>) -> Option<Outcome> {
        let game = self.search.game;
        if here.mover { game.verdict(here.position) } else { game.after_step(here.position) }
    }

    fn evaluate(&self, here: Here<G::Position>) -> f64 {
        let TracedSearch { game, evaluator, .. } = self.search;
        match here.mover {
            true => evaluator.after_reply(game, here.position, here.score),
            false => evaluator.after_step(game, here.position, here.score),
        }
    }

    fn expand(&mut self, place: Place, here: Here<G::Position>, window: Option<Window>) -> Found {
        let (branches, operator) = match here.mover {
            true => (self.steps(here), Operator::Best),
            false => (self.replies(here), self.search.rule.reply_operator()),
        };
        let keep = self.recorder.admits(place, branches.len());
        let mut fold = Fold::new(operator, window);
        let mut skipped = false;
        for branch in branches {
            let child = self.recorder.open(place, keep, || arrival(self.search, here, &branch));
            match fold.cut() {
                Some(reason) => {
                    self.recorder.cut(child, &reason);
                    skipped = true;
                }
                None => fold.take(self.visit(child, branch.here, fold.window(branch.weight)), branch.weight),
            }
        }
        fold.finish(skipped)
    }

    fn steps(&self, here: Here<G::Position>) -> Vec<Branch<G>> {
        let branch = |step: crate::games::Step<G::Position, G::Move>| Branch {
            here: Here {
                position: step.after,
                mover: false,
                score: here.score + step.reward,
                plies_left: here.plies_left - 1,
                ..here
            },
            action: Some(step.action),
            probability: None,
            weight: 1.0,
        };
        self.search.game.steps(here.position).map(branch).collect()
    }

    fn replies(&self, here: Here<G::Position>) -> Vec<Branch<G>> {
        let branch = |reply: Reply<G::Position>| Branch {
            here: Here {
                position: reply.position,
                mover: true,
                plies_left: here.plies_left - 1,
                probability: here.probability * reply.probability,
                ..here
            },
            action: None,
            probability: Some(reply.probability),
            weight: self.search.rule.weight(&reply),
        };
        self.search.game.replies(here.position).map(branch).collect()
    }
}

fn arrival<G: Game, E>(search: &TracedSearch<G, E>, parent: Here<G::Position>, branch: &Branch<G>) -> Arrival {
    let to = branch.here.position;
    Arrival {
        kind: if branch.here.mover { NodeKind::Max } else { search.rule.reply_kind() },
        label: match branch.action {
            Some(action) => action.to_string(),
            None => search.game.reply_label(parent.position, to),
        },
        probability: branch.probability,
        weight: (search.rule == Rule::Expectiminimax && branch.action.is_none()).then_some(branch.weight),
        board: to.to_string(),
    }
}
