//! `lab2048 play`: a person plays, and an agent gives advice.

use std::path::PathBuf;

use super::agent_arg::AgentParser;
use super::position::goal_of_board;
use super::session::{OpponentArg, Session, SessionArgs, Start};
use super::{Context, Failure, recorded};
use crate::agents::AgentSpec;
use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::params::{InputError, unknown};
use crate::spec::GameSpec;
use crate::tutor::{KeyBindings, terminal};

/// The default for 2048: it plays well and answers at once.
const ADVISER: &str = "expectimax:depth=3";
/// The default for two-player games: it solves noughts and crosses at once, and plays connect four fairly well.
const OPPONENT: &str = "alphabeta:depth=6";

/// Play a game; an agent gives advice, plays for you, or is your opponent
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 play
  lab2048 play --agent expectimax:depth=5,heuristic=malaga-1 --seed 7 --record mine.game
  lab2048 play mine.game
  lab2048 play --board 2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2
  lab2048 play --game tic-tac-toe --agent minimax:depth=9")]
pub struct Args {
    /// A saved game to continue
    #[arg(value_name = "FILE", conflicts_with_all = ["game", "goal", "seed", "board"])]
    file: Option<PathBuf>,
    /// Start at this position instead of a random one
    #[arg(long)]
    board: Option<String>,
    /// The agent that gives advice, and the opponent in a two-player game; see `lab2048 list agents`
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    agent: Option<String>,
    #[command(flatten)]
    args: SessionArgs,
    /// What the letters h, a and s do: `commands` (capital letters move), or `wasd` or `hjkl` (the letters move)
    #[arg(long, default_value = "commands")]
    keys: String,
}

impl Args {
    pub fn run(self, _: &Context) -> Result<(), Failure> {
        let (game, start) = self.start()?;
        let default = if game.name() == Twenty48::NAME { ADVISER } else { OPPONENT };
        let agent = AgentSpec::from_text(self.agent.as_deref().unwrap_or(default))?;
        let keys = read_keys(&self.keys)?;
        let session = Session { game, args: self.args, agent, opponent: OpponentArg::Agent, start, keys, watch: false };
        if !terminal::is_present() {
            session.open(crate::tutor::Palette::Plain)?;
            return Err(Failure::Usage("play needs a terminal; `lab2048 watch` works without one".into()));
        }
        session.run()
    }

    /// The game, and where it starts.
    fn start(&self) -> Result<(GameSpec, Start), Failure> {
        let args = &self.args;
        match (&self.file, &self.board) {
            (Some(path), _) => {
                args.check_record()?;
                let (game, text) = recorded::open(path)?;
                Ok((game, Start::Record { path: path.clone(), text }))
            }
            (None, Some(board)) => {
                let game = goal_of_board(args.game()?, args.goal.as_deref(), board);
                Ok((game, Start::Board(board.clone())))
            }
            (None, None) => Ok((args.game()?, Start::Seed)),
        }
    }
}

fn read_keys(name: &str) -> Result<KeyBindings, InputError> {
    let known = KeyBindings::ALL.iter().map(|(name, _)| *name);
    let found = KeyBindings::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, keys)| *keys).ok_or_else(|| InputError::new(unknown("set of keys", name, known)))
}
