//! All kinds of figures: one line for each.

use super::charts::{
    ablation, convergence, cost, ecdf, evaluations, front, importance, landscape, learning, mask, optimizers, outcomes,
    parallel, pareto, paths, published, reach, scenarios, score, slices, survival, test_scores, transfer, violin,
    win_rate,
};
use super::request::{NotDrawn, View};
use super::run_tables::{RunKind, RunTables};
use super::{Agents, Chart};

/// A chart, or the reason why there is none.
pub(super) type Built = Result<Box<dyn Chart>, NotDrawn>;

/// A kind of figure that a comparison can have.
pub struct CompareChart {
    /// The name that users write and that files have.
    pub name: &'static str,
    /// What the figure shows.
    pub about: &'static str,
    /// The caption, which explains how to read it. `{games}` is replaced by the number of games.
    pub caption: &'static str,
    /// Whether the figure is drawn if the experiment asks for no figures.
    pub(super) by_default: fn(&Agents) -> bool,
    /// Whether measured times are in the figure, so that a repeated run draws another one.
    pub is_measured: bool,
    pub(super) build: fn(&View) -> Built,
    /// Made-up data that show the kind.
    #[cfg(test)]
    pub(super) sample: fn() -> Box<dyn Chart>,
}

/// A kind of figure that a tuning run or a training can have.
pub struct RunChart {
    /// The name that users write and that files have.
    pub name: &'static str,
    /// What the figure shows.
    pub about: &'static str,
    /// The caption, which explains how to read it.
    pub caption: &'static str,
    pub(super) of: RunKind,
    pub(super) build: fn(&RunTables) -> Built,
    /// Made-up data that show the kind.
    #[cfg(test)]
    pub(super) sample: fn() -> Box<dyn Chart>,
}

/// The figures of a comparison, in the order in which they are drawn.
pub const COMPARE: &[CompareChart] = &[
    outcomes::KIND,
    win_rate::KIND,
    score::KIND,
    cost::KIND,
    ecdf::KIND,
    violin::KIND,
    reach::KIND,
    survival::KIND,
    pareto::KIND,
    published::KIND,
];

/// The figures of tuning runs and trainings, in the order in which they are drawn.
pub const RUNS: &[RunChart] = &[
    convergence::KIND,
    paths::KIND,
    slices::KIND,
    ablation::KIND,
    importance::KIND,
    landscape::KIND,
    parallel::KIND,
    evaluations::KIND,
    test_scores::KIND,
    scenarios::KIND,
    mask::KIND,
    optimizers::KIND,
    transfer::KIND,
    front::FRONT,
    front::HYPERVOLUME,
    learning::CONVERGENCE,
    learning::LEARNING_CURVE,
    learning::REACH,
    learning::TEST_SCORES,
];

/// The captions of the figures that a run can have, by the names of their kinds, in the order of the registry. `run` is
/// `None` for a comparison.
pub fn captions(run: Option<RunKind>) -> Vec<(&'static str, &'static str)> {
    match run {
        None => COMPARE.iter().map(|chart| (chart.name, chart.caption)).collect(),
        Some(kind) => {
            RUNS.iter().filter(|chart| chart.belongs_to(kind)).map(|chart| (chart.name, chart.caption)).collect()
        }
    }
}

impl CompareChart {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static CompareChart> {
        COMPARE.iter().find(|chart| chart.name == name)
    }

    /// Whether these agents have this figure if the experiment asks for none.
    pub fn is_default(&self, agents: &Agents) -> bool {
        (self.by_default)(agents)
    }

    /// Makes the chart of one panel.
    pub fn build(&self, view: &View) -> Result<Box<dyn Chart>, NotDrawn> {
        (self.build)(view)
    }
}

impl RunChart {
    /// Whether runs of this kind have the figure.
    pub fn belongs_to(&self, kind: RunKind) -> bool {
        self.of == kind
    }

    /// Makes the chart.
    pub fn build(&self, tables: &RunTables) -> Result<Box<dyn Chart>, NotDrawn> {
        (self.build)(tables)
    }
}
