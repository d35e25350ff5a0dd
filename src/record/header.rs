//! The header of a record: everything before the start position.

use std::fmt;

use super::SIGNATURE;
use super::read::{Lines, RecordError};

/// The game, its seed and its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The name of the game.
    pub game: String,
    /// The goal, for games that have one.
    pub goal: Option<String>,
    /// The seed of the game.
    pub seed: u64,
    /// Who made the moves: an agent as users write it, or `person`.
    pub agent: String,
    /// Who made the replies; `None` if they were random.
    pub opponent: Option<String>,
}

impl Header {
    /// Reads the header only. The rest can be read once the game is known.
    pub fn read(text: &str) -> Result<Header, RecordError> {
        Header::parse(&mut Lines::new(text))
    }

    pub(super) fn parse(lines: &mut Lines) -> Result<Header, RecordError> {
        let first = lines.next_line("the line `lab2048-record 1`")?;
        if first.text != SIGNATURE {
            return Err(first.error(format!("`{}` is not `{SIGNATURE}`: this is not a record of a game", first.text)));
        }
        let game = lines.value("game")?.text.to_string();
        let goal = lines.optional("goal").map(|line| line.text.to_string());
        let seed = lines.value("seed")?;
        let seed = seed
            .text
            .parse()
            .map_err(|_| seed.error(format!("`{}` is not a seed: a whole number from 0 to {}", seed.text, u64::MAX)))?;
        let agent = lines.value("agent")?.text.to_string();
        let opponent = lines.optional("opponent").map(|line| line.text.to_string());
        Ok(Header { game, goal, seed, agent, opponent })
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "game {}", self.game)?;
        if let Some(goal) = &self.goal {
            writeln!(f, "goal {goal}")?;
        }
        writeln!(f, "seed {}\nagent {}", self.seed, self.agent)?;
        match &self.opponent {
            Some(opponent) => writeln!(f, "opponent {opponent}"),
            None => Ok(()),
        }
    }
}
