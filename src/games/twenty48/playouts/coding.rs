//! Conversion between a board in one word and the bytes of the kernel, eight cells at a time.

use super::kernel::RANK_OFFSET;
use crate::games::twenty48::Board;

/// The lowest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The mask of the cells with an even index. It leaves one cell in each byte.
const EVEN: u64 = 0x0F0F_0F0F_0F0F_0F0F;

/// The kernel's byte for every cell.
#[inline]
pub fn encode(board: Board) -> [u8; 16] {
    let bytes = |ranks: u64| {
        let tiles = (ranks + ONES * 0x7F) >> 7 & ONES;
        (ranks + tiles * u64::from(RANK_OFFSET)).to_le_bytes()
    };
    let halves = [bytes(board.0 & EVEN), bytes(board.0 >> 4 & EVEN)];
    std::array::from_fn(|cell| halves[cell % 2][cell / 2])
}

/// The board with these bytes of the kernel. It is inlined for speed, because every playout that ends is decoded.
#[inline(always)]
pub fn decode(bytes: [u8; 16]) -> Board {
    let (mut even, mut odd) = ([0; 8], [0; 8]);
    for cell in 0..8 {
        (even[cell], odd[cell]) = (bytes[2 * cell], bytes[2 * cell + 1]);
    }
    Board(ranks(u64::from_le_bytes(even)) | ranks(u64::from_le_bytes(odd)) << 4)
}

/// The ranks of eight cells.
#[inline(always)]
fn ranks(bytes: u64) -> u64 {
    // The byte of a tile is 114 to 128, so one of its top two bits is set.
    let tiles = (bytes >> 6 | bytes >> 7) & ONES;
    bytes - tiles * u64::from(RANK_OFFSET)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::playouts::kernel::byte_of_rank;
    use crate::games::twenty48::tests::random_board;
    use crate::rng::seeded;

    #[test]
    fn boards_round_trip() {
        let mut rng = seeded(1);
        for _ in 0..10_000 {
            let board = random_board(&mut rng);
            assert_eq!(encode(board), board.ranks().map(byte_of_rank));
            assert_eq!(decode(encode(board)), board);
        }
    }
}
