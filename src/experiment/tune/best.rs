//! `best.toml`: the tuned heuristic, as a file that every command accepts in place of a preset's name. If keys of the agent
//! were tuned, `best-agent.toml` has them all.

use super::search_run::{SearchJob, SearchRun};
use crate::agents::AgentSpec;
use crate::engine::tool;
use crate::heuristics::Heuristic;
use crate::params::InputError;
use crate::params::document::to_toml;
use crate::report::table::number;
use crate::spec::Tuning;
use crate::spec::tune::NSGA2;
use crate::stats::Interval;

/// The names of the players that were tested, with the objective that each reached.
pub(super) type Tested<'a> = &'a [(&'a str, Interval)];

/// The file of the heuristic.
const HEURISTIC: &str = "best";
/// The file of the agent.
pub(super) const AGENT: &str = "best-agent";

/// The texts of the files, by their names without the ending. Comments say how the values were found.
pub(super) fn files(
    tuning: &Tuning,
    job: &SearchJob,
    run: &SearchRun,
    name: &str,
    tested: Tested,
) -> Result<Vec<(&'static str, String)>, InputError> {
    let (objective, agent) = (tuning.objective, &job.agent);
    let mut notes =
        vec![format!("Tuned for {} by {} on {} training games.", objective.name(), job.method.kind.name, run.games())];
    notes.push(test_note(tuning));
    if !tuning.scenarios.is_empty() {
        notes.push("(Values are relative to the start's, over all scenarios.)".to_string());
    }
    notes.extend(tested.iter().map(|(label, value)| format!("  {label} {}", tuning.show_interval(value))));
    texts(tuning, agent, &run.result.recommendation, name, notes)
}

fn test_note(tuning: &Tuning) -> String {
    format!("On {} test games that the search never saw:", tuning.test.games)
}

/// As [`files`], for a point of the front of two objectives with its values.
pub(super) fn point_files(
    tuning: &Tuning,
    point: &[f64],
    name: &str,
    tested: Tested,
) -> Result<Vec<(&'static str, String)>, InputError> {
    let mut notes = vec![format!("A point on a front found by {NSGA2}."), test_note(tuning)];
    notes.extend(tested.iter().map(|(objective, Interval { estimate, low, high })| {
        format!("  {objective} {} ({} to {})", number(*estimate), number(*low), number(*high))
    }));
    texts(tuning, &tuning.agent, point, name, notes)
}

/// The texts of the files. Comments say where the values come from.
fn texts(
    tuning: &Tuning,
    agent: &AgentSpec,
    point: &[f64],
    name: &str,
    how: Vec<String>,
) -> Result<Vec<(&'static str, String)>, InputError> {
    let named = tuning.heuristic.as_ref().map_or("none", Heuristic::name);
    let mut notes = vec![
        format!("Written by {} for the experiment `{}`, seed {}.", tool(), tuning.name, tuning.seed),
        format!("Heuristic `{named}`, agent {agent}, goal {}.", tuning.game.goal()),
    ];
    notes.extend(how);
    notes.push("Parameters that were free, from start to tuned:".to_string());
    let changes = tuning.space.dimensions().iter().zip(&tuning.parameters).zip(point);
    notes.extend(changes.map(|((dimension, parameter), tuned)| {
        format!("  {} {} -> {}", dimension.name, parameter.show(dimension.start), parameter.show(*tuned))
    }));
    let comments: String = notes.iter().map(|note| format!("# {note}\n")).collect();
    let (tuned_agent, heuristic) = tuning.player_at(agent, point)?;
    let mut files = Vec::new();
    if let Some(heuristic) = heuristic {
        let heuristic = heuristic.renamed(name, &format!("{named} tuned for {agent}"));
        files.push((HEURISTIC, format!("{comments}\n{}", heuristic.to_toml())));
    }
    if tuning.tunes_agent() {
        let mut table = tuned_agent.given.clone();
        table.insert("kind".into(), tuned_agent.kind.name.into());
        files.push((AGENT, format!("{comments}\n{}", to_toml(&table))));
    }
    Ok(files)
}
