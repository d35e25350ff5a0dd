//! The number of tiles that could merge within their line, as in nneonneo/2048-ai.

use super::{Feature, FeatureShape, uses_all};

pub const FEATURE: Feature = Feature {
    name: "merges",
    formula: "over the 8 lines, empty cells skipped: each run of k >= 2 equal tiles adds k",
    params: &[],
    example: 4.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::each_line(merging)),
};

fn merging(ranks: [u8; 4]) -> f64 {
    let (mut merging, mut last, mut run) = (0, 0, 1);
    for rank in ranks.into_iter().filter(|&rank| rank != 0) {
        run = if rank == last { run + 1 } else { 1 };
        merging += match run {
            1 => 0,
            2 => 2,
            _ => 1,
        };
        last = rank;
    }
    f64::from(merging)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_count_their_tiles() {
        for (ranks, count) in [([1, 1, 1, 1], 4.0), ([1, 0, 1, 1], 3.0), ([3, 3, 2, 2], 4.0), ([1, 2, 1, 2], 0.0)] {
            assert_eq!(merging(ranks), count, "{ranks:?}");
        }
    }
}
