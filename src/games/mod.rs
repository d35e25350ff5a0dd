//! The interface between games and searches: the mover makes a move, then the environment replies.
//!
//! In 2048 the reply is a new tile. In noughts and crosses and in connect four it is the opponent's move. The searches
//! treat both in the same way: expectimax takes the mean over the replies and minimax the worst of them.
//!
//! **To add a game**: one file with a type that implements [`Game`], and one line in `spec::GAMES`. A two-player game
//! that also implements [`TwoPlayer`] gets the heuristic `open-lines`. Check a new game with [`conformance`].

mod bits;
pub mod conformance;
pub mod connect_four;
pub mod grid;
mod playout;
pub mod simd;
pub mod tic_tac_toe;
pub mod twenty48;

pub use bits::Cells;
pub use playout::{Effort, Finished, Playouts, Policy};

use std::fmt::{Debug, Display};
use std::hash::Hash;

use crate::rng::Rng;

/// The result of a finished game for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The mover has won.
    Win,
    /// Nobody has won.
    Draw,
    /// The mover has lost.
    Loss,
}

impl Outcome {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }
}

/// A legal move with the position that it leads to, before the environment replies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<P, M> {
    /// The move.
    pub action: M,
    /// The position that it leads to.
    pub after: P,
    /// What it adds to the score.
    pub reward: u32,
}

/// The maximum number of legal moves of a position. Searches use arrays of this size. The conformance suite checks it.
pub const MOST_MOVES: usize = 12;

/// The maximum number of replies to a move (2048 has sixteen cells and two tiles). The conformance suite checks it.
pub const MOST_REPLIES: usize = 32;

/// A reply of the environment. The probabilities of all replies to a position sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply<P> {
    /// The probability of this reply.
    pub probability: f64,
    /// The probability of this kind of reply, whatever its cell. In 2048 it is the probability of the new tile, 0.9 or
    /// 0.1. In games with one kind of reply it is 1.
    pub weight: f64,
    /// The position that it leads to.
    pub position: P,
}

