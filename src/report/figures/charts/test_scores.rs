//! The scores of the start and of the tuned heuristic on the test games, as empirical distribution functions.

use super::ecdf::{Ecdf, ScoreSample};
use super::scenarios::{SEARCHED, TESTED, was_tuned};
use crate::report::figures::Chart;
use crate::report::figures::page::Panels;
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{RunKind, RunTables, distinct};
use crate::report::figures::wording::scenario_words;
use crate::report::table::Table;

pub const KIND: RunChart = RunChart {
    name: "ecdf",
    about: "score distribution on the test games, before and after tuning",
    caption: "Distribution of scores on the test games before and after tuning: the share of games with at most \
              this score{games:summary.csv}. Bands are pointwise 95 % confidence intervals (Wilson). A search over several \
              scenarios has one panel for each of them.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: super::ecdf::tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let games = tables.table("games.csv")?;
    match tables.optional("scenarios.csv") {
        Ok(scenarios) => Ok(Box::new(by_scenario(samples(&games), &scenarios))),
        Err(NotDrawn::NotApplicable) => Ok(Box::new(Ecdf::new(X_LABEL, samples(&games)))),
        Err(other) => Err(other),
    }
}

const X_LABEL: &str = "Score on test games";

/// The scores of each player, in the order of the table.
fn samples(games: &Table) -> Vec<ScoreSample> {
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
    samples
}

/// One panel for each scenario, in which the players have their own names only.
fn by_scenario(samples: Vec<ScoreSample>, scenarios: &Table) -> Panels {
    // All panels have the same kind of axis.
    let all = Ecdf::new(X_LABEL, samples);
    let panel = |scenario: &String| {
        let own = |sample: &ScoreSample| {
            let player = sample.label.strip_suffix(scenario.as_str())?.strip_suffix(' ')?;
            Some(ScoreSample { label: player.to_string(), values: sample.values.clone() })
        };
        let samples = all.samples.iter().filter_map(own).collect();
        let chart: Box<dyn Chart> = Box::new(Ecdf { samples, log_x: all.log_x, ..Ecdf::new(X_LABEL, Vec::new()) });
        let row = scenarios.find("scenario", scenario);
        let part = if row.is_some_and(|row| was_tuned(&row)) { SEARCHED } else { TESTED };
        (format!("{} ({part})", scenario_words(scenario)), chart)
    };
    let charts = distinct(scenarios, "scenario").iter().map(panel).collect();
    Panels { charts, title: "Distribution of scores on test games in each scenario".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_a_panel_with_its_own_players() {
        let mut games = Table::new(["agent", "score"]);
        for (agent, score) in [("start depth=3", "4"), ("start depth=13", "8"), ("tuned depth=3", "16")] {
            games.push([agent, score]);
        }
        let mut scenarios = Table::new(["scenario", "was_tuned"]);
        scenarios.push(["depth=3", "yes"]);
        scenarios.push(["depth=13", "no"]);
        let panels = by_scenario(samples(&games), &scenarios);
        let names: Vec<&str> = panels.charts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["depth 3 (in the search)", "depth 13 (only tested)"]);
    }
}
