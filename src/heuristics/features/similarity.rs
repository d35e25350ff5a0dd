//! How much neighbouring tiles differ, including diagonal neighbours.

#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vectors;

use arrayvec::ArrayVec;

use super::{BoardCost, BoardValue, Feature, FeatureShape, uses_all};
use crate::games::MOST_REPLIES;
use crate::games::twenty48::Board;
use crate::heuristics::{CallCost, Cost};

pub const FEATURE: Feature = Feature {
    name: "similarity",
    formula: "over the tiles, the mean |difference| to the tiles of the 3x3 block around it, itself included",
    params: &[],
    example: 7.0 / 3.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::board(Similarity)),
};

/// The least common multiple of 1 to 9, the possible numbers of tiles in a block. In units of 1/2520 all means are
/// integers, so that their sum is exact in any order.
const UNIT: u32 = 2520;

/// 2520 divided by the number of tiles in a block.
const SHARES: [u16; 10] = {
    let mut shares = [0; 10];
    let mut tiles = 1;
    while tiles < 10 {
        shares[tiles] = (UNIT / tiles as u32) as u16;
        tiles += 1;
    }
    shares
};

struct Similarity;

impl BoardValue for Similarity {
    fn of(&self, board: Board) -> f64 {
        let mut sum = [0.0];
        self.add_to(&[board], 1.0, &mut sum);
        sum[0]
    }

    /// The values of the replies are computed from that of the board, because each reply changes one cell.
    fn cost(&self) -> BoardCost {
        BoardCost {
            alone: Cost::picoseconds(33_000),
            in_batch: Cost::picoseconds(14_000),
            replies: CallCost::new(32_000, 1_000),
        }
    }

    fn add_to(&self, boards: &[Board], coefficient: f64, sums: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if vectors::add_to(boards, coefficient, sums) {
            return;
        }
        for (sum, &board) in sums.iter_mut().zip(boards) {
            *sum += coefficient * (similarity_cell_by_cell(board) as f64 / f64::from(UNIT));
        }
    }

    fn add_to_replies(&self, after: Board, coefficient: f64, sums: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if vectors::add_to_replies(after, coefficient, sums) {
            return;
        }
        let replies: ArrayVec<Board, MOST_REPLIES> = after.replies().collect();
        self.add_to(&replies, coefficient, sums);
    }
}

/// The offsets of the neighbours that follow a cell in reading order (right, below left, below, below right), each with
/// a mask of the cells that have this neighbour.
const NEIGHBOURS: [(usize, u16); 4] = [(1, 0x7777), (3, 0x0EEE), (4, 0x0FFF), (5, 0x0777)];

/// The similarity in units of 1/2520, without vector instructions. Every pair is visited once.
fn similarity_cell_by_cell(board: Board) -> u64 {
    let (tiles, mut differences, mut counts) = (board.tiles(), [0; 16], [1; 16]);
    for (offset, cells) in NEIGHBOURS {
        for cell in (0..16).filter(|cell| cells >> cell & 1 == 1) {
            let (a, b) = (tiles[cell], tiles[cell + offset]);
            if a != 0 && b != 0 {
                for end in [cell, cell + offset] {
                    differences[end] += a.abs_diff(b);
                    counts[end] += 1;
                }
            }
        }
    }
    (0..16).map(|cell| u64::from(differences[cell]) * u64::from(SHARES[counts[cell]])).sum()
}
