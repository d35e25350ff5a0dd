//! Compiled heuristics: every term that is a sum over rows, columns or cells becomes a table.
//!
//! A compiled heuristic has the same values as [`Heuristic::value`].

mod line_sum;
mod line_sum_moves;
mod mixed;
mod network;
mod parts;
mod reply_moves;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vectors;

pub use line_sum::LineSum;
pub use mixed::Mixed;
pub use network::Learned;

use super::features::FeatureShape;
use super::heuristic::Heuristic;

/// A heuristic in the fastest form that its terms allow.
#[derive(Clone)]
pub enum Compiled {
    /// Every term is a sum over rows, columns or cells, or the score.
    Lines(LineSum),
    /// At least one term is of another kind.
    Mixed(Mixed),
}

impl Heuristic {
    /// Builds the tables.
    pub fn compile(&self) -> Compiled {
        let is_lines = |shape: &FeatureShape| {
            matches!(shape, FeatureShape::Score | FeatureShape::Cells(_) | FeatureShape::EachLine(_))
        };
        if self.terms().iter().all(|term| is_lines(term.shape())) {
            Compiled::Lines(LineSum::new(self.terms()))
        } else {
            Compiled::Mixed(Mixed::new(self))
        }
    }
}

#[cfg(test)]
mod tests;
