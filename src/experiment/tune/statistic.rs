//! The objective's value, estimated from games.

use crate::optimize::Evaluation;
use crate::play::GameResult;
use crate::spec::tune::Objective;
use crate::stats::proportions::wilson;
use crate::stats::quantiles::{median, median_interval};
use crate::stats::{Interval, Moments};

/// What one game contributes to the objective.
fn value(objective: Objective, game: &GameResult) -> f64 {
    match objective {
        Objective::MeanScore | Objective::MedianScore => game.score as f64,
        Objective::WinRate => f64::from(u8::from(game.won)),
        Objective::MeanLog2Max => f64::from(game.max_tile.max(1)).log2(),
    }
}

/// For a normal sample, the standard error of the median divided by that of the mean: the square root of pi / 2.
const MEDIAN_TO_MEAN: f64 = 1.253_314_137_315_500_3;

/// What an optimizer is told about these games; `None` if there are none.
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
        Objective::MeanScore | Objective::MeanLog2Max => Moments::of(&values).mean_interval(),
        Objective::MedianScore => median_interval(&values),
        Objective::WinRate => wilson(games.iter().filter(|game| game.won).count() as u64, games.len() as u64),
    }
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
}
