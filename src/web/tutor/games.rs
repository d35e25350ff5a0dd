//! The games that pages play: the tutor's sessions, kept by number.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::{Value, json};

use super::slides::slides;
use crate::heuristics::Playable;
use crate::record::{Header, Record};
use crate::rng::environment;
use crate::spec::{GameSpec, GameTask};
use crate::tutor::{GameSession, GameStatus, TypedSession};
use crate::web::server::Refusal;

/// The most games that are kept. A new one replaces the least recently used one.
const MOST_GAMES: usize = 100;

type Session = Box<dyn GameSession + Send>;

/// How a game is to begin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The game, for a new game or a game from a board.
    game: Option<String>,
    goal: Option<String>,
    seed: Option<u64>,
    /// A position to start from.
    board: Option<String>,
    /// A record to continue.
    record: Option<String>,
}

/// An action on a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "do")]
pub enum GameAction {
    Move {
        action: String,
    },
    /// The opponent's move.
    Reply {
        action: String,
    },
    Undo,
    PlayOn,
}

struct Kept {
    number: u64,
    spec: GameSpec,
    session: Session,
}

/// The games of all pages, the latest used last.
#[derive(Default)]
pub struct Games {
    kept: VecDeque<Kept>,
    opened: u64,
}

impl Games {
    /// Starts a game, and returns its state.
    pub fn open(&mut self, opening: Opening) -> Result<Value, Refusal> {
        let (spec, session) = begin(opening)?;
        self.opened += 1;
        if self.kept.len() >= MOST_GAMES {
            self.kept.pop_front();
        }
        let kept = Kept { number: self.opened, spec, session };
        let state = kept.state();
        self.kept.push_back(kept);
        Ok(state)
    }

    /// Carries out an action on a game, and returns its new state.
    pub fn act(&mut self, number: u64, action: GameAction) -> Result<Value, Refusal> {
        let kept = self.find(number)?;
        let before = kept.session.state().board;
        let (done, moved) = match &action {
            GameAction::Move { action } => (kept.session.play(action), Some(action.as_str())),
            GameAction::Reply { action } => (kept.session.reply(action), None),
            GameAction::Undo => (kept.session.undo(), None),
            GameAction::PlayOn => (kept.session.play_on(), None),
        };
        if !done {
            return Err(Refusal::new(422, "this cannot be done in the position on the board"));
        }
        let mut state = kept.state();
        if let Some(slides) = moved.and_then(|moved| slides(&before, moved)) {
            state["slides"] = json!(slides);
        }
        Ok(state)
    }

    pub fn state(&mut self, number: u64) -> Result<Value, Refusal> {
        Ok(self.find(number)?.state())
    }

    /// The record so far.
    pub fn record(&mut self, number: u64, player: &str, opponent: Option<String>) -> Result<String, Refusal> {
        Ok(self.find(number)?.session.record(player, opponent))
    }

    /// The game with this number, which becomes the latest used.
    fn find(&mut self, number: u64) -> Result<&mut Kept, Refusal> {
        let place = self.kept.iter().position(|kept| kept.number == number);
        let kept = place.and_then(|place| self.kept.remove(place));
        let kept = kept.ok_or_else(|| Refusal::not_found("game of this number any more; begin a new one"))?;
        self.kept.push_back(kept);
        self.kept.back_mut().ok_or_else(|| Refusal::not_found("game"))
    }
}

impl Kept {
    fn state(&self) -> Value {
        let facts = self.session.state();
        let (asked, score_asked) = self.session.asked_position();
        let (status, outcome) = match facts.status {
            GameStatus::Open => ("open", None),
            GameStatus::Waiting => ("waiting", None),
            GameStatus::Over(outcome) => ("over", Some(outcome.name())),
        };
        json!({
            "id": self.number,
            "game": facts.game,
            "goal": self.spec.has_goal().then(|| self.spec.goal().to_string()),
            "board": facts.board,
            "score": facts.score,
            "maxTile": facts.max_tile,
            "moves": facts.moves,
            "seed": facts.seed,
            "status": status,
            "outcome": outcome,
            "adversarial": facts.adversarial,
            "last": facts.last,
            "legal": self.session.legal(),
            // What an agent is asked about: the opponent's side where the opponent is to move.
            "asked": { "board": asked, "score": score_asked },
        })
    }
}

/// The name in a record for the person who plays on the page.
const PERSON: &str = "a person in the browser";

fn begin(opening: Opening) -> Result<(GameSpec, Session), Refusal> {
    if let Some(text) = opening.record {
        let header = Header::read(&text).map_err(|damage| Refusal::new(422, damage.to_string()))?;
        let spec = GameSpec::new(&header.game, header.goal.as_deref())?;
        return Ok((spec, spec.with(Resume { text: &text })?));
    }
    let spec = GameSpec::new(opening.game.as_deref().unwrap_or("2048"), opening.goal.as_deref())?;
    let header = Header {
        game: spec.name().to_string(),
        goal: spec.has_goal().then(|| spec.goal().to_string()),
        seed: opening.seed.unwrap_or(1),
        agent: PERSON.to_string(),
        opponent: None,
    };
    Ok((spec, spec.with(Begin { header, board: opening.board })?))
}

struct Begin {
    header: Header,
    board: Option<String>,
}

impl GameTask for Begin {
    type Output = Result<Session, Refusal>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let opponent = G::ADVERSARIAL.then(|| "an agent".to_string());
        let header = Header { opponent, ..self.header };
        let start = match &self.board {
            Some(board) => game.parse(board).map_err(|why| Refusal::new(422, why))?,
            None => game.start(&mut environment(header.seed)),
        };
        if game.verdict(start).is_some() {
            return Err(Refusal::new(422, "the game is over on this board"));
        }
        match self.board {
            Some(_) => Ok(Box::new(TypedSession::from_position(game, header, start))),
            None => Ok(Box::new(TypedSession::new(game, header))),
        }
    }
}

struct Resume<'a> {
    text: &'a str,
}

impl GameTask for Resume<'_> {
    type Output = Result<Session, Refusal>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let record = Record::read(&game, self.text).map_err(|damage| Refusal::new(422, damage.to_string()))?;
        Ok(Box::new(TypedSession::from_record(game, record)))
    }
}
