//! The scores of the start and of the tuned heuristic on the test games, as empirical distribution functions.

use super::ecdf::{Ecdf, ScoreSample};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};

pub const KIND: RunChart = RunChart {
    name: "ecdf",
    about: "score distribution on the test games, before and after tuning",
    caption: "Distribution of scores on the test games before and after tuning: the share of games with at most \
              this score{games:summary.csv}.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: super::ecdf::tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let games = tables.table("games.csv")?;
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
    Ok(Box::new(Ecdf { x_label: "Score on test games".into(), samples, notes: Vec::new() }))
}
