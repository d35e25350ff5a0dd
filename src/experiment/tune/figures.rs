//! The figures of a tuning run, drawn from its tables alone.

use std::path::Path;

use crate::experiment::error::Error;
use crate::experiment::figures::{DrawnFigures, FigureOptions, draw_run};
use crate::report::figures::{RunKind, RunTables};
use crate::spec::Tuning;
use crate::spec::tune::Plan;

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, tuning: &Tuning, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    let kind = match &tuning.plan {
        Plan::One(_) => RunKind::Search,
        Plan::Contest { .. } => RunKind::Contest,
        Plan::Transfer { .. } => RunKind::Transfer,
        Plan::Front(_) => RunKind::Front,
    };
    let objective = tuning.label();
    let tables = RunTables {
        folder,
        objective: &objective,
        every: tuning.validation.every,
        budget: tuning.plan.methods().first().map_or_else(|| tuning.plan.budget(), |method| method.budget),
    };
    draw_run(&tables, kind, options)
}
