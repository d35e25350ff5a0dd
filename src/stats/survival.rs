//! Survival analysis of games of which some are stopped before they are lost: survival curves and the log-rank test.
//!
//! A game that stops at its goal was not lost. It is unknown how long it would have lasted, but it is at least as long
//! as it was played. Such a game is *censored* at that move. The mean length of games ignores this, but the methods
//! here do not. They assume that censoring is independent of the risk of losing.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::Interval;
use super::critical::Level;

/// One game: how many moves it lasted, and whether it ended in a loss or was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifetime {
    /// The number of moves.
    pub moves: u32,
    /// Whether it ended in a loss; otherwise it was stopped.
    pub lost: bool,
}

/// A step of the survival curve: after this many moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurvivalStep {
    /// The number of moves.
    pub moves: u32,
    /// The number of games that lasted at least this long.
    pub at_risk: u64,
    /// Games lost at this move.
    pub lost: u64,
    /// The share of games that survives this move, with its interval.
    pub survival: Interval,
}

/// The Kaplan-Meier estimate (Kaplan and Meier 1958) of the share of games that are not lost after so many moves, one
/// step for each length at which a game was lost. The interval is Greenwood's on the scale of log(-log S) (Kalbfleisch
/// and Prentice 1980), which stays between 0 and 1. If no game survives, the interval has width 0.
pub fn kaplan_meier(games: &[Lifetime]) -> Vec<SurvivalStep> {
    let (mut survival, mut greenwood) = (1.0, 0.0);
    let mut steps = Vec::new();
    for (moves, at_risk, lost) in risk_table(games) {
        let (n, d) = (at_risk as f64, lost as f64);
        survival *= 1.0 - d / n;
        greenwood += d / (n * (n - d));
        let survival = log_log_interval(survival, greenwood);
        steps.push(SurvivalStep { moves, at_risk, lost, survival });
    }
    steps
}

fn log_log_interval(survival: f64, greenwood: f64) -> Interval {
    if survival <= 0.0 || survival >= 1.0 {
        return Interval::around(survival, 0.0);
    }
    let margin = Level::P95.z() * greenwood.sqrt() / survival.ln();
    let end = |sign: f64| survival.powf((sign * margin).exp());
    // The logarithm is negative, so the margin is negative.
    Interval { estimate: survival, low: end(-1.0), high: end(1.0) }
}

/// The number of moves that half of the games survive: the first step at or below one half. `None` if more than half
/// of the games are never lost.
pub fn median_survival(steps: &[SurvivalStep]) -> Option<u32> {
    steps.iter().find(|step| step.survival.estimate <= 0.5).map(|step| step.moves)
}

/// (moves, games at risk, games lost) for each length at which a game was lost, ascending.
fn risk_table(games: &[Lifetime]) -> Vec<(u32, u64, u64)> {
    let mut sorted = games.to_vec();
    sorted.sort_unstable_by_key(|game| game.moves);
    let mut at_risk = sorted.len() as u64;
    let mut table = Vec::new();
    for equal in sorted.chunk_by(|a, b| a.moves == b.moves) {
        let lost = equal.iter().filter(|game| game.lost).count() as u64;
        if lost > 0 {
            table.push((equal[0].moves, at_risk, lost));
        }
        at_risk -= equal.len() as u64;
    }
    table
}

/// The p-value of "both agents lose at the same rate at every move" by the log-rank test (Mantel 1966). `None` if
/// no game was lost, or if all losses happened when only one agent had games left.
pub fn log_rank(first: &[Lifetime], second: &[Lifetime]) -> Option<f64> {
    let ends = sorted_moves(first, |_| true);
    let losses = sorted_moves(first, |game| game.lost);
    let from = |sorted: &[u32], moves: u32| sorted.len() - sorted.partition_point(|&end| end < moves);
    let (mut excess, mut variance) = (0.0, 0.0);
    for (moves, at_risk, lost) in risk_table(&[first, second].concat()) {
        let (n, d) = (at_risk as f64, lost as f64);
        let share = from(&ends, moves) as f64 / n;
        excess += (from(&losses, moves) - from(&losses, moves.saturating_add(1))) as f64 - d * share;
        if at_risk > 1 {
            variance += d * share * (1.0 - share) * (n - d) / (n - 1.0);
        }
    }
    if variance <= 0.0 {
        return None;
    }
    Some(ChiSquared::new(1.0).ok()?.sf(excess * excess / variance))
}

fn sorted_moves(games: &[Lifetime], chosen: impl Fn(&Lifetime) -> bool) -> Vec<u32> {
    let mut moves: Vec<u32> = games.iter().filter(|game| chosen(game)).map(|game| game.moves).collect();
    moves.sort_unstable();
    moves
}

#[cfg(test)]
mod tests {
    use super::super::interval::assert_close;
    use super::*;

    fn games(lengths: &[(u32, bool)]) -> Vec<Lifetime> {
        lengths.iter().map(|&(moves, lost)| Lifetime { moves, lost }).collect()
    }

    fn first() -> Vec<Lifetime> {
        games(&[
            (6, true),
            (6, true),
            (6, true),
            (6, false),
            (7, true),
            (9, false),
            (10, true),
            (10, false),
            (11, false),
        ])
    }

    fn second() -> Vec<Lifetime> {
        games(&[(1, true), (1, true), (2, true), (4, true), (5, true), (8, true), (8, false), (11, true), (12, true)])
    }

    #[test]
    fn known_survival_curve() {
        // lifelines 0.30 KaplanMeierFitter().fit(moves, lost): survival_function_ and confidence_interval_.
        let steps = kaplan_meier(&first());
        let found: Vec<(u32, u64, u64)> = steps.iter().map(|step| (step.moves, step.at_risk, step.lost)).collect();
        assert_eq!(found, [(6, 9, 3), (7, 5, 1), (10, 3, 1)]);
        assert_close(Some(steps[0].survival), 0.6666666666666665, 0.2816822422216508, 0.8783067576313743);
        assert_close(Some(steps[1].survival), 0.5333333333333332, 0.17709138747003988, 0.795912518291508);
        assert_close(Some(steps[2].survival), 0.3555555555555554, 0.06204388751706952, 0.6806851840040586);
    }

    #[test]
    fn known_log_rank() {
        // lifelines 0.30 logrank_test.
        assert!((log_rank(&first(), &second()).unwrap() - 0.25285802686921544).abs() < 1e-9);
        let swapped = log_rank(&second(), &first()).unwrap();
        assert!((log_rank(&first(), &second()).unwrap() - swapped).abs() < 1e-12);
    }

    #[test]
    fn without_stopped_games_the_curve_is_the_share_of_longer_games() {
        let steps = kaplan_meier(&games(&[(3, true), (5, true), (5, true), (9, true)]));
        let shares: Vec<f64> = steps.iter().map(|step| step.survival.estimate).collect();
        for (found, known) in shares.iter().zip([0.75, 0.25, 0.0]) {
            assert!((found - known).abs() < 1e-12);
        }
        assert_eq!(median_survival(&steps), Some(5));
    }

    #[test]
    fn games_that_are_never_lost_have_no_median_and_no_test() {
        let won = games(&[(900, false); 20]);
        assert_eq!(kaplan_meier(&won), vec![]);
        assert_eq!(median_survival(&kaplan_meier(&won)), None);
        assert_eq!(log_rank(&won, &won), None);
        assert_eq!(log_rank(&[], &[]), None);
        let mostly = kaplan_meier(&games(&[(900, false), (900, false), (800, true)]));
        assert_eq!(median_survival(&mostly), None);
    }
}
