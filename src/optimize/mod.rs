//! Optimizers for noisy objectives, one file each, as argmin solvers.
//!
//! A [`Search`] runs one of the [`KINDS`] in a [`Space`] to maximise a [`NoisyObjective`], within a budget of games. It
//! depends only on its seed and on the evaluations. So it is resumed and extended by running it again with an objective
//! that returns its stored evaluations. At the end it recommends a point. It does not simply take the point with the
//! best value seen, because the best of many noisy values is mostly luck. Either the solver itself averages over many
//! evaluations, or the points with the best values race on fresh games.
//!
//! **To add an optimizer**: write one file with an argmin solver for [`SearchProblem`] and an [`OptimizerKind`], and
//! add one line to [`KINDS`]. After each iteration the solver sets the `param` of its state to its current best guess,
//! in the unit cube. It may report a `step` in its key-value store, which is recorded too. The solver need not know
//! about bounds, scales or budgets.
//!
//! ```
//! use lab2048::optimize::{Candidate, Dimension, Evaluation, NoisyObjective, Scale, Search, Space, find};
//! use lab2048::params::Values;
//!
//! /// Largest at x = 2; without noise, to keep the example short.
//! struct Parabola;
//!
//! impl NoisyObjective for Parabola {
//!     fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
//!         let mean = |candidate: &Candidate| -(candidate.point[0] - 2.0).powi(2);
//!         let evaluation = |c: &Candidate| Evaluation { mean: mean(c), standard_error: Some(0.0), games: c.games };
//!         Ok(batch.iter().map(evaluation).collect())
//!     }
//! }
//!
//! let kind = find("cma-es").unwrap();
//! let x = Dimension { name: "x".into(), start: 0.0, low: -5.0, high: 5.0, scale: Scale::Linear };
//! let search = Search {
//!     space: Space::new(vec![x]).unwrap(),
//!     kind,
//!     options: Values::check(kind.name, kind.params, &lab2048::params::Table::new()).unwrap(),
//!     seed: 1,
//!     budget: 5_000,
//!     restarts: 0,
//! };
//! let result = search.run(&Parabola, Vec::new()).unwrap();
//! assert!((result.recommendation[0] - 2.0).abs() < 0.1);
//! ```

mod annealing;
mod cma_es;
mod margin;
mod matrix;
mod nelder_mead;
mod normal;
mod nsga2;
mod objective;
mod particle_swarm;
mod problem;
mod race;
mod racing;
mod random;
mod search;
mod space;
mod spsa;
mod tpe;

#[cfg(test)]
mod known_optima;
#[cfg(test)]
mod tests;

use argmin::core::{IterState, Solver};

pub use nsga2::{FrontPoint, FrontResult, FrontSearch, FrontStep, FrontTrial, TwoObjectives, hypervolume};
pub use objective::{Candidate, Evaluation, NoisyObjective, RACE_FIRST_GAME};
pub use problem::{SearchProblem, Trial};
pub use search::{Iterate, Observer, Search, SearchResult, Signal};
pub use space::{Condition, Dimension, Order, Scale, Space};

use crate::params::{InputError, Param, ParamType, unknown};

/// All optimizers; the first is the default.
pub const KINDS: &[OptimizerKind] =
    &[cma_es::KIND, spsa::KIND, tpe::KIND, nelder_mead::KIND, particle_swarm::KIND, annealing::KIND, random::KIND];

/// One optimizer: its name, its options and how to build its solver.
#[derive(Clone, Copy, Debug)]
pub struct OptimizerKind {
    /// The name that users write.
    pub name: &'static str,
    /// One line for `lab2048 list`.
    pub summary: &'static str,
    /// The options that the user may set. Every optimizer has `games`, the number of games per evaluation.
    pub params: &'static [Param],
    /// Where the recommendation comes from.
    pub recommend_by: RecommendBy,
    /// Whether the solver uses only the ranks within a generation. Then values of different generations need not be
    /// comparable.
    pub ranks_generations: bool,
    /// Builds the solver.
    pub build: fn(&Search) -> Result<Optimizer, InputError>,
}

/// Where the recommendation of a search comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecommendBy {
    /// The solver's last point, which is an average over many evaluations.
    Solver,
    /// A race on fresh games between the points with the best values, because the solver's own point is mostly luck.
    Race,
}

/// The optimizer with this name.
pub fn find(name: &str) -> Result<&'static OptimizerKind, InputError> {
    let names = KINDS.iter().map(|kind| kind.name);
    KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| InputError::at(name, unknown("optimizer", name, names)))
}

/// The argmin state of every solver: a point of the unit cube with its cost.
pub type State = IterState<Vec<f64>, (), (), (), (), f64>;

/// A solver that is ready to run.
pub type Optimizer = Box<dyn for<'a> Solver<SearchProblem<'a>, State>>;

/// The declaration of the option `games`, which every optimizer has.
const fn games(default: &'static str) -> Param {
    let help = "games per evaluation";
    Param { name: "games", kind: ParamType::Integer { min: 1, max: 1_000_000 }, default, help }
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The user's input is wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The objective or an observer returned an error.
    #[error(transparent)]
    Objective(anyhow::Error),
}
