//! An agent's view of a position: the value of each move, and the tree of its search.

use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

use super::limits::bounded;
use crate::agents::{Agent, AgentSpec, Decision, StopFlag};
use crate::explain::{
    ChildStatistics, Node, NodeKind, SearchStep, Snapshot, Status, Tree, explain_decision, show_value, steps,
};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::rng::agent_seed;
use crate::spec::{GameSpec, GameTask};
use crate::tutor::{TreeGrowth, at_depth};
use crate::web::server::Refusal;

/// A position and the agent that is asked about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    game: String,
    goal: Option<String>,
    board: String,
    score: u32,
    agent: String,
    /// The seed of the agent's own randomness.
    #[serde(default)]
    seed: u64,
}

impl Question {
    /// Runs `ask` on the checked position with the bounded agent.
    pub fn with<A: Ask>(&self, results: &Path, stop: StopFlag, ask: A) -> Result<A::Output, Refusal> {
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        game.with(Checked { question: self, results, stop, ask })
    }
}

/// A question about a position that has a legal move.
pub trait Ask {
    type Output;

    fn run<G: Playable>(self, game: &G, asked: Asked<G>) -> Result<Self::Output, InputError>;
}

/// The position with the other parts of the question.
pub struct Asked<G: Game> {
    /// The agent with its limits.
    pub spec: AgentSpec,
    /// The agent as the user wrote it.
    pub wanted: AgentSpec,
    pub position: G::Position,
    pub score: u32,
    pub seed: u64,
    /// Set when the page no longer waits for the answer.
    pub stop: StopFlag,
}

impl<G: Playable> Asked<G> {
    /// The agent, ready for its decision.
    fn agent(&self, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let mut agent = self.spec.build(game)?;
        agent.reset(self.seed);
        agent.stop_on(self.stop);
        Ok(agent)
    }
}

struct Checked<'a, A> {
    question: &'a Question,
    results: &'a Path,
    stop: StopFlag,
    ask: A,
}

impl<A: Ask> GameTask for Checked<'_, A> {
    type Output = Result<A::Output, Refusal>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let Question { board, score, agent, seed, .. } = self.question;
        let position = game.parse(board).map_err(|why| Refusal::new(422, why))?;
        if game.verdict(position).is_some() {
            return Err(Refusal::new(422, "no move is legal here: the game is over"));
        }
        let spec = bounded::<G>(agent, self.results)?;
        let (wanted, seed, stop) = (agent.parse()?, agent_seed(*seed), self.stop);
        let asked = Asked { spec, wanted, position, score: *score, seed, stop };
        Ok(self.ask.run(&game, asked)?)
    }
}

/// The value of each legal move.
pub struct Values;

impl Ask for Values {
    type Output = Value;

    fn run<G: Playable>(self, game: &G, asked: Asked<G>) -> Result<Value, InputError> {
        let began = Instant::now();
        let decision = asked.agent(game)?.evaluate(asked.position, asked.score);
        let decision = decision.ok_or_else(|| InputError::new("the agent found no move"))?;
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        Ok(decision_to_json(&decision, &asked.spec, milliseconds))
    }
}

fn decision_to_json<G: Game>(decision: &Decision<G>, spec: &AgentSpec, milliseconds: f64) -> Value {
    let moves = decision.values.iter().enumerate().map(|(index, (action, value))| {
        let sample = decision.samples.get(index);
        json!({
            "move": action.to_string(),
            "value": value.is_finite().then_some(value),
            "shown": show_value(*value),
            "runs": sample.map(|sample| sample.runs),
            "sd": sample.map(|sample| sample.sd),
        })
    });
    json!({
        "choice": decision.choice.to_string(),
        "moves": moves.collect::<Vec<_>>(),
        "nodes": decision.nodes,
        "unit": spec.kind.cost,
        "depth": decision.depth,
        "milliseconds": milliseconds,
    })
}

/// The tree of the search, at most this many nodes of it.
pub struct SearchTree {
    pub max_nodes: u64,
}

/// Nodes of a search that is followed: about a quarter of a second.
const MOST_VISITED: u64 = 300_000;

impl Ask for SearchTree {
    type Output = Value;

