//! The mean and variance of a stream of values, in constant memory.

use serde::{Deserialize, Serialize};

use super::Interval;
use super::critical::{Level, t_critical};

/// Count, mean and sum of squared deviations, updated one value at a time (Welford 1962) and mergeable (Chan, Golub,
/// LeVeque 1983). Rounding depends on the order of pushes and merges, so merge blocks in a fixed order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// The moments of a sample.
    pub fn of(values: &[f64]) -> Self {
        values.iter().copied().collect()
    }

    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / self.n as f64;
        self.squares += before * (value - self.mean);
    }

    /// Adds all values of `other`.
    pub fn merge(&mut self, other: &Moments) {
        if other.n == 0 {
            return;
        }
        let (n, m) = (self.n as f64, other.n as f64);
        let apart = other.mean - self.mean;
        self.n += other.n;
        self.mean += apart * m / (n + m);
        self.squares += other.squares + apart * apart * n * m / (n + m);
    }

    /// The number of values.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The mean; `None` for an empty sample.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0 && self.mean.is_finite()).then_some(self.mean)
    }

    /// The unbiased sample variance, from two values on.
    pub fn variance(&self) -> Option<f64> {
        let variance = self.squares / (self.n.checked_sub(1)? as f64);
        variance.is_finite().then_some(variance)
    }

    /// The standard deviation.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean.
    pub fn se(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.n as f64).sqrt())
    }

    /// The mean with Student's t-interval (Student 1908), from two values on. Equal values give an interval of width 0.
    pub fn mean_interval(&self) -> Option<Interval> {
        let margin = t_critical(self.n.checked_sub(1)? as f64, Level::P95)? * self.se()?;
        Some(Interval::around(self.mean()?, margin))
    }

    /// The mean with its interval, or the value alone if there is only one.
    pub fn mean_interval_or_value(&self) -> Option<Interval> {
        self.mean_interval().or_else(|| self.mean().map(|mean| Interval::around(mean, 0.0)))
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Moments::default();
        values.into_iter().for_each(|value| moments.push(value));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    const SCORES: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];

    #[test]
    fn known_mean_and_t_interval() {
        // numpy 2 std(ddof=1); scipy 1.17 t.interval(0.95, 9, mean, sem).
        let moments = Moments::of(&SCORES);
        assert_eq!(moments.n(), 10);
        assert!((moments.sd().unwrap() - 7.102425250887506).abs() < 1e-12);
        assert!((moments.se().unwrap() - 2.2459840703897354).abs() < 1e-12);
        assert_close(moments.mean_interval(), 16.0, 10.919231047637194, 21.080768952362806);
    }

    #[test]
    fn merging_parts_gives_the_whole() {
        let whole = Moments::of(&SCORES);
        for cut in 0..=SCORES.len() {
            let mut merged = Moments::of(&SCORES[..cut]);
            merged.merge(&Moments::of(&SCORES[cut..]));
            assert_eq!(merged.n(), whole.n());
            assert!((merged.mean().unwrap() - whole.mean().unwrap()).abs() < 1e-12);
            assert!((merged.variance().unwrap() - whole.variance().unwrap()).abs() < 1e-12);
        }
    }

    #[test]
    fn a_large_offset_does_not_cancel_the_variance() {
        // The naive mean of squares minus square of the mean gives 0 or less here.
        let shifted = Moments::of(&SCORES.map(|x| x + 1e9));
        assert!((shifted.sd().unwrap() - 7.102425250887506).abs() < 1e-6);
    }

    #[test]
    fn too_little_data_has_no_answer() {
        assert_eq!(Moments::default().mean(), None);
        assert_eq!(Moments::default().mean_interval(), None);
        assert_eq!(Moments::of(&[3.0]).mean(), Some(3.0));
        assert_eq!(Moments::of(&[3.0]).se(), None);
        assert_eq!(Moments::of(&[1.0, f64::NAN]).mean_interval(), None);
        assert_eq!(Moments::of(&[1.0, f64::INFINITY]).mean(), None);
        assert_eq!(Moments::of(&[4.0; 5]).mean_interval(), Some(Interval::around(4.0, 0.0)));
    }
}
