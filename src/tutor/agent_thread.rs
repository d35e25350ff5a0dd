//! An agent on a separate thread, so that the screen never waits for it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::agents::{Agent, AgentSpec};
use crate::explain::{Tree, explain_decision};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::rng::agent_seed;

/// A position for the agent to think about.
#[derive(Clone, Debug)]
pub struct Request<G: Game> {
    /// Responses carry the same number, so that late ones can be ignored.
    pub number: u64,
    /// The position, with the agent to move.
    pub position: G::Position,
    /// The score so far.
    pub score: u32,
    /// Whether to send the tree of the search too.
    pub trace: bool,
}

/// The agent's decision, as text for the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The move that the agent would play.
    pub choice: String,
    /// The value of each legal move.
    pub values: Vec<(String, f64)>,
    /// The cost of the decision.
    pub nodes: u64,
    /// The depth of the search, if it has one.
    pub depth: Option<u32>,
    /// Playouts of all moves together; 0 for agents without playouts.
    pub runs: u64,
    /// How long the decision took.
    pub time: Duration,
}

/// A response, or a part of one.
#[derive(Clone, Debug)]
pub enum Response {
    /// The decision.
    Advice(Advice),
    /// The tree of the search. Deeper trees may follow.
    Tree(Box<Tree>),
    /// Why there is no decision.
    Failed(String),
}

/// The sender of an agent's responses, each with the number of its request.
pub type ResponseSender = Sender<(u64, Response)>;

/// Sends requests to the thread. When it is dropped, the thread ends after its current request.
pub struct AgentThread<G: Game> {
    requests: Sender<Request<G>>,
}

impl<G: Playable> AgentThread<G> {
    /// Starts the thread. It sends its responses to `responses`.
    pub fn start(game: &G, spec: &AgentSpec, seed: u64, responses: ResponseSender) -> Result<Self, InputError> {
        let mut agent = spec.build(game)?;
        agent.reset(agent_seed(seed));
        let (requests, inbox) = channel();
        let worker = Worker { game: game.clone(), spec: spec.clone(), agent, seed, inbox, responses };
        thread::Builder::new()
            .name("agent".into())
            .spawn(move || worker.run())
            .map_err(|error| InputError::new(format!("the agent's thread cannot be started: {error}")))?;
        Ok(AgentThread { requests })
    }

    /// Sends a request. Returns `false` if the thread has ended.
    pub fn ask(&self, request: Request<G>) -> bool {
        self.requests.send(request).is_ok()
    }
}

/// The state of the thread.
struct Worker<G: Playable> {
    game: G,
    spec: AgentSpec,
    agent: Box<dyn Agent<G>>,
    seed: u64,
    inbox: Receiver<Request<G>>,
    responses: ResponseSender,
}

impl<G: Playable> Worker<G> {
    fn run(mut self) {
        let mut next = None;
        while let Some(request) = next.take().or_else(|| self.inbox.recv().ok()) {
            // Only the latest request matters.
            let request = self.inbox.try_iter().last().unwrap_or(request);
            next = self.respond(&request);
        }
    }

