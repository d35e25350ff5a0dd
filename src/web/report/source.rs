//! The tables and texts of a results folder, from which a report is made.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::experiment::damaged_sources;
use crate::report::manifest;
use crate::report::table::Table;
use crate::web::files;

/// Files with a row for each game or each evaluation. They are too long for a report.
const RAW: [&str; 7] =
    ["games.csv", "timing.csv", "evaluations.csv", "trajectory.csv", "landscape.csv", "test_games.csv", "mask.csv"];
/// The tables that readers look for first, in this order; others follow by name.
const FIRST: [&str; 10] = [
    "summary.csv",
    "ranking.csv",
    "transfer.csv",
    "front.csv",
    "scenarios.csv",
    "parameters.csv",
    "comparisons.csv",
    "contrasts.csv",
    "published.csv",
    "timing_summary.csv",
];
/// A larger table is left out, because reading it would take all memory.
const MOST_BYTES: u64 = 64 << 20;

/// What kind of experiment a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    Comparison,
    /// One search for better coefficients.
    Tuning,
    /// Several optimizers on one problem.
    Contest,
    /// Coefficients tuned at one depth and tested at others.
    Transfer,
    /// The front of two objectives.
    Front,
    /// A network trained by temporal differences.
    Learning,
    Other,
}

impl RunKind {
    pub fn name(self) -> &'static str {
        match self {
            RunKind::Comparison => "comparison of agents",
            RunKind::Tuning => "tuning of a heuristic",
            RunKind::Contest => "contest of optimizers",
            RunKind::Transfer => "transfer of tuned weights",
            RunKind::Front => "front of two objectives",
            RunKind::Learning => "training of a network",
            RunKind::Other => "run",
        }
    }

    /// The same kind for the module of figures; `None` for a comparison, which has its own figures.
    pub fn of_figures(self) -> Option<crate::report::figures::RunKind> {
        use crate::report::figures::RunKind as Drawn;
        match self {
            RunKind::Tuning => Some(Drawn::Search),
            RunKind::Contest => Some(Drawn::Contest),
            RunKind::Transfer => Some(Drawn::Transfer),
            RunKind::Front => Some(Drawn::Front),
            RunKind::Learning => Some(Drawn::Learning),
            RunKind::Comparison | RunKind::Other => None,
        }
    }
}

/// A results folder with its tables in memory.
#[derive(Debug)]
pub struct RunFolder {
    pub path: PathBuf,
    pub manifest: Value,
    /// The experiment file as it was given.
    pub experiment: String,
    pub kind: RunKind,
    /// File names and tables, in the order of showing.
    pub tables: Vec<(String, Table)>,
    /// What each column of each table is: `columns.json`.
    columns: Value,
    /// Budgets whose results were judged on the test games: from `run.json`.
    pub tested: Vec<u64>,
    /// Files that have changed since the run wrote them.
    pub damaged: Vec<String>,
}

impl RunFolder {
    /// Reads a folder. The error says which file is wrong.
    pub fn read(path: &Path) -> io::Result<Self> {
        let file = path.join(manifest::FILE);
        let manifest: Value = serde_json::from_slice(&files::read(path, manifest::FILE)?)
            .map_err(|error| io::Error::other(format!("`{}` is not a manifest: {error}", file.display())))?;
        let experiment = files::read(path, "experiment.toml").unwrap_or_default();
        let experiment = String::from_utf8(experiment).unwrap_or_default();
        let mut tables = Vec::new();
        for name in table_names(path)? {
            tables.push((name.clone(), Table::read(&path.join(&name))?));
        }
        let kind = kind(&manifest, &tables);
        let columns = files::read_json(path, "columns.json");
        let log = files::read_json(path, manifest::RUN_FILE);
        let tested =
            log.get("tested").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect();
        // A report reads no raw tables.
        let mut damaged = damaged_sources(path).unwrap_or_default();
        damaged.retain(|name| !RAW.contains(&name.as_str()));
        Ok(RunFolder { path: path.to_path_buf(), manifest, experiment, kind, tables, columns, tested, damaged })
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|(known, _)| known == name).map(|(_, table)| table)
    }

    /// What a column is (`meaning`) or how its interval was made (`interval`); empty where the folder does not say.
    pub fn about(&self, table: &str, column: &str, what: &str) -> &str {
        let text = self.columns.get(table).and_then(|columns| columns.get(column)?.get(what)?.as_str());
        text.unwrap_or_default()
    }

    /// A text of the manifest; empty where it has none.
    pub fn text(&self, key: &str) -> &str {
        self.manifest.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub fn name(&self) -> String {
        match self.text("name") {
            "" => self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            name => name.to_string(),
        }
    }

    /// A value of the experiment file.
    pub fn setting(&self, key: &str) -> Option<toml::Value> {
        self.experiment.parse::<toml::Table>().ok()?.remove(key)
    }
}

/// The tables to show, the most important ones first.
fn table_names(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_small = entry.metadata().is_ok_and(|about| about.is_file() && about.len() <= MOST_BYTES);
        if is_small && name.ends_with(".csv") && !name.starts_with('.') && !RAW.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let place = |name: &String| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by_key(|name| (place(name), name.clone()));
    Ok(names)
}

fn kind(manifest: &Value, tables: &[(String, Table)]) -> RunKind {
    let schema = manifest.get("schema").and_then(Value::as_str).unwrap_or_default();
    let has = |name: &str| tables.iter().any(|(known, _)| known == name);
    match schema.split('/').nth(1) {
        Some("compare") => RunKind::Comparison,
        Some("tune") if has("ranking.csv") => RunKind::Contest,
        Some("tune") if has("transfer.csv") => RunKind::Transfer,
        Some("tune") if has("front.csv") => RunKind::Front,
        Some("tune") => RunKind::Tuning,
        Some("learn") => RunKind::Learning,
        _ => RunKind::Other,
    }
}
