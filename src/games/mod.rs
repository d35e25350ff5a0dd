//! Games as the searches see them: the mover acts, then the environment replies.
//!
//! In 2048 the reply is a new tile; in noughts and crosses and connect four it is the opponent's move. A search never
//! asks which: expectimax takes the mean over replies, minimax the worst.
//!
//! **To add a game**: one file with a type that implements [`Game`], and one line in
//! [`crate::spec::GAMES`].

#[cfg(test)]
pub(crate) mod conformance;
pub mod connect_four;
pub mod grid;
mod playout;
pub mod simd;
pub mod tic_tac_toe;
pub mod twenty48;

pub use playout::{Finished, Playouts};

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::rng::Rng;

/// How a finished game went, from the mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

/// A legal move with the position that it leads to, before the environment replies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<P, M> {
    pub action: M,
    pub after: P,
    pub reward: u32,
}

/// The most legal moves that a position may have: a search has room for so many. The conformance suite checks it.
pub const MOST_MOVES: usize = 12;

/// The most replies that there may be to a move (2048 has sixteen cells and two tiles). The conformance suite checks it.
pub const MOST_REPLIES: usize = 32;

/// One thing the environment may do, with its probability (replies of one position sum to 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply<P> {
    pub probability: f64,
    /// The probability of what is done, wherever it is done: of the new tile in 2048, 1 where all replies are alike.
    pub weight: f64,
    pub position: P,
}

/// The rules of a game, with their parameters.
///
/// A *position* has the mover to move; an *after-position* has the environment to reply. Both have the same type.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    const NAME: &'static str;
    const SUMMARY: &'static str;
    /// How positions are written, by example.
    const NOTATION: &'static str;
    /// What it means for the mover to have no legal step.
    const STUCK: Outcome;
    /// Whether the environment is an opponent, not chance.
    const ADVERSARIAL: bool = false;
    /// Heuristic values below this count as this.
    const FLOOR: f64;

    type Position: Copy + Eq + Hash + Debug + Display + Send + Sync;
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync;

    /// A random start, with the mover to move.
    fn start(&self, rng: &mut Rng) -> Self::Position;

    /// The legal moves, always in the same order: of equally good moves every agent takes the first.
    ///
    /// Consume it by `fold`/`for_each` where speed matters.
    fn steps(&self, position: Self::Position) -> impl Iterator<Item = Step<Self::Position, Self::Move>>;

    /// Everything the environment may do. Empty only where [`Game::after_step`] says that the game has ended.
    fn replies(&self, after: Self::Position) -> impl Iterator<Item = Reply<Self::Position>>;

    /// How many replies there are.
    fn reply_count(&self, after: Self::Position) -> usize {
        self.replies(after).count()
    }

    /// One reply, drawn by its probability.
    fn sample(&self, after: Self::Position, rng: &mut Rng) -> Self::Position;

    /// Whether the mover's step has ended the game.
    fn after_step(&self, after: Self::Position) -> Option<Outcome>;

    /// Whether the environment's reply has ended the game; having no legal step is a matter of [`Game::is_stuck`].
    fn after_reply(&self, position: Self::Position) -> Option<Outcome>;

    /// Whether the mover has no legal step.
    fn is_stuck(&self, position: Self::Position) -> bool {
        self.steps(position).next().is_none()
    }

    /// How the game has ended at a position with the mover to move, or `None` if it goes on.
    fn verdict(&self, position: Self::Position) -> Option<Outcome> {
        self.after_reply(position).or_else(|| self.is_stuck(position).then_some(Self::STUCK))
    }

    /// What an outcome is worth to a search.
    fn utility(&self, outcome: Outcome) -> f64;

    /// The score to record for a finished game, given the rewards collected.
    fn final_score(&self, rewards: u32, outcome: Outcome) -> i64;

    /// The largest tile, for games that have tiles; 0 otherwise.
    fn max_tile(&self, _position: Self::Position) -> u32 {
        0
    }

    /// Whether a game that ended at `last` with this outcome counts as won.
    fn is_won(&self, _last: Self::Position, outcome: Outcome) -> bool {
        outcome == Outcome::Win
    }

    fn empty_cells(&self, position: Self::Position) -> u32;

    /// A number that no other position of the game has.
    fn key(&self, position: Self::Position) -> u64;

    /// The score that a bare position suggests when the user gives none.
    fn implied_score(&self, _position: Self::Position) -> u32 {
        0
    }

    /// What the environment did between two positions, as a person would say it; unlike every other reply's label.
    fn reply_label(&self, _after: Self::Position, position: Self::Position) -> String {
        position.to_string()
    }

    /// Plays random games to their ends. Every playout asked for is finished and handed to `sink`, in an order that
    /// depends on the seed alone.
    fn playouts(&self, batch: Playouts<Self::Position>, sink: impl FnMut(Finished<Self::Position>)) {
        playout::one_at_a_time(self, batch, sink);
    }

    /// The same game played on past its goal; `None` where there is no goal to pass.
    fn without_goal(&self) -> Option<Self> {
        None
    }

    /// An after-position as the opponent sees it, with the mover to move: so an agent can play the environment's side.
    /// `None` where the environment is chance. Applied again it is undone.
    fn seen_by_opponent(&self, _after: Self::Position) -> Option<Self::Position> {
        None
    }

    /// Reads a position written as in [`Game::NOTATION`]; the error names the offending part.
    fn parse(&self, text: &str) -> Result<Self::Position, String>;
}

/// A game in which the environment is an opponent under the same rules as the mover.
pub trait TwoPlayer: Game {
    /// The lines that win.
    const LINES: u32;

    /// The same board with the sides exchanged. Of an after-position it is the opponent's choice of a reply, as a
    /// position with the mover to move, so that an agent can play either side.
    fn swapped(position: Self::Position) -> Self::Position;

    /// Lines that the mover may still complete less those that the opponent may still complete.
    fn open_lines(position: Self::Position) -> i32;
}

/// Capsula's utility of a game for two: 1, 0 or -1.
fn two_player_utility(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

/// The utility of winning a game whose heuristics have no upper bound: finite, so that a search can weigh a chance of
/// winning, yet above every heuristic value. It is shown as `win`.
pub const WIN: f64 = (1u128 << 100) as f64;

/// Whether a value contains a chance of [`WIN`]: an infinite utility, as a user sees it.
pub fn is_win(value: f64) -> bool {
    value >= WIN / (1u64 << 40) as f64
}
