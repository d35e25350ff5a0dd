//! The figures of a training: the score and the tiles that a network reaches as it learns.

use crate::report::figures::lines::{Lines, Range};
use crate::report::figures::registry::{Built, TuneChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::tuning::{TuningKind, TuningTables};
use crate::report::figures::{Point, Series};
use crate::report::table::{Row, Table};
use crate::stats::Interval;

pub const SCORE: TuneChart = TuneChart {
    name: "convergence",
    about: "mean score against training games, on validation games and in training",
    of: TuningKind::Learning,
    build: score,
    #[cfg(test)]
    sample: tests::sample,
};

pub const TILES: TuneChart = TuneChart {
    name: "learning-curve",
    about: "share of validation games that reach each tile, against training games",
    of: TuningKind::Learning,
    build: tiles,
    #[cfg(test)]
    sample: tests::sample,
};

pub const REACH: TuneChart = TuneChart {
    name: "reach",
    about: "share of games that reach each tile, early in the training and in the test",
    of: TuningKind::Learning,
    build: reach,
    #[cfg(test)]
    sample: tests::sample,
};

pub const SCORES: TuneChart = TuneChart {
    name: "ecdf",
    about: "score distribution on the test games",
    of: TuningKind::Learning,
    build: super::test_scores::build,
    #[cfg(test)]
    sample: super::ecdf::tests::sample,
};

/// The reach chart shows the validation at about these shares of the training besides the test.
const STAGES: [f64; 2] = [0.1, 0.3];
/// Most networks reach the smaller tiles from the beginning.
const FIRST_TILE: u32 = 2048;

const X_LABEL: &str = "Training games";
const REACH_LABEL: &str = "Games that reach it (%)";

fn score(tables: &TuningTables) -> Built {
    let curve = |label: &str, table: &Table| series(label, table, |row| row.interval("mean_score"));
    let validation = curve("validation", &tables.table("validation.csv")?);
    let training = curve("training", &tables.table("training.csv")?);
    lines("Mean score, one ply", Range::Values { log: false }, vec![validation, training])
}

fn tiles(tables: &TuningTables) -> Built {
    let validation = tables.table("validation.csv")?;
    let curve = |(tile, column): &(u32, String)| {
        series(&tile.to_string(), &validation, |row| row.interval(column).map(in_percent))
    };
    let is_reached = |curve: &Series| curve.points.iter().any(|point| point.y.estimate > 0.0);
    let large = reach_columns(&validation).into_iter().filter(|(tile, _)| *tile >= FIRST_TILE);
    let curves: Vec<Series> = large.map(|column| curve(&column)).filter(is_reached).collect();
    lines(REACH_LABEL, Range::Percent, curves)
}

fn lines(y_label: &str, range: Range, series: Vec<Series>) -> Built {
    let points: usize = series.iter().map(|series| series.points.len()).sum();
    if points < FEWEST_POINTS {
        return Err(NotDrawn::few(points, FEWEST_POINTS));
    }
    let (x_label, y_label) = (X_LABEL.into(), y_label.into());
    Ok(Box::new(Lines { x_label, y_label, log_x: false, categories: Vec::new(), range, series, note: None }))
}

/// A curve with fewer points says no more than a sentence.
const FEWEST_POINTS: usize = 3;

fn series(label: &str, table: &Table, y: impl Fn(&Row) -> Option<Interval>) -> Series {
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: y(&row)? });
    Series { label: label.into(), points: table.rows().filter_map(point).collect() }
}

fn reach(tables: &TuningTables) -> Built {
    let (validation, test) = (tables.table("validation.csv")?, tables.table("test.csv")?);
    let columns = reach_columns(&test);
    let last = test.rows().filter_map(|row| row.number("training_games")).fold(0.0, f64::max);
    let at = |share: f64| {
        validation.rows().find(|row| row.number("training_games").is_some_and(|games| games >= share * last))
    };
    let mut stages: Vec<Row> = STAGES.into_iter().filter_map(at).collect();
    stages.dedup_by_key(|row| row.text("training_games"));
    let line = |name: &str, row: Row| {
        let rates = columns.iter().map(|(_, column)| row.interval(column).map(in_percent)).enumerate();
        let points = rates.filter_map(|(place, rate)| Some(Point { x: place as f64, y: rate? })).collect();
        Series { label: format!("{name}{} games", row.text("training_games")), points }
    };
    let tested = test.rows().map(|row| line("test, ", row));
    Ok(Box::new(Lines {
        x_label: "Tile".into(),
        y_label: REACH_LABEL.into(),
        log_x: false,
        categories: columns.iter().map(|(tile, _)| tile.to_string()).collect(),
        range: Range::Percent,
        series: stages.into_iter().map(|row| line("", row)).chain(tested).collect(),
        note: None,
    }))
}

/// The tiles that a table has a share for, with the names of these columns.
fn reach_columns(table: &Table) -> Vec<(u32, String)> {
    let tile = |column: &String| Some((column.strip_prefix("reach_")?.parse().ok()?, column.clone()));
    table.columns().iter().filter_map(tile).collect()
}

fn in_percent(share: Interval) -> Interval {
    Interval { estimate: 100.0 * share.estimate, low: 100.0 * share.low, high: 100.0 * share.high }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Chart;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let mean = |games: f64| 9_000.0 * (games / 1_000.0).sqrt();
        let point = |games: f64| Point { x: games, y: estimate(mean(games), 0.95 * mean(games), 1.05 * mean(games)) };
        let points = [1_000.0, 3_000.0, 10_000.0, 30_000.0].map(point).to_vec();
        let series = vec![Series { label: "validation".into(), points }];
        lines("Mean score, one ply", Range::Values { log: false }, series).unwrap_or_else(|_| panic!("no chart"))
    }

    #[test]
    fn a_training_with_one_validation_has_no_curve() {
        let one = Series { label: "validation".into(), points: vec![Point { x: 1.0, y: estimate(1.0, 0.5, 2.0) }] };
        assert!(matches!(lines("y", Range::Percent, vec![one]), Err(NotDrawn::TooLittle(_))));
    }
}
