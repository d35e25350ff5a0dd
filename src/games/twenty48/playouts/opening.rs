//! The environment's first reply to an afterstate, prepared so that it can be drawn many times.

use rand::RngCore;

use super::coding::{decode, encode};
use super::kernel::{byte_of_rank, corner_byte};
use crate::games::twenty48::Board;
use crate::rng::Rng;

/// An afterstate in the bytes of the kernel.
#[derive(Clone, Copy)]
pub struct Opening {
    pub after: Board,
    /// The corner of the largest tile.
    pub corner: u8,
    cells: [u8; 16],
    potential: u32,
}

/// A position from which a playout continues.
pub struct Position {
    pub cells: [u8; 16],
    /// See [`Board::potential`].
    pub potential: u32,
}

impl Position {
    pub fn board(&self) -> Board {
        decode(self.cells)
    }
}

impl Opening {
    #[inline]
    pub fn new(after: Board) -> Opening {
        Opening { after, corner: corner_of_largest(after), cells: encode(after), potential: after.potential() }
    }

    /// A random reply. The same generator gives the same reply as [`Game::sample`](crate::games::Game::sample).
    #[inline]
    pub fn reply(&self, rng: &mut Rng) -> Position {
        let draw = rng.next_u64();
        let nth = ((draw >> 32) * u64::from(self.after.empty_count())) >> 32;
        let is_four = (draw & 0xFFFF_FFFF) * 10 < 1 << 32;
        let mut cells = self.cells;
        let cell = self.after.nth_empty(nth as u32);
        if cell == 0 {
            return Position { cells, potential: self.potential };
        }
        cells[cell.trailing_zeros() as usize / 4] = byte_of_rank(1 + u8::from(is_four));
        Position { cells, potential: self.potential + 4 * u32::from(is_four) }
    }
}

/// The corner of the quadrant that holds the largest tile. If there are several such tiles, the first counts.
#[inline]
fn corner_of_largest(board: Board) -> u8 {
    let cells = board.cells_of(board.max_rank());
    let cell = cells.trailing_zeros() / 4;
    corner_byte(cell < 8, cell % 4 < 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::twenty48::tests::random_board;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::seeded;

    #[test]
    fn replies_equal_those_of_the_game() {
        let game = Twenty48::new(Goal::None);
        let mut boards = seeded(1);
        let (mut ours, mut theirs) = (seeded(2), seeded(2));
        for _ in 0..10_000 {
            let after = random_board(&mut boards);
            let position = Opening::new(after).reply(&mut ours);
            let expected = game.sample(after, &mut theirs);
            assert_eq!(position.board(), expected);
            assert_eq!(position.potential, expected.potential());
        }
    }

    #[test]
    fn the_corner_is_that_of_the_largest_tile() {
        let corner = |text: &str| corner_of_largest(text.parse().unwrap());
        assert_eq!(corner("2,4,0,0/8,16,0,0/0,0,0,0/0,0,0,2"), corner_byte(true, true));
        assert_eq!(corner("2,4,8,0/8,2,0,0/0,0,0,0/0,0,0,2"), corner_byte(true, false));
        assert_eq!(corner("2,4,8,0/8,2,0,0/0,16,0,0/0,0,0,2"), corner_byte(false, true));
        assert_eq!(corner("2,4,8,0/8,2,0,0/0,16,0,0/0,0,0,32"), corner_byte(false, false));
    }
}
