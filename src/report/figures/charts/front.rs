//! The front of two objectives on test games, and how it grew during the search.

use crate::report::figures::lines::{LOG_Y_FROM, Lines, Range, spans_factor};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::{Point, Series, exact};
use crate::report::table::{Row, Table};

pub const FRONT: RunChart = RunChart {
    name: "front",
    about: "two objectives on test games: the front that the search found, and the start",
    caption: "Points of the front that the search found, at most twelve, and its start, on test games{games:front.csv}. A point that \
              was on the front in training need not be on it here. Bars are 95 % \
              confidence intervals of the first objective; those of the second are in front.csv.",
    of: RunKind::Front,
    build: |tables| Ok(Box::new(front(&tables.table("front.csv")?))),
    #[cfg(test)]
    sample: tests::sample,
};

pub const HYPERVOLUME: RunChart = RunChart {
    name: "hypervolume",
    about: "the area that the front dominates, against training games",
    caption: "The area that the front dominates by its training values{training}, above the worst values of the first generation.",
    of: RunKind::Front,
    build: hypervolume,
    #[cfg(test)]
    sample: tests::sample,
};

/// Values that span this factor are drawn on a logarithmic axis.
const LOG_X_FROM: f64 = 6.0;

/// The second objective, usually a cost, is the x axis.
fn front(table: &Table) -> Lines {
    let point = |row: Row| Some(Point { x: row.interval("second")?.estimate, y: row.interval("first")? });
    let points = |start: bool| {
        let rows = table.rows().filter(move |row| (row.text("player") == "start") == start);
        let mut points: Vec<Point> = rows.filter_map(point).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    };
    let series = [("front", false), ("start", true)]
        .map(|(label, start)| Series { label: label.to_string(), points: points(start) })
        .to_vec();
    let all = || series.iter().flat_map(|series| &series.points);
    let label = |column: &str| table.rows().next().map_or_else(String::new, |row| row.text(column).to_string());
    Lines {
        x_label: label("second_objective"),
        y_label: label("first_objective"),
        log_x: spans_factor(all().map(|point| point.x), LOG_X_FROM),
        categories: Vec::new(),
        range: Range::Values { log: spans_factor(all().map(|point| point.y.estimate), LOG_Y_FROM) },
        series,
        joined: false,
        notes: Vec::new(),
    }
}

fn hypervolume(tables: &RunTables) -> Built {
    let table = tables.table("hypervolume.csv")?;
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: exact(row.number("hypervolume")?) });
    let series = vec![Series { label: "front".into(), points: table.rows().filter_map(point).collect() }];
    Ok(Box::new(Lines {
        x_label: "Training games".into(),
        y_label: "Dominated area".into(),
        log_x: false,
        categories: Vec::new(),
        range: Range::Values { log: false },
        series,
        joined: true,
        notes: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Chart;

    pub fn sample() -> Box<dyn Chart> {
        let columns = ["player", "first_objective", "second_objective", "first", "first_low", "first_high", "second"];
        let mut table = Table::new(columns.into_iter().chain(["second_low", "second_high"]));
        for (player, score, work) in [("start", 20.0, 90.0), ("front-1", 22.0, 20.0), ("front-2", 38.0, 200.0)] {
            let words = [player, "Mean score", "Work per move"].map(str::to_string);
            let score = [1000.0 * score, 960.0 * score, 1040.0 * score].map(|number| number.to_string());
            let work = [work, 0.99 * work, 1.01 * work].map(|number: f64| number.to_string());
            table.push(words.into_iter().chain(score).chain(work));
        }
        Box::new(front(&table))
    }
}
