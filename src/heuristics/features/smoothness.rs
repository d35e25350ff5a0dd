//! How much neighbouring cells differ.

use super::{Feature, FeatureShape, RANKS, by_rank, tile_value};
use crate::params::{self, Param};

pub const FEATURE: Feature = Feature {
    name: "smoothness",
    formula: "over horizontally and vertically adjacent cells (empty is 0), the sum of |difference|^power: a cost",
    params: &[
        Param {
            name: "tile",
            kind: params::ParamType::Choice(&["value", "log2", "power"]),
            default: "value",
            help: "compare the tiles' values, their base-2 logarithms, or value^tile-power",
        },
        Param {
            name: "tile-power",
            kind: params::ParamType::Number { min: 0.0, max: 2.0 },
            default: "1",
            help: "the power of `tile = \"power\"`",
        },
        Param {
            name: "power",
            kind: params::ParamType::Number { min: 0.0, max: 2.0 },
            default: "1",
            help: "the power of each difference; equal cells add nothing, whatever the power",
        },
    ],
    example: 16.0,
    uses: |values, name| name != "tile-power" || values.text("tile") == Some("power"),
    build: |values| {
        let costs = pair_costs(tile_value(values, "tile-power"), values.number("power").unwrap_or(1.0));
        Ok(FeatureShape::each_line(move |[a, b, c, d]: [u8; 4]| {
            let cost = |x: u8, y: u8| costs[usize::from(x)][usize::from(y)];
            cost(a, b) + cost(b, c) + cost(c, d)
        }))
    },
};

/// A table of the cost of two neighbours by their ranks. Powers are slow to compute, and a tuner builds the tables of
/// many heuristics.
fn pair_costs(of_rank: impl Fn(u8) -> f64, power: f64) -> [[f64; RANKS]; RANKS] {
    std::array::from_fn(|a| {
        by_rank(|b| {
            let difference = (of_rank(a as u8) - of_rank(b)).abs();
            if difference == 0.0 { 0.0 } else { libm::pow(difference, power) }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::EXAMPLE_BOARD;
    use super::super::tests::raw;
    use super::*;

    #[test]
    fn differences_count_by_value_or_log2_and_power() {
        // Ranks 2 1 1 0 / 2 0 0 0: horizontally 1 + 0 + 1 + 2, vertically 0 + 2 + 1 + 1.
        assert_eq!(raw(&FEATURE, "tile=log2", EXAMPLE_BOARD, 0), 8.0);
        assert_eq!(raw(&FEATURE, "tile=log2,power=2", EXAMPLE_BOARD, 0), 12.0);
        assert_eq!(raw(&FEATURE, "power=0", EXAMPLE_BOARD, 0), 6.0);
        // Squares 16 4 4 0 / 16 0 0 0: horizontally 12 + 0 + 4 + 16, vertically 0 + 4 + 4 + 16.
        assert_eq!(raw(&FEATURE, "tile=power,tile-power=2", EXAMPLE_BOARD, 0), 56.0);
    }
}
