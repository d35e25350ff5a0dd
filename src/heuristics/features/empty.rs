//! The number of empty cells, optionally with a factor, and its logarithm.

use super::{Feature, FeatureShape, uses_all};
use crate::params::{self, Param};

pub const EMPTY: Feature = Feature {
    name: "empty",
    formula: "the number of empty cells, times 1, ln(score) or log2(largest tile)",
    params: &[
        Param {
            name: "times",
            kind: params::ParamType::Choice(&["one", "ln-score", "log2-max"]),
            default: "one",
            help: "the factor; ln-score is minus infinity at a score of 0 unless no cell is empty",
        },
        Param {
            name: "count",
            kind: params::ParamType::Choice(&["cells", "lines"]),
            default: "cells",
            help: "count each empty cell once, or in its row and again in its column",
        },
    ],
    example: 12.0,
    uses: uses_all,
    build: |values| {
        let each = if values.text("count") == Some("lines") { 2.0 } else { 1.0 };
        Ok(match values.text("times") {
            Some("ln-score") => FeatureShape::counts(true, move |empty, _| each * empty as f64),
            Some("log2-max") => FeatureShape::counts(false, move |empty, max| each * empty as f64 * f64::from(max)),
            _ => FeatureShape::cells(move |_, rank| if rank == 0 { each } else { 0.0 }),
        })
    },
};

/// The number of empty cells that a full board counts for. The value of a full board must be finite, and lower than
/// that of a board with one empty cell.
const EMPTY_CELLS_OF_A_FULL_BOARD: f64 = 0.5;

pub const LN_EMPTY: Feature = Feature {
    name: "ln-empty",
    formula: "ln(number of empty cells); a full board counts as half an empty cell, ln(1/2)",
    params: &[],
    example: 2.4849066497880004,
    uses: uses_all,
    build: |_| Ok(FeatureShape::counts(false, |empty, _| libm::log((empty as f64).max(EMPTY_CELLS_OF_A_FULL_BOARD)))),
};

#[cfg(test)]
mod tests {
    use super::super::EXAMPLE_BOARD;
    use super::super::tests::raw;
    use super::*;

    const FULL: &str = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4";

    #[test]
    fn the_number_of_empty_cells_is_multiplied_by_the_factor() {
        assert_eq!(raw(&EMPTY, "times=log2-max", EXAMPLE_BOARD, 8), 24.0);
        assert_eq!(raw(&EMPTY, "times=ln-score", EXAMPLE_BOARD, 8), 12.0 * libm::log(8.0));
        assert_eq!(raw(&EMPTY, "count=lines", EXAMPLE_BOARD, 8), 24.0);
    }

    #[test]
    fn a_score_of_0_gives_minus_infinity_but_never_nan() {
        assert_eq!(raw(&EMPTY, "times=ln-score", EXAMPLE_BOARD, 0), f64::NEG_INFINITY);
        assert_eq!(raw(&EMPTY, "times=ln-score", FULL, 0), 0.0);
        assert_eq!(raw(&LN_EMPTY, "", FULL, 0), libm::log(0.5));
    }
}
