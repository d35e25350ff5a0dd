//! How much neighbouring tiles differ, diagonals included.

use super::{Feature, Form, uses_all};
use crate::games::twenty48::{Board, tile};

pub const FEATURE: Feature = Feature {
    name: "similarity",
    formula: "over the tiles, the mean of |difference| to the tiles of the 3x3 block around it, itself included",
    params: &[],
    example: 7.0 / 3.0,
    uses: uses_all,
    build: |_| Ok(Form::board(similarity)),
};

/// A board with a margin of empty cells: six cells a row, the first of them at 7.
const STRIDE: usize = 6;
const MARGIN: usize = STRIDE + 1;
/// Where a cell's eight neighbours lie, less the margin.
const NEIGHBOURS: [usize; 8] = [0, 1, 2, 6, 8, 12, 13, 14];

/// 1 / number of tiles in a block; a block around an empty cell does not count.
const SHARES: [f64; 10] =
    [0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0];

/// All cells of a row are compared at once with their neighbours in one direction, without branches, so that the
/// compiler can use vectors.
fn similarity(board: Board) -> f64 {
    let mut tiles = [0i32; 4 * STRIDE + 2 * MARGIN - 2];
    for cell in 0..16 {
        tiles[MARGIN + cell / 4 * STRIDE + cell % 4] = tile(board.rank(cell)) as i32;
    }
    let blocks = tiles_in_blocks(board);
    let mut sum = 0.0;
    for row in 0..4 {
        let first = row * STRIDE;
        let mut differences = [0i32; 4];
        for offset in NEIGHBOURS {
            for column in 0..4 {
                let (own, other) = (tiles[first + MARGIN + column], tiles[first + offset + column]);
                let is_tile = -i32::from(other != 0);
                differences[column] += (own - other).abs() & is_tile;
            }
        }
        for (column, difference) in differences.into_iter().enumerate() {
            sum += f64::from(difference) * SHARES[(blocks >> (16 * row + 4 * column) & 15) as usize];
        }
    }
    sum
}

/// For each tile the number of tiles in its 3x3 block, in the cells of a board; 0 where there is no tile.
fn tiles_in_blocks(board: Board) -> u64 {
    let tiles = board.empty_mask() ^ 0x1111_1111_1111_1111;
    // The margins keep a row's end from counting for the next row's beginning. Nine tiles at most fit in four bits.
    let across = tiles + (tiles << 4 & 0x1110_1110_1110_1110) + (tiles >> 4 & 0x0111_0111_0111_0111);
    let blocks = across + (across << 16) + (across >> 16);
    blocks & (tiles * 15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::tests::random_board;
    use crate::rng::seeded;

    /// The definition, word by word.
    fn by_definition(board: Board) -> f64 {
        let tiles = board.tiles();
        let block = |cell: usize| {
            (0..16).filter(move |&other| {
                tiles[other] != 0 && (cell / 4).abs_diff(other / 4) <= 1 && (cell % 4).abs_diff(other % 4) <= 1
            })
        };
        (0..16)
            .filter(|&cell| tiles[cell] != 0)
            .map(|cell| {
                let sum: u32 = block(cell).map(|other| tiles[cell].abs_diff(tiles[other])).sum();
                f64::from(sum) / block(cell).count() as f64
            })
            .sum()
    }

    #[test]
    fn equals_the_definition() {
        let mut rng = seeded(4);
        for _ in 0..10_000 {
            let board = random_board(&mut rng);
            let (fast, slow) = (similarity(board), by_definition(board));
            assert!((fast - slow).abs() <= 1e-12 * slow.max(1.0), "{board}: {fast} {slow}");
        }
    }
}
