//! The score collected so far.

use super::{Feature, FeatureShape, uses_all};

pub const FEATURE: Feature = Feature {
    name: "score",
    formula: "the score collected so far",
    params: &[],
    example: 8.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::Score),
};
