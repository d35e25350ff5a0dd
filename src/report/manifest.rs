//! `manifest.json` and `run.json`: what a results folder holds, and how it was made.
//!
//! The manifest has what is repeatable: the configuration, the engine's revision, and the hashes of all files that do not
//! depend on a clock. `run.json` has what is not: who played when on which machine, and the hashes of files with measured
//! times. Both end with a checksum of themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::atomic;
use crate::params::document::read_text;
pub use crate::store::checksum::{sha256, sha256_of};
use crate::store::{Origin, SegmentSummary, machine};

/// The name of the manifest's file.
pub const FILE: &str = "manifest.json";
/// The name of the run log's file.
pub const RUN_FILE: &str = "run.json";
/// The largest file that is read, in bytes. Manifests are far smaller.
const LARGEST: u64 = 64 << 20;

/// The repeatable part of a results folder's provenance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Manifest {
    /// What kind of folder this is, with the version of its layout.
    pub schema: String,
    /// The program and its version.
    pub tool: String,
    /// The experiment's name.
    pub name: String,
    /// The experiment's seed.
    pub seed: u64,
    /// Games per agent, or the budget of all searches.
    pub games: u64,
    /// How often each search is repeated, where the command line said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u64>,
    /// The engine's revision: see `crate::engine`.
    pub engine: u32,
    /// SHA-256 of the engine's revision and of everything that decides what is played, except how many games.
    pub fingerprint: String,
    /// Every agent with all its options, defaults included.
    pub configuration: serde_json::Value,
    /// Agents whose play depends on the clock: their games cannot be reproduced.
    pub timed: Vec<String>,
    /// Whether the run is finished.
    pub complete: bool,
    /// SHA-256 of each repeatable file, by its path in the folder.
    pub outputs: BTreeMap<String, String>,
    /// Files with measured times; their hashes are in `run.json`.
    pub measured: BTreeSet<String>,
    /// Files that need not be kept, because the same command makes them again.
    pub raw: BTreeSet<String>,
    /// SHA-256 of everything above; set when the file is written.
    pub checksum: String,
}

/// The part of the provenance that differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLog {
    /// The games of each process, oldest first.
    pub stretches: Vec<Stretch>,
    /// SHA-256 of each file with measured times, by its path in the folder.
    pub outputs: BTreeMap<String, String>,
    /// The budgets of the tuning runs whose results have been judged on this folder's test games, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tested: Vec<u64>,
    /// SHA-256 of everything above; set when the file is written.
    pub checksum: String,
}

/// The games of one process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stretch {
    /// How many games.
    pub games: u64,
    /// When it began.
    pub started: String,
    /// `None` if the process was killed.
    pub finished: Option<String>,
    /// The program, machine and threads that played.
    #[serde(flatten)]
    pub origin: Origin,
}

impl From<SegmentSummary> for Stretch {
    fn from(summary: SegmentSummary) -> Self {
        let SegmentSummary { header, games, finished, .. } = summary;
        Stretch { games, started: header.started, finished, origin: header.origin }
    }
}

impl Stretch {
    /// The entry of a process that starts now.
    pub fn begin(threads: usize) -> Self {
        Stretch { started: machine::now(), origin: Origin::here(threads), ..Stretch::default() }
    }
}

/// A JSON file that carries its own checksum.
pub trait Checksummed: Clone + Serialize + DeserializeOwned {
    /// The name of the file.
    const FILE: &'static str;

    /// The field that holds the checksum.
    fn checksum(&mut self) -> &mut String;

    /// Reads the file of a folder; `None` if it has none. The error names the file.
    fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(Self::FILE);
        let text = match read_text(&path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display())));
            }
        };
        let wrong = |error| io::Error::other(format!("`{}` is damaged: {error}", path.display()));
        serde_json::from_str(&text).map(Some).map_err(wrong)
    }

    /// The text of the file, with the checksum of everything else in it.
    fn to_text(&self) -> io::Result<String> {
        let mut content = self.clone();
        content.checksum().clear();
        let sum = sha256(serde_json::to_string_pretty(&content)?.as_bytes());
        *content.checksum() = sum;
        Ok(serde_json::to_string_pretty(&content)? + "\n")
    }

    /// Writes the file into a folder.
    fn write(&self, folder: &Path) -> io::Result<()> {
        atomic::write(&folder.join(Self::FILE), self.to_text()?.as_bytes())
    }

    /// Whether the content has the checksum that was written.
    fn is_intact(&self) -> bool {
        let mut own = self.clone();
        let stated = std::mem::take(own.checksum());
        serde_json::to_string_pretty(&own).is_ok_and(|text| sha256(text.as_bytes()) == stated)
    }
}

impl Checksummed for Manifest {
    const FILE: &'static str = FILE;

    fn checksum(&mut self) -> &mut String {
        &mut self.checksum
    }
}

impl Checksummed for RunLog {
    const FILE: &'static str = RUN_FILE;

    fn checksum(&mut self) -> &mut String {
        &mut self.checksum
    }
}

impl Manifest {
    /// All files that the manifest lists.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.outputs.keys().chain(&self.measured).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_earlier_versions_are_intact() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/tune-greedy");
        let log = RunLog::read(&folder).unwrap().unwrap();
        assert!(log.is_intact() && log.stretches.iter().all(|stretch| stretch.origin.engine > 0));
    }

    #[test]
    fn a_changed_manifest_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest { name: "x".into(), seed: 7, ..Manifest::default() };
        manifest.write(folder.path()).unwrap();
        let path = folder.path().join(FILE);
        assert!(Manifest::read(folder.path()).unwrap().unwrap().is_intact());
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"seed\": 7", "\"seed\": 3")).unwrap();
        assert!(!Manifest::read(folder.path()).unwrap().unwrap().is_intact());
        std::fs::write(&path, "{").unwrap();
        assert!(Manifest::read(folder.path()).unwrap_err().to_string().contains("manifest.json` is damaged"));
    }
}
