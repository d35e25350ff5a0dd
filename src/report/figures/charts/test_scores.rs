//! The scores of the start and of the tuned heuristic on the test games, as empirical distribution functions.

use super::ecdf::{Ecdf, ScoreSample};
use crate::report::figures::registry::{Built, TuneChart};
use crate::report::figures::tuning::{TuningKind, TuningTables};

pub const KIND: TuneChart = TuneChart {
    name: "ecdf",
    about: "score distribution on the test games, before and after tuning",
    of: TuningKind::Search,
    build,
    #[cfg(test)]
    sample: super::ecdf::tests::sample,
};

pub(super) fn build(tables: &TuningTables) -> Built {
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
    Ok(Box::new(Ecdf { x_label: "Score on test games".into(), samples, note: None }))
}
