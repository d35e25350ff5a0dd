//! Power: the number of games needed to detect a difference, and the probability of detecting it with a given number.
//!
//! All functions use the normal approximation for two independent samples. Games with the same seed count as
//! independent, because in 2048 a shared seed hardly reduces the variance. Rates are compared on Cohen's arcsine scale
//! (Cohen 1988, chapter 6), which is accurate near 0 and 1.

use super::Level;
use super::critical::normal_cdf;

/// The result is `None` above this number of games, which no experiment can play.
const MOST_GAMES: f64 = 1e15;

/// Cohen's h: the distance of two rates on the arcsine scale. `None` unless both are between 0 and 1.
pub fn cohen_h(first: f64, second: f64) -> Option<f64> {
    let valid = |rate: &f64| (0.0..=1.0).contains(rate);
    let angle = |rate: f64| 2.0 * rate.sqrt().asin();
    (valid(&first) && valid(&second)).then(|| angle(first) - angle(second))
}

/// The power of a two-sided test of two rates, given the number of games of each sample.
pub fn power_of_rates(rates: (f64, f64), games: (u64, u64), level: Level) -> Option<f64> {
    let (n, m) = (games.0 as f64, games.1 as f64);
    if n == 0.0 || m == 0.0 {
        return None;
    }
    Some(power(cohen_h(rates.0, rates.1)? * (n * m / (n + m)).sqrt(), level))
}

/// The number of games of each agent with which a two-sided test of two rates has this power.
pub fn games_for_rates(rates: (f64, f64), power: f64, level: Level) -> Option<u64> {
    games(cohen_h(rates.0, rates.1)?.powi(2) / 2.0, power, level)
}

/// The power of a two-sided test of two means with this difference, given the standard deviations and the number of
/// games of each sample.
pub fn power_of_means(difference: f64, sds: (f64, f64), games: u64, level: Level) -> Option<f64> {
    let variance = variance_of_difference(sds)?;
    (games > 0 && difference.is_finite()).then(|| power(difference * (games as f64 / variance).sqrt(), level))
}

/// The number of games of each agent with which a two-sided test of two means with this difference has this power.
pub fn games_for_means(difference: f64, sds: (f64, f64), power: f64, level: Level) -> Option<u64> {
    games(difference.powi(2) / variance_of_difference(sds)?, power, level)
}

fn variance_of_difference((a, b): (f64, f64)) -> Option<f64> {
    Some(a * a + b * b).filter(|variance| variance.is_finite() && *variance > 0.0)
}

/// The power of a two-sided test when the test statistic has this mean and standard deviation 1.
fn power(mean: f64, level: Level) -> f64 {
    normal_cdf(mean.abs() - level.z()) + normal_cdf(-mean.abs() - level.z())
}

/// Solves for the number of games; `effect` is the squared mean of the test statistic after one game.
fn games(effect: f64, power: f64, level: Level) -> Option<u64> {
    if !(0.0..1.0).contains(&power) || power <= 2.0 * level.tail() {
        return None;
    }
    let deviates = level.z() + Level::with_tail(1.0 - power).z_of_either_sign(power);
    let games = (deviates.powi(2) / effect).ceil();
    (games <= MOST_GAMES).then_some(games.max(2.0) as u64)
}

impl Level {
    /// The normal deviate of `power`: negative below one half, where [`Level`] itself stops at 0.
    fn z_of_either_sign(self, power: f64) -> f64 {
        if power >= 0.5 { self.z() } else { -Level::with_tail(power).z() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_power_of_rates() {
        // statsmodels 0.15 NormalIndPower().power(proportion_effectsize(p, q), n, 0.05, ratio).
        let cases = [
            ((0.65, 0.5), (100, 100), 0.5771422514464849),
            ((0.05, 0.02), (400, 100), 0.3215304852967392),
            ((0.3, 0.3), (50, 50), 0.05),
        ];
        for (rates, games, known) in cases {
            let found = power_of_rates(rates, games, Level::P95).unwrap();
            assert!((found - known).abs() < 1e-9, "{rates:?}: {found}");
        }
    }

    #[test]
    fn known_number_of_games() {
        // statsmodels 0.15 NormalIndPower().solve_power(effect, alpha=0.05, power=0.8), rounded up; and the textbook
        // n = (1.96 + 0.8416)^2 (sd1^2 + sd2^2) / d^2.
        assert_eq!(games_for_rates((0.65, 0.5), 0.8, Level::P95), Some(170));
        assert_eq!(games_for_means(0.1, (0.5, 0.5), 0.8, Level::P95), Some(393));
        assert!(games_for_rates((0.65, 0.5), 0.8, Level::simultaneous(20)) > Some(170));
    }

    #[test]
    fn the_number_of_games_has_the_power_that_was_asked_for() {
        for (difference, target) in [(0.02, 0.8), (0.1, 0.9), (0.3, 0.55), (0.1, 0.3)] {
            let games = games_for_means(difference, (0.5, 0.4), target, Level::P95).unwrap();
            let of = |games| power_of_means(difference, (0.5, 0.4), games, Level::P95).unwrap();
            assert!(of(games) >= target && of(games - 1) < target + 0.01, "{difference}");
        }
    }

    #[test]
    fn impossible_questions_have_no_answer() {
        assert_eq!(power_of_rates((1.2, 0.5), (9, 9), Level::P95), None);
        assert_eq!(power_of_rates((0.2, 0.5), (0, 9), Level::P95), None);
        assert_eq!(games_for_rates((0.5, 0.5), 0.8, Level::P95), None);
        assert_eq!(games_for_means(1.0, (0.0, 0.0), 0.8, Level::P95), None);
        assert_eq!(games_for_means(f64::NAN, (1.0, 1.0), 0.8, Level::P95), None);
        assert_eq!(games_for_means(1.0, (1.0, 1.0), 1.0, Level::P95), None);
        assert_eq!(games_for_means(1.0, (1.0, 1.0), 0.01, Level::P95), None);
    }
}
