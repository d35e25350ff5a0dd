//! Random playouts of 2048, many at a time.
//!
//! One game after the other is slow: each move waits for the look-ups and the branches of the one before. Here 32 games
//! are played side by side as a *structure of arrays*: one vector of bytes for each cell, a lane for each game, and a
//! step of all of them is a fixed sequence of vector instructions without a branch (`kernel.rs`). The driver refills the
//! lanes of games that have ended, and drains every game that it has begun (`driver.rs`).
//!
//! **Exactness.** Rules, caps and goals are those of [`Twenty48`] exactly, among them that two 32768s do not merge.
//! Moves are uniform over the legal ones. Within a game each of n empty cells is picked with a probability that is 1/n
//! to within 1/65536, and a 4 appears with probability 6554/65536 = 0.100006. Boards, points and counts are exact.
//!
//! **Determinism.** The games depend on the seed alone. With AVX2 (looked for at run time) or without, they are the
//! same.

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

use super::{Board, Goal, Twenty48};
use crate::games::{Finished, Game, Playouts};
use crate::rng::{derive, seeded};

/// Games in a block: the bytes of an AVX2 vector.
const LANES: usize = 32;

/// `batch.runs` playouts from each of `batch.afters`, in an order that depends on the seed alone.
pub fn run(game: &Twenty48, batch: Playouts<Board>, sink: impl FnMut(Finished<Board>)) {
    let mut starts = batch
        .afters
        .iter()
        .enumerate()
        .flat_map(|(from, &after)| std::iter::repeat_n((after, from), batch.runs as usize));
    drive(Engine::detect(), Rules { game: *game, cap: batch.cap, seed: batch.seed }, || starts.next(), sink);
}

/// Sums over random games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub games: u64,
    pub moves: u64,
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
    let mut starts = (0..games).map(|_| (game.sample(Board::default(), &mut rng), 0));
    drive(engine, Rules { game, cap: None, seed: derive(seed, 1) }, || starts.next(), sink);
}

#[cfg(test)]
mod tests;
