//! A cost for every tile, which falls when tiles merge, as in nneonneo/2048-ai.

use super::{Feature, FeatureShape, rank_powers, uses_all};
use crate::params::{self, Param};

pub const FEATURE: Feature = Feature {
    name: "rank-powers",
    formula: "over the 8 lines, the sum of rank^power of the tiles: each tile counts in its row and in its column",
    params: &[Param {
        name: "power",
        kind: params::ParamType::Number { min: 0.0, max: 8.0 },
        default: "3.5",
        help: "the power of the ranks",
    }],
    // 2 (2^3.5 + 1 + 1 + 2^3.5)
    example: 49.25483399593904,
    uses: uses_all,
    build: |values| {
        let powers = rank_powers(values.number("power").unwrap_or(3.5));
        Ok(FeatureShape::cells(move |_, rank| 2.0 * powers[usize::from(rank)]))
    },
};
