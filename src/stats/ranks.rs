//! Rank statistics: which of two samples tends to be larger. They depend only on the order of the values, so the skew
//! of scores does not matter.

use serde::{Deserialize, Serialize};

use super::critical::{Level, normal_p, t_critical};
use super::means::welch_freedom;
use super::quantiles::sorted;
use super::{Interval, Moments};

/// The outcome of the Mann-Whitney test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// Pairs in which the first sample is larger, ties counting one half.
    pub u: f64,
    /// The two-sided p-value of "neither sample tends to be larger".
    pub p_value: f64,
}

/// The Mann-Whitney test (Mann and Whitney 1947) by the normal approximation, with the tie and continuity corrections.
/// With 8 or more values in each sample the error of the p-value is about 0.01. If all values are equal, the p-value is
/// 1.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    let placements = Placements::of(first, second)?;
    let (n, m) = (first.len() as f64, second.len() as f64);
    let u = placements.wins;
    let variance = n * m / 12.0 * (n + m + 1.0 - placements.ties / ((n + m) * (n + m - 1.0)));
    if variance <= 0.0 {
        return Some(MannWhitney { u, p_value: 1.0 });
    }
    let z = ((u - n * m / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    Some(MannWhitney { u, p_value: normal_p(z) })
}

/// The chance that a value of the first sample is larger than one of the second, ties counting one half (Vargha and
/// Delaney 2000): 0.5 for equal agents, and by their convention 0.56 small, 0.64 medium, 0.71 large.
///
/// The interval is Student's on the logit scale, with the variance of DeLong et al. (1988) and the degrees of freedom
/// of Brunner and Munzel (2000). It allows for unequal spreads and for ties. Samples that do not overlap have a
/// variance of 0. Their interval is Newcombe's method 5 (2006), which needs only the estimate.
pub fn a12(first: &[f64], second: &[f64]) -> Option<Interval> {
    let placements = Placements::of(first, second)?;
    Some(placements.logit_interval().unwrap_or_else(|| placements.newcombe_interval()))
}

/// The rank of each value of one sample in the other sample.
struct Placements {
    /// Pairs in which the first sample is larger, ties counting one half.
    wins: f64,
    a12: f64,
    /// For each value of the first sample the share of the second below it, and the other way round.
    first: Moments,
    second: Moments,
    /// The sum of t^3 - t over groups of t equal values in the pooled sample.
    ties: f64,
}

impl Placements {
    fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        let (a, b) = (sorted(first)?, sorted(second)?);
        let wins: f64 = a.iter().map(|&value| place(value, &b)).sum();
        let shares = |values: &[f64], others: &[f64]| -> Moments {
            values.iter().map(|&value| place(value, others) / others.len() as f64).collect()
        };
        Some(Placements {
            wins,
            a12: wins / (a.len() as f64 * b.len() as f64),
            first: shares(&a, &b),
            second: shares(&b, &a),
            ties: tie_term(sorted(&[a, b].concat())?),
        })
    }

    fn logit_interval(&self) -> Option<Interval> {
        let (a, b) = (self.first.se()?.powi(2), self.second.se()?.powi(2));
        let spread = self.a12 * (1.0 - self.a12);
        if a + b <= 0.0 || spread <= 0.0 {
            return None;
        }
        let df = welch_freedom((a, self.first.n()), (b, self.second.n()));
        let logit = (self.a12 / (1.0 - self.a12)).ln();
        let margin = t_critical(df, Level::P95)? * (a + b).sqrt() / spread;
        Some(Interval { estimate: self.a12, low: logistic(logit - margin), high: logistic(logit + margin) })
    }

    fn newcombe_interval(&self) -> Interval {
        let (n, m) = (self.first.n() as f64, self.second.n() as f64);
        let excess = (n + m) / 2.0 - 1.0;
        let variance =
            |t: f64| t * (1.0 - t) / (n * m) * (1.0 + excess * (1.0 - t) / (2.0 - t) + excess * t / (1.0 + t));
        let compatible = |t: f64| (t - self.a12).abs() <= Level::P95.z() * variance(t).sqrt();
        Interval {
            estimate: self.a12,
            low: last_compatible(self.a12, 0.0, compatible),
            high: last_compatible(self.a12, 1.0, compatible),
        }
    }
}

