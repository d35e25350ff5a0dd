//! The environment's first reply to an after-position, made ready to be drawn many times.

use rand::RngCore;

use super::coding::encode;
use super::kernel::byte_of_rank;
use crate::games::twenty48::Board;
use crate::rng::Rng;

/// An after-position in the kernel's bytes. Most playouts come in runs from the same one.
pub struct Opening {
    pub after: Board,
    cells: [u8; 16],
    potential: u32,
}

/// A position to play on from.
pub struct Position {
    pub cells: [u8; 16],
    /// What its tiles are worth, see [`Board::potential`].
    pub potential: u32,
}

impl Opening {
    pub fn new(after: Board) -> Opening {
        Opening { after, cells: encode(after), potential: after.potential() }
    }

    /// A random reply, drawn as by [`Game::sample`](crate::games::Game::sample).
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::twenty48::playouts::coding::decode;
    use crate::games::twenty48::tests::random_board;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::seeded;

    #[test]
    fn replies_are_those_of_the_game() {
        let game = Twenty48::new(Goal::None);
        let mut boards = seeded(1);
        let (mut ours, mut theirs) = (seeded(2), seeded(2));
        for _ in 0..10_000 {
            let after = random_board(&mut boards);
            let position = Opening::new(after).reply(&mut ours);
            let expected = game.sample(after, &mut theirs);
            assert_eq!(decode(position.cells), expected);
            assert_eq!(position.potential, expected.potential());
        }
    }
}
