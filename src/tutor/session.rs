//! A game in progress as the screens see it: positions and moves by name, whatever the game.

use std::sync::mpsc::Sender;

use crate::agents::AgentSpec;
use crate::games::{Game, Outcome, Step};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::record::{Header, PlayedMove, Record};
use crate::rng::{Rng, environment};

use super::thinker::{Answer, Thinker};

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStatus {
    /// The mover is to move.
    Open,
    /// The opponent is to reply.
    Waiting,
    Over(Outcome),
}

/// What there is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    pub game: &'static str,
    pub board: String,
    pub score: i64,
    /// 0 for games without tiles.
    pub max_tile: u32,
    pub moves: usize,
    pub seed: u64,
    pub status: GameStatus,
    /// Whether an opponent replies, and not chance.
    pub adversarial: bool,
    /// The last move with its reply; empty at the start.
    pub last: String,
}

/// A game in progress.
pub trait GameSession {
    fn facts(&self) -> Facts;

    /// The legal moves.
    fn legal(&self) -> Vec<String>;

    /// Makes a move if it is legal and the mover's turn.
    fn play(&mut self, action: &str) -> bool;

    /// The opponent's move, as the opponent names it.
    fn reply(&mut self, action: &str) -> bool;

    /// Takes back the last move with its reply.
    fn undo(&mut self) -> bool;

    /// A new game.
    fn restart(&mut self, seed: u64);

    /// Goes on after the goal has been reached.
    fn play_on(&mut self) -> bool;

    /// The position that is to be thought about, with the score: the opponent's where the opponent is to reply.
    fn to_move(&self) -> (String, u32);

    /// The record so far, with words about who has moved and who has replied.
    fn record(&self, agent: &str, opponent: Option<String>) -> String;

    /// The names of the heuristics that an agent may use here.
    fn heuristics(&self) -> Vec<&'static str>;

    /// An agent for this game.
    fn thinker(&self, spec: &AgentSpec, answers: Sender<(u64, Answer)>) -> Result<Thinker, InputError>;
}

/// A table for one kind of game.
pub struct TypedSession<G: Playable> {
    game: G,
    record: Record<G>,
    rng: Rng,
    /// The stream as it was before each move: a move made again meets the same reply.
    draws: Vec<Rng>,
    /// A step that waits for the opponent.
    pending: Option<Step<G::Position, G::Move>>,
}

impl<G: Playable> TypedSession<G> {
    /// A new game. Where the header names an opponent, replies come through [`GameSession::reply`], else by chance.
    pub fn new(game: G, header: Header) -> Self {
        let (record, rng) = begin(&game, header);
        TypedSession { game, record, rng, draws: Vec::new(), pending: None }
    }

    fn step(&self, position: G::Position, action: &str) -> Option<Step<G::Position, G::Move>> {
        self.game.steps(position).find(|step| step.action.to_string() == action)
    }

    fn status(&self) -> GameStatus {
        match self.record.outcome(&self.game) {
            _ if self.pending.is_some() => GameStatus::Waiting,
            Some(outcome) => GameStatus::Over(outcome),
            None => GameStatus::Open,
        }
    }

