//! The figures of a tuning run, drawn from its tables alone.

use std::path::Path;

use crate::experiment::error::Error;
use crate::experiment::figures::{DrawnFigures, FigureOptions, plot_tables};
use crate::report::figures::{TuningKind, TuningTables};
use crate::spec::Tuning;
use crate::spec::tune::Plan;

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, tuning: &Tuning, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    let kind = match &tuning.plan {
        Plan::One(_) => TuningKind::Search,
        Plan::Contest { .. } => TuningKind::Contest,
        Plan::Transfer { .. } => TuningKind::Transfer,
    };
    let tables = TuningTables {
        folder,
        objective: tuning.objective.label(),
        every: tuning.validation.every,
        budget: tuning.plan.methods().first().map_or(0, |method| method.budget),
    };
    plot_tables(kind, &tables, options)
}
