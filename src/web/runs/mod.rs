//! The runs in a results folder, read and never written.

mod pages;

pub use pages::{compare_page, home_page, live_page};

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use super::files;
use super::report::{RunFolder, answer, interval, number, percent};
use super::server::Refusal;
use super::text::label;
use crate::report::live::{LiveAgent, LiveState, estimate};
use crate::report::manifest;
use crate::spec::file_name;
use crate::stats::Interval;
use crate::stats::proportions::wilson;

/// A results folder with more runs than this shows the first of them.
const MOST_RUNS: usize = 2000;

/// The names of the folders that hold a run, in order. Other names than those that experiments may have are left out.
pub fn names(results: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(results)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_run = entry.path().join(manifest::FILE).is_file();
        if is_run && file_name("run", &name).is_ok() {
            names.push(name);
        }
    }
    names.sort();
    names.truncate(MOST_RUNS);
    Ok(names)
}

/// The folder of a run. No name leads out of the results folder.
pub fn folder(results: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let name = file_name("run", name)?;
    let folder = results.join(&name);
    // A link inside the folder may lead anywhere, so links are not followed.
    let is_folder = fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir());
    if is_folder && files::is_plain(&folder, manifest::FILE) {
        Ok(folder)
    } else {
        Err(Refusal::not_found("run of this name"))
    }
}

/// Whether a run is finished, running or stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    Running,
    /// Started and not finished, and no process works on it.
    Stopped,
    Finished,
}

impl RunState {
    fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::Finished => "finished",
        }
    }
}

/// The state of a run, and its live state if it has one.
pub fn state(folder: &Path) -> (RunState, Option<LiveState>) {
    let live = LiveState::read(folder);
    if live.as_ref().is_some_and(LiveState::is_fresh) {
        return (RunState::Running, live);
    }
    let finished = is_finished(&files::read_json(folder, manifest::FILE));
    (if finished { RunState::Finished } else { RunState::Stopped }, live)
}

/// Whether a manifest says that its run is finished. Older manifests have a time instead of a flag.
fn is_finished(manifest: &Value) -> bool {
    let has_time = manifest.get("finished").is_some_and(|time| !time.is_null());
    has_time || manifest.get("complete").and_then(Value::as_bool).unwrap_or(false)
}

/// The headlines of finished runs on the start page. They are cached until the manifests change.
#[derive(Default)]
pub struct Headlines {
    known: HashMap<String, (SystemTime, Value)>,
}

impl Headlines {
    /// One entry for each run.
    pub fn list(&mut self, results: &Path) -> Result<Value, Refusal> {
        let names = names(results).map_err(|error| {
            Refusal::new(503, format!("the results folder `{}` cannot be read: {error}", results.display()))
        })?;
        Ok(names.iter().map(|name| self.entry(results, name)).collect())
    }

    fn entry(&mut self, results: &Path, name: &str) -> Value {
        let folder = results.join(name);
        let (state, live) = state(&folder);
        let mut entry = self.headline(&folder, name);
        entry["state"] = json!(state.name());
        if let Some(live) = live {
            entry["done"] = json!(live.done);
            entry["expected"] = json!(live.expected);
            entry["secondsLeft"] = json!(live.seconds_left());
            if let Some(headline) = live_headline(&live).filter(|_| state != RunState::Finished) {
                entry["headline"] = json!(label(&headline));
            }
        }
        entry
    }

    fn headline(&mut self, folder: &Path, name: &str) -> Value {
        let written = fs::metadata(folder.join(manifest::FILE)).and_then(|about| about.modified());
        let written = written.unwrap_or(SystemTime::UNIX_EPOCH);
        if let Some((_, known)) = self.known.get(name).filter(|(time, _)| *time == written) {
            return known.clone();
        }
        let entry = headline(folder, name);
        if self.known.len() >= MOST_RUNS {
            self.known.clear();
        }
        self.known.insert(name.to_string(), (written, entry.clone()));
        entry
    }
}

/// What a run that is not finished has found so far: the agent in front, or the latest validation of the latest search.
fn live_headline(live: &LiveState) -> Option<String> {
    // By the lower ends of the intervals, so that an agent with a single game does not lead.
    let low = |interval: Option<Interval>| interval.map_or(f64::MIN, |interval| interval.low);
    let merit = |agent: &&LiveAgent| (low(wilson(agent.wins, agent.games)), low(agent.scores.mean_interval()));
    let in_front = live.agents.iter().filter(|agent| agent.games > 0).max_by(|a, b| {
        let ((a, a_score), (b, b_score)) = (merit(a), merit(b));
        a.total_cmp(&b).then(a_score.total_cmp(&b_score))
    });
    if let Some(agent) = in_front {
        let rate = percent(wilson(agent.wins, agent.games)?);
        let score = agent.scores.mean_interval().map(|mean| format!(", mean score {}", interval(mean)));
        let games = number(agent.games as f64);
        return Some(format!(
            "In front so far: {}, won {rate} of {games} {}{}.",
            agent.agent,
            if agent.games == 1 { "game" } else { "games" },
            score.unwrap_or_default()
        ));
    }
    let search = live.searches.iter().rev().find(|search| !search.validation.is_empty())?;
    let (games, [estimate, low, high]) = *search.validation.last()?;
    let value = interval(Interval { estimate, low, high });
    Some(format!(
        "{} on validation games so far: {value}, after {} training games.",
        live.objective,
        number(games as f64)
    ))
}

/// A folder that cannot be read is still listed, with the reason.
fn headline(folder: &Path, name: &str) -> Value {
    match RunFolder::read(folder) {
        Ok(run) => json!({
            "name": name,
            "kind": run.kind.name(),
            "headline": answer(&run).sentences.first().map(|sentence| label(sentence)),
        }),
        Err(error) => json!({ "name": name, "kind": "run", "problem": label(&error.to_string()) }),
    }
}

/// An agent's results so far, with their intervals.
fn standing(agent: &LiveAgent) -> Value {
    json!({
        "agent": label(&agent.agent),
        "games": agent.games,
        "win_rate": wilson(agent.wins, agent.games).map(estimate),
        "mean_score": agent.scores.mean_interval().map(estimate),
    })
}

/// All data for the page of a run in progress.
pub fn live(results: &Path, name: &str) -> Result<Value, Refusal> {
    let folder = folder(results, name)?;
    let (state, live) = state(&folder);
    let left = live.as_ref().and_then(LiveState::seconds_left);
    let agents: Vec<Value> = live.iter().flat_map(|live| &live.agents).map(standing).collect();
    let problem = match state {
        RunState::Stopped => RunFolder::read(&folder).err().map(|error| label(&error.to_string())),
        _ => None,
    };
    let state = state.name();
    Ok(json!({ "name": name, "state": state, "secondsLeft": left, "live": live, "agents": agents, "problem": problem }))
}
