//! `best.toml`: the tuned heuristic, as a file that every command accepts in place of a preset's name.

use super::search_run::{SearchJob, SearchRun};
use crate::engine::tool;
use crate::params::InputError;
use crate::spec::Tuning;
use crate::stats::Interval;

/// The names of the players that were tested, with the objective that each reached.
pub(super) type Tested<'a> = &'a [(&'a str, Interval)];

/// The text of the file. Comments say how the heuristic was found.
pub(super) fn file(
    tuning: &Tuning,
    job: &SearchJob,
    run: &SearchRun,
    name: &str,
    tested: Tested,
) -> Result<String, InputError> {
    let (objective, agent) = (tuning.objective, &job.agent);
    let mut notes = vec![
        format!("Written by {} for the experiment `{}`, seed {}.", tool(), tuning.name, tuning.seed),
        format!("Heuristic `{}`, agent {agent}, goal {}.", tuning.heuristic.name(), tuning.game.goal()),
        format!("Tuned for {} by {} on {} training games.", objective.name(), job.method.kind.name, run.games()),
        format!("On {} test games that the search never saw:", tuning.test.games),
    ];
    notes.extend(tested.iter().map(|(label, value)| format!("  {label} {}", objective.show_interval(value))));
    notes.push("Parameters that were free, from start to tuned:".to_string());
    let changes = tuning.space.dimensions().iter().zip(&run.findings.recommendation);
    notes.extend(changes.map(|(dimension, tuned)| format!("  {} {} -> {tuned}", dimension.name, dimension.start)));
    let comments: String = notes.iter().map(|note| format!("# {note}\n")).collect();
    let description = format!("{} tuned for {agent}", tuning.heuristic.name());
    let heuristic = tuning.heuristic_at(&run.findings.recommendation)?.renamed(name, &description);
    Ok(format!("{comments}\n{}", heuristic.to_toml()))
}
