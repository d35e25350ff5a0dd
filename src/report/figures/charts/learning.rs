//! The figures of a training: mean score and tiles against training games, and the scores of the test.

use super::convergence::Convergence;
use super::ecdf::{Ecdf, ScoreSample};
use super::reach::in_percent;
use crate::report::figures::lines::{Lines, Range};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::wording::thousands;
use crate::report::figures::{Point, Series};
use crate::report::table::{Row, Table};
use crate::stats::Interval;

pub const CONVERGENCE: RunChart = RunChart {
    name: "convergence",
    about: "mean score on validation and training games against training games",
    caption: "Mean score on validation games{games:validation.csv}, and of the latest training games, while the \
              network learned. Bands are 95 % intervals. The network never trained on the validation games.",
    of: RunKind::Learning,
    build: convergence,
    #[cfg(test)]
    sample: super::convergence::tests::sample,
};

pub const LEARNING_CURVE: RunChart = RunChart {
    name: "learning-curve",
    about: "share of validation games that reach each tile against training games",
    caption: "Share of validation games that reached each tile while the network learned{games:validation.csv}. Bars \
              are 95 % confidence intervals.",
    of: RunKind::Learning,
    build: learning_curve,
    #[cfg(test)]
    sample: super::cost::tests::sample,
};

pub const REACH: RunChart = RunChart {
    name: "reach",
    about: "share of games that reach each tile, early in the training and in the test",
    caption: "Share of games that reached each tile, early in the training on validation games{games:validation.csv}, and in the \
              test{games:test.csv}. Bars are 95 % \
              confidence intervals.",
    of: RunKind::Learning,
    build: reach,
    #[cfg(test)]
    sample: super::reach::tests::sample,
};

pub const TEST_SCORES: RunChart = RunChart {
    name: "ecdf",
    about: "score distribution on the test games",
    caption: "Distribution of scores on the test games: the share of games with at most this score{games:summary.csv}. \
              The band is a pointwise 95 % confidence interval (Wilson).",
    of: RunKind::Learning,
    build: test_scores,
    #[cfg(test)]
    sample: super::ecdf::tests::sample,
};

const X_LABEL: &str = "Training games";
const REACH_LABEL: &str = "Games that reach it (%)";
/// Points of the validation curve that the reach chart shows besides the test, as shares of the training.
const STAGES: [f64; 2] = [0.1, 0.3];
/// The learning curve shows tiles from this one on. Smaller tiles are reached almost at once.
const FIRST_TILE: u64 = 2048;

fn series(label: &str, table: &Table, y: impl Fn(&Row) -> Option<Interval>) -> Series {
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: y(&row)? });
    Series { label: label.into(), points: table.rows().filter_map(point).collect() }
}

fn convergence(tables: &RunTables) -> Built {
    let (validation, training) = (tables.table("validation.csv")?, tables.table("training.csv")?);
    let mean = |row: &Row| row.interval("mean_score");
    Ok(Box::new(Convergence {
        x_label: X_LABEL.into(),
        y_label: tables.objective.into(),
        curves: vec![
            series("validation games, 95 % interval", &validation, mean),
            series("training games, 95 % interval", &training, mean),
        ],
        references: Vec::new(),
    }))
}

/// The tiles for which a table has the share of games that reach them.
fn tiles(table: &Table) -> Vec<u64> {
    table.columns().iter().filter_map(|name| name.strip_prefix("reach_")?.parse().ok()).collect()
}

/// The share of games of a row that reach a tile.
fn rate(row: &Row, tile: u64) -> Option<Interval> {
    row.interval(&format!("reach_{tile}")).map(in_percent)
}

fn learning_curve(tables: &RunTables) -> Built {
    let validation = tables.table("validation.csv")?;
    let curve = |tile: u64| series(&format!("tile {tile}"), &validation, |row| rate(row, tile));
    let is_reached = |curve: &Series| curve.points.iter().any(|point| point.y.estimate > 0.0);
    let shown = tiles(&validation).into_iter().filter(|tile| *tile >= FIRST_TILE);
    Ok(Box::new(Lines {
        x_label: X_LABEL.into(),
        y_label: REACH_LABEL.into(),
        log_x: false,
        categories: Vec::new(),
        range: Range::Percent,
        series: shown.map(curve).filter(is_reached).collect(),
        joined: true,
        notes: Vec::new(),
    }))
}

fn reach(tables: &RunTables) -> Built {
    let (validation, test) = (tables.table("validation.csv")?, tables.table("test.csv")?);
    let last = test.rows().filter_map(|row| row.number("training_games")).fold(0.0, f64::max);
    let at = |share: f64| {
        validation.rows().find(|row| row.number("training_games").is_some_and(|games| games >= share * last))
    };
    let mut stages: Vec<Row> = STAGES.into_iter().filter_map(at).collect();
    stages.dedup_by_key(|row| row.text("training_games"));
    let is_reached = |tile: &u64| {
        let reaches = |row: &Row| rate(row, *tile).is_some_and(|share| share.estimate > 0.0);
        stages.iter().any(reaches) || test.rows().any(|row| reaches(&row))
    };
    let tiles: Vec<u64> = tiles(&test).into_iter().filter(is_reached).collect();
    let line = |label: &str, row: &Row| {
        let rates = tiles.iter().enumerate().filter_map(|(place, tile)| Some((place, rate(row, *tile)?)));
        let label = format!("{label}{} games", thousands(row.text("training_games")));
        Series { label, points: rates.map(|(place, y)| Point { x: place as f64, y }).collect() }
    };
    let tested = test.rows().map(|row| line("test after ", &row));
    Ok(Box::new(Lines {
        x_label: "Tile".into(),
        y_label: REACH_LABEL.into(),
        log_x: false,
        categories: tiles.iter().map(u64::to_string).collect(),
        range: Range::Percent,
        series: stages.iter().map(|row| line("after ", row)).chain(tested).collect(),
        joined: true,
        notes: Vec::new(),
    }))
}

fn test_scores(tables: &RunTables) -> Built {
    let games = tables.table("games.csv")?;
    let values = games.rows().filter_map(|row| row.number("score")).collect();
    let samples = vec![ScoreSample { label: "test games".into(), values }];
    Ok(Box::new(Ecdf::new("Score", samples)))
}
