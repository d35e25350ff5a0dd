//! The figures of a tuning run, drawn from its tables alone.

use std::io;
use std::path::Path;

use crate::report::figures::{
    Ablation, AblationStep, Chart, CoefficientPath, Convergence, Ecdf, Figure, Heatmap, Paths, Point, Reference,
    Sample, Series, Slice, Slices, Width, draw, exact,
};
use crate::report::table::{Row, Table};
use crate::spec::tune::Aim;
use crate::stats::Interval;

/// Every figure that the tables in a folder allow.
pub(super) fn of_folder(folder: &Path, aim: Aim) -> io::Result<Vec<Figure>> {
    let read = |name: &str| Table::read(&folder.join(name));
    let (validation, parameters) = (read(super::VALIDATION)?, read(super::PARAMETERS)?);
    let mut figures = vec![
        figure("convergence", &convergence(&validation, &read(super::OPTIMISM)?, aim), Width::Column),
        figure("paths", &paths(&read(super::TRAJECTORY)?, &parameters), Width::Page),
        figure("slices", &slices(&read(super::SLICES)?, &parameters, aim), Width::Page),
        figure("ablation", &ablation(&read(super::ABLATION)?, aim), Width::Column),
        figure("ecdf", &ecdf(&read(super::GAMES)?), Width::Column),
    ];
    if folder.join(super::MASK).is_file() {
        figures.push(figure("mask", &mask(&read(super::MASK)?), Width::Column));
    }
    Ok(figures)
}

pub(super) fn figure(name: &str, chart: &dyn Chart, width: Width) -> Figure {
    Figure { name: name.to_string(), scene: draw(chart, width) }
}

fn point(row: &Row, x: &str) -> Option<Point> {
    Some(Point { x: row.number(x)?, y: row.interval("objective")? })
}

fn convergence(validation: &Table, optimism: &Table, aim: Aim) -> Convergence {
    let points = validation.rows().filter_map(|row| point(&row, "training_games")).collect();
    let start = validation.rows().next().and_then(|row| row.number("objective"));
    let claimed = optimism.rows().next().and_then(|row| row.number("claimed"));
    let level = |label: &str, value: Option<f64>| value.map(|value| Reference { label: label.into(), value });
    let references = [level("start", start), level("best value seen in training", claimed)];
    Convergence {
        x_label: "Training games".into(),
        y_label: aim.label().into(),
        log_x: false,
        curves: vec![Series { label: "recommendation, validated".into(), points }],
        references: references.into_iter().flatten().collect(),
    }
}

fn is_log(parameter: &Row) -> bool {
    parameter.text("scale") == "log" && parameter.number("low").is_some_and(|low| low > 0.0)
}

fn paths(trajectory: &Table, parameters: &Table) -> Paths {
    let path = |parameter: Row| {
        let name = parameter.text("parameter");
        let start = parameter.number("start").map(|start| Point { x: 0.0, y: exact(start) });
        let later = trajectory.rows().filter_map(|row| Some(Point { x: row.number("games")?, y: exact(row.number(name)?) }));
        CoefficientPath { name: name.into(), log: is_log(&parameter), points: start.into_iter().chain(later).collect() }
    };
    Paths {
        x_label: "Training games".into(),
        y_label: "Recommended value".into(),
        paths: parameters.rows().map(path).collect(),
    }
}

fn slices(slices: &Table, parameters: &Table, aim: Aim) -> Slices {
    let slice = |parameter: Row| {
        let name = parameter.text("parameter");
        let own = slices.rows().filter(|row| row.text("parameter") == name);
        Slice {
            name: name.into(),
            log: is_log(&parameter),
            recommended: parameter.number("tuned").unwrap_or(f64::NAN),
            points: own.filter_map(|row| point(&row, "value")).collect(),
        }
    };
    Slices {
        x_label: "Value of the coefficient".into(),
        y_label: aim.label().into(),
        slices: parameters.rows().map(slice).collect(),
    }
}

fn ablation(ablation: &Table, aim: Aim) -> Ablation {
    let step = |row: Row| Some(AblationStep { label: row.text("step").into(), value: row.interval("objective")? });
    Ablation { x_label: aim.label().into(), steps: ablation.rows().filter_map(step).collect() }
}

fn ecdf(games: &Table) -> Ecdf {
    let mut samples: Vec<Sample> = Vec::new();
    for row in games.rows() {
        let agent = row.text("agent");
        if samples.last().is_none_or(|sample| sample.label != agent) {
            samples.push(Sample { label: agent.into(), values: Vec::new() });
        }
        if let Some((sample, score)) = samples.last_mut().zip(row.number("score")) {
            sample.values.push(score);
        }
    }
    Ecdf { x_label: "Score".into(), log_x: true, samples }
}

fn mask(mask: &Table) -> Heatmap {
    let cell = |row: &Row, column: &str| exact(row.number(column).unwrap_or(f64::NAN));
    let row = |row: Row| ["1", "2", "3", "4"].map(|column| cell(&row, column)).to_vec();
    matrix(mask.rows().map(row).collect(), "Weight of a tile")
}

fn matrix(values: Vec<Vec<Interval>>, scale_label: &str) -> Heatmap {
    Heatmap {
        x_label: String::new(),
        y_label: String::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        values,
        scale_label: scale_label.into(),
    }
}
