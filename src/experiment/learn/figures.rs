//! The figures of a training, drawn from its tables alone.

use std::path::Path;

use crate::experiment::error::Error;
use crate::experiment::figures::{DrawnFigures, FigureOptions, draw_run};
use crate::report::figures::{RunKind, RunTables};

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    draw_run(&RunTables { folder, objective: "Mean score, one ply", every: 0, budget: 0 }, RunKind::Learning, options)
}
