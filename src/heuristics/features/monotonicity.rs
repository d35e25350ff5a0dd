//! How far lines are from being sorted, as in nneonneo/2048-ai. It is a cost, and 0 for a sorted line.

use super::{Feature, FeatureShape, RANKS, rank_powers, uses_all};
use crate::params::{self, Param};

pub const FEATURE: Feature = Feature {
    name: "monotonicity",
    formula: "over the 8 lines, the smaller of the sum of falls and the sum of rises of rank^power (empty is 0)",
    params: &[Param {
        name: "power",
        kind: params::ParamType::Number { min: 0.0, max: 8.0 },
        default: "4",
        help: "the power of the ranks",
    }],
    example: 0.0,
    uses: uses_all,
    build: |values| {
        let powers = rank_powers(values.number("power").unwrap_or(4.0));
        Ok(FeatureShape::each_line(move |ranks| disorder(&powers, ranks)))
    },
};

#[inline]
fn disorder(powers: &[f64; RANKS], ranks: [u8; 4]) -> f64 {
    let [a, b, c, d] = ranks;
    let power = |rank: u8| powers[usize::from(rank)];
    let (mut falls, mut rises) = (0.0, 0.0);
    for pair in [power(a), power(b), power(c), power(d)].windows(2) {
        falls += (pair[0] - pair[1]).max(0.0);
        rises += (pair[1] - pair[0]).max(0.0);
    }
    f64::min(falls, rises)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_lines_cost_nothing() {
        let powers = rank_powers(4.0);
        assert_eq!(disorder(&powers, [5, 3, 3, 0]), 0.0);
        assert_eq!(disorder(&powers, [0, 1, 4, 6]), 0.0);
        // Falls: 3^4 - 1; rises: 2^4 - 1.
        assert_eq!(disorder(&powers, [3, 1, 2, 2]), 15.0);
    }
}
