//! An agent that thinks on a thread of its own, so that the screen never waits for it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::agents::{Agent, AgentSpec};
use crate::explain::{Tree, of_agent};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::rng::agent_seed;

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Question {
    /// Answers carry it, so that one that comes too late can be told.
    pub number: u64,
    /// In the game's notation.
    pub board: String,
    pub score: u32,
    /// Whether the tree of the search is wanted too.
    pub trace: bool,
}

/// What an agent makes of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    pub choice: String,
    /// Of each legal move.
    pub values: Vec<(String, f64)>,
    pub nodes: u64,
    pub depth: Option<u32>,
    /// Playouts, over all moves; 0 for agents that play none.
    pub runs: u64,
    pub time: Duration,
}

/// An answer, or a part of one.
#[derive(Clone, Debug)]
pub enum Answer {
    Thought(Thought),
    /// The tree of the search; deeper ones may follow.
    Tree(Box<Tree>),
    Failed(String),
}

/// A way to ask an agent. Dropped, the agent stops after the thought it is at.
pub struct Thinker {
    questions: Sender<Question>,
}

impl Thinker {
    /// Puts an agent to work; its answers come through `answers` with the number of the question.
    pub fn start<G: Playable>(
        game: &G,
        spec: &AgentSpec,
        seed: u64,
        answers: Sender<(u64, Answer)>,
    ) -> Result<Thinker, InputError> {
        let mut agent = spec.build(game)?;
        agent.reset(agent_seed(seed));
        let (questions, inbox) = channel();
        let work = Work { game: game.clone(), spec: spec.clone(), agent, seed, inbox, answers };
        thread::Builder::new()
            .name("agent".into())
            .spawn(move || work.run())
            .map_err(|error| InputError::new(format!("the agent cannot be started: {error}")))?;
        Ok(Thinker { questions })
    }

    /// Asks; `false` if the agent is no more.
    pub fn ask(&self, question: Question) -> bool {
        self.questions.send(question).is_ok()
    }
}

struct Work<G: Playable> {
    game: G,
    spec: AgentSpec,
    agent: Box<dyn Agent<G>>,
    seed: u64,
    inbox: Receiver<Question>,
    answers: Sender<(u64, Answer)>,
}

impl<G: Playable> Work<G> {
    fn run(mut self) {
        let mut next = None;
        while let Some(question) = next.take().or_else(|| self.inbox.recv().ok()) {
            // Only the latest question matters.
            let question = self.inbox.try_iter().last().unwrap_or(question);
            next = self.answer(&question);
        }
    }

    /// Answers a question; returns the next one if it came in the meantime.
    fn answer(&mut self, question: &Question) -> Option<Question> {
        let Ok(position) = self.game.parse(&question.board) else {
            self.send(question, Answer::Failed(format!("{} is not a position", question.board)));
            return None;
        };
        let Some(thought) = self.think(position, question.score) else {
            self.send(question, Answer::Failed("no move is legal".into()));
            return None;
        };
        let depth = thought.depth;
        self.send(question, Answer::Thought(thought));
        if question.trace { self.trace(question, position, depth) } else { None }
    }

    fn think(&mut self, position: G::Position, score: u32) -> Option<Thought> {
        let began = Instant::now();
        let decision = self.agent.evaluate(position, score)?;
        Some(Thought {
            choice: decision.choice.to_string(),
            values: decision.values.iter().map(|(action, value)| (action.to_string(), *value)).collect(),
            nodes: decision.nodes,
            depth: decision.depth,
            runs: decision.samples.iter().map(|sample| sample.runs).sum(),
            time: began.elapsed(),
        })
    }

