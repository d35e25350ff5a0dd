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
    /// The generator before each move: a move that is taken back and made again meets the same reply.
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
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::connect_four::ConnectFour;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::play::{Match, Opponent};

    fn header(game: &str, opponent: Option<&str>) -> Header {
        Header { game: game.into(), goal: None, seed: 7, agent: "person".into(), opponent: opponent.map(Into::into) }
    }

    #[test]
    fn a_move_taken_back_and_made_again_meets_the_same_reply() {
        let mut session = TypedSession::new(Twenty48::new(Goal::None), header("2048", None));
        let start = session.state();
        let action = session.legal()[0].clone();
        assert!(session.play(&action));
        let after = session.state();
        assert_eq!((after.moves, session.undo(), session.state()), (1, true, start));
        assert!(session.play(&action));
        assert_eq!(session.state(), after);
        assert!(!session.play("sideways"));
        assert!(session.undo() && !session.undo());
    }

    #[test]
    fn a_game_can_continue_after_the_goal_and_its_record_is_valid() {
        let mut session = TypedSession::new(Twenty48::new(Goal::Rank(3)), header("2048", None));
        while session.state().status == GameStatus::Open {
            let action = session.legal()[0].clone();
            session.play(&action);
        }
        assert_eq!(session.state().status, GameStatus::Over(Outcome::Win));
        assert!(session.legal().is_empty() && session.play_on());
        assert_eq!(session.state().status, GameStatus::Open);
        let action = session.legal()[0].clone();
        assert!(session.play(&action));
        let text = session.record("person", None);
        assert!(text.contains("goal none"));
        Record::read(&Twenty48::new(Goal::None), &text).unwrap();
        assert!(!session.play_on());
    }

    #[test]
    fn an_opponent_names_its_replies_as_its_own_moves() {
        let mut session = TypedSession::new(TicTacToe, header("tic-tac-toe", Some("minimax")));
        assert!(session.play("b2"));
        assert_eq!((session.state().status, session.state().board.as_str()), (GameStatus::Waiting, ".../.X./..."));
        assert_eq!(session.to_move().0.to_string(), ".../.O./...");
        assert!(!session.play("a1") && !session.reply("b2"));
        assert!(session.reply("a1"));
        assert_eq!((session.state().status, session.state().board.as_str()), (GameStatus::Open, "O../.X./..."));
        assert!(session.play("c3") && session.undo());
        assert_eq!(session.state().board, "O../.X./...");
        assert!(session.record("person", None).contains("b2 O a1\nend 0 unfinished"));
    }

    /// Plays one game with [`Match::play`], and makes the same moves in a session.
    fn check_same_rules<G: Playable>(game: &G, opponent: Option<&str>) {
        let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(game).unwrap();
        let mut agent = build("random");
        let mut replies = opponent.map_or(Opponent::Chance, |spec| Opponent::Agent(build(spec)));
        let header = header(G::NAME, opponent);
        let mut record = Record::begin(game, header.clone());
        let mut matched = Match { game, agent: agent.as_mut(), opponent: &mut replies };
        let played = matched.play(header.seed, |turn| record.observe(turn));
        let mut session = TypedSession::new(game.clone(), header);
        for PlayedMove { step, reply } in &record.moves {
            assert!(session.play(&step.action.to_string()));
            if let (Some(reply), true) = (reply, session.state().status == GameStatus::Waiting) {
                let seen = game.seen_by_opponent(step.after).unwrap();
                let names = game.steps(seen).find(|s| game.seen_by_opponent(s.after) == Some(*reply));
                assert!(session.reply(&names.unwrap().action.to_string()));
            }
        }
        assert_eq!(session.record.to_text(game), record.to_text(game));
        let state = session.state();
        assert_eq!((state.status, state.score), (GameStatus::Over(played.outcome), played.result.score));
        // The parser of records applies the rules a third time.
        let text = record.to_text(game);
        assert_eq!(Record::read(game, &text).unwrap().to_text(game), text);
    }

    #[test]
    fn sessions_matches_and_records_apply_the_same_rules() {
        check_same_rules(&Twenty48::new(Goal::None), None);
        check_same_rules(&Twenty48::new(Goal::Rank(6)), None);
        check_same_rules(&TicTacToe, None);
        check_same_rules(&TicTacToe, Some("random"));
        check_same_rules(&ConnectFour, Some("greedy"));
    }

    #[test]
    fn a_continued_game_goes_on_as_if_it_had_not_been_interrupted() {
        let game = Twenty48::new(Goal::None);
        let mut straight = TypedSession::new(game, header("2048", None));
        for _ in 0..5 {
            let action = straight.legal()[0].clone();
            straight.play(&action);
        }
        let saved = Record::read(&game, &straight.record("person", None)).unwrap();
        let mut continued = TypedSession::from_record(game, saved);
        assert_eq!(continued.state(), straight.state());
        for _ in 0..5 {
            let action = straight.legal()[0].clone();
            assert!(straight.play(&action) && continued.play(&action));
            assert_eq!(continued.state(), straight.state());
        }
        (0..10).for_each(|_| assert!(continued.undo()));
        assert_eq!(continued.state().moves, 0);
    }

    #[test]
    fn a_game_from_a_board_starts_there_again() {
        let game = Twenty48::new(Goal::None);
        let board = game.parse("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2").unwrap();
        let mut session = TypedSession::from_position(game, header("2048", None), board);
        assert!(session.play("down"));
        session.restart(9);
        assert_eq!((session.state().board, session.state().seed), (board.to_string(), 9));
    }
}
