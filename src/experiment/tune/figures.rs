//! The figures of a tuning run, drawn from its tables alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::report::figures::{
    Ablation, AblationStep, Chart, CoefficientPath, Convergence, Ecdf, Figure, Heatmap, Paths, Point, Reference,
    Sample, Series, Slice, Slices, Width, draw, exact,
};
use crate::report::table::{Row, Table};
use crate::spec::tune::Aim;
use crate::stats::{Interval, Moments};

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

fn convergence(validation: &Table, optimism: &Table, aim: Aim) -> Convergence {
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: row.interval("objective")? });
    let points = validation.rows().filter_map(point).collect();
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

/// How a parameter is drawn: a logarithmic axis shows negative ones by their magnitude.
struct Drawn<'a> {
    column: &'a str,
    name: String,
    log: bool,
    sign: f64,
}

impl<'a> Drawn<'a> {
    fn new(parameter: &Row<'a>) -> Self {
        let column = parameter.text("parameter");
        let log = parameter.text("scale") == "log";
        let is_turned = log && parameter.number("high").is_some_and(|high| high < 0.0);
        let name = if is_turned { format!("\u{2212}{column}") } else { column.to_string() };
        Drawn { column, name, log, sign: if is_turned { -1.0 } else { 1.0 } }
    }

    fn value(&self, row: &Row, column: &str) -> Option<f64> {
        row.number(column).map(|value| self.sign * value)
    }
}

fn paths(trajectory: &Table, parameters: &Table) -> Paths {
    let path = |parameter: Row| {
        let drawn = Drawn::new(&parameter);
        let start = drawn.value(&parameter, "start").map(|start| Point { x: 0.0, y: exact(start) });
        let later = |row: Row| Some(Point { x: row.number("games")?, y: exact(drawn.value(&row, drawn.column)?) });
        let points = start.into_iter().chain(trajectory.rows().filter_map(later)).collect();
        CoefficientPath { name: drawn.name, log: drawn.log, points }
    };
    Paths {
        x_label: "Training games".into(),
        y_label: "Recommended value".into(),
        paths: parameters.rows().map(path).collect(),
    }
}

fn slices(slices: &Table, parameters: &Table, aim: Aim) -> Slices {
    let slice = |parameter: Row| {
        let drawn = Drawn::new(&parameter);
        let own = slices.rows().filter(|row| row.text("parameter") == drawn.column);
        let point = |row: Row| Some(Point { x: drawn.value(&row, "value")?, y: row.interval("objective")? });
        let points = own.filter_map(point).collect();
        let recommended = drawn.value(&parameter, "tuned").unwrap_or(f64::NAN);
        Slice { name: drawn.name, log: drawn.log, recommended, points }
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
    Heatmap {
        x_label: String::new(),
        y_label: String::new(),
        columns: Vec::new(),
        rows: Vec::new(),
        values: mask.rows().map(row).collect(),
        scale_label: "Weight of a tile".into(),
    }
}

/// Budget against validated score, with a band over the repeats of each optimizer. `every` and `budget` are in games.
pub(super) fn optimizers(validation: &Table, aim: Aim, every: u64, budget: u64) -> Convergence {
    let mut names: Vec<&str> = Vec::new();
    for name in validation.rows().map(|row| row.text("optimizer")) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let curve = |name: &&str| {
        let places = places(validation, name, every, budget);
        let point = |(x, values): (u64, Vec<f64>)| Some(Point { x: x as f64, y: over_repeats(&values)? });
        Series { label: name.to_string(), points: places.into_iter().filter_map(point).collect() }
    };
    Convergence {
        x_label: "Training games".into(),
        y_label: aim.label().into(),
        log_x: false,
        curves: names.iter().map(curve).collect(),
        references: Vec::new(),
    }
}

/// The validated values of all repeats, by the number of games at which they were due. The recommendation itself is
/// due when the budget is spent.
fn places(validation: &Table, optimizer: &str, every: u64, budget: u64) -> BTreeMap<u64, Vec<f64>> {
    let rows: Vec<Row> = validation.rows().filter(|row| row.text("optimizer") == optimizer).collect();
    let mut places: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let is_last = rows.get(index + 1).is_none_or(|next| next.text("repeat") != row.text("repeat"));
        let games = row.count("training_games").unwrap_or(0);
        let due = if is_last { budget } else { games / every * every };
        places.entry(due).or_default().extend(row.number("objective"));
    }
    places
}

/// The mean with its interval; of a single repeat the value alone.
pub(super) fn over_repeats(values: &[f64]) -> Option<Interval> {
    let moments = Moments::of(values);
    moments.mean_interval().or_else(|| moments.mean().map(exact))
}

/// Weights by where they were tuned, against where they were tested.
pub(super) fn transfer(transfer: &Table, aim: Aim) -> Heatmap {
    let labels = |column: &str| {
        let mut labels: Vec<String> = Vec::new();
        for label in transfer.rows().map(|row| row.text(column).to_string()) {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    };
    let (rows, columns) = (labels("tuned_at"), labels("tested_at"));
    let value = |row: &String, column: &String| {
        let mut cells = transfer.rows().filter(|cell| cell.text("tuned_at") == row && cell.text("tested_at") == column);
        cells.next().and_then(|cell| cell.interval("objective")).unwrap_or(exact(f64::NAN))
    };
    Heatmap {
        x_label: "Tested at depth".into(),
        y_label: "Tuned at depth".into(),
        values: rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect(),
        columns,
        rows,
        scale_label: aim.label().into(),
    }
}
