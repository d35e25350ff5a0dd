//! `lab2048 play`: a person plays, an agent advises.

use super::session::{Replier, Session, SessionArgs};
use super::{Context, Failure};
use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::params::{InputError, unknown};
use crate::tutor::{Keys, terminal};

/// Strong and instant on 2048.
const ADVISER: &str = "expectimax:depth=3";
/// Sees a game of noughts and crosses to its end in an instant, and plays connect four decently.
const OPPONENT: &str = "alphabeta:depth=6";

/// Play, with an agent to ask, to watch, or to play against
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 play
  lab2048 play --agent expectimax:depth=5,heuristic=malaga-1 --seed 7 --record mine.game
  lab2048 play --game tic-tac-toe --agent minimax:depth=9")]
pub struct Args {
    /// The agent that gives hints, and that one plays against in a game for two; see `lab2048 list agents`
    #[arg(long)]
    agent: Option<String>,
    #[command(flatten)]
    args: SessionArgs,
    /// Who has the letters h, a and s: commands (H, A and S move), wasd or hjkl
    #[arg(long, default_value = "commands")]
    keys: String,
}

impl Args {
    pub fn run(self, _: &Context) -> Result<(), Failure> {
        let game = self.args.game()?;
        let usual = if game.name() == Twenty48::NAME { ADVISER } else { OPPONENT };
        let agent = self.agent.as_deref().unwrap_or(usual).parse()?;
        let keys = read_keys(&self.keys)?;
        if !terminal::is_present() {
            return Err(Failure::Usage("play needs a terminal; `lab2048 watch` works without one".into()));
        }
        Session { game, args: self.args, agent, opponent: Replier::Agent, keys, watch: false }.run()
    }
}

fn read_keys(name: &str) -> Result<Keys, InputError> {
    let known = Keys::ALL.iter().map(|(name, _)| *name);
    let found = Keys::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, keys)| *keys).ok_or_else(|| InputError::new(unknown("set of keys", name, known)))
}
