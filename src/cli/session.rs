//! A game on the screen: what `play` and `watch` share.

use std::path::PathBuf;

use anyhow::anyhow;

use super::{Failure, recorded};
use crate::agents::AgentSpec;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::spec::{GameSpec, GameTask};
use crate::tutor::{Flow, GameSession, Keys, Palette, Play, RecordPath, Setup, TypedSession, terminal};

/// Which game, how fast and where to: what both commands are asked.
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
    /// Moves a second when the agent plays on a terminal
    #[arg(long, default_value_t = 4.0, value_parser = speed)]
    pub speed: f64,
    /// Keep the game in this file; on a terminal `s` saves at any moment, with or without it
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl SessionArgs {
    /// The game, once it is known that its record would overwrite nothing.
    pub fn game(&self) -> Result<GameSpec, Failure> {
        self.record.as_deref().map_or(Ok(()), recorded::check_free)?;
        Ok(GameSpec::new(&self.game, self.goal.as_deref())?)
    }
}

/// A session as the user asked for it.
pub struct Session {
    pub game: GameSpec,
    pub args: SessionArgs,
    pub agent: AgentSpec,
    /// Who replies in a game for two: the agent itself, somebody else, or chance.
    pub opponent: Replier,
    pub keys: Keys,
    pub watch: bool,
}

/// Who replies in a game for two.
pub enum Replier {
    Agent,
    Other(AgentSpec),
    Chance,
}

impl Session {
    /// Runs the session until the user leaves.
    pub fn run(self) -> Result<(), Failure> {
        let mut play = self.open(Palette::from_environment())?;
        let flow = terminal::run(&mut play)?;
        if let Some(path) = play.finish().map_err(|error| anyhow!("the game is not saved: {error}"))? {
            eprintln!("saved to {}", path.display());
        }
        leave(flow)
    }

    /// The screen, ready to be run.
    pub fn open(self, palette: Palette) -> Result<Play, InputError> {
        let answered = self.game.with(IsAdversarial) && !matches!(self.opponent, Replier::Chance);
        let opponent = match self.opponent {
            Replier::Other(spec) => Some(spec),
            Replier::Agent | Replier::Chance => None,
        };
        let name = opponent.as_ref().unwrap_or(&self.agent).to_string();
        let SessionArgs { seed, speed, record, .. } = self.args;
        let table = self.game.with(OpenSession { spec: self.game, seed, opponent: answered.then_some(name) });
        let keep = record.is_some();
        let path = record.unwrap_or_else(|| format!("{}-{seed}.game", self.game.name()).into());
        Play::new(Setup {
            table,
            agent: self.agent,
            opponent,
            answered,
            keys: self.keys,
            palette,
            record_path: RecordPath::new(path),
            keep,
            watch: self.watch,
            speed,
        })
    }
}

/// How the user left.
pub fn leave(flow: Flow) -> Result<(), Failure> {
    match flow {
        Flow::Interrupt => Err(Failure::Interrupted("the terminal is as it was".into())),
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
}

impl GameTask for OpenSession {
    type Output = Box<dyn GameSession>;

    fn run<G: Playable>(self, game: G) -> Box<dyn GameSession> {
        let header = recorded::header::<G>(self.spec, self.seed, "", self.opponent.as_deref());
        Box::new(TypedSession::new(game, header))
    }
}

/// Reads moves a second.
pub fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed > 0.0 && speed <= 1000.0 => Ok(speed),
        _ => Err("a speed is a number of moves a second, above 0 and up to 1000".into()),
    }
}
