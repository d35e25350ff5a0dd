//! Experiments: many games, stored in blocks so that an interruption loses only the blocks that are being played.

mod analysis;
pub mod bench;
pub mod bench_work;
mod columns;
pub mod compare;
pub mod contention;
mod error;
mod figures;
mod folder;
pub mod learn;
pub mod plan;
mod progress;
mod runner;
mod trial;
pub mod tune;
mod verify;

pub use error::Error;
pub use figures::{DrawnFigures, FigureOptions};
pub use progress::Progress;
pub use verify::{Verification, damaged_sources, verify};

use std::path::{Path, PathBuf};

use folder::ResultsFolder;

use crate::engine::{ENGINE_REVISION, tool};
use crate::report::manifest::{Checksummed, Manifest, sha256};

/// The experiment file as it is copied into its results folder.
const EXPERIMENT: &str = "experiment.toml";

/// One row for each game.
const GAMES: &str = "games.csv";
/// One row for each agent.
const SUMMARY: &str = "summary.csv";
/// The measured times of each agent.
const TIMING_SUMMARY: &str = "timing_summary.csv";

/// How to run an experiment. No option changes the results.
#[derive(Clone, Debug)]
pub struct Options {
    /// The results folder.
    pub folder: PathBuf,
    /// How many threads play.
    pub threads: usize,
    /// Play again and replace what the folder holds.
    pub fresh: bool,
    /// Commands that start workers to play the games of a tuning run, or the validation and test games of a training; if
    /// there are none, this process plays.
    pub workers: Vec<String>,
}

/// The manifest of a run that is about to begin. `configuration` is everything that decides what is played, apart from
/// how many games.
fn new_manifest(schema: &str, name: &str, seed: u64, games: u64, configuration: serde_json::Value) -> Manifest {
    Manifest {
        schema: schema.into(),
        tool: tool(),
        name: name.into(),
        seed,
        games,
        engine: ENGINE_REVISION,
        fingerprint: sha256(format!("engine {ENGINE_REVISION}\n{configuration}").as_bytes()),
        configuration,
        ..Manifest::default()
    }
}

/// Puts files that `make` makes from the tables of a finished run into its folder. They may contain measured times. The
/// folder is locked meanwhile, so that the files belong to the tables that are there.
pub fn add_outputs(
    folder: &Path,
    make: impl FnOnce() -> Result<Vec<(&'static str, Vec<u8>)>, Error>,
) -> Result<Vec<PathBuf>, Error> {
    let mut results = ResultsFolder::reopen_when_free(folder)?;
    let files = make()?;
    results.set_measured(files.iter().map(|(name, _)| name.to_string()).collect());
    for (name, bytes) in &files {
        results.write(name, bytes)?;
    }
    results.commit(None)?;
    Ok(files.iter().map(|(name, _)| folder.join(name)).collect())
}

/// Draws the figures of a results folder again, from its tables alone.
pub fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    match Manifest::read(folder)? {
        Some(manifest) if tune::is_ours(&manifest) => tune::plot(folder, options),
        Some(manifest) if learn::is_ours(&manifest) => learn::plot(folder, options),
        _ => compare::plot(folder, options),
    }
}
