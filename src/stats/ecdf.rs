//! The empirical distribution function.

use super::quantiles::sorted;

/// The steps of the empirical distribution function: each distinct value, ascending, with the share of the sample at or
/// below it. Empty for a sample that is empty or holds a NaN or infinity.
pub fn ecdf(values: &[f64]) -> Vec<(f64, f64)> {
    let sorted = sorted(values).unwrap_or_default();
    let n = sorted.len() as f64;
    let mut seen = 0;
    let steps = sorted.chunk_by(|a, b| a == b).map(|equal| {
        seen += equal.len();
        (equal[0], seen as f64 / n)
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_make_one_step() {
        assert_eq!(ecdf(&[4.0, 2.0, 4.0, 1.0]), vec![(1.0, 0.25), (2.0, 0.5), (4.0, 1.0)]);
        assert_eq!(ecdf(&[3.0; 7]), vec![(3.0, 1.0)]);
        assert_eq!(ecdf(&[]), vec![]);
        assert_eq!(ecdf(&[1.0, f64::NAN]), vec![]);
    }
}
