//! Holm's correction for many tests.

/// Holm's step-down adjusted p-values (Holm 1979), in the order given. If all tests with an adjusted p-value below 5 %
/// are rejected, the probability of any false rejection is at most 5 %, for any dependence between the tests. A NaN
/// stays NaN and does not count as a test.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&i| !p_values[i].is_nan()).collect();
    order.sort_by(|&i, &j| p_values[i].total_cmp(&p_values[j]));
    let mut adjusted = vec![f64::NAN; p_values.len()];
    let mut largest = 0f64;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max(p_values[i] * (order.len() - rank) as f64).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_adjustment() {
        // statsmodels 0.15 multipletests(method='holm').
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, known) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - known).abs() < 1e-12);
        }
    }

    #[test]
    fn empty_single_and_nan_inputs() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.04]), vec![0.04]);
        assert_eq!(holm(&[0.9, 0.8]), vec![1.0, 1.0]);
        let found = holm(&[0.04, f64::NAN, 0.01]);
        assert_eq!((found[0], found[2]), (0.04, 0.02));
        assert!(found[1].is_nan());
    }
}
