//! The objective's value, estimated from games.

use crate::optimize::Evaluation;
use crate::play::GameResult;
use crate::spec::tune::Objective;
use crate::stats::means::paired_difference;
use crate::stats::proportions::{PairedOutcomes, wilson};
use crate::stats::quantiles::{median, median_interval};
use crate::stats::{Interval, Moments};

/// What one game contributes to the objective.
pub(super) fn value(objective: Objective, game: &GameResult) -> f64 {
    match objective {
        Objective::MeanScore | Objective::MedianScore => game.score as f64,
        Objective::WinRate => f64::from(u8::from(game.won)),
        Objective::MeanLog2Max => f64::from(game.max_tile.max(1)).log2(),
        Objective::WorkPerMove => game.work as f64 / game.moves.max(1) as f64,
        Objective::NodesPerMove => game.nodes as f64 / game.moves.max(1) as f64,
    }
}

/// The scores of these games.
pub(super) fn scores(games: &[GameResult]) -> Vec<f64> {
    games.iter().map(|game| value(Objective::MeanScore, game)).collect()
}

/// For a normal sample, the standard error of the median divided by that of the mean: the square root of pi / 2.
const MEDIAN_TO_MEAN: f64 = 1.253_314_137_315_500_3;

/// The evaluation of these games for the optimizer; `None` if there are none.
pub(super) fn evaluation(objective: Objective, games: &[GameResult]) -> Option<Evaluation> {
    let values: Vec<f64> = games.iter().map(|game| value(objective, game)).collect();
    let of_mean = Evaluation::of(&values)?;
    if objective != Objective::MedianScore {
        return Some(of_mean);
    }
    let standard_error = of_mean.standard_error.map(|error| error * MEDIAN_TO_MEAN);
    Some(Evaluation { mean: median(&values)?, standard_error, games: of_mean.games })
}

/// The objective with its 95 % interval.
pub(super) fn estimate(objective: Objective, games: &[GameResult]) -> Option<Interval> {
    let values: Vec<f64> = games.iter().map(|game| value(objective, game)).collect();
    match objective {
        Objective::MeanScore | Objective::MeanLog2Max | Objective::WorkPerMove | Objective::NodesPerMove => {
            Moments::of(&values).mean_interval()
        }
        Objective::MedianScore => median_interval(&values),
        Objective::WinRate => wilson(games.iter().filter(|game| game.won).count() as u64, games.len() as u64),
    }
}

/// The objective of the first minus that of the second, with its 95 % interval. Both played games with the same seeds.
pub(super) fn difference(objective: Objective, first: &[GameResult], second: &[GameResult]) -> Option<Interval> {
    let values = |games: &[GameResult]| games.iter().map(|game| value(objective, game)).collect::<Vec<_>>();
    match objective {
        Objective::MeanScore | Objective::MeanLog2Max | Objective::WorkPerMove | Objective::NodesPerMove => {
            Some(paired_difference(&values(first), &values(second))?.interval)
        }
        Objective::MedianScore => {
            Some(difference_from_intervals(median_interval(&values(first))?, median_interval(&values(second))?))
        }
        Objective::WinRate => {
            let both = |won: bool, lost: bool| {
                first.iter().zip(second).filter(|(a, b)| (a.won, b.won) == (won, lost)).count() as u64
            };
            let outcomes = PairedOutcomes {
                both: both(true, true),
                first_only: both(true, false),
                second_only: both(false, true),
                neither: both(false, false),
            };
            outcomes.difference()
        }
    }
}

/// The interval of a difference, computed from the intervals of the two estimates: the squares of the margins are added
/// (MOVER, Zou and Donner 2008). It assumes independent games. Games with the same seed are nearly independent, because
/// they diverge soon after their start.
fn difference_from_intervals(first: Interval, second: Interval) -> Interval {
    let change = first.estimate - second.estimate;
    let low = (first.estimate - first.low).hypot(second.high - second.estimate);
    let high = (first.high - first.estimate).hypot(second.estimate - second.low);
    Interval { estimate: change, low: change - low, high: change + high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(score: i64, max_tile: u32) -> GameResult {
        let won = max_tile >= 2048;
        GameResult { seed: 1, score, max_tile, moves: 9, won, nodes: 7, work: 0, seconds: 0.0 }
    }

    #[test]
    fn each_objective_has_its_own_statistic() {
        let games = [game(100, 64), game(200, 1024), game(9000, 2048), game(300, 128)];
        let mean = |objective| evaluation(objective, &games).unwrap().mean;
        assert_eq!(mean(Objective::MeanScore), 2400.0);
        assert_eq!(mean(Objective::MedianScore), 250.0);
        assert_eq!(mean(Objective::WinRate), 0.25);
        assert_eq!(mean(Objective::MeanLog2Max), (6.0 + 10.0 + 11.0 + 7.0) / 4.0);
        let rate = estimate(Objective::WinRate, &games).unwrap();
        assert!(rate.estimate == 0.25 && rate.low > 0.0 && rate.high < 1.0);
        assert_eq!(evaluation(Objective::MedianScore, &[]), None);
    }

    #[test]
    fn differences_are_first_minus_second() {
        let better: Vec<GameResult> = (0..40).map(|n| game(5000 + 10 * n, 2048)).collect();
        let worse: Vec<GameResult> = (0..40).map(|n| game(1000 + 11 * n, 1024)).collect();
        for objective in [Objective::MeanScore, Objective::MedianScore, Objective::WinRate] {
            let gain = difference(objective, &better, &worse).unwrap();
            let [a, b] = [&better, &worse].map(|games| evaluation(objective, games).unwrap().mean);
            assert!((gain.estimate - (a - b)).abs() < 1e-9, "{objective:?}");
            assert!(
                gain.low > 0.0 && gain.low <= gain.estimate && gain.estimate <= gain.high,
                "{objective:?} {gain:?}"
            );
        }
        // The scores of both players vary together, so the paired interval is narrow.
        let shifted: Vec<GameResult> = better.iter().map(|played| game(played.score - 7, 2048)).collect();
        let gain = difference(Objective::MeanScore, &better, &shifted).unwrap();
        assert!((gain.low - 7.0).abs() < 1e-9 && (gain.high - 7.0).abs() < 1e-9, "{gain:?}");
    }

    #[test]
    fn margins_of_a_difference_add_as_squares() {
        let of = |estimate, low, high| Interval { estimate, low, high };
        let change = difference_from_intervals(of(30.0, 26.0, 34.0), of(10.0, 7.0, 13.0));
        assert_eq!((change.estimate, change.low, change.high), (20.0, 15.0, 25.0));
    }
}
