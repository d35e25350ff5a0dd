//! The front of two objectives on test games, and how it grew during the search.

use super::pareto::{Pareto, ParetoGroup, ParetoPoint};
use crate::report::figures::bars::BARS;
use crate::report::figures::lines::{LOG_Y_FROM, Lines, Range, spans_factor};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::{Chart, Point, Series, exact};
use crate::report::table::{Row, Table};

pub const FRONT: RunChart = RunChart {
    name: "front",
    about: "two objectives on test games: the front that the search found, and the start",
    caption: "Points of the front that the search found, at most twelve, and its start, on test games{games:front.csv}. The \
              dashed line joins the points that no other one beats in both objectives here; a point that was on the front in \
              training need not be on it. Bars are 95 % confidence intervals of the first objective; those of the second are \
              in front.csv. A cost per move is the mean over games of each game's own average, as in the search. \
              summary.csv has all work divided by all moves, in which long games count more.",
    of: RunKind::Front,
    build: |tables| Ok(front(&tables.table("front.csv")?)),
    #[cfg(test)]
    sample: tests::sample,
};

pub const HYPERVOLUME: RunChart = RunChart {
    name: "hypervolume",
    about: "the area that the front dominates, against training games",
    caption: "The area between the front of each generation, by its training values{training}, and the worst values of the \
              first generation, in units of the first objective times units of the second. Training values come from few \
              games, and each generation plays other games, so the area also goes up and down by luck.",
    of: RunKind::Front,
    build: hypervolume,
    #[cfg(test)]
    sample: tests::sample,
};

/// The costs that can be an objective, as the table labels them, with their labels on an axis. The search takes the mean over
/// games of each game's own average, which is not all work divided by all moves.
const COSTS: [(&str, &str); 2] =
    [("Work per move", "Work per move (units, mean of games)"), ("Nodes per move", "Nodes per move (mean of games)")];

/// Every tested point under its own name. The second objective is the x axis.
fn front(table: &Table) -> Box<dyn Chart> {
    let label = |column: &str| table.rows().next().map_or_else(String::new, |row| row.text(column).to_string());
    let (x_label, y_label) = (label("second_objective"), label("first_objective"));
    let firsts = table.rows().filter_map(|row| row.number("first"));
    let log_y = spans_factor(firsts, LOG_Y_FROM);
    match COSTS.iter().find(|(cost, _)| *cost == x_label) {
        Some((_, x_label)) => {
            let groups = table.rows().filter_map(|row| group(&row)).collect();
            let notes = vec![NUMBERS.into(), BARS.into()];
            Box::new(Pareto { x_label: x_label.to_string(), y_label, log_y, groups, notes })
        }
        None => Box::new(points(table, x_label, y_label, log_y)),
    }
}

/// What the numbers beside points are, for the legend.
const NUMBERS: &str = "numbers: front-1, front-2, …";
const PREFIX: &str = "front-";

/// A point of the front goes by its number, because many lie close together.
fn group(row: &Row) -> Option<ParetoGroup> {
    let (cost, value) = (row.number("second")?, row.interval("first")?);
    let points = vec![ParetoPoint { label: String::new(), cost, value }];
    let player = row.text("player");
    Some(ParetoGroup { label: player.strip_prefix(PREFIX).unwrap_or(player).to_string(), points })
}

/// Two objectives of which more is better.
fn points(table: &Table, x_label: String, y_label: String, log_y: bool) -> Lines {
    let point = |row: Row| Some(Point { x: row.number("second")?, y: row.interval("first")? });
    let series = |label: &str, start: bool| {
        let rows = table.rows().filter(|row| (row.text("player") == "start") == start);
        Series { label: label.to_string(), points: rows.filter_map(point).collect() }
    };
    Lines {
        x_label,
        y_label,
        log_x: false,
        categories: Vec::new(),
        range: Range::Values { log: log_y },
        series: vec![series("front", false), series("start", true)],
        joined: false,
        notes: Vec::new(),
    }
}

fn hypervolume(tables: &RunTables) -> Built {
    let table = tables.table("hypervolume.csv")?;
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: exact(row.number("hypervolume")?) });
    // A single curve needs no name.
    let series = vec![Series { label: String::new(), points: table.rows().filter_map(point).collect() }];
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

    pub fn sample() -> Box<dyn Chart> {
        let columns = ["player", "first_objective", "second_objective", "first", "first_low", "first_high", "second"];
        let mut table = Table::new(columns.into_iter().chain(["second_low", "second_high"]));
        for (player, score, work) in [("start", 20.0, 90.0), ("front-1", 22.0, 20.0), ("front-2", 38.0, 200.0)] {
            let words = [player, "Mean score", "Work per move"].map(str::to_string);
            let score = [1000.0 * score, 960.0 * score, 1040.0 * score].map(|number| number.to_string());
            let work = [work, 0.99 * work, 1.01 * work].map(|number: f64| number.to_string());
            table.push(words.into_iter().chain(score).chain(work));
        }
        front(&table)
    }
}
