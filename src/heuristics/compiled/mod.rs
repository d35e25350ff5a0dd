//! Heuristics made fast: whatever is a sum over rows and columns becomes tables of lines.
//!
//! A compiled heuristic has the same values as [`Heuristic::value`]; the user never has to know.

mod line_sum;
mod mixed;
mod network;
mod parts;
mod shared;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vectors;

pub use line_sum::LineSum;
pub use mixed::Mixed;
pub use network::Learned;

use super::features::FeatureShape;
use super::heuristic::Heuristic;

/// A heuristic in the fastest form that it allows.
#[derive(Clone)]
pub enum Compiled {
    Lines(LineSum),
    Mixed(Mixed),
}

impl Heuristic {
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
