//! A game in progress, as the screens see it: boards and moves are text, whatever the game is.
//!
//! The agents' threads belong to the session. So they get positions of the game's own type, and no text is parsed.

use crate::agents::AgentSpec;
use crate::games::{Outcome, Step};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::play::{opponent_reply, step_named};
use crate::record::{Header, PlayedMove, Record};
use crate::rng::{Rng, environment};

use super::agent_thread::{AgentThread, Request, ResponseSender};

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// The mover's.
    Open,
    /// The opponent's.
    Waiting,
    /// Nobody's: the game has ended.
    Over(Outcome),
}

/// What the screen shows of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionState {
    /// The name of the game.
    pub game: &'static str,
    /// The position, in the game's notation.
    pub board: String,
    /// The score so far.
    pub score: i64,
    /// The largest tile; 0 for games without tiles.
    pub max_tile: u32,
    /// How many moves have been made.
    pub moves: usize,
    /// The seed of the game.
    pub seed: u64,
    /// Whose turn it is.
    pub status: GameStatus,
    /// Whether the game has two players.
    pub adversarial: bool,
    /// The last move with its reply; empty at the start.
    pub last: String,
}

/// What an agent is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It gives advice to the mover, and moves in the mover's place when it plays.
    Adviser,
    /// It makes the replies.
    Opponent,
}

/// A game in progress.
pub trait GameSession {
    /// What the screen shows.
    fn state(&self) -> SessionState;

    /// The legal moves.
    fn legal(&self) -> Vec<String>;

    /// Makes a move. Returns `false` if it is not legal or not the mover's turn.
    fn play(&mut self, action: &str) -> bool;

    /// Makes the opponent's reply, as the opponent names it. Returns `false` if it is not legal.
    fn reply(&mut self, action: &str) -> bool;

    /// Takes back the last move with its reply. Returns `false` at the start.
    fn undo(&mut self) -> bool;

    /// Starts a new game. A session that started from a given board starts from the same board again.
    fn restart(&mut self, seed: u64);

    /// Continues after the goal has been reached. Returns `false` if it has not.
    fn play_on(&mut self) -> bool;

    /// The position that an agent thinks about, as text, with the score: after a move it is the opponent's view.
    fn asked_position(&self) -> (String, u32);

    /// The text of the record so far, with the names of the players.
    fn record(&self, agent: &str, opponent: Option<String>) -> String;

    /// The names of the heuristics that agents can use in this game.
    fn heuristics(&self) -> Vec<&'static str>;

    /// Starts an agent, or replaces the one with the same role. If it fails, nothing changes.
    fn set_agent(&mut self, role: Role, spec: &AgentSpec, responses: ResponseSender) -> Result<(), InputError>;

    /// Asks an agent about the current position. Returns `false` if there is no such agent.
    fn ask(&self, role: Role, number: u64, trace: bool) -> bool;
}

/// A session of one particular game.
pub struct TypedSession<G: Playable> {
    game: G,
    record: Record<G>,
    /// The generator of random replies.
    rng: Rng,
    /// The generator before each move, so that a move that is taken back and made again gets the same reply.
    undo_states: Vec<Rng>,
    /// A move that waits for the opponent's reply.
    pending: Option<Step<G::Position, G::Move>>,
    /// The start position, if it is not the one that the seed gives.
    given_start: Option<G::Position>,
    adviser: Option<AgentThread<G>>,
    opponent: Option<AgentThread<G>>,
}

impl<G: Playable> TypedSession<G> {
    /// A new game. If the header names an opponent, replies come through [`GameSession::reply`]; otherwise they are
    /// random.
    pub fn new(game: G, header: Header) -> Self {
        let record = Record::begin(&game, header);
        Self::from_record(game, record)
    }

    /// A new game from this position.
    pub fn from_position(game: G, header: Header, start: G::Position) -> Self {
        Self::from_record(game, Record { header, start, moves: Vec::new() })
    }

    /// Continues a recorded game. Its random replies continue as if the game had not been interrupted.
    pub fn from_record(game: G, record: Record<G>) -> Self {
        let mut rng = environment(record.header.seed);
        let given_start = (game.start(&mut rng) != record.start).then_some(record.start);
        let mut undo_states = Vec::new();
        for played in &record.moves {
            undo_states.push(rng.clone());
            if played.reply.is_some() && record.header.opponent.is_none() {
                game.sample(played.step.after, &mut rng);
            }
        }
        TypedSession { game, record, rng, undo_states, pending: None, given_start, adviser: None, opponent: None }
    }

    fn status(&self) -> GameStatus {
        match self.record.outcome(&self.game) {
            _ if self.pending.is_some() => GameStatus::Waiting,
            Some(outcome) => GameStatus::Over(outcome),
            None => GameStatus::Open,
        }
    }

