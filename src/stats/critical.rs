//! Critical values and p-values of the normal and Student's t distributions.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};
use statrs::function::erf::erfc;

/// The confidence level of an interval, kept as the probability of one tail and its normal deviate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    tail: f64,
    z: f64,
}

impl Level {
    /// 95 %, the default level of intervals.
    pub const P95: Level = Level { tail: 0.025, z: 1.959963984540054 };

    /// A two-sided interval that misses with probability `error`. `error` is limited to 1e-12..=1, so that every
    /// level has finite critical values.
    pub fn two_sided(error: f64) -> Self {
        Level::with_tail(error / 2.0)
    }

    /// An interval with probability `tail` beyond each end. One end alone is then a bound with error `tail`.
    pub fn with_tail(tail: f64) -> Self {
        if tail == Level::P95.tail {
            return Level::P95;
        }
        let tail = if tail.is_nan() { 0.5 } else { tail.clamp(5e-13, 0.5) };
        Level { tail, z: -Normal::standard().inverse_cdf(tail) }
    }

    /// The level of each of `m` intervals that all cover with 95 % probability (Bonferroni's inequality; Dunn 1961).
    pub fn simultaneous(m: usize) -> Self {
        Level::two_sided(0.05 / m.max(1) as f64)
    }

    /// The probability beyond one end.
    pub fn tail(self) -> f64 {
        self.tail
    }

    /// The normal deviate with this probability beyond it.
    pub fn z(self) -> f64 {
        self.z
    }
}

/// The two-sided p-value of a standard normal deviate.
pub(super) fn normal_p(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The normal distribution function.
pub(super) fn normal_cdf(z: f64) -> f64 {
    erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// The quantile of Student's t with `df` degrees of freedom that has the level's tail above it. `None` below 1 degree.
///
/// It uses Newton's method. For t above 0 the upper tail is convex in t. The normal quantile is below the root, so the
/// steps from it always increase t and converge to the root. (The inverse in statrs 0.19 can loop for ever.)
pub(super) fn t_critical(df: f64, level: Level) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, df).ok().filter(|_| df >= 1.0)?;
    let mut t = level.z;
    // One degree of freedom needs the most steps: 9 at 95 %, about 40 at the smallest tail.
    for _ in 0..100 {
        let step = (student.sf(t) - level.tail) / student.pdf(t);
        if step <= 1e-14 * t {
            break;
        }
        t += step;
    }
    Some(t)
}

/// The two-sided p-value of `t` with `df` degrees of freedom; `None` unless `df` is positive.
pub(super) fn t_p(t: f64, df: f64) -> Option<f64> {
    Some((2.0 * StudentsT::new(0.0, 1.0, df).ok()?.sf(t.abs())).min(1.0))
}

/// The probability that Student's t with `df` degrees of freedom is above `t`; `None` unless `df` is positive.
pub(super) fn t_upper(t: f64, df: f64) -> Option<f64> {
    Some(StudentsT::new(0.0, 1.0, df).ok()?.sf(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_critical_values() {
        // scipy 1.17 t.ppf(0.975, df); any table prints the first digits.
        let known = [
            (1.0, 12.706204736174694),
            (1.5, 6.016663104427929),
            (2.0, 4.302652729749462),
            (30.0, 2.0422724563012378),
            (149.3, 1.9759806707464478),
            (9_999.0, 1.960201263621357),
            (999_999.0, 1.9599663568164791),
            (1e9, 1.959963986912325),
        ];
        for (df, t) in known {
            assert!((t_critical(df, Level::P95).unwrap() - t).abs() < 1e-6, "{df} degrees");
        }
        assert_eq!(t_critical(0.0, Level::P95), None);
        assert_eq!(t_critical(f64::NAN, Level::P95), None);
    }

    #[test]
    fn known_critical_values_at_other_levels() {
        // scipy 1.17: norm.isf(tail), t.isf(tail, df).
        for (tail, z, df, t) in [
            (0.05, 1.6448536269514729, 9.0, 1.8331129326562376),
            (0.0025, 2.8070337683438042, 99.0, 2.8713076612147663),
            (1e-6, 4.753424308822899, 19.0, 6.723394282200186),
            (1e-9, 5.9978070150076865, 4.0, 234.02761040611892),
        ] {
            let level = Level::with_tail(tail);
            assert!((level.z() - z).abs() < 1e-6, "{tail}: {}", level.z());
            let found = t_critical(df, level).unwrap();
            assert!((found / t - 1.0).abs() < 1e-6, "{tail}: {found}");
        }
        assert_eq!(Level::simultaneous(1), Level::P95);
        assert_eq!(Level::simultaneous(0), Level::P95);
        assert!((Level::simultaneous(10).tail() - 0.0025).abs() < 1e-15);
    }

    #[test]
    fn impossible_levels_have_finite_critical_values() {
        for error in [-1.0, 0.0, 1.0, 7.0, f64::NAN] {
            let level = Level::two_sided(error);
            assert!(level.z().is_finite() && t_critical(1.0, level).unwrap().is_finite(), "{error}");
        }
    }

    #[test]
    fn known_p_values() {
        // scipy 1.17: 2 norm.sf(z), 2 t.sf(t, df), norm.cdf(z).
        assert!((normal_p(-1.0) - 0.31731050786291415).abs() < 1e-10);
        assert!((normal_p(20.0) / 5.507248237212311e-89 - 1.0).abs() < 1e-8);
        assert!((t_p(2.0, 1.5).unwrap() - 0.22418833035605112).abs() < 1e-12);
        assert!((t_p(-12.0, 99.0).unwrap() / 5.130629687897481e-21 - 1.0).abs() < 1e-8);
        assert!((normal_cdf(-1.5) - 0.06680720126885806).abs() < 1e-10);
    }
}
