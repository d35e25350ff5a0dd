//! The largest tile.

use super::{Feature, FeatureShape, uses_all};
use crate::games::twenty48::tile;
use crate::params::{self, Param};

pub const FEATURE: Feature = Feature {
    name: "max-tile",
    formula: "the largest tile: its value, its log2, or its value^2 / 2048^2",
    params: &[Param {
        name: "of",
        kind: params::ParamType::Choice(&["value", "log2", "share-squared"]),
        default: "value",
        help: "the tile's value, its base-2 logarithm (0 for an empty board), or the square of its share of 2048",
    }],
    example: 4.0,
    uses: uses_all,
    build: |values| {
        Ok(match values.text("of") {
            Some("log2") => FeatureShape::counts(false, |_, max| f64::from(max)),
            Some("share-squared") => FeatureShape::counts(false, |_, max| squared(f64::from(tile(max)) / 2048.0)),
            _ => FeatureShape::counts(false, |_, max| f64::from(tile(max))),
        })
    },
};

fn squared(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::super::tests::raw;
    use super::*;

    #[test]
    fn the_largest_tile_counts_by_value_log2_or_squared_share() {
        let board = "1024,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0";
        assert_eq!(raw(&FEATURE, "", board, 0), 1024.0);
        assert_eq!(raw(&FEATURE, "of=log2", board, 0), 10.0);
        assert_eq!(raw(&FEATURE, "of=share-squared", board, 0), 0.25);
    }
}
