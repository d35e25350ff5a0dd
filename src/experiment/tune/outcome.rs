//! What one game came to, and what many come to together.

use serde::{Deserialize, Serialize};

use crate::optimize::Evaluation;
use crate::spec::tune::Objective;
use crate::stats::proportions::wilson;
use crate::stats::quantiles::{median, median_interval};
use crate::stats::{Interval, Moments};

/// What is kept of one game; a row of numbers in the journal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub score: i64,
    pub max_tile: u32,
    pub moves: u32,
    pub won: bool,
    pub nodes: u64,
}

type Numbers = (i64, u32, u32, bool, u64);

impl Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Outcome { score, max_tile, moves, won, nodes } = *self;
        (score, max_tile, moves, won, nodes).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (score, max_tile, moves, won, nodes) = Numbers::deserialize(deserializer)?;
        Ok(Outcome { score, max_tile, moves, won, nodes })
    }
}

/// What one game counts towards the objective.
fn value(objective: Objective, outcome: &Outcome) -> f64 {
    match objective {
        Objective::MeanScore | Objective::MedianScore => outcome.score as f64,
        Objective::WinRate => f64::from(u8::from(outcome.won)),
        Objective::MeanLog2Max => f64::from(outcome.max_tile.max(1)).log2(),
    }
}

/// The standard error of a normal sample's median over that of its mean: the square root of pi / 2.
const MEDIAN_TO_MEAN: f64 = 1.253_314_137_315_500_3;

/// What an optimizer is told of these games; `None` if there are none.
pub(super) fn evaluation(objective: Objective, outcomes: &[Outcome]) -> Option<Evaluation> {
    let values: Vec<f64> = outcomes.iter().map(|outcome| value(objective, outcome)).collect();
    let of_mean = Evaluation::of(&values)?;
    if objective != Objective::MedianScore {
        return Some(of_mean);
    }
    let standard_error = of_mean.standard_error.map(|error| error * MEDIAN_TO_MEAN);
    Some(Evaluation { mean: median(&values)?, standard_error, games: of_mean.games })
}

/// The objective with its 95 % interval.
pub(super) fn estimate(objective: Objective, outcomes: &[Outcome]) -> Option<Interval> {
    let values: Vec<f64> = outcomes.iter().map(|outcome| value(objective, outcome)).collect();
    match objective {
        Objective::MeanScore | Objective::MeanLog2Max => Moments::of(&values).mean_interval(),
        Objective::MedianScore => median_interval(&values),
        Objective::WinRate => {
            wilson(outcomes.iter().filter(|outcome| outcome.won).count() as u64, outcomes.len() as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(score: i64, max_tile: u32) -> Outcome {
        Outcome { score, max_tile, moves: 9, won: max_tile >= 2048, nodes: 7 }
    }

    #[test]
    fn each_aim_has_its_own_statistic() {
        let outcomes = [outcome(100, 64), outcome(200, 1024), outcome(9000, 2048), outcome(300, 128)];
        let mean = |objective| evaluation(objective, &outcomes).unwrap().mean;
        assert_eq!(mean(Objective::MeanScore), 2400.0);
        assert_eq!(mean(Objective::MedianScore), 250.0);
        assert_eq!(mean(Objective::WinRate), 0.25);
        assert_eq!(mean(Objective::MeanLog2Max), (6.0 + 10.0 + 11.0 + 7.0) / 4.0);
        let rate = estimate(Objective::WinRate, &outcomes).unwrap();
        assert!(rate.estimate == 0.25 && rate.low > 0.0 && rate.high < 1.0);
        assert_eq!(evaluation(Objective::MedianScore, &[]), None);
    }

    #[test]
    fn outcomes_read_back() {
        let text = serde_json::to_string(&outcome(-4, 8)).unwrap();
        assert_eq!(text, "[-4,8,9,false,7]");
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome(-4, 8));
    }
}
