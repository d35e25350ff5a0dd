//! The quantity that a tuning run maximises.

use crate::params::{InputError, unknown};
use crate::report::table::thousands;
use crate::stats::Interval;

/// A statistic of a player's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The mean of the final scores.
    MeanScore,
    /// The median of the final scores.
    MedianScore,
    /// The share of games that reach the goal.
    WinRate,
    /// The mean of the base-2 logarithm of the largest tile.
    MeanLog2Max,
    /// Units of work for each move, as a mean over the games: a cost.
    WorkPerMove,
    /// Positions for each move, as a mean over the games: a cost.
    NodesPerMove,
}

impl Objective {
    const ALL: [(&'static str, Objective); 6] = [
        ("mean-score", Objective::MeanScore),
        ("median-score", Objective::MedianScore),
        ("win-rate", Objective::WinRate),
        ("mean-log2-max", Objective::MeanLog2Max),
        ("work-per-move", Objective::WorkPerMove),
        ("nodes-per-move", Objective::NodesPerMove),
    ];

    /// Whether less is better. A cost cannot be the only objective, because its optimum is a player that does not
    /// search.
    pub fn is_cost(self) -> bool {
        matches!(self, Objective::WorkPerMove | Objective::NodesPerMove)
    }

    /// The objective with this name.
    pub fn find(name: &str) -> Result<Self, InputError> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        let names = Self::ALL.iter().map(|(name, _)| *name);
        found
            .map(|(_, objective)| *objective)
            .ok_or_else(|| InputError::at("objective", unknown("objective", name, names)))
    }

    /// The name that users write.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, objective)| *objective == self).map_or("", |(name, _)| name)
    }

    /// The label for the axes of figures.
    pub fn label(self) -> &'static str {
        match self {
            Objective::MeanScore => "Mean score",
            Objective::MedianScore => "Median score",
            Objective::WinRate => "Win rate",
            Objective::MeanLog2Max => "Mean log2 of the largest tile",
            Objective::WorkPerMove => "Work per move",
            Objective::NodesPerMove => "Nodes per move",
        }
    }

    /// A value as text: a score with commas, or a percentage.
    pub fn show(self, value: f64) -> String {
        match self {
            Objective::MeanScore | Objective::MedianScore | Objective::WorkPerMove | Objective::NodesPerMove => {
                thousands(value)
            }
            Objective::WinRate => format!("{:.1} %", 100.0 * value),
            Objective::MeanLog2Max => format!("{value:.2}"),
        }
    }

    /// A value with its 95 % interval, as text.
    pub fn show_interval(self, interval: &Interval) -> String {
        let Interval { estimate, low, high } = *interval;
        format!("{} ({} to {})", self.show(estimate), self.show(low), self.show(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_commas_and_win_rates_are_percentages() {
        let shown = [0.4, -0.4, 999.6, 1234567.0, -12345.0].map(|value| Objective::MeanScore.show(value));
        assert_eq!(shown, ["0", "0", "1,000", "1,234,567", "-12,345"]);
        assert_eq!(Objective::WinRate.show(0.1234), "12.3 %");
        assert!(Objective::find("mean-scor").unwrap_err().message.contains("did you mean `mean-score`"));
    }
}
