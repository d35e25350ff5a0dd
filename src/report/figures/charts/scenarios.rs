//! The objective of each tested player in every scenario, with 95 % intervals.

use crate::report::figures::lines::{LOG_Y_FROM, Lines, Range, spans_factor};
use crate::report::figures::page::Panels;
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables, distinct};
use crate::report::figures::wording::scenario_words;
use crate::report::figures::{Chart, Point, Series};
use crate::report::table::{Row, Table};

pub const KIND: RunChart = RunChart {
    name: "scenarios",
    about: "the objective on test games in every scenario",
    caption: "The objective on test games in every scenario{games:scenarios.csv}: those in which the search played, and those \
              in which the result was only tested. Bars are 95 % confidence intervals.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// How figures call scenarios that the search saw and those that it did not.
pub const SEARCHED: &str = "in the search";
pub const TESTED: &str = "only tested";

/// Whether the search played in the scenario of this row.
pub fn was_tuned(row: &Row) -> bool {
    row.text("was_tuned") == "yes"
}

fn build(tables: &RunTables) -> Built {
    let table = tables.optional("scenarios.csv")?;
    Ok(Box::new(panels(&table)))
}

/// One panel for the scenarios of the search, and one for the others.
fn panels(table: &Table) -> Panels {
    let panel = |(name, searched): (&str, bool)| {
        let of = |scenario: &String| table.find("scenario", scenario).is_some_and(|row| was_tuned(&row) == searched);
        let scenarios: Vec<String> = distinct(table, "scenario").into_iter().filter(of).collect();
        let chart: Box<dyn Chart> = Box::new(chart(table, &scenarios));
        (!scenarios.is_empty()).then(|| (name.to_string(), chart))
    };
    let charts = [(SEARCHED, true), (TESTED, false)].into_iter().filter_map(panel).collect();
    Panels { charts, title: "The objective on test games in every scenario".into() }
}

fn chart(table: &Table, scenarios: &[String]) -> Lines {
    let players = distinct(table, "player");
    let value = |place: usize, scenario: &String, player: &String| {
        let mut rows = table.rows().filter(|row| row.text("scenario") == scenario && row.text("player") == player);
        Some(Point { x: place as f64, y: rows.next()?.interval("objective")? })
    };
    let series = |player: &String| {
        let points = scenarios.iter().enumerate().filter_map(|(place, scenario)| value(place, scenario, player));
        Series { label: player.clone(), points: points.collect() }
    };
    // All panels have the same scale, so all rows decide about it.
    let log = spans_factor(table.rows().filter_map(|row| row.number("objective")), LOG_Y_FROM);
    let y_label = table.rows().next().map_or_else(String::new, |row| row.text("measure").to_string());
    Lines {
        x_label: "Scenario".into(),
        y_label,
        log_x: false,
        categories: scenarios.iter().map(|scenario| scenario_words(scenario)).collect(),
        range: Range::Values { log },
        series: players.iter().map(series).collect(),
        joined: false,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn sample() -> Box<dyn Chart> {
        let columns = ["scenario", "was_tuned", "player", "measure", "objective", "objective_low", "objective_high"];
        let mut table = Table::new(columns);
        for (scenario, tuned, level) in
            [("depth=3", "yes", 30.0), ("depth=5", "yes", 75.0), ("work=30000", "no", 110.0)]
        {
            for (player, factor) in [("start", 1.0), ("tuned", 1.3)] {
                let mean: f64 = 1000.0 * level * factor;
                let cells = [mean, 0.96 * mean, 1.04 * mean].map(|number| number.to_string());
                let words = [scenario, tuned, player, "Mean score"].map(str::to_string);
                table.push(words.into_iter().chain(cells));
            }
        }
        Box::new(panels(&table))
    }
}
