//! The sum of the tiles, which grows with the number of moves.

use super::{Feature, FeatureShape, uses_all};
use crate::games::twenty48::tile;

pub const FEATURE: Feature = Feature {
    name: "sum",
    formula: "the sum of the tiles",
    params: &[],
    example: 12.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::cells(|_, rank| f64::from(tile(rank)))),
};
