//! `best.toml`: the tuned heuristic, as a file that every command takes in place of a preset's name.

use super::one::Verdict;
use crate::heuristics::Heuristic;
use crate::params::Problem;
use crate::report::manifest;
use crate::spec::Tuning;
use crate::spec::tune::Method;

/// The tuned heuristic under the experiment's name.
pub(super) fn heuristic(tuning: &Tuning, tuned: &[f64]) -> Result<Heuristic, Problem> {
    let description = format!("{} tuned for {}", tuning.heuristic.name(), tuning.agent);
    Ok(tuning.heuristic_at(tuned)?.renamed(&tuning.name, &description))
}

/// The file, with where it came from in comments.
pub(super) fn file(tuning: &Tuning, method: &Method, trained: u64, verdict: &Verdict) -> Result<String, Problem> {
    let aim = tuning.aim;
    let mut notes = vec![
        format!("Written by {} for the experiment `{}`, seed {}.", manifest::tool(), tuning.name, tuning.seed),
        format!("Heuristic `{}`, agent {}, goal {}.", tuning.heuristic.name(), tuning.agent, tuning.game.goal()),
        format!("Tuned for {} by {} on {trained} training games.", aim.name(), method.kind.name),
        format!("On {} test games that nothing had looked at before:", tuning.test.games),
        format!("  start {}", aim.show_interval(&verdict.start)),
        format!("  tuned {}", aim.show_interval(&verdict.tuned)),
        "Parameters that were free, from start to tuned:".to_string(),
    ];
    let changes = tuning.space.dimensions().iter().zip(&verdict.point);
    notes.extend(changes.map(|(dimension, tuned)| format!("  {} {} -> {tuned}", dimension.name, dimension.start)));
    let comments: String = notes.iter().map(|note| format!("# {note}\n")).collect();
    Ok(format!("{comments}\n{}", heuristic(tuning, &verdict.point)?.to_toml()))
}
