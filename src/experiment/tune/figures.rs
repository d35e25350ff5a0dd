//! The figures of a tuning run, drawn from its tables alone.

use std::path::Path;

use crate::experiment::error::Error;
use crate::experiment::figures::{Drawing, DrawnFigures, FigureOptions};
use crate::report::figures::{NotDrawn, Scene, TUNE, TuneChart, TuningKind, TuningTables, Width, draw};
use crate::spec::Tuning;
use crate::spec::tune::Plan;

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, tuning: &Tuning, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    if options.formats.is_empty() {
        return Ok(DrawnFigures::default());
    }
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
    let charts: Vec<&TuneChart> = TUNE.iter().filter(|chart| chart.belongs_to(kind)).collect();
    let mut drawing = Drawing::new(folder, options);
    drawing.check(&charts.iter().map(|chart| (chart.name.to_string(), chart.name)).collect::<Vec<_>>())?;
    for chart in charts {
        if drawing.wants(chart.name, chart.name) {
            drawing.add(chart.name, scene(chart, &tables, options.width))?;
        }
    }
    drawing.finish()
}

fn scene(chart: &TuneChart, tables: &TuningTables, width: Option<Width>) -> Result<Scene, NotDrawn> {
    let chart = chart.build(tables)?;
    Ok(draw(chart.as_ref(), width.unwrap_or(chart.natural_width())))
}
