//! The figures of a tuning run, drawn from its tables alone.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::compare::FigureOptions;
use crate::experiment::error::{Error, at};
use crate::params::{InputError, unknown};
use crate::report::figures::{
    Ablation, AblationStep, Chart, CoefficientPath, Convergence, Ecdf, Heatmap, Paths, Point, Reference, ScoreSample,
    Series, Slice, Slices, Width, draw, exact, write,
};
use crate::report::table::{Row, Table};
use crate::spec::Tuning;
use crate::spec::tune::{Objective, Plan};
use crate::stats::{Interval, Moments};

/// The folder of figures inside one of results.
pub(super) const FIGURES: &str = "figures";

/// A chart with its name and the width that suits it.
struct Drawing {
    name: &'static str,
    chart: Box<dyn Chart>,
    width: Width,
}

fn drawing(name: &'static str, chart: impl Chart + 'static, width: Width) -> Drawing {
    Drawing { name, chart: Box::new(chart), width }
}

/// Draws the figures of a results folder from its tables alone, and says which files these are.
pub(super) fn plot(folder: &Path, tuning: &Tuning, print: &FigureOptions) -> Result<Vec<PathBuf>, Error> {
    if print.formats.is_empty() {
        return Ok(Vec::new());
    }
    let drawings = match &tuning.plan {
        Plan::One(_) => of_search(folder, tuning.objective)?,
        Plan::Contest { .. } => of_contest(folder, tuning)?,
        Plan::Transfer { .. } => of_transfer(folder, tuning.objective)?,
    };
    let names = drawings.iter().map(|drawing| drawing.name);
    if let Some(stranger) = print.only.iter().find(|name| names.clone().all(|known| known != *name)) {
        return Err(InputError::new(unknown("figure", stranger, names)).into());
    }
    let into = folder.join(FIGURES);
    let mut written = Vec::new();
    for Drawing { name, chart, width } in drawings {
        if print.only.is_empty() || print.only.iter().any(|only| only == name) {
            let scene = draw(chart.as_ref(), print.width.unwrap_or(width));
            written.extend(write(&into, name, &scene, &print.formats).map_err(at(&into))?);
        }
    }
    Ok(written)
}

fn of_search(folder: &Path, objective: Objective) -> io::Result<Vec<Drawing>> {
    let read = |name: &str| Table::read(&folder.join(name));
    let (validation, parameters) = (read(super::VALIDATION)?, read(super::PARAMETERS)?);
    let mut drawings = vec![
        drawing("convergence", convergence(&validation, &read(super::OPTIMISM)?, objective), Width::Column),
        drawing("paths", paths(&read(super::TRAJECTORY)?, &parameters), Width::Page),
        drawing("slices", slices(&read(super::SLICES)?, &parameters, objective), Width::Page),
        drawing("ablation", ablation(&read(super::ABLATION)?, objective), Width::Column),
        drawing("ecdf", ecdf(&read(super::GAMES)?), Width::Column),
    ];
    if folder.join(super::MASK).is_file() {
        drawings.push(drawing("mask", mask(&read(super::MASK)?), Width::Column));
    }
    Ok(drawings)
}

fn of_contest(folder: &Path, tuning: &Tuning) -> io::Result<Vec<Drawing>> {
    let validation = Table::read(&folder.join(super::VALIDATION))?;
    let budget = tuning.plan.methods().first().map_or(0, |method| method.budget);
    let chart = optimizers(&validation, tuning.objective, tuning.validation.every, budget);
    Ok(vec![drawing("optimizers", chart, Width::Page)])
}

fn of_transfer(folder: &Path, objective: Objective) -> io::Result<Vec<Drawing>> {
    let table = Table::read(&folder.join(super::TRANSFER))?;
    Ok(vec![drawing("transfer", transfer(&table, objective), Width::Column)])
}

fn convergence(validation: &Table, optimism: &Table, objective: Objective) -> Convergence {
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: row.interval("objective")? });
    let points = validation.rows().filter_map(point).collect();
    let start = validation.rows().next().and_then(|row| row.number("objective"));
    let claimed = optimism.rows().next().and_then(|row| row.number("claimed"));
    let level = |label: &str, value: Option<f64>| value.map(|value| Reference { label: label.into(), value });
    let references = [level("start", start), level("best seen in training", claimed)];
    Convergence {
        x_label: "Training games".into(),
        y_label: objective.label().into(),
        log_x: false,
        curves: vec![Series { label: "validated".into(), points }],
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

fn slices(slices: &Table, parameters: &Table, objective: Objective) -> Slices {
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
        y_label: objective.label().into(),
        slices: parameters.rows().map(slice).collect(),
    }
}

fn ablation(ablation: &Table, objective: Objective) -> Ablation {
    let step = |row: Row| Some(AblationStep { label: row.text("step").into(), value: row.interval("objective")? });
    Ablation { x_label: objective.label().into(), steps: ablation.rows().filter_map(step).collect() }
}

fn ecdf(games: &Table) -> Ecdf {
    let mut samples: Vec<ScoreSample> = Vec::new();
    for row in games.rows() {
        let agent = row.text("agent");
        if samples.last().is_none_or(|sample| sample.label != agent) {
            samples.push(ScoreSample { label: agent.into(), values: Vec::new() });
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
fn optimizers(validation: &Table, objective: Objective, every: u64, budget: u64) -> Convergence {
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
        y_label: objective.label().into(),
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
fn transfer(transfer: &Table, objective: Objective) -> Heatmap {
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
        scale_label: objective.label().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_meet_where_their_checkpoints_were_due() {
        let mut validation = Table::new(["optimizer", "repeat", "training_games", "objective"]);
        for (optimizer, repeat, games, objective) in [
            ("a", 1, 0, 1),
            ("a", 1, 110, 2),
            ("a", 1, 290, 5),
            ("a", 2, 0, 3),
            ("a", 2, 100, 4),
            ("a", 2, 300, 9),
            ("b", 1, 0, 7),
        ] {
            let numbers = [repeat, games, objective].map(|number| number.to_string());
            validation.push([vec![optimizer.to_string()], numbers.to_vec()].concat());
        }
        let places = places(&validation, "a", 100, 300);
        assert_eq!(places, BTreeMap::from([(0, vec![1.0, 3.0]), (100, vec![2.0, 4.0]), (300, vec![5.0, 9.0])]));
    }

    #[test]
    fn negative_parameters_on_a_logarithmic_axis_are_turned() {
        let mut parameters = Table::new(["parameter", "start", "tuned", "low", "high", "scale"]);
        parameters.push(["cost", "-1", "-2", "-10", "-0.1", "log"]);
        parameters.push(["gain", "-1", "2", "-10", "10", "linear"]);
        let mut slices_table = Table::new(["parameter", "value", "objective"]);
        slices_table.push(["cost", "-3", "5"]);
        let slices = slices(&slices_table, &parameters, Objective::MeanScore).slices;
        assert_eq!((slices[0].name.as_str(), slices[0].log, slices[0].recommended), ("\u{2212}cost", true, 2.0));
        assert_eq!((slices[0].points[0].x, slices[1].name.as_str(), slices[1].recommended), (3.0, "gain", 2.0));
    }
}
