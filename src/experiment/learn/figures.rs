//! The figures of a training, drawn from its tables alone.

use std::path::Path;

use crate::experiment::error::Error;
use crate::experiment::figures::{DrawnFigures, FigureOptions, plot_tables};
use crate::report::figures::{TuningKind, TuningTables};

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    let tables = TuningTables { folder, objective: "Mean score", every: 0, budget: 0 };
    plot_tables(TuningKind::Learning, &tables, options)
}
