//! Game records: a small text format that people can read and compare, and that is checked when it is loaded.
//!
//! ```text
//! lab2048-record 1
//! game 2048
//! goal 2048
//! seed 7
//! agent expectimax:depth=3
//! start 0,0,0,0/0,0,2,0/0,0,0,0/0,2,0,0
//! left 2 at c4
//! up 4 at a2
//! end 4 unfinished
//! ```
//!
//! The first line names the format and its version. Then come, in this order, `game`, `goal` (only of games that have
//! one), `seed`, `agent` (who moved), `opponent` (only where the replies were another player's), and `start`, the board
//! in the game's notation. Each further line is one move and, after a space, what the environment replied in the words
//! of [`Game::reply_label`]; a move that ends the game has no reply. The last line has the score and `win`, `draw`,
//! `loss` or `unfinished`. Empty lines and lines that start with `#` say nothing.
//!
//! A reader refuses a record without its `end` line, with a move or a reply that the rules do not allow, or with a
//! score or an outcome that does not follow from the moves.

mod file;
mod header;
mod read;

#[cfg(test)]
mod tests;

pub use file::{load, save_new};
pub use header::Header;
pub use read::Damage;

use crate::games::{Game, Outcome, Step};
use crate::play::Turn;
use crate::rng::environment;

/// The first line of every record.
const SIGNATURE: &str = "lab2048-record 1";
/// The word for a game that was left before its end.
const UNFINISHED: &str = "unfinished";

/// A move with what the environment answered; no answer if the move ended the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made<G: Game> {
    pub step: Step<G::Position, G::Move>,
    pub reply: Option<G::Position>,
}

impl<G: Game> Made<G> {
    /// The position that the next move starts from.
    pub fn next(&self) -> G::Position {
        self.reply.unwrap_or(self.step.after)
    }
}

/// A game as it was played, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<G: Game> {
    pub header: Header,
    pub start: G::Position,
    pub moves: Vec<Made<G>>,
}

impl<G: Game> Record<G> {
    /// The record of a game that has yet to be played from the start that its seed gives.
    pub fn begin(game: &G, header: Header) -> Self {
        let start = game.start(&mut environment(header.seed));
        Record { header, start, moves: Vec::new() }
    }

    /// Adds a move as [`Match::play`](crate::play::Match::play) reports it.
    pub fn observe(&mut self, turn: &Turn<G>) {
        self.moves.push(Made { step: turn.step, reply: turn.reply });
    }

    /// The last position.
    pub fn last(&self) -> G::Position {
        self.moves.last().map_or(self.start, Made::next)
    }

    /// The rewards collected in the first `moves` moves.
    pub fn rewards(&self, moves: usize) -> u32 {
        self.moves.iter().take(moves).map(|made| made.step.reward).sum()
    }

    /// How the game ended, or `None` if it goes on.
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        match self.moves.last() {
            Some(Made { step, reply: None }) => game.after_step(step.after),
            _ => game.verdict(self.last()),
        }
    }

    /// The score as it stands.
    pub fn score(&self, game: &G) -> i64 {
        let rewards = self.rewards(self.moves.len());
        self.outcome(game).map_or(rewards.into(), |outcome| game.final_score(rewards, outcome))
    }

    /// The whole file.
    pub fn to_text(&self, game: &G) -> String {
        let mut text = format!("{SIGNATURE}\n{}start {}\n", self.header, self.start);
        for made in &self.moves {
            text += &made.step.action.to_string();
            if let Some(reply) = made.reply {
                text += &format!(" {}", game.reply_label(made.step.after, reply));
            }
            text += "\n";
        }
        text + &format!("{}\n", self.end(game))
    }

    fn end(&self, game: &G) -> String {
        format!("end {} {}", self.score(game), self.outcome(game).map_or(UNFINISHED, outcome_name))
    }
}

/// The word for an outcome, from the mover's side.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}