    fn run<G: Playable>(self, game: &G, asked: Asked<G>) -> Result<Value, InputError> {
        let mut growth = TreeGrowth::default();
        let mut best: Option<Tree> = None;
        let whole = depth_of(game, &asked)?;
        for plies in 1..=whole.unwrap_or(1) {
            let spec = if whole.is_some() { at_depth(&asked.spec, plies)? } else { asked.spec.clone() };
            let tree = explain_decision(game, &spec, asked.position, asked.score, asked.seed, self.max_nodes)?;
            growth.add(tree.visited);
            best = Some(tree);
            if growth.next() > MOST_VISITED || asked.stop.is_set() {
                break;
            }
        }
        let tree = best.ok_or_else(|| InputError::new("there is no tree to show"))?;
        let is_whole = whole.is_none_or(|whole| tree.depth >= whole);
        Ok(json!({
            "title": tree.title(),
            "heuristic": tree.heuristic,
            "whole": is_whole,
            "wanted": whole,
            "nodes": tree.nodes().iter().map(|node| node_to_json(&tree, node)).collect::<Vec<_>>(),
            "steps": steps(&tree).iter().map(step_to_json).collect::<Vec<_>>(),
        }))
    }
}

fn node_to_json(tree: &Tree, node: &Node) -> Value {
    // A search that assumes the worst reply does not use probabilities.
    let by_chance = node.parent.is_some_and(|parent| tree[parent].kind == NodeKind::Chance);
    json!({
        "kind": node.kind.name(),
        "parent": node.parent,
        "label": node.label,
        "board": node.board,
        "probability": node.probability.filter(|_| by_chance).map(show_value),
        "value": node.value.map(show_value),
        // What the parent compares, and its window, as numbers; what is infinite is null.
        "number": node.value.map(|value| value * node.weight.unwrap_or(1.0)),
        "window": node.window.map(|window| [window.alpha, window.beta]),
        "sign": node.bound.sign(),
        "status": node.status.name(),
        "remark": node.note(),
        "best": node.best,
        "omitted": node.omitted,
    })
}

fn step_to_json(step: &SearchStep) -> Value {
    json!({ "kind": step.kind.name(), "node": step.node, "sentence": step.sentence })
}

/// The plies to follow: those that the user asked for, or those that the agent reaches within its budget. `None` for
/// agents without a search tree.
fn depth_of<G: Playable>(game: &G, asked: &Asked<G>) -> Result<Option<u32>, InputError> {
    let wanted = &asked.wanted.options;
    let has_budget = ["nodes", "work", "ms"].iter().any(|key| wanted.get(key).is_some());
    if let Some((low, high)) = wanted.span("depth").filter(|_| !has_budget)
        && low == high
    {
        return Ok(u32::try_from(low).ok());
    }
    Ok(asked.agent(game)?.decide(asked.position, asked.score).and_then(|decision| decision.depth))
}

/// How the estimates of Monte Carlo tree search grow.
pub struct Growth;

impl Ask for Growth {
    type Output = Value;

    fn run<G: Playable>(self, game: &G, asked: Asked<G>) -> Result<Value, InputError> {
        let Asked { spec, position, score, seed, .. } = asked;
        let tree = explain_decision(game, &spec, position, score, seed, DRAWN_CHILDREN)?;
        let moves: Vec<&str> = tree.root().children.iter().map(|&child| tree[child].label.as_str()).collect();
        let snapshots: Vec<Value> = tree.growth.iter().map(snapshot_to_json).collect();
        if snapshots.is_empty() {
            return Err(InputError::new(format!("{} does not grow a tree by sampling", spec.kind.name)));
        }
        Ok(json!({ "moves": moves, "snapshots": snapshots }))
    }
}

/// Snapshots have their own nodes, so of the whole tree only the root's moves are needed.
const DRAWN_CHILDREN: u64 = 10;

fn snapshot_to_json(snapshot: &Snapshot) -> Value {
    let child = |child: &ChildStatistics| json!({ "visits": child.visits, "mean": child.mean, "bound": child.bound });
    let children: Vec<Value> = snapshot.children.iter().map(child).collect();
    let nodes: Vec<Value> = snapshot.nodes.iter().map(sampled_to_json).collect();
    json!({ "iterations": snapshot.iterations, "choice": snapshot.choice, "children": children, "nodes": nodes })
}

/// A node of a tree that grows. One that ends the game has a remark in place of statistics.
fn sampled_to_json(node: &Node) -> Value {
    let found = match node.status {
        Status::Visited(found) => Some(found),
        _ => None,
    };
    json!({
        "parent": node.parent,
        "kind": node.kind.name(),
        "label": node.edge_label(),
        "visits": found.map(|found| found.visits),
        "mean": found.map(|found| show_value(found.mean)),
        "bound": found.and_then(|found| found.bound).map(show_value),
        "remark": if found.is_none() { node.note() } else { None },
        "omitted": node.omitted,
    })
}
