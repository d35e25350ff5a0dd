//! Heuristics: a heuristic values a position at which a search or a playout stops.

mod builder;
mod compiled;
mod cost;
mod evaluator;
pub mod features;
mod file;
mod heuristic;
pub mod open_lines;
mod presets;
mod twenty48;

use crate::games::Game;
use crate::params::InputError;

pub use builder::HeuristicBuilder;
pub use compiled::{Compiled, Learned, LineSum, Mixed};
pub use cost::{CallCost, Cost, LeafCosts};
pub use evaluator::{Best, Evaluator, Horizon, LastMoves, ReplyValues, best_of_steps, mean_reply, worst_reply};
pub use heuristic::{Heuristic, Term, TermValue};
pub use presets::{PRESETS, Preset, preset};

/// A task that needs an evaluator of any type. [`Playable::with_evaluator`] calls it with the right one.
pub trait EvaluatorTask<G: Game> {
    /// The result of the task.
    type Output;

    /// Runs the task with this evaluator.
    fn run<E: Evaluator<G>>(self, evaluator: E) -> Self::Output;
}

/// A game that has heuristics, so that every agent can play it.
pub trait Playable: Game {
    /// The heuristic that an agent uses if the user names none.
    const DEFAULT_HEURISTIC: &'static str;

    /// The heuristics that [`Playable::with_evaluator`] knows by name.
    fn heuristics() -> Vec<Named>;

    /// The value of a position under the heuristic that the user named, and the terms that add up to it.
    fn breakdown(
        &self,
        heuristic: &crate::params::Value,
        position: Self::Position,
        score: u32,
    ) -> Result<(f64, Vec<TermValue>), InputError>;

    /// Runs `task` with the heuristic that the user named. This is the one place where a name becomes a type. So the
    /// searches are compiled for each type of evaluator.
    fn with_evaluator<T: EvaluatorTask<Self>>(
        &self,
        heuristic: &crate::params::Value,
        task: T,
    ) -> Result<T::Output, InputError>;
}

/// A heuristic as `lab2048 list` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name that users write.
    pub name: &'static str,
    /// The heuristic in one line.
    pub summary: &'static str,
}
