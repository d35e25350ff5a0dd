//! Records of games: a text format that people can read, and that is checked when it is loaded.
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
//! The first line names the format and its version. Then come, in this order: `game`, `goal` (only for games that have
//! one), `seed`, `agent` (who made the moves), `opponent` (only if another player made the replies), and `start`, the
//! board in the game's notation. Each line after that is one move. After a space it has the environment's reply, as
//! [`Game::reply_label`] writes it. A move that ends the game has no reply. The last line has the score and `win`,
//! `draw`, `loss` or `unfinished`. Empty lines and lines that start with `#` are ignored.
//!
//! It is an error if the `end` line is missing, if the rules do not allow a move or a reply, or if the score or the
//! outcome does not follow from the moves.
//!
//! ```
//! use lab2048::games::twenty48::{Goal, Twenty48};
//! use lab2048::record::Record;
//!
//! let text = "lab2048-record 1\ngame 2048\ngoal 8\nseed 7\nagent person\n\
//!             start 0,0,0,0/0,0,2,2/0,0,0,0/0,0,0,0\nleft 4 at d4\nend 4 unfinished\n";
//! let game = Twenty48::new(Goal::Rank(3));
//! let record = Record::read(&game, text).unwrap();
//! assert_eq!(record.score(&game), 4);
//! assert_eq!(record.to_text(&game), text);
//! ```

mod analysis;
mod file;
mod header;
mod read;

#[cfg(test)]
mod tests;

pub use analysis::{Analysis, MoveAnalysis};
pub use file::{load, save_new};
pub use header::Header;
pub use read::RecordError;

use crate::games::{Game, Outcome, Step};
use crate::play::Turn;
use crate::rng::environment;

/// The first line of every record.
const SIGNATURE: &str = "lab2048-record 1";
/// Marks a game that was stopped before its end.
const UNFINISHED: &str = "unfinished";

/// A move and the environment's reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove<G: Game> {
    /// The move.
    pub step: Step<G::Position, G::Move>,
    /// The position after the reply; `None` if the move ended the game.
    pub reply: Option<G::Position>,
}

impl<G: Game> PlayedMove<G> {
    /// The position after the move and its reply.
    pub fn next(&self) -> G::Position {
        self.reply.unwrap_or(self.step.after)
    }
}

/// The record of a game, finished or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<G: Game> {
    /// The game, its seed and its players.
    pub header: Header,
    /// The position before the first move.
    pub start: G::Position,
    /// All moves with their replies.
    pub moves: Vec<PlayedMove<G>>,
}

impl<G: Game> Record<G> {
    /// A record without moves, at the start position that the seed gives.
    pub fn begin(game: &G, header: Header) -> Self {
        let start = game.start(&mut environment(header.seed));
        Record { header, start, moves: Vec::new() }
    }

    /// Adds a move as [`Match::play`](crate::play::Match::play) reports it.
    pub fn observe(&mut self, turn: &Turn<G>) {
        if self.moves.is_empty() {
            // After an opening the first position is not the one that the seed gives.
            self.start = turn.position;
        }
        self.moves.push(PlayedMove { step: turn.step, reply: turn.reply });
    }

    /// The last position.
    pub fn last(&self) -> G::Position {
        self.moves.last().map_or(self.start, PlayedMove::next)
    }

    /// The position in which move number `index` was made, counted from 0.
    pub fn position(&self, index: usize) -> G::Position {
        let before = index.checked_sub(1).and_then(|last| self.moves.get(last));
        before.map_or(self.start, PlayedMove::next)
    }

    /// The sum of the rewards of the first `moves` moves.
    pub fn rewards(&self, moves: usize) -> u32 {
        self.moves.iter().take(moves).map(|played| played.step.reward).sum()
    }

    /// How the game ended; `None` if it has not ended.
    pub fn outcome(&self, game: &G) -> Option<Outcome> {
        match self.moves.last() {
            Some(PlayedMove { step, reply: None }) => game.after_step(step.after),
            _ => game.verdict(self.last()),
        }
    }

    /// The score after the last move.
    pub fn score(&self, game: &G) -> i64 {
        let rewards = self.rewards(self.moves.len());
        self.outcome(game).map_or(rewards.into(), |outcome| game.final_score(rewards, outcome))
    }

    /// The text of the record's file.
    pub fn to_text(&self, game: &G) -> String {
        let mut text = format!("{SIGNATURE}\n{}start {}\n", self.header, self.start);
        for played in &self.moves {
            text += &played.step.action.to_string();
            if let Some(reply) = played.reply {
                text += &format!(" {}", game.reply_label(played.step.after, reply));
            }
            text += "\n";
        }
        text + &format!("{}\n", self.end(game))
    }

    fn end(&self, game: &G) -> String {
        format!("end {} {}", self.score(game), self.outcome(game).map_or(UNFINISHED, Outcome::name))
    }
}