    fn make(&mut self, step: Step<G::Position, G::Move>) {
        self.draws.push(self.rng.clone());
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
}

/// The start of a game, and the stream that its replies come from.
fn begin<G: Game>(game: &G, header: Header) -> (Record<G>, Rng) {
    let mut rng = environment(header.seed);
    game.start(&mut rng);
    (Record::begin(game, header), rng)
}

impl<G: Playable> GameSession for TypedSession<G> {
    fn facts(&self) -> Facts {
        let position = self.pending.map_or(self.record.last(), |step| step.after);
        Facts {
            game: G::NAME,
            board: position.to_string(),
            score: self.record.score(&self.game),
            max_tile: self.game.max_tile(position),
            moves: self.draws.len(),
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
        let step = if self.status() == GameStatus::Open { self.step(self.record.last(), action) } else { None };
        step.map(|step| self.make(step)).is_some()
    }

    fn reply(&mut self, action: &str) -> bool {
        let Some(step) = self.pending else { return false };
        let seen = self.game.seen_by_opponent(step.after);
        let reply = seen.and_then(|seen| self.game.seen_by_opponent(self.step(seen, action)?.after));
        let Some(reply) = reply else { return false };
        self.pending = None;
        self.record.moves.push(PlayedMove { step, reply: Some(reply) });
        true
    }

    fn undo(&mut self) -> bool {
        let Some(rng) = self.draws.pop() else { return false };
        self.rng = rng;
        if self.pending.take().is_none() {
            self.record.moves.pop();
        }
        true
    }

    fn restart(&mut self, seed: u64) {
        let header = Header { seed, ..self.record.header.clone() };
        (self.record, self.rng) = begin(&self.game, header);
        self.draws.clear();
        self.pending = None;
    }

    fn play_on(&mut self) -> bool {
        let won = self.status() == GameStatus::Over(Outcome::Win);
        let (true, Some(game)) = (won, self.game.without_goal()) else { return false };
        let Some(made) = self.record.moves.last_mut() else { return false };
        // The move that won had no reply: now the game goes on and it has one.
        made.reply = Some(game.sample(made.step.after, &mut self.rng));
        self.record.header.goal = Some("none".into());
        self.game = game;
        true
    }

    fn to_move(&self) -> (String, u32) {
        let score = self.record.rewards(self.record.moves.len());
        match self.pending.and_then(|step| self.game.seen_by_opponent(step.after)) {
            Some(seen) => (seen.to_string(), 0),
            None => (self.record.last().to_string(), score),
        }
    }

    fn record(&self, agent: &str, opponent: Option<String>) -> String {
        let header = Header { agent: agent.to_string(), opponent, ..self.record.header.clone() };
        Record { header, ..self.record.clone() }.to_text(&self.game)
    }

    fn heuristics(&self) -> Vec<&'static str> {
        G::heuristics().iter().map(|named| named.name).collect()
    }

    fn thinker(&self, spec: &AgentSpec, answers: Sender<(u64, Answer)>) -> Result<Thinker, InputError> {
        Thinker::start(&self.game, spec, self.record.header.seed, answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};

    fn header(game: &str, opponent: Option<&str>) -> Header {
        Header { game: game.into(), goal: None, seed: 7, agent: "person".into(), opponent: opponent.map(Into::into) }
    }

    #[test]
    fn a_move_taken_back_and_made_again_meets_the_same_reply() {
        let mut table = TypedSession::new(Twenty48::new(Goal::None), header("2048", None));
        let start = table.facts();
        let action = table.legal()[0].clone();
        assert!(table.play(&action));
        let after = table.facts();
        assert_eq!((after.moves, table.undo(), table.facts()), (1, true, start));
        assert!(table.play(&action));
        assert_eq!(table.facts(), after);
        assert!(!table.play("sideways"));
        assert!(table.undo() && !table.undo());
    }

    #[test]
    fn one_can_go_on_after_the_goal_and_the_record_holds() {
        let mut table = TypedSession::new(Twenty48::new(Goal::Rank(3)), header("2048", None));
        while table.facts().status == GameStatus::Open {
            let action = table.legal()[0].clone();
            table.play(&action);
        }
        assert_eq!(table.facts().status, GameStatus::Over(Outcome::Win));
        assert!(table.legal().is_empty() && table.play_on());
        assert_eq!(table.facts().status, GameStatus::Open);
        let action = table.legal()[0].clone();
        assert!(table.play(&action));
        let text = table.record("person", None);
        assert!(text.contains("goal none"));
        Record::read(&Twenty48::new(Goal::None), &text).unwrap();
        assert!(!table.play_on());
    }

    #[test]
    fn an_opponent_replies_by_its_own_names() {
        let mut table = TypedSession::new(TicTacToe, header("tic-tac-toe", Some("minimax")));
        assert!(table.play("b2"));
        assert_eq!((table.facts().status, table.facts().board.as_str()), (GameStatus::Waiting, ".../.X./..."));
        assert_eq!(table.to_move().0, ".../.O./...");
        assert!(!table.play("a1") && !table.reply("b2"));
        assert!(table.reply("a1"));
        assert_eq!((table.facts().status, table.facts().board.as_str()), (GameStatus::Open, "O../.X./..."));
        assert!(table.play("c3") && table.undo());
        assert_eq!(table.facts().board, "O../.X./...");
        assert!(table.record("person", None).contains("b2 O a1\nend 0 unfinished"));
    }
}