    /// Sends the tree of the search, ply by ply deeper, as far as it stays small.
    fn trace(&mut self, question: &Question, position: G::Position, depth: Option<u32>) -> Option<Question> {
        let mut growth = Growth::default();
        for plies in 1..=depth.unwrap_or(1) {
            if let Ok(newer) = self.inbox.try_recv() {
                return Some(newer);
            }
            let spec = depth.map_or(Ok(self.spec.clone()), |_| at_depth(&self.spec, plies));
            let seed = agent_seed(self.seed);
            let tree = spec.and_then(|spec| of_agent(&self.game, &spec, position, question.score, seed, KEPT_NODES));
            let Ok(tree) = tree else { return None };
            growth.add(tree.visited);
            self.send(question, Answer::Tree(Box::new(tree)));
            if growth.next() > MOST_NODES {
                return None;
            }
        }
        None
    }

    fn send(&self, question: &Question, answer: Answer) {
        // Nobody listens any more once the screen is closed.
        let _ = self.answers.send((question.number, answer));
    }
}

/// Nodes of a tree that are kept for walking in it.
const KEPT_NODES: u64 = 5_000;
/// Nodes of a search that is followed: about a quarter of a second.
const MOST_NODES: u64 = 300_000;

/// How many nodes each ply has led to.
#[derive(Default)]
struct Growth {
    visited: Vec<u64>,
}

impl Growth {
    fn add(&mut self, visited: u64) {
        self.visited.push(visited);
    }

    /// What the next ply should come to: moves and replies take turns, so it grows as the last but one did.
    fn next(&self) -> u64 {
        match *self.visited.as_slice() {
            [.., before, middle, last] => last.saturating_mul((middle / before.max(1)).max(1)),
            _ => 0,
        }
    }
}

/// The same search with a fixed depth and no budget.
fn at_depth(spec: &AgentSpec, plies: u32) -> Result<AgentSpec, InputError> {
    let mut given = spec.given.clone();
    for budget in ["work", "ms"] {
        given.remove(budget);
    }
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

    fn ask<G: Playable>(game: &G, agent: &str, board: &str, trace: bool) -> Vec<(u64, Answer)> {
        let (answers, inbox) = channel();
        let thinker = Thinker::start(game, &agent.parse().unwrap(), 1, answers).unwrap();
        assert!(thinker.ask(Question { number: 4, board: board.into(), score: 0, trace }));
        // Without questions to come the thread ends, and with it the answers.
        drop(thinker);
        inbox.iter().collect()
    }

    #[test]
    fn a_thought_and_ever_deeper_trees_come_back() {
        let answers = ask(&TicTacToe, "alphabeta:depth=9", "XO./.X./O..", true);
        let (4, Answer::Thought(thought)) = &answers[0] else { panic!("{:?}", answers[0]) };
        assert!(thought.values.contains(&("c3".into(), 1.0)) && thought.depth == Some(9), "{thought:?}");
        let depths: Vec<u32> = answers
            .iter()
            .filter_map(|(_, answer)| match answer {
                Answer::Tree(tree) => Some(tree.depth),
                _ => None,
            })
            .collect();
        assert_eq!(depths, (1..=9).collect::<Vec<_>>());
    }

    #[test]
    fn deep_searches_are_followed_only_as_far_as_is_quick() {
        let board = "0,2,0,0/0,0,0,0/0,0,4,0/0,0,0,0";
        let answers = ask(&Twenty48::new(Goal::None), "expectimax:depth=6", board, true);
        let Some((_, Answer::Tree(tree))) = answers.last() else { panic!("no tree") };
        assert!(tree.depth < 6 && tree.visited < MOST_NODES * 4 && tree.nodes().len() as u64 <= KEPT_NODES);
    }

    #[test]
    fn what_cannot_be_thought_about_is_said() {
        let answers = ask(&TicTacToe, "random", "XXX", false);
        assert!(matches!(&answers[..], [(4, Answer::Failed(why))] if why.contains("XXX")));
        let answers = ask(&TicTacToe, "random", "XOX/XOO/OXX", false);
        assert!(matches!(&answers[..], [(4, Answer::Failed(_))]));
    }
}
