//! Differences between the means of two samples.

use serde::{Deserialize, Serialize};

use super::critical::{Level, t_critical, t_p};
use super::{Interval, Moments};

/// First minus second, with the two-sided p-value of "no difference".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The difference with its interval.
    pub interval: Interval,
    /// The p-value of "no difference".
    pub p_value: f64,
}

/// The mean of `first[i] - second[i]` (paired t-test, Student 1908), for agents that played games with the same seeds.
/// `None` for samples of different lengths or fewer than two pairs.
pub fn paired_difference(first: &[f64], second: &[f64]) -> Option<Difference> {
    paired_difference_at(first, second, Level::P95)
}

/// [`paired_difference`] with an interval of another level.
pub fn paired_difference_at(first: &[f64], second: &[f64], level: Level) -> Option<Difference> {
    if first.len() != second.len() {
        return None;
    }
    let differences: Moments = first.iter().zip(second).map(|(a, b)| a - b).collect();
    t_difference(differences.mean()?, differences.se()?, differences.n() as f64 - 1.0, level)
}

/// Pearson's correlation of two samples of the same length. `None` where a sample has no spread.
pub fn correlation(first: &[f64], second: &[f64]) -> Option<f64> {
    let (a, b) = (Moments::of(first), Moments::of(second));
    if a.n() != b.n() {
        return None;
    }
    let (mean_a, mean_b) = (a.mean()?, b.mean()?);
    let products: Moments = first.iter().zip(second).map(|(x, y)| (x - mean_a) * (y - mean_b)).collect();
    let covariance = products.mean()? * a.n() as f64 / (a.n().checked_sub(1)? as f64);
    Some(covariance / (a.sd()? * b.sd()?)).filter(|correlation| correlation.is_finite())
}

/// The difference of the means of two unpaired samples that need not have the same variance (Welch 1947).
/// `None` if either has fewer than two values.
pub fn welch_difference(first: &Moments, second: &Moments) -> Option<Difference> {
    let (a, b) = (first.se()?.powi(2), second.se()?.powi(2));
    let estimate = first.mean()? - second.mean()?;
    t_difference(estimate, (a + b).sqrt(), welch_freedom((a, first.n()), (b, second.n())), Level::P95)
}

/// The Welch-Satterthwaite degrees of freedom of a sum of two squared standard errors, each with its sample's size.
pub(super) fn welch_freedom((a, n): (f64, u64), (b, m): (f64, u64)) -> f64 {
    let most = (n + m - 2) as f64;
    if a + b == 0.0 {
        return most;
    }
    // Fractions of the sum are used, because squares of tiny variances could underflow.
    let (a, b) = (a / (a + b), b / (a + b));
    (1.0 / (a * a / (n - 1) as f64 + b * b / (m - 1) as f64)).min(most)
}

/// The interval and the p-value of a t-test. If the standard error is 0, the interval has width 0, and the p-value is 1
/// for a difference of 0 and 0 for any other.
fn t_difference(estimate: f64, se: f64, df: f64, level: Level) -> Option<Difference> {
    let interval = Interval::around(estimate, t_critical(df, level)? * se);
    let p_value = match (se == 0.0, estimate == 0.0) {
        (true, true) => 1.0,
        (true, false) => 0.0,
        (false, _) => t_p(estimate / se, df)?,
    };
    Some(Difference { interval, p_value })
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    const A: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];
    const B: [f64; 10] = [10.0, 14.0, 15.0, 8.0, 13.0, 6.0, 19.0, 12.0, 9.0, 5.0];

    #[test]
    fn known_paired_difference() {
        // scipy 1.17 ttest_rel(A, B) and its confidence_interval().
        let found = paired_difference(&A, &B);
        assert!((found.unwrap().p_value - 0.06396430607770054).abs() < 1e-10);
        assert_close(found.map(|d| d.interval), 4.9, -0.3508258119384351, 10.150825811938436);
    }

    #[test]
    fn known_paired_difference_at_another_level() {
        // scipy 1.17 ttest_rel(A, B).confidence_interval(0.99).
        let found = paired_difference_at(&A, &B, Level::two_sided(0.01));
        assert_close(found.map(|d| d.interval), 4.9, -2.643384087973324, 12.443384087973325);
    }

    #[test]
    fn known_correlation() {
        // numpy 2 corrcoef(A, B).
        assert!((correlation(&A, &B).unwrap() - 0.24917607439466394).abs() < 1e-12);
        assert!((correlation(&A, &A).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(correlation(&A, &[2.0; 10]), None);
        assert_eq!(correlation(&A, &B[..9]), None);
        assert_eq!(correlation(&[1.0], &[2.0]), None);
    }

    #[test]
    fn known_welch_difference() {
        // scipy 1.17 ttest_ind(A, B[:7], equal_var=False) and its confidence_interval().
        let found = welch_difference(&Moments::of(&A), &Moments::of(&B[..7]));
        assert!((found.unwrap().p_value - 0.18959851947891768).abs() < 1e-10);
        assert_close(found.map(|d| d.interval), 27.0 / 7.0, -2.127568318917678, 9.841854033203393);
    }

    #[test]
    fn a_difference_changes_sign_with_the_order() {
        let (there, back) = (paired_difference(&A, &B).unwrap(), paired_difference(&B, &A).unwrap());
        assert_eq!(there.interval.scaled(-1.0), back.interval);
        assert_eq!(there.p_value, back.p_value);
    }

    #[test]
    fn samples_without_spread() {
        let same = paired_difference(&A, &A).unwrap();
        assert_eq!((same.interval, same.p_value), (Interval::around(0.0, 0.0), 1.0));
        let apart = welch_difference(&Moments::of(&[2.0; 3]), &Moments::of(&[1.0; 4])).unwrap();
        assert_eq!((apart.interval, apart.p_value), (Interval::around(1.0, 0.0), 0.0));
    }

    #[test]
    fn too_little_data_has_no_answer() {
        assert_eq!(paired_difference(&A, &B[..9]), None);
        assert_eq!(paired_difference(&[], &[]), None);
        assert_eq!(paired_difference(&[1.0], &[2.0]), None);
        assert_eq!(paired_difference(&[1.0, f64::NAN], &[2.0, 3.0]), None);
        assert_eq!(welch_difference(&Moments::of(&A), &Moments::of(&[1.0])), None);
    }
}
