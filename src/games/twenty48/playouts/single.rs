//! Playouts of single games with the move tables: the greedy policy, and random games as a reference for the batch
//! engine.

use rand::RngCore;

use super::Totals;
use crate::games::playout::one_at_a_time;
use crate::games::twenty48::{Board, Direction, Goal, Tables, Twenty48};
use crate::games::{Effort, Finished, Game, Playouts, Step};
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

/// Runs the playouts of a batch by the greedy policy: see [`Game::playouts`].
pub fn run(
    game: &Twenty48,
    batch: Playouts<Board>,
    left: impl FnMut(Effort) -> Effort,
    sink: impl FnMut(Finished<Board>),
) -> Effort {
    one_at_a_time(batch, left, sink, |after, cap, rng| play_greedily(game, after, cap, rng))
}

/// One game by the greedy policy, of at most `cap` moves.
fn play_greedily(game: &Twenty48, start: Board, cap: u64, rng: &mut Rng) -> Finished<Board> {
    let (mut after, mut gained, mut moves) = (start, 0, 0);
    loop {
        let finished = |last, outcome| Finished { from: 0, last, gained, moves, outcome };
        if let Some(outcome) = game.after_step(after) {
            return finished(after, Some(outcome));
        }
        let board = game.sample(after, rng);
        let Some(step) = greedy_step(game, board, rng) else { return finished(board, Some(Twenty48::STUCK)) };
        if u64::from(moves) >= cap {
            return finished(board, None);
        }
        after = step.after;
        gained += step.reward;
        moves += 1;
    }
}

/// The step with the greatest reward. Ties are broken by a random number for each step.
fn greedy_step(game: &Twenty48, board: Board, rng: &mut Rng) -> Option<Step<Board, Direction>> {
    let mut numbers = rng.next_u64();
    game.steps(board).max_by_key(|step| {
        numbers = numbers.rotate_left(16);
        (step.reward, numbers & 0xFFFF)
    })
}

/// One random game from an afterstate until no move is left.
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

/// The board after a move in one of the four directions. The points are valid only if the board has changed.
#[inline(always)]
fn slide(tables: &Tables, board: Board, direction: u64) -> (Board, u32) {
    let upright = direction & 2 == 0;
    let turned = if upright { board } else { board.transposed() };
    let (left, right) = turned.slid(tables);
    let after = if direction & 1 == 0 { left } else { right };
    (if upright { after } else { after.transposed() }, turned.points(tables))
}
