//! Optimizers for noisy objectives, one file each, as argmin solvers.
//!
//! A [`Search`] runs one of the [`KINDS`] in a [`Space`] against an [`NoisyObjective`], within a budget of games. It is a
//! function of its seed and of the objective's answers, so it is resumed and extended by running it again on an objective that
//! remembers them. It ends with a recommendation that is never the best value
//! seen: either the solver settles on a point (the mean of its distribution), or the points that looked best race on
//! fresh games.
//!
//! **To add an optimizer**: one file with an argmin solver over [`Trials`] and a [`OptimizerKind`], and one line in [`KINDS`].
//! After each iteration the solver leaves its leading point, in the unit cube, as the state's `param`; a `step` in its
//! key-value report goes into the trajectory. It need not know about bounds, scales or budgets.

mod annealing;
mod cma_es;
mod nelder_mead;
mod objective;
mod particle_swarm;
mod race;
mod random;
mod search;
mod space;
mod spsa;
mod trials;

#[cfg(test)]
mod noisy;

use argmin::core::{IterState, Solver};

pub use objective::{Candidate, Evaluation, NoisyObjective, RACE_FIRST_GAME};
pub use search::{Search, SearchResult, Watcher, Waypoint};
pub use space::{Dimension, Scale, Space};
pub use trials::{Trial, Trials};

use crate::params::{InputError, Param, ParamType, unknown};

/// All optimizers; the first is the default.
pub const KINDS: &[OptimizerKind] =
    &[cma_es::KIND, spsa::KIND, nelder_mead::KIND, particle_swarm::KIND, annealing::KIND, random::KIND];

/// An optimizer as the user knows it.
#[derive(Clone, Copy, Debug)]
pub struct OptimizerKind {
    pub name: &'static str,
    pub summary: &'static str,
    /// Among them `games`, the number of games per evaluation.
    pub params: &'static [Param],
    pub ending: Ending,
    pub build: fn(&Search) -> Result<Optimizer, InputError>,
}

/// How a search arrives at its recommendation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The solver's last leading point is an average over many evaluations.
    Settled,
    /// The solver leads with a lucky point: the best-looking ones race on fresh games.
    Race,
}

/// The optimizer with this name.
pub fn find(name: &str) -> Result<&'static OptimizerKind, InputError> {
    let names = KINDS.iter().map(|kind| kind.name);
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| InputError::at(name, unknown("optimizer", name, names)))
}

/// What every solver works on: points of the unit cube and their costs.
pub type State = IterState<Vec<f64>, (), (), (), (), f64>;

/// Any solver, ready to run.
pub type Optimizer = Box<dyn for<'a> Solver<Trials<'a>, State>>;

/// The declaration of `games`, which every kind has.
const fn games(default: &'static str) -> Param {
    let help = "games per evaluation";
    Param { name: "games", kind: ParamType::Integer { min: 1, max: 1_000_000 }, default, help }
}

/// What can go wrong with a search.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked for cannot be done.
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Objective(anyhow::Error),
}