    fn make(&mut self, step: Step<G::Position, G::Move>) {
        self.undo_states.push(self.rng.clone());
        if self.game.after_step(step.after).is_some() {
            self.record.moves.push(PlayedMove { step, reply: None });
        } else if self.record.header.opponent.is_some() {
            self.pending = Some(step);
        } else {
            let reply = Some(self.game.sample(step.after, &mut self.rng));
            self.record.moves.push(PlayedMove { step, reply });
        }
    }

    fn last(&self) -> String {
        match (self.pending, self.record.moves.last()) {
            (Some(step), _) => step.action.to_string(),
            (None, Some(PlayedMove { step, reply: None })) => step.action.to_string(),
            (None, Some(PlayedMove { step, reply: Some(reply) })) => {
                format!("{}, {}", step.action, self.game.reply_label(step.after, *reply))
            }
            (None, None) => String::new(),
        }
    }

    /// The position that an agent thinks about, with the score: after a move it is the opponent's view of the board.
    fn to_move(&self) -> (G::Position, u32) {
        let score = self.record.rewards(self.record.moves.len());
        match self.pending.and_then(|step| self.game.seen_by_opponent(step.after)) {
            Some(seen) => (seen, 0),
            None => (self.record.last(), score),
        }
    }
}

impl<G: Playable> GameSession for TypedSession<G> {
    fn state(&self) -> SessionState {
        let position = self.pending.map_or(self.record.last(), |step| step.after);
        SessionState {
            game: G::NAME,
            board: position.to_string(),
            score: self.record.score(&self.game),
            max_tile: self.game.max_tile(position),
            moves: self.undo_states.len(),
            seed: self.record.header.seed,
            status: self.status(),
            adversarial: G::ADVERSARIAL,
            last: self.last(),
        }
    }

    fn legal(&self) -> Vec<String> {
        match self.status() {
            GameStatus::Open => self.game.steps(self.record.last()).map(|step| step.action.to_string()).collect(),
            _ => Vec::new(),
        }
    }

    fn play(&mut self, action: &str) -> bool {
        let is_open = self.status() == GameStatus::Open;
        let step = is_open.then(|| step_named(&self.game, self.record.last(), action)).flatten();
        step.map(|step| self.make(step)).is_some()
    }

    fn reply(&mut self, action: &str) -> bool {
        let Some(step) = self.pending else { return false };
        let Some(reply) = opponent_reply(&self.game, step.after, |seen| step_named(&self.game, seen, action)) else {
            return false;
        };
        self.pending = None;
        self.record.moves.push(PlayedMove { step, reply: Some(reply) });
        true
    }

    fn undo(&mut self) -> bool {
        let Some(rng) = self.undo_states.pop() else { return false };
        self.rng = rng;
        if self.pending.take().is_none() {
            self.record.moves.pop();
        }
        true
    }

    fn restart(&mut self, seed: u64) {
        let header = Header { seed, ..self.record.header.clone() };
        self.rng = environment(seed);
        let start = self.game.start(&mut self.rng);
        self.record = Record { header, start: self.given_start.unwrap_or(start), moves: Vec::new() };
        self.undo_states.clear();
        self.pending = None;
    }

    fn play_on(&mut self) -> bool {
        let won = self.status() == GameStatus::Over(Outcome::Win);
        let (true, Some(game)) = (won, self.game.without_goal()) else { return false };
        let Some(played) = self.record.moves.last_mut() else { return false };
        // The move that won had no reply. Now the game continues, so it needs one.
        played.reply = Some(game.sample(played.step.after, &mut self.rng));
        self.record.header.goal = Some("none".into());
        self.game = game;
        true
    }

    fn asked_position(&self) -> (String, u32) {
        let (position, score) = self.to_move();
        (position.to_string(), score)
    }

    fn record(&self, agent: &str, opponent: Option<String>) -> String {
        let header = Header { agent: agent.to_string(), opponent, ..self.record.header.clone() };
        Record { header, ..self.record.clone() }.to_text(&self.game)
    }

    fn heuristics(&self) -> Vec<&'static str> {
        G::heuristics().iter().map(|named| named.name).collect()
    }

    fn set_agent(&mut self, role: Role, spec: &AgentSpec, responses: ResponseSender) -> Result<(), InputError> {
        let agent = Some(AgentThread::start(&self.game, spec, self.record.header.seed, responses)?);
        match role {
            Role::Adviser => self.adviser = agent,
            Role::Opponent => self.opponent = agent,
        }
        Ok(())
    }

    fn ask(&self, role: Role, number: u64, trace: bool) -> bool {
        let (position, score) = self.to_move();
        let agent = match role {
            Role::Adviser => &self.adviser,
            Role::Opponent => &self.opponent,
        };
        agent.as_ref().is_some_and(|agent| agent.ask(Request { number, position, score, trace }))
    }
}

#[cfg(test)]
mod tests;
