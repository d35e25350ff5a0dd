//! How much neighbouring tiles differ, diagonals included.

use super::{Feature, Form, uses_all};
use crate::games::twenty48::Board;

pub const FEATURE: Feature = Feature {
    name: "similarity",
    formula: "over the tiles, the mean of |difference| to the tiles of the 3x3 block around it, itself included",
    params: &[],
    example: 7.0 / 3.0,
    uses: uses_all,
    build: |_| Ok(Form::board(similarity)),
};

/// The neighbours that follow a cell in reading order, with the cells that have one there: right, below left, below,
/// below right.
const NEIGHBOURS: [(usize, u16); 4] = [(1, 0x7777), (3, 0x0EEE), (4, 0x0FFF), (5, 0x0777)];

/// Every pair is visited once and all cells of a direction together, without branches, so that the compiler can use
/// vectors.
fn similarity(board: Board) -> f64 {
    // Room after the last cell, for neighbours that are not there.
    let (mut tiles, mut differences, mut counts) = ([0i32; 21], [0i32; 21], [0i32; 21]);
    for (cell, tile) in tiles.iter_mut().zip(board.tiles()) {
        *cell = tile as i32;
    }
    for (offset, cells) in NEIGHBOURS {
        for cell in 0..16 {
            let (a, b) = (tiles[cell], tiles[cell + offset]);
            let both = i32::from(a != 0) & i32::from(b != 0) & i32::from(cells >> cell & 1);
            let difference = (a - b).abs() * both;
            differences[cell] += difference;
            differences[cell + offset] += difference;
            counts[cell] += both;
            counts[cell + offset] += both;
        }
    }
    (0..16).map(|cell| f64::from(differences[cell]) / f64::from(counts[cell] + 1)).sum()
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
            assert!((fast - slow).abs() <= 1e-12 * slow, "{board}: {fast} {slow}");
        }
    }
}
