//! Critical values and p-values of the normal and Student's t distributions.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

/// The 97.5 % point of the standard normal distribution.
pub(super) const Z: f64 = 1.959963984540054;

/// The two-sided p-value of a standard normal deviate.
pub(super) fn normal_p(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The 97.5 % point of Student's t with `df` degrees of freedom; `None` below 1 degree.
///
/// Newton's method: beyond 0 the upper tail is convex in t, so that steps from [`Z`], which is below every root, only go
/// up and end at the root. (The inverse in statrs 0.19 can loop for ever.)
pub(super) fn t_critical(df: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, df).ok().filter(|_| df >= 1.0)?;
    let mut t = Z;
    // 1 degree, the slowest, takes 9 steps.
    for _ in 0..50 {
        let step = (student.sf(t) - 0.025) / student.pdf(t);
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
            assert!((t_critical(df).unwrap() - t).abs() < 1e-6, "{df} degrees");
        }
        assert_eq!(t_critical(0.0), None);
        assert_eq!(t_critical(f64::NAN), None);
    }

    #[test]
    fn known_p_values() {
        // scipy 1.17: 2 norm.sf(z), 2 t.sf(t, df).
        assert!((normal_p(-1.0) - 0.31731050786291415).abs() < 1e-10);
        assert!((normal_p(20.0) / 5.507248237212311e-89 - 1.0).abs() < 1e-8);
        assert!((t_p(2.0, 1.5).unwrap() - 0.22418833035605112).abs() < 1e-12);
        assert!((t_p(-12.0, 99.0).unwrap() / 5.130629687897481e-21 - 1.0).abs() < 1e-8);
    }
}
