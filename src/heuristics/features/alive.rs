//! A constant for being alive, which lifts the others above 0, where a dead board is.

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
        // A sixteenth for each cell: it adds up exactly, and needs no table of its own.
        Ok(FeatureShape::cells(|_, _| total / 16.0))
    },
};
