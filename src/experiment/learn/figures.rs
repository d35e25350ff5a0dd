//! The figures of a training, drawn from its tables alone.

use std::io;
use std::path::{Path, PathBuf};

use super::curve::reach_columns;
use crate::experiment::FigureOptions;
use crate::experiment::error::{Error, at};
use crate::params::{InputError, unknown};
use crate::report::figures::{
    Chart, Convergence, Ecdf, Point, Reach, ReachRow, ScoreSample, Series, Width, draw, exact, write,
};
use crate::report::table::{Row, Table};
use crate::stats::Interval;

/// The folder of figures inside one of results.
const FIGURES: &str = "figures";

/// Points of the validation curve that the reach chart shows besides the test: about a tenth and a third of the way.
const STAGES: [f64; 2] = [0.1, 0.3];

const X_LABEL: &str = "Training games";
const REACH_LABEL: &str = "Games that reach it (%)";

/// Draws the figures of a results folder from its tables alone, and says which files these are.
pub(super) fn plot(folder: &Path, print: &FigureOptions) -> Result<Vec<PathBuf>, Error> {
    if print.formats.is_empty() {
        return Ok(Vec::new());
    }
    let charts = charts(folder)?;
    let names = charts.iter().map(|(name, _)| *name);
    if let Some(stranger) = print.only.iter().find(|name| names.clone().all(|known| known != *name)) {
        return Err(InputError::new(unknown("figure", stranger, names)).into());
    }
    let (into, mut written) = (folder.join(FIGURES), Vec::new());
    for (name, chart) in charts {
        if print.only.is_empty() || print.only.iter().any(|only| only == name) {
            let scene = draw(chart.as_ref(), print.width.unwrap_or(Width::Column));
            written.extend(write(&into, name, &scene, &print.formats).map_err(at(&into))?);
        }
    }
    Ok(written)
}

fn charts(folder: &Path) -> io::Result<Vec<(&'static str, Box<dyn Chart>)>> {
    let read = |name: &str| Table::read(&folder.join(name));
    let (training, validation, test) = (read(super::TRAINING)?, read(super::VALIDATION)?, read(super::TEST)?);
    Ok(vec![
        ("convergence", Box::new(convergence(&validation, &training))),
        ("learning-curve", Box::new(learning_curve(&validation))),
        ("reach", Box::new(reach(&validation, &test))),
        ("ecdf", Box::new(ecdf(&read(super::GAMES)?))),
    ])
}

fn series(label: &str, table: &Table, y: impl Fn(&Row) -> Option<Interval>) -> Series {
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: y(&row)? });
    Series { label: label.into(), points: table.rows().filter_map(point).collect() }
}

/// The mean score as the training goes on, on validation games and on the training games themselves.
fn convergence(validation: &Table, training: &Table) -> Convergence {
    let mean = |row: &Row| row.interval("mean_score");
    let curves = vec![series("validation", validation, mean), series("training", training, mean)];
    let (x_label, y_label) = (X_LABEL.into(), "Mean score, one ply".into());
    Convergence { x_label, y_label, log_x: false, curves, references: Vec::new() }
}

/// The share of validation games that reach each tile. Tiles that all games reach, or none, have nothing to show.
fn learning_curve(validation: &Table) -> Convergence {
    let percent =
        |rate: Interval| Interval { estimate: 100.0 * rate.estimate, low: 100.0 * rate.low, high: 100.0 * rate.high };
    let curve =
        |(tile, column): (u32, String)| series(&tile.to_string(), validation, |row| row.interval(&column).map(percent));
    let is_reached = |curve: &Series| curve.points.iter().any(|point| point.y.estimate > 0.0);
    let curves = reach_columns().filter(|(tile, _)| *tile >= 2048).map(curve).filter(is_reached).collect();
    Convergence { x_label: X_LABEL.into(), y_label: REACH_LABEL.into(), log_x: false, curves, references: Vec::new() }
}

/// The share of games that reach each tile: early in the training, and in the test.
fn reach(validation: &Table, test: &Table) -> Reach {
    let last = test.rows().filter_map(|row| row.number("training_games")).fold(0.0, f64::max);
    let at = |share: f64| {
        validation.rows().find(|row| row.number("training_games").is_some_and(|games| games >= share * last))
    };
    let mut rows: Vec<Row> = STAGES.into_iter().filter_map(at).collect();
    rows.dedup_by_key(|row| row.text("training_games"));
    let bars = |row: Row| ReachRow {
        label: format!("{} games", row.text("training_games")),
        rates: reach_columns().map(|(_, column)| row.interval(&column).unwrap_or(exact(0.0))).collect(),
    };
    let tested = test.rows().map(|row| ReachRow { label: format!("test, {}", bars(row).label), ..bars(row) });
    let agents = rows.into_iter().map(bars).chain(tested).collect();
    let tiles = reach_columns().map(|(tile, _)| tile.to_string()).collect();
    Reach { x_label: "Tile".into(), y_label: REACH_LABEL.into(), tiles, agents }
}

/// The scores of the test games.
fn ecdf(games: &Table) -> Ecdf {
    let values = games.rows().filter_map(|row| row.number("score")).collect();
    let samples = vec![ScoreSample { label: "test, one ply".into(), values }];
    Ecdf { x_label: "Score".into(), log_x: false, samples }
}
