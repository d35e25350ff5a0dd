//! Sums of squared tiles, which reward large tiles on few cells.
//!
//! `snoes` is the sum of the squared tiles divided by the number of occupied cells, rounded down. The name is that of
//! the source, obligatorio (see README.md).

use super::{Feature, FeatureShape, lines, uses_all};
use crate::games::twenty48::{Board, Line};
use crate::params::{self, Param};

pub const SNOES_RATIO: Feature = Feature {
    name: "snoes-ratio",
    formula: "floor(sum of squares / occupied cells) / smoothness^power; a smoothness of 0 divides by 1",
    params: &[Param {
        name: "power",
        kind: params::ParamType::Number { min: 0.0, max: 8.0 },
        default: "2",
        help: "the power of the smoothness (of values, power 1) that divides",
    }],
    example: 0.0390625,
    uses: uses_all,
    build: |values| {
        let power = values.number("power").unwrap_or(2.0);
        // The source uses the power 2. A product is faster than the general power.
        let is_square = power == 2.0;
        Ok(FeatureShape::board(move |board: Board| {
            let smooth = smooth(board).max(1.0);
            snoes(board) / if is_square { smooth * smooth } else { libm::pow(smooth, power) }
        }))
    },
};

pub const SQUARE_SUM_PER_EMPTY: Feature = Feature {
    name: "square-sum-per-empty",
    formula: "sum of squares / empty cells; a full board divides by 1",
    params: &[],
    example: 40.0 / 12.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::board(|board: Board| square_sum(board) as f64 / f64::from(board.empty_count().max(1)))),
};

fn square_sum(board: Board) -> u64 {
    board.ranks().into_iter().map(|rank| if rank == 0 { 0 } else { 1 << (2 * rank) }).sum()
}

fn snoes(board: Board) -> f64 {
    let occupied = u64::from(16 - board.empty_count());
    (square_sum(board) / occupied.max(1)) as f64
}

/// The difference of two neighbouring tiles, indexed by the byte of their ranks in a line.
static DIFFERENCES: [u32; 256] = {
    let (mut table, mut pair) = ([0u32; 256], 0);
    while pair < 256 {
        let (a, b) = (pair & 15, pair >> 4);
        table[pair] = (if a == 0 { 0u32 } else { 1 << a }).abs_diff(if b == 0 { 0 } else { 1 << b });
        pair += 1;
    }
    table
};

/// The smoothness of tile values with power 1. It is an integer.
fn smooth(board: Board) -> f64 {
    let cost =
        |line: Line| -> u32 { [0, 4, 8].map(|shift| DIFFERENCES[usize::from(line >> shift & 255)]).iter().sum() };
    f64::from(lines(board).map(cost).iter().sum::<u32>())
}

#[cfg(test)]
mod tests {
    use super::super::EXAMPLE_BOARD;
    use super::super::tests::raw;
    use super::*;

    #[test]
    fn the_power_can_be_set() {
        assert_eq!(raw(&SNOES_RATIO, "power=1", EXAMPLE_BOARD, 0), 10.0 / 16.0);
    }

    #[test]
    fn nothing_divides_by_zero() {
        let even = ["4,4,4,4"; 4].join("/");
        assert_eq!(raw(&SNOES_RATIO, "", &even, 0), 16.0);
        assert_eq!(raw(&SQUARE_SUM_PER_EMPTY, "", &even, 0), 256.0);
        assert_eq!(raw(&SNOES_RATIO, "", &["0,0,0,0"; 4].join("/"), 0), 0.0);
    }
}
