//! Heuristics: they value a position where a search or a playout stops.

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

/// Something to be done with an evaluator whose type is not known yet.
pub trait EvaluatorTask<G: Game> {
    /// What the task returns.
    type Output;

    /// Does the task.
    fn run<E: Evaluator<G>>(self, evaluator: E) -> Self::Output;
}

/// A game that has heuristics, so that every agent can play it.
pub trait Playable: Game {
    /// What an agent uses when the user names none.
    const DEFAULT_HEURISTIC: &'static str;

    /// The names that [`Playable::with_evaluator`] knows, with what each is.
    fn heuristics() -> Vec<Named>;

    /// The value of a position under the heuristic that the user named, and the terms that add up to it.
    fn breakdown(
        &self,
        heuristic: &crate::params::Value,
        position: Self::Position,
        score: u32,
    ) -> Result<(f64, Vec<TermValue>), InputError>;

    /// Runs `task` with the heuristic that the user named: the one place where a name becomes a type, so that the
    /// searches are compiled for each kind of evaluator.
    fn with_evaluator<T: EvaluatorTask<Self>>(
        &self,
        heuristic: &crate::params::Value,
        task: T,
    ) -> Result<T::Output, InputError>;
}

/// A heuristic as `lab2048 list` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The word that users write.
    pub name: &'static str,
    /// The heuristic in one line.
    pub summary: &'static str,
}