/// How many of `others`, ascending, are below `value`, equal ones counting one half.
fn place(value: f64, others: &[f64]) -> f64 {
    let below = others.partition_point(|&other| other < value);
    let up_to = others.partition_point(|&other| other <= value);
    (below + up_to) as f64 / 2.0
}

fn tie_term(pooled: Vec<f64>) -> f64 {
    pooled.chunk_by(|a, b| a == b).map(|equal| equal.len() as f64).map(|t| t * t * t - t).sum()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The last compatible value on the way from `inside` to `outside`, by bisection to the last bit.
fn last_compatible(mut inside: f64, mut outside: f64, compatible: impl Fn(f64) -> bool) -> f64 {
    if compatible(outside) && inside == outside {
        return outside;
    }
    // 60 halvings of a distance of at most 1 are finer than an f64's 53 bits.
    for _ in 0..60 {
        let middle = (inside + outside) / 2.0;
        if compatible(middle) { inside = middle } else { outside = middle }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    const A: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];
    const B: [f64; 10] = [10.0, 14.0, 15.0, 8.0, 13.0, 6.0, 19.0, 12.0, 9.0, 5.0];
    const TIED_A: [f64; 7] = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0];
    const TIED_B: [f64; 9] = [2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0, 5.0, 6.0];

    #[test]
    fn known_mann_whitney() {
        // scipy 1.17 mannwhitneyu(method='asymptotic').
        let found = mann_whitney(&A, &B).unwrap();
        assert_eq!(found.u, 72.0);
        assert!((found.p_value - 0.10332875818721182).abs() < 1e-10);
        let tied = mann_whitney(&TIED_A, &TIED_B).unwrap();
        assert_eq!(tied.u, 11.0);
        assert!((tied.p_value - 0.03010798749066228).abs() < 1e-10);
    }

    #[test]
    fn known_a12() {
        // Computed in numpy from the matrix of all pairs, quantiles from scipy 1.17; the degrees of freedom agree with
        // scipy's brunnermunzel.
        assert_close(a12(&A, &B), 0.72, 0.4273442911146688, 0.8985866049105693);
        assert_close(a12(&TIED_A, &TIED_B), 11.0 / 63.0, 0.04448042339372638, 0.49012858075973365);
    }

    #[test]
    fn samples_that_do_not_overlap_still_have_an_interval() {
        // Newcombe's method 5, solved in scipy 1.17 with brentq.
        let low: Vec<f64> = (0..10).map(f64::from).collect();
        let high: Vec<f64> = (50..60).map(f64::from).collect();
        assert_close(a12(&high, &low), 1.0, 0.800213612881115, 1.0);
        assert_close(a12(&low, &high), 0.0, 0.0, 1.0 - 0.800213612881115);
        assert_close(a12(&[4.0; 10], &[4.0; 10]), 0.5, 0.27351558818989397, 0.726484411810106);
    }

    #[test]
    fn a12_is_mirrored_when_the_samples_are_swapped() {
        let (there, back) = (a12(&A, &B).unwrap(), a12(&B, &A).unwrap());
        assert!((there.low + back.high - 1.0).abs() < 1e-12 && (there.high + back.low - 1.0).abs() < 1e-12);
    }

    #[test]
    fn samples_with_too_few_or_infinite_values_have_no_result() {
        assert_eq!(mann_whitney(&[], &A), None);
        assert_eq!(a12(&A, &[]), None);
        assert_eq!(a12(&A, &[1.0, f64::NAN]), None);
        assert_eq!(mann_whitney(&[2.0; 4], &[2.0; 3]), Some(MannWhitney { u: 6.0, p_value: 1.0 }));
        assert_eq!(mann_whitney(&[2.0], &[1.0]), Some(MannWhitney { u: 1.0, p_value: 1.0 }));
        assert!(a12(&[2.0], &[1.0]).unwrap().contains(0.5));
    }
}
