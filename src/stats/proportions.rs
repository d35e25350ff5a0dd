//! Rates, such as the share of games won, and differences between them.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, Discrete, DiscreteCDF};

use super::Interval;
use super::critical::Level;

/// `successes` of `n` with Wilson's score interval (Wilson 1927). Unlike the textbook interval it keeps its level near
/// 0 and 1 and never has width 0. `None` for `n` 0 or more successes than trials.
pub fn wilson(successes: u64, n: u64) -> Option<Interval> {
    wilson_at(successes, n, Level::P95)
}

/// [`wilson`] at another level.
pub fn wilson_at(successes: u64, n: u64, level: Level) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let (n, z) = (n as f64, level.z());
    let z2 = z * z;
    let p = successes as f64 / n;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let margin = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // With 0 or n successes one end equals the estimate. Rounding must not move the end past the estimate.
    Some(Interval { estimate: p, low: (centre - margin).min(p), high: (centre + margin).max(p) }.clamped(0.0, 1.0))
}

/// The difference of two unpaired rates, each given as (successes, trials): Newcombe's hybrid of two Wilson intervals
/// (Newcombe 1998, Stat. Med. 17:873, method 10).
pub fn difference(first: (u64, u64), second: (u64, u64)) -> Option<Interval> {
    Some(hybrid(wilson(first.0, first.1)?, wilson(second.0, second.1)?, 0.0))
}

/// The outcomes of two agents over the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedOutcomes {
    /// Games that both won.
    pub both: u64,
    /// Games that only the first won.
    pub first_only: u64,
    /// Games that only the second won.
    pub second_only: u64,
    /// Games that neither won.
    pub neither: u64,
}

