//! Random playouts of 2048, many at a time.
//!
//! Playing one game after another is slow, because each move waits for the table lookups and branches of the move
//! before. Here 32 games are played in parallel as a *structure of arrays*: one vector of bytes for each cell, with one
//! lane for each game. A step of all games is a fixed sequence of vector instructions without a branch (`kernel.rs`).
//! The driver puts new games into the lanes of games that have ended, and plays every game that it has started to its
//! end (`driver.rs`). The greedy policy compares all moves of a board, which is not faster in this form. So its games
//! are played one at a time (`single.rs`).
//!
//! **Exactness.** Rules, caps and goals are exactly those of [`Twenty48`], including that two 32768s do not merge. With
//! the random policy every legal move has the same probability. Each of n empty cells is picked with probability 1/n to
//! within 1/65536, and a 4 appears with probability 6554/65536 = 0.100006. Boards, points and counts are exact.
//!
//! **Determinism.** The games depend only on the seed. They are the same with AVX2 (detected at run time) and without.

mod block;
mod bytes;
mod coding;
mod driver;
mod kernel;
mod noise;
mod opening;
pub mod single;

#[cfg(target_arch = "x86_64")]
mod avx2;

use block::Engine;
use driver::{Rules, drive};

use opening::Opening;

use super::{Board, Goal, Twenty48};
use crate::games::{Effort, Finished, Game, Playouts, Policy};
use crate::rng::{derive, seeded};

/// The number of games in a block, which is the number of bytes of an AVX2 vector.
const LANES: usize = 32;

/// Runs the playouts of a batch: see [`Game::playouts`].
pub fn run(
    game: &Twenty48,
    batch: Playouts<Board>,
    left: impl FnMut(Effort) -> Effort,
    sink: impl FnMut(Finished<Board>),
) -> Effort {
    if batch.policy == Policy::Greedy {
        return single::run(game, batch, left, sink);
    }
    let openings: Vec<Opening> = batch.afters.iter().map(|&after| Opening::new(after)).collect();
    let (mut run, mut next) = (0, 0);
    let source = || {
        if next == openings.len() {
            (run, next) = (run + 1, 0);
        }
        let opening = openings.get(next).filter(|_| run < batch.runs)?;
        next += 1;
        Some((opening, next - 1))
    };
    let required = openings.len().min(openings.len().saturating_mul(batch.runs as usize)) as u64;
    let rules = Rules { game: *game, cap: batch.cap, required, policy: batch.policy, seed: batch.seed };
    drive(Engine::detect(), rules, source, left, sink)
}

/// Sums over random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of games.
    pub games: u64,
    /// The moves of all games.
    pub moves: u64,
    /// The scores of all games.
    pub score: u64,
}

impl Totals {
    fn add(&mut self, game: &Finished<Board>) {
        self.games += 1;
        self.moves += u64::from(game.moves);
        self.score += u64::from(game.gained);
    }
}

/// `games` random games from the start until no move is left.
pub fn random_games(games: u64, seed: u64) -> Totals {
    let mut totals = Totals::default();
    random_games_on(Engine::detect(), games, seed, |game| totals.add(&game));
    totals
}

fn random_games_on(engine: Engine, games: u64, seed: u64, sink: impl FnMut(Finished<Board>)) {
    let game = Twenty48::new(Goal::None);
    let mut rng = seeded(derive(seed, 0));
    let openings: Vec<_> = (0..games).map(|_| Opening::new(game.sample(Board::default(), &mut rng))).collect();
    let mut starts = openings.iter().map(|opening| (opening, 0));
    let rules = Rules { game, cap: None, required: games, policy: Policy::Random, seed: derive(seed, 1) };
    drive(engine, rules, || starts.next(), |_| Effort::UNLIMITED, sink);
}

#[cfg(test)]
mod tests;