/// The rules of a game, with their parameters.
///
/// At a *position* the mover is to move; at an *afterstate* the environment is to reply. Both have the same type.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The name that users write.
    const NAME: &'static str;
    /// The game in one line.
    const SUMMARY: &'static str;
    /// An example of how positions are written.
    const NOTATION: &'static str;
    /// The outcome if the mover has no legal step.
    const STUCK: Outcome;
    /// Whether the environment is an opponent and not chance.
    const ADVERSARIAL: bool = false;
    /// The lower bound of heuristic values. Lower values are raised to it.
    const FLOOR: f64;
    /// The policies that its playouts support.
    const POLICIES: &'static [Policy] = &[Policy::Random];

    /// A position, before or after the environment's reply.
    type Position: Copy + Eq + Hash + Debug + Display + Send + Sync;
    /// A move of the mover.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync;

    /// A random start position.
    fn start(&self, rng: &mut Rng) -> Self::Position;

    /// The legal moves, always in the same order, because agents break ties by taking the first.
    ///
    /// `fold` and `for_each` are the fastest ways to consume it.
    fn steps(&self, position: Self::Position) -> impl Iterator<Item = Step<Self::Position, Self::Move>>;

    /// All replies of the environment. There are none only where [`Game::after_step`] says that the game has ended.
    fn replies(&self, after: Self::Position) -> impl Iterator<Item = Reply<Self::Position>>;

    /// How many replies there are.
    fn reply_count(&self, after: Self::Position) -> usize {
        self.replies(after).count()
    }

    /// A random reply, drawn by the probabilities.
    fn sample(&self, after: Self::Position, rng: &mut Rng) -> Self::Position;

    /// The outcome if the mover's step has ended the game; `None` if the game goes on.
    fn after_step(&self, after: Self::Position) -> Option<Outcome>;

    /// The outcome if the environment's reply has ended the game; `None` if it has not. Positions without a legal step
    /// are not covered: see [`Game::is_stuck`].
    fn after_reply(&self, position: Self::Position) -> Option<Outcome>;

    /// Whether the mover has no legal step.
    fn is_stuck(&self, position: Self::Position) -> bool {
        self.steps(position).next().is_none()
    }

    /// The outcome if the game has ended at a position, by the reply or because no step is legal; `None` if it goes on.
    #[inline]
    fn verdict(&self, position: Self::Position) -> Option<Outcome> {
        self.after_reply(position).or_else(|| self.is_stuck(position).then_some(Self::STUCK))
    }

    /// The value of an outcome in a search.
    fn utility(&self, outcome: Outcome) -> f64;

    /// The score to record for a finished game, given the sum of the rewards.
    fn final_score(&self, rewards: u32, outcome: Outcome) -> i64;

    /// The largest tile, for games that have tiles; 0 otherwise.
    fn max_tile(&self, _position: Self::Position) -> u32 {
        0
    }

    /// A note if the game can no longer follow the true rules, because the representation of positions is limited.
    fn limit_note(&self, _position: Self::Position) -> Option<&'static str> {
        None
    }

    /// Whether a game that ended at `last` with this outcome counts as won.
    fn is_won(&self, _last: Self::Position, outcome: Outcome) -> bool {
        outcome == Outcome::Win
    }

    /// The number of empty cells.
    fn empty_cells(&self, position: Self::Position) -> u32;

    /// A number that identifies the position. No two positions of the game have the same.
    fn key(&self, position: Self::Position) -> u64;

    /// The score to assume if the user gives a position without a score.
    fn implied_score(&self, _position: Self::Position) -> u32 {
        0
    }

    /// A short text for the reply that leads from `after` to `position`. No other reply to `after` has the same text.
    fn reply_label(&self, _after: Self::Position, position: Self::Position) -> String {
        position.to_string()
    }

    /// Runs playouts and passes each to `sink` when it ends, in an order that depends only on the seed.
    ///
    /// `left` gets the effort so far and returns the effort that is still allowed. When none is left, the running
    /// playouts are cut: they are passed to `sink` without an outcome. At least one playout is started from each
    /// afterstate.
    fn playouts(
        &self,
        batch: Playouts<Self::Position>,
        left: impl FnMut(Effort) -> Effort,
        sink: impl FnMut(Finished<Self::Position>),
    ) -> Effort {
        playout::one_at_a_time(batch, left, sink, |after, cap, rng| playout::play_randomly(self, after, cap, rng))
    }

    /// The same game without its goal; `None` if it has no goal.
    fn without_goal(&self) -> Option<Self> {
        None
    }

    /// The afterstate with the sides exchanged, so that an agent can play the opponent's side; `None` if the
    /// environment is chance. Applied twice it gives the same position again.
    fn seen_by_opponent(&self, _after: Self::Position) -> Option<Self::Position> {
        None
    }

    /// Reads a position written as in [`Game::NOTATION`]. The error message names the wrong part.
    fn parse(&self, text: &str) -> Result<Self::Position, String>;
}

/// A game in which the environment is an opponent who plays by the same rules as the mover.
pub trait TwoPlayer: Game {
    /// The number of winning lines.
    const LINES: u32;

    /// The same board with the sides exchanged. For an afterstate, this is the position with the opponent as the mover,
    /// so that an agent can play either side.
    fn swapped(position: Self::Position) -> Self::Position;

    /// The number of lines that the mover may still complete, minus the number that the opponent may still complete.
    fn open_lines(position: Self::Position) -> i32;
}

/// The utility of a two-player game: 1, 0 or -1, as in the published system capsula (see README.md).
fn two_player_utility(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

/// The utility of a win in a game whose heuristics have no upper bound. It is greater than every heuristic value, and
/// finite, so that a search can compute means with it. It is shown as `win`.
pub const WIN: f64 = (1u128 << 100) as f64;

/// Whether a value is a mean that includes [`WIN`] with a probability above about 10^-12.
pub fn is_win(value: f64) -> bool {
    value >= WIN / (1u64 << 40) as f64
}
