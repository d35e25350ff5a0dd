//! What `play` and `watch` share: the game, and the screen that shows it.

use std::path::PathBuf;

use anyhow::anyhow;

use super::output::say;
use super::{Failure, recorded};
use crate::agents::AgentSpec;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::record::{Header, Record};
use crate::spec::{GameSpec, GameTask};
use crate::tutor::{
    Flow, GameSession, KeyBindings, Palette, PlayScreen, PlaySetup, RecordPath, TypedSession, terminal,
};

/// The options of both commands.
#[derive(Clone, Debug, clap::Args)]
pub struct SessionArgs {
    /// The game: 2048, tic-tac-toe or connect-four
    #[arg(long, default_value = "2048")]
    pub game: String,
    /// The tile that wins: a power of two, or `none` to play until no move is left
    #[arg(long)]
    pub goal: Option<String>,
    /// Seed of the game and of the agent's own randomness
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many moves the agent makes per second, on a terminal
    #[arg(long, default_value_t = 4.0, value_parser = speed)]
    pub speed: f64,
    /// Save the game in this file at the end; without it, `s` still saves the game on a terminal
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl SessionArgs {
    /// The game. It is an error if the file for its record exists already.
    pub fn game(&self) -> Result<GameSpec, Failure> {
        self.check_record()?;
        Ok(GameSpec::new(&self.game, self.goal.as_deref())?)
    }

    /// It is an error if the file for the record exists already.
    pub fn check_record(&self) -> Result<(), Failure> {
        self.record.as_deref().map_or(Ok(()), recorded::check_free)
    }
}

/// A game to be played on the screen.
pub struct Session {
    /// The game.
    pub game: GameSpec,
    /// The options of the command.
    pub args: SessionArgs,
    /// The agent that gives advice or plays.
    pub agent: AgentSpec,
    /// Who replies in a two-player game.
    pub opponent: OpponentArg,
    /// Where the game starts.
    pub start: Start,
    /// Which letters move.
    pub keys: KeyBindings,
    /// Whether the agent plays from the start.
    pub watch: bool,
}

/// Who replies in a two-player game.
pub enum OpponentArg {
    /// The agent that also gives advice.
    Agent,
    /// Another agent.
    Other(AgentSpec),
    /// Nobody: replies are random.
    Chance,
}

/// Where a game starts.
pub enum Start {
    /// At the start position that the seed gives.
    Seed,
    /// At this position, in the game's notation.
    Board(String),
    /// After the last move of this record.
    Record {
        /// The file of the record.
        path: PathBuf,
        /// Its text.
        text: String,
    },
}

impl Session {
    /// Runs the screen until the user leaves it.
    pub fn run(self) -> Result<(), Failure> {
        let mut screen = self.open(Palette::from_environment())?;
        let flow = terminal::run(&mut screen)?;
        if let Some(path) = screen.finish().map_err(|error| anyhow!("the game is not saved: {error}"))? {
            say(&format!("saved to {}", path.display()));
        }
        leave(flow)
    }

    /// The screen, ready to run.
    pub fn open(self, palette: Palette) -> Result<PlayScreen, Failure> {
        let has_opponent = self.game.with(IsAdversarial) && !matches!(self.opponent, OpponentArg::Chance);
        let opponent = match self.opponent {
            OpponentArg::Other(spec) => Some(spec),
            OpponentArg::Agent | OpponentArg::Chance => None,
        };
        let name = opponent.as_ref().unwrap_or(&self.agent).to_string();
        let SessionArgs { seed, speed, record, .. } = self.args;
        let keep = record.is_some();
        let path = record.unwrap_or_else(|| default_path(&self.start, self.game, seed));
        let open = OpenSession { spec: self.game, seed, opponent: has_opponent.then_some(name), start: self.start };
        Ok(PlayScreen::new(PlaySetup {
            session: self.game.with(open)?,
            agent: self.agent,
            opponent,
            has_opponent,
            keys: self.keys,
            palette,
            record_path: RecordPath::new(path),
            keep,
            watch: self.watch,
            speed,
        })?)
    }
}

/// Where a game is saved without `--record`. A continued game is saved beside its old record, under another name.
fn default_path(start: &Start, game: GameSpec, seed: u64) -> PathBuf {
    match start {
        Start::Record { path, .. } => path.clone(),
        _ => format!("{}-{seed}.game", game.name()).into(),
    }
}

/// The result of the command after the user has left the screen.
pub fn leave(flow: Flow) -> Result<(), Failure> {
    match flow {
        Flow::Interrupt => Err(Failure::Interrupted("a signal ended the program".into())),
        Flow::Stay | Flow::Quit => Ok(()),
    }
}

struct IsAdversarial;

impl GameTask for IsAdversarial {
    type Output = bool;

    fn run<G: Playable>(self, _: G) -> bool {
        G::ADVERSARIAL
    }
}

struct OpenSession {
    spec: GameSpec,
    seed: u64,
    opponent: Option<String>,
    start: Start,
}

impl GameTask for OpenSession {
    type Output = Result<Box<dyn GameSession>, Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let header = recorded::header::<G>(self.spec, self.seed, "", self.opponent.as_deref());
        let session = match self.start {
            Start::Seed => TypedSession::new(game, header),
            Start::Board(board) => {
                let position = open_position(&game, &board)?;
                TypedSession::from_position(game, header, position)
            }
            Start::Record { path, text } => {
                let record = Record::read(&game, &text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
                let header = Header { opponent: self.opponent, ..record.header.clone() };
                TypedSession::from_record(game, Record { header, ..record })
            }
        };
        Ok(Box::new(session))
    }
}

/// A position at which the game has not ended.
fn open_position<G: Playable>(game: &G, board: &str) -> Result<G::Position, InputError> {
    let position = game.parse(board).map_err(|why| InputError::at("board", format!("--board: {why}")))?;
    match game.after_step(position).or_else(|| game.verdict(position)) {
        Some(_) => Err(InputError::at("board", format!("--board: the game is already over at {position}"))),
        None => Ok(position),
    }
}

/// Parses a speed in moves per second.
pub fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed > 0.0 && speed <= 1000.0 => Ok(speed),
        _ => Err("a speed is a number of moves per second, above 0 and up to 1000".into()),
    }
}
