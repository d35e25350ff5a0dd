//! A ratio of totals, such as nodes per move: the total of one quantity divided by the total of another.
//!
//! Games have different lengths, so the ratio of totals is not the mean of the ratios. Its standard error is the
//! linearised one (the ratio estimator, Cochran 1977, equation 6.13): the spread of `y - ratio * x` over games.

use super::Interval;
use super::critical::{Level, t_critical};

/// The running means of the numerator `y` and the denominator `x` over games, and the sums of their squared deviations
/// and of the products of their deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratio {
    n: u64,
    mean_x: f64,
    mean_y: f64,
    squares_x: f64,
    squares_y: f64,
    products: f64,
}

impl Ratio {
    /// Adds one game.
    pub fn push(&mut self, y: f64, x: f64) {
        self.n += 1;
        let n = self.n as f64;
        let (before_x, before_y) = (x - self.mean_x, y - self.mean_y);
        self.mean_x += before_x / n;
        self.mean_y += before_y / n;
        self.squares_x += before_x * (x - self.mean_x);
        self.squares_y += before_y * (y - self.mean_y);
        self.products += before_x * (y - self.mean_y);
    }

    /// The ratio of the totals; `None` without games or if the denominator is 0.
    pub fn estimate(&self) -> Option<f64> {
        Some(self.mean_y / self.mean_x).filter(|ratio| ratio.is_finite())
    }

    /// The ratio with Student's interval, from two games on.
    pub fn interval(&self) -> Option<Interval> {
        let ratio = self.estimate()?;
        let df = self.n.checked_sub(1).filter(|df| *df > 0)? as f64;
        let squares = self.squares_y - 2.0 * ratio * self.products + ratio * ratio * self.squares_x;
        let se = (squares.max(0.0) / df / self.n as f64).sqrt() / self.mean_x.abs();
        Some(Interval::around(ratio, t_critical(df, Level::P95)? * se)).filter(|interval| interval.high.is_finite())
    }
}

impl FromIterator<(f64, f64)> for Ratio {
    /// From pairs of (numerator, denominator).
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(pairs: I) -> Self {
        let mut ratio = Ratio::default();
        pairs.into_iter().for_each(|(y, x)| ratio.push(y, x));
        ratio
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    #[test]
    fn known_ratio() {
        // numpy 2: sum(y) / sum(x); the residuals' standard error over mean(x), times scipy 1.17 t.ppf(0.975, 4).
        let games = [(10.0, 2.0), (21.0, 4.0), (33.0, 6.0), (38.0, 8.0), (55.0, 10.0)];
        let ratio: Ratio = games.into_iter().collect();
        assert_close(ratio.interval(), 157.0 / 30.0, 4.717585410110713, 5.749081256555954);
    }

    #[test]
    fn a_constant_ratio_has_no_width() {
        let ratio: Ratio = [(6.0, 2.0), (15.0, 5.0), (3.0, 1.0)].into_iter().collect();
        let found = ratio.interval().unwrap();
        assert_eq!(found.estimate, 3.0);
        assert!(found.high - found.low < 1e-6);
    }

    #[test]
    fn too_little_data_has_no_answer() {
        assert_eq!(Ratio::default().estimate(), None);
        let single: Ratio = [(6.0, 2.0)].into_iter().collect();
        assert_eq!((single.estimate(), single.interval()), (Some(3.0), None));
        let nothing: Ratio = [(0.0, 0.0), (0.0, 0.0)].into_iter().collect();
        assert_eq!((nothing.estimate(), nothing.interval()), (None, None));
    }
}
