//! Chi-square tests of equal rates.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A chi-square statistic with its degrees of freedom. Independent statistics add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Its degrees of freedom.
    pub df: u64,
}

impl ChiSquare {
    /// Pearson's test (1900) that all rates are equal, each given as (successes, trials). `None` for fewer than two
    /// rates, and if no trial or every trial succeeded, because such counts cannot show a difference.
    pub fn equal_rates(counts: &[(u64, u64)]) -> Option<Self> {
        let successes: u64 = counts.iter().map(|(wins, _)| wins).sum();
        let trials: u64 = counts.iter().map(|(_, n)| n).sum();
        if counts.len() < 2 || successes == 0 || successes >= trials || counts.iter().any(|(_, n)| *n == 0) {
            return None;
        }
        let rate = successes as f64 / trials as f64;
        let cell = |&(wins, n): &(u64, u64)| (wins as f64 - n as f64 * rate).powi(2) / (n as f64 * rate * (1.0 - rate));
        Some(ChiSquare { statistic: counts.iter().map(cell).sum(), df: counts.len() as u64 - 1 })
    }

    /// The probability of a statistic at least this large if the rates are equal; 1 without degrees of freedom.
    pub fn p_value(&self) -> f64 {
        ChiSquared::new(self.df as f64).map_or(1.0, |chi| chi.sf(self.statistic))
    }
}

impl std::iter::Sum for ChiSquare {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(ChiSquare::default(), |sum, part| ChiSquare {
            statistic: sum.statistic + part.statistic,
            df: sum.df + part.df,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tests_of_equal_rates() {
        // scipy 1.17 chi2_contingency([[wins], [losses]], correction=False).
        let two = ChiSquare::equal_rates(&[(53, 100), (67, 100)]).unwrap();
        assert!((two.statistic - 4.083333333333334).abs() < 1e-9 && two.df == 1);
        assert!((two.p_value() - 0.04330814281079198).abs() < 1e-9);
        let three = ChiSquare::equal_rates(&[(10, 50), (20, 80), (5, 40)]).unwrap();
        assert!((three.statistic - 2.563492063492064).abs() < 1e-9 && three.df == 2);
        assert!((three.p_value() - 0.2775522620694549).abs() < 1e-9);
        let both: ChiSquare = [two, three].into_iter().sum();
        assert_eq!((both.statistic, both.df), (two.statistic + three.statistic, 3));
    }

    #[test]
    fn counts_that_cannot_differ_have_no_test() {
        assert_eq!(ChiSquare::equal_rates(&[(0, 100), (0, 50)]), None);
        assert_eq!(ChiSquare::equal_rates(&[(100, 100), (50, 50)]), None);
        assert_eq!(ChiSquare::equal_rates(&[(1, 2)]), None);
        assert_eq!(ChiSquare::equal_rates(&[(1, 2), (0, 0)]), None);
        assert_eq!(ChiSquare::default().p_value(), 1.0);
    }
}
