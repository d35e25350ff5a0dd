//! What a record says before the first move.

use std::fmt;

use super::SIGNATURE;
use super::read::{Damage, Lines};

/// Which game, and who played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub game: String,
    /// Of games that have one.
    pub goal: Option<String>,
    pub seed: u64,
    /// Who moved: an agent as the user writes it, or words about a person.
    pub agent: String,
    /// Who replied, where that was not chance.
    pub opponent: Option<String>,
}

impl Header {
    /// Reads the header alone, so that the game can be looked up before the rest is read.
    pub fn read(text: &str) -> Result<Header, Damage> {
        Header::take(&mut Lines::new(text))
    }

    pub(super) fn take(lines: &mut Lines) -> Result<Header, Damage> {
        let first = lines.next_line("the line `lab2048-record 1`")?;
        if first.text != SIGNATURE {
            return Err(first.damage(format!("`{}` is not `{SIGNATURE}`: this is no record of a game", first.text)));
        }
        let game = lines.value("game")?.text.to_string();
        let goal = lines.optional("goal").map(|line| line.text.to_string());
        let seed = lines.value("seed")?;
        let seed = seed.text.parse().map_err(|_| {
            seed.damage(format!("`{}` is not a seed: a whole number from 0 to {}", seed.text, u64::MAX))
        })?;
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