    /// Responds to a request. Returns the next request if it has arrived in the meantime.
    fn respond(&mut self, request: &Request<G>) -> Option<Request<G>> {
        let Some(advice) = self.decide(request.position, request.score) else {
            self.send(request, Response::Failed("no move is legal".into()));
            return None;
        };
        let depth = advice.depth;
        self.send(request, Response::Advice(advice));
        if request.trace { self.trace(request, depth) } else { None }
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Advice> {
        let began = Instant::now();
        let decision = self.agent.evaluate(position, score)?;
        Some(Advice {
            choice: decision.choice.to_string(),
            values: decision.values.iter().map(|(action, value)| (action.to_string(), *value)).collect(),
            nodes: decision.nodes,
            depth: decision.depth,
            runs: decision.samples.iter().map(|sample| sample.runs).sum(),
            time: began.elapsed(),
        })
    }

    /// Sends the tree of a search of 1 ply, then of 2 plies and so on, as long as the trees stay small.
    fn trace(&mut self, request: &Request<G>, depth: Option<u32>) -> Option<Request<G>> {
        let mut growth = TreeGrowth::default();
        for plies in 1..=depth.unwrap_or(1) {
            if let Ok(newer) = self.inbox.try_recv() {
                return Some(newer);
            }
            let spec = depth.map_or(Ok(self.spec.clone()), |_| at_depth(&self.spec, plies));
            let explain = |spec: AgentSpec| {
                let seed = agent_seed(self.seed);
                explain_decision(&self.game, &spec, request.position, request.score, seed, RECORDED_NODES)
            };
            let Ok(tree) = spec.and_then(explain) else { return None };
            growth.add(tree.visited);
            self.send(request, Response::Tree(Box::new(tree)));
            if growth.next() > MOST_NODES {
                return None;
            }
        }
        None
    }

    fn send(&self, request: &Request<G>, response: Response) {
        // It fails only after the screen has been closed, and then nobody needs the response.
        let _ = self.responses.send((request.number, response));
    }
}

/// How many nodes of a tree are recorded.
const RECORDED_NODES: u64 = 5_000;
/// Larger searches are not traced: this many nodes take about a quarter of a second.
const MOST_NODES: u64 = 300_000;

/// How many nodes the searches of increasing depth have visited.
#[derive(Default)]
pub struct TreeGrowth {
    visited: Vec<u64>,
}

impl TreeGrowth {
    /// Adds the number of nodes of the search that is one ply deeper.
    pub fn add(&mut self, visited: u64) {
        self.visited.push(visited);
    }

    /// An estimate of the nodes of the next depth. Moves and replies alternate, so the growth factor is that of two
    /// plies before.
    pub fn next(&self) -> u64 {
        match *self.visited.as_slice() {
            [.., before, middle, last] => last.saturating_mul((middle / before.max(1)).max(1)),
            _ => 0,
        }
    }
}

/// The same search with a fixed depth and no budget.
pub fn at_depth(spec: &AgentSpec, plies: u32) -> Result<AgentSpec, InputError> {
    let mut given = spec.without_budget()?.given;
    if spec.kind.has("depth") {
        given.insert("depth".into(), i64::from(plies).into());
    }
    AgentSpec::new(spec.kind.name, given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};

    fn ask<G: Playable>(game: &G, agent: &str, board: &str, trace: bool) -> Vec<(u64, Response)> {
        let (responses, inbox) = channel();
        let agent = AgentThread::start(game, &agent.parse().unwrap(), 1, responses).unwrap();
        let position = game.parse(board).unwrap();
        assert!(agent.ask(Request { number: 4, position, score: 0, trace }));
        // When no more requests can come, the thread ends, and with it the responses.
        drop(agent);
        inbox.iter().collect()
    }

    #[test]
    fn the_advice_comes_first_and_then_trees_of_increasing_depth() {
        let responses = ask(&TicTacToe, "alphabeta:depth=9", "XO./.X./O..", true);
        let (4, Response::Advice(advice)) = &responses[0] else { panic!("{:?}", responses[0]) };
        assert!(advice.values.contains(&("c3".into(), 1.0)) && advice.depth == Some(9), "{advice:?}");
        let depths: Vec<u32> = responses
            .iter()
            .filter_map(|(_, response)| match response {
                Response::Tree(tree) => Some(tree.depth),
                _ => None,
            })
            .collect();
        assert_eq!(depths, (1..=9).collect::<Vec<_>>());
    }

    #[test]
    fn trees_of_deep_searches_stop_at_a_smaller_depth() {
        let board = "0,2,0,0/0,0,0,0/0,0,4,0/0,0,0,0";
        let responses = ask(&Twenty48::new(Goal::None), "expectimax:depth=6", board, true);
        let Some((_, Response::Tree(tree))) = responses.last() else { panic!("no tree") };
        assert!(tree.depth < 6 && tree.visited < MOST_NODES * 4 && tree.nodes().len() as u64 <= RECORDED_NODES);
    }

    #[test]
    fn a_finished_game_gets_a_message() {
        let responses = ask(&TicTacToe, "random", "OXO/OXX/XOO", false);
        assert!(matches!(&responses[..], [(4, Response::Failed(why))] if why.contains("no move is legal")));
    }
}
