//! The number of lines sorted in rising order toward the lower right corner.

use super::{Feature, FeatureShape, uses_all};

pub const FEATURE: Feature = Feature {
    name: "rising",
    formula: "the number of rows and columns, not counting empty ones, that never fall to the right or downward",
    params: &[],
    example: 0.0,
    uses: uses_all,
    build: |_| Ok(FeatureShape::each_line(|ranks: [u8; 4]| f64::from(ranks.is_sorted() && ranks[3] != 0))),
};

#[cfg(test)]
mod tests {
    use super::super::tests::raw;
    use super::*;

    #[test]
    fn lines_with_tiles_that_never_fall_count() {
        // Rows 3 and 4 and columns 3 and 4; row 2 falls, row 1 and column 1 are empty, column 2 falls.
        assert_eq!(raw(&FEATURE, "", "0,0,0,0/0,2,0,0/0,0,2,2/0,0,2,4", 0), 4.0);
    }
}
