//! A constant for boards that are not dead. It raises their values above 0, the value of a dead board.

use super::{Feature, FeatureShape, uses_all};
use crate::params::{self, Param};

pub const FEATURE: Feature = Feature {
    name: "alive",
    formula: "1 for a board that is not dead; 8, one for each row and column, with count = lines",
    params: &[Param {
        name: "count",
        kind: params::ParamType::Choice(&["board", "lines"]),
        default: "board",
        help: "count once, or once for each of the 8 lines",
    }],
    example: 1.0,
    uses: uses_all,
    build: |values| {
        let total = if values.text("count") == Some("lines") { 8.0 } else { 1.0 };
        // A sixteenth for each cell. The sum is exact, and the feature needs no separate table.
        Ok(FeatureShape::cells(|_, _| total / 16.0))
    },
};
