//! Random games one at a time, by table: what the batch is measured against and checked with.

use rand::RngCore;

use super::Totals;
use crate::games::twenty48::{Board, Goal, Tables, Twenty48};
use crate::games::{Finished, Game};
use crate::rng::{Rng, derive, seeded};

/// `games` random games until no move is left.
pub fn random_games(games: u64, seed: u64) -> Totals {
    let game = Twenty48::new(Goal::None);
    let mut rng = seeded(derive(seed, 0));
    let mut totals = Totals::default();
    for _ in 0..games {
        let start = game.sample(Board::default(), &mut rng);
        totals.add(&play(&game, start, &mut rng));
    }
    totals
}

/// One random game from an after-position until no move is left.
pub fn play(game: &Twenty48, after: Board, rng: &mut Rng) -> Finished<Board> {
    let mut board = game.sample(after, rng);
    let (mut gained, mut moves) = (0, 0);
    while !board.is_dead() {
        let (next, points) = slide(game.tables(), board, rng.next_u64() >> 62);
        if next != board {
            gained += points;
            moves += 1;
            board = game.sample(next, rng);
        }
    }
    Finished { from: 0, last: board, gained, moves, outcome: Some(Twenty48::STUCK) }
}

/// The board after one of the four directions, with the points if it changed.
#[inline(always)]
fn slide(tables: &Tables, board: Board, direction: u64) -> (Board, u32) {
    let upright = direction & 2 == 0;
    let turned = if upright { board } else { board.transposed() };
    let (left, right) = turned.slid(tables);
    let after = if direction & 1 == 0 { left } else { right };
    (if upright { after } else { after.transposed() }, turned.points(tables))
}