impl PairedOutcomes {
    /// The number of games.
    pub fn n(&self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// The difference of the two rates, first minus second: Newcombe's hybrid score interval with the correlation taken
    /// into account (Newcombe 1998, Stat. Med. 17:2635, method 10). Unlike Wald's interval it keeps its level near 0
    /// and 1. Its coverage is as good as that of Tango's interval, and it needs no iteration. With a correlation of 0
    /// it is the unpaired interval. The correlation of games of 2048 with the same seed is near 0.
    pub fn difference(&self) -> Option<Interval> {
        self.difference_at(Level::P95)
    }

    /// [`PairedOutcomes::difference`] at another level.
    pub fn difference_at(&self, level: Level) -> Option<Interval> {
        let first = wilson_at(self.both + self.first_only, self.n(), level)?;
        let second = wilson_at(self.both + self.second_only, self.n(), level)?;
        Some(hybrid(first, second, self.correlation()))
    }

    /// The phi coefficient with Newcombe's continuity correction: a positive association is shrunk towards 0.
    fn correlation(&self) -> f64 {
        let [e, f, g, h] = [self.both, self.first_only, self.second_only, self.neither].map(|count| count as f64);
        let scale = ((e + f) * (g + h) * (e + g) * (f + h)).sqrt();
        let association = e * h - f * g;
        match (scale > 0.0, association > 0.0) {
            (false, _) => 0.0,
            (true, true) => (association - (e + f + g + h) / 2.0).max(0.0) / scale,
            (true, false) => association / scale,
        }
    }

    /// The p-value of "equal rates" by McNemar's mid-p test: the exact binomial test on the games that only one agent
    /// won, less half the probability of the observed count (Fagerland, Lydersen, Laake 2013). 1 if there are no such
    /// games.
    pub fn mcnemar(&self) -> f64 {
        let fewer = self.first_only.min(self.second_only);
        match Binomial::new(0.5, self.first_only + self.second_only) {
            Ok(fair) if self.first_only != self.second_only => {
                (2.0 * fair.cdf(fewer) - fair.pmf(fewer)).clamp(0.0, 1.0)
            }
            _ => 1.0,
        }
    }
}

impl FromIterator<(bool, bool)> for PairedOutcomes {
    fn from_iter<I: IntoIterator<Item = (bool, bool)>>(games: I) -> Self {
        let mut outcomes = PairedOutcomes::default();
        for game in games {
            match game {
                (true, true) => outcomes.both += 1,
                (true, false) => outcomes.first_only += 1,
                (false, true) => outcomes.second_only += 1,
                (false, false) => outcomes.neither += 1,
            }
        }
        outcomes
    }
}

/// Combines the distances from each rate to the ends of its interval in the way in which standard errors are combined.
fn hybrid(first: Interval, second: Interval, correlation: f64) -> Interval {
    let margin = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
    let estimate = first.estimate - second.estimate;
    let low = estimate - margin(first.estimate - first.low, second.high - second.estimate);
    let high = estimate + margin(first.high - first.estimate, second.estimate - second.low);
    Interval { estimate, low, high }.clamped(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    #[test]
    fn known_wilson_intervals() {
        // 81 of 263 and 15 of 148 are examples of Newcombe 1998 (0.2553 to 0.3662, 0.0624 to 0.1605); all digits from
        // statsmodels 0.15 proportion_confint(method='wilson').
        assert_close(wilson(81, 263), 81.0 / 263.0, 0.2552885198782742, 0.36620957698280004);
        assert_close(wilson(15, 148), 15.0 / 148.0, 0.06238639953073628, 0.16048724172330803);
        assert_close(wilson(0, 10), 0.0, 0.0, 0.27753279986288926);
        assert_close(wilson(10, 10), 1.0, 0.7224672001371106, 1.0);
    }

    #[test]
    fn known_wilson_interval_at_another_level() {
        // statsmodels 0.15 proportion_confint(81, 263, alpha=0.01, method='wilson').
        assert_close(
            wilson_at(81, 263, Level::two_sided(0.01)),
            81.0 / 263.0,
            0.24013690268760773,
            0.38528250231822986,
        );
    }

    #[test]
    fn known_unpaired_differences() {
        // Examples of Newcombe 1998, who prints 0.0524 to 0.3339 and 0.1705 to 0.8090 for the first two; all digits
        // from statsmodels 0.15 confint_proportions_2indep(compare='diff', method='newcomb').
        assert_close(difference((56, 70), (48, 80)), 0.2, 0.05243147240236498, 0.33387265403690614);
        assert_close(difference((9, 10), (3, 10)), 0.6, 0.1705227239345029, 0.809017973535488);
        assert_close(difference((10, 10), (0, 20)), 1.0, 0.6790860371419145, 1.0);
        assert_close(difference((6, 7), (2, 7)), 4.0 / 7.0, 0.05822792748231209, 0.8062496375242278);
    }

    #[test]
    fn known_paired_differences() {
        // Computed from the published formula in numpy, with Wilson limits from statsmodels 0.15.
        let table = |both, first_only, second_only, neither| {
            PairedOutcomes { both, first_only, second_only, neither }.difference()
        };
        assert_close(table(36, 12, 2, 0), 0.2, 0.05692958400323875, 0.3404276029749408);
        assert_close(table(20, 12, 2, 16), 0.2, 0.05615642484174821, 0.32920699540014053);
        assert_close(table(43, 1, 0, 6), 0.02, -0.05175144176468961, 0.09788738836775655);
    }

    #[test]
    fn known_mcnemar() {
        // scipy 1.17: 2 binom.cdf(m, n, 0.5) - binom.pmf(m, n, 0.5).
        let p = |first_only, second_only| PairedOutcomes { first_only, second_only, both: 3, neither: 9 }.mcnemar();
        assert!((p(8, 2) - 0.0654296875).abs() < 1e-12);
        assert!((p(0, 6) - 0.015625).abs() < 1e-12);
        assert!((p(9, 20) - 0.04277394525706768).abs() < 1e-12);
        assert_eq!(p(5, 5), 1.0);
        assert_eq!(p(0, 0), 1.0);
    }

    #[test]
    fn pairs_are_counted() {
        let games = [(true, true), (true, false), (false, true), (true, false), (false, false)];
        let counted: PairedOutcomes = games.into_iter().collect();
        assert_eq!(counted, PairedOutcomes { both: 1, first_only: 2, second_only: 1, neither: 1 });
        assert_eq!(counted.n(), 5);
    }

    #[test]
    fn the_estimate_is_inside_and_the_ends_are_rates() {
        for n in [1, 2, 7, 100, 1_000_000] {
            for successes in [0, 1, n / 2, n - 1, n] {
                let found = wilson(successes, n).unwrap();
                assert!(found.contains(found.estimate) && found.low >= 0.0 && found.high <= 1.0, "{successes}/{n}");
                assert!(found.high > found.low);
            }
        }
    }

    #[test]
    fn impossible_counts_have_no_answer() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(2, 1), None);
        assert_eq!(difference((1, 2), (0, 0)), None);
        assert_eq!(PairedOutcomes::default().difference(), None);
        assert_eq!(PairedOutcomes::default().mcnemar(), 1.0);
    }
}
