//! The objective of each tested player in every scenario, with 95 % intervals.

use crate::report::figures::lines::{LOG_Y_FROM, Lines, Range, spans_factor};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables, distinct};
use crate::report::figures::{Point, Series};
use crate::report::table::Table;

pub const KIND: RunChart = RunChart {
    name: "scenarios",
    about: "the objective on test games in every scenario",
    caption: "The objective on test games in every scenario, those of the search first{games:scenarios.csv}. \
              Bars are 95 % confidence intervals.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let table = tables.optional("scenarios.csv")?;
    Ok(Box::new(chart(&table)))
}

fn chart(table: &Table) -> Lines {
    let categories = distinct(table, "scenario");
    let players = distinct(table, "player");
    let value = |place: usize, scenario: &String, player: &String| {
        let mut rows = table.rows().filter(|row| row.text("scenario") == scenario && row.text("player") == player);
        Some(Point { x: place as f64, y: rows.next()?.interval("objective")? })
    };
    let series = |player: &String| {
        let points = categories.iter().enumerate().filter_map(|(place, scenario)| value(place, scenario, player));
        Series { label: player.clone(), points: points.collect() }
    };
    let series: Vec<Series> = players.iter().map(series).collect();
    let estimates = series.iter().flat_map(|series| &series.points).map(|point| point.y.estimate);
    let log = spans_factor(estimates, LOG_Y_FROM);
    let y_label = table.rows().next().map_or_else(String::new, |row| row.text("measure").to_string());
    Lines {
        x_label: "Scenario".into(),
        y_label,
        log_x: false,
        categories,
        range: Range::Values { log },
        series,
        joined: false,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Chart;

    pub fn sample() -> Box<dyn Chart> {
        let mut table = Table::new(["scenario", "player", "measure", "objective", "objective_low", "objective_high"]);
        for (scenario, level) in [("depth=3", 30.0), ("depth=5", 75.0), ("work=30000", 110.0)] {
            for (player, factor) in [("start", 1.0), ("tuned", 1.3)] {
                let mean: f64 = 1000.0 * level * factor;
                let cells = [mean, 0.96 * mean, 1.04 * mean].map(|number| number.to_string());
                let words = [scenario, player, "Mean score"].map(str::to_string);
                table.push(words.into_iter().chain(cells));
            }
        }
        Box::new(chart(&table))
    }
}
