//! Which agent is better, by how much, and at what cost.
//!
//! Outputs: `experiment.toml` (as given), `manifest.json`, `agents.csv` (which agent is which), `games.csv` (one row a game),
//! `timing.csv` (what the clock said), `summary.csv` and `timing_summary.csv` (one row an agent), `comparisons.csv` (one row
//! a pair), `published.csv` (if there are figures to reproduce), `report.md`, and `figures/`.
//!
//! Nothing but `timing*.csv`, `published.csv`, the report and the manifest has a clock in it: the rest is equal byte for
//! byte for any number of threads and interruptions.

mod pairs;
mod play;
mod published;
mod sample;
mod schedule;
mod store;
mod summary;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) use pairs::comparisons_table;
pub use play::{Standing, Watch};
pub(super) use sample::Sample;
pub(super) use summary::summary_table;

use super::blocks::Blocks;
use super::error::{Error, at};
use super::folder;
use crate::report::atomic;
use crate::report::manifest::{self, Manifest};
use crate::report::table::Table;
use crate::spec::Comparison;

const SCHEMA: &str = "lab2048/compare/1";
const EXPERIMENT: &str = "experiment.toml";
const AGENTS: &str = "agents.csv";
const GAMES: &str = "games.csv";
const TIMING: &str = "timing.csv";
const SUMMARY: &str = "summary.csv";
const TIMING_SUMMARY: &str = "timing_summary.csv";
const COMPARISONS: &str = "comparisons.csv";
const PUBLISHED: &str = "published.csv";
const REPORT: &str = "report.md";

/// How to run a comparison; none of it changes what is found.
#[derive(Clone, Debug)]
pub struct Options {
    pub folder: PathBuf,
    pub threads: usize,
    /// Throw away what the folder holds.
    pub fresh: bool,
}

/// What a comparison has found, ready to be shown.
#[derive(Clone, Debug)]
pub struct Findings {
    pub folder: PathBuf,
    pub agents: Table,
    pub summary: Table,
    pub timing: Table,
    /// The rows of `summary`, from best to worst.
    pub ranking: Vec<usize>,
    /// Sentences on the best agent.
    pub quotes: Vec<String>,
    /// On agreement with published figures, if there are any.
    pub verdicts: Vec<String>,
    /// Agents whose play depends on the clock.
    pub timed: Vec<String>,
}

/// Runs a comparison to its end, or continues one.
pub fn run(
    comparison: Comparison,
    options: &Options,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<Findings, Error> {
    let folder = &options.folder;
    let comparison = Arc::new(comparison);
    let mut manifest = new_manifest(&comparison, options.threads);
    let earlier = folder::claim(folder, &manifest, options.fresh)?;
    fs::create_dir_all(folder).map_err(at(folder))?;
    folder::sweep(folder)?;
    if let Some(earlier) = &earlier {
        manifest.started.clone_from(&earlier.started);
        manifest.outputs.clone_from(&earlier.outputs);
    }
    let finished = earlier.filter(|earlier| earlier.finished.is_some());
    let complete = finished.as_ref().is_some_and(|earlier| earlier.games == comparison.games);
    if let Some(earlier) = &finished {
        verify(folder, earlier)?;
    }
    if !complete {
        if let Some(earlier) = finished {
            let shorter = Comparison { games: earlier.games, ..(*comparison).clone() };
            store::take_apart(&shorter, &Blocks::open(folder)?, folder)?;
        }
        begin(&mut manifest, &comparison, folder)?;
        play::play_missing(&comparison, &Blocks::open(folder)?, options.threads, stop, watch)?;
        store::assemble(&comparison, &Blocks::open(folder)?, folder)?;
    }
    let findings = analyse(&comparison, folder)?;
    finish(&mut manifest, &comparison, folder)?;
    if !complete {
        store::remove_blocks(&comparison, Blocks::open(folder)?)?;
    }
    Ok(findings)
}

fn new_manifest(comparison: &Comparison, threads: usize) -> Manifest {
    let timed = comparison.entrants.iter().filter(|entrant| entrant.agent.is_timed());
    Manifest {
        schema: SCHEMA.into(),
        tool: manifest::tool(),
        commit: manifest::commit(),
        name: comparison.name.clone(),
        seed: comparison.seed,
        games: comparison.games,
        configuration: manifest::sha256(comparison.configuration().to_string().as_bytes()),
        timed: timed.map(|entrant| entrant.label.clone()).collect(),
        threads,
        cpu: manifest::cpu(),
        started: manifest::now(),
        finished: None,
        outputs: BTreeMap::new(),
    }
}

/// A finished run is built upon, so its games must be as they were left.
fn verify(folder: &Path, earlier: &Manifest) -> Result<(), Error> {
    for name in [GAMES, TIMING] {
        let path = folder.join(name);
        let found = manifest::sha256_of(&path).map_err(at(&path))?;
        if earlier.outputs.get(name) != Some(&found) {
            let why = "is not as the finished run left it; restore it, or start over with --fresh";
            return Err(Error::Failed(format!("`{}` {why}", path.display())));
        }
    }
    Ok(())
}

/// From here on the folder is ours, and its blocks are what counts.
fn begin(manifest: &mut Manifest, comparison: &Comparison, folder: &Path) -> Result<(), Error> {
    let hash = manifest::sha256(comparison.text.as_bytes());
    manifest.outputs.insert(EXPERIMENT.into(), hash);
    manifest.write(folder).map_err(at(&folder.join(manifest::FILE)))
}

/// Everything that follows from the games.
fn analyse(comparison: &Comparison, folder: &Path) -> Result<Findings, Error> {
    let (samples, clocks) = (sample::read_samples(folder)?, sample::read_clocks(folder)?);
    let kinds: Vec<&str> = comparison.entrants.iter().map(|entrant| entrant.agent.kind.name).collect();
    let published = comparison.published.as_ref();
    let published =
        published.map(|path| published::published_table(path, comparison, &samples, &clocks)).transpose()?;
    let findings = Findings {
        folder: folder.to_path_buf(),
        agents: summary::agents_table(comparison),
        summary: summary::summary_table(&samples, comparison.seed),
        timing: summary::timing_table(&clocks, &samples),
        ranking: pairs::ranking(&samples),
        quotes: pairs::quotes(&samples, &kinds),
        verdicts: published.as_ref().map(published::verdicts).unwrap_or_default(),
        timed: new_manifest(comparison, 1).timed,
    };
    write(folder, EXPERIMENT, comparison.text.as_bytes())?;
    write_table(folder, AGENTS, &findings.agents)?;
    write_table(folder, SUMMARY, &findings.summary)?;
    write_table(folder, TIMING_SUMMARY, &findings.timing)?;
    write_table(folder, COMPARISONS, &pairs::comparisons_table(&samples))?;
    if let Some(published) = &published {
        write_table(folder, PUBLISHED, published)?;
    }
    write(folder, REPORT, text::report(comparison, &findings).as_bytes())?;
    Ok(findings)
}

fn write_table(folder: &Path, name: &str, table: &Table) -> Result<(), Error> {
    write(folder, name, &table.to_csv()?)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = folder.join(name);
    atomic::write(&path, bytes).map_err(at(&path))
}

/// Hashes the outputs and signs the run off.
fn finish(manifest: &mut Manifest, comparison: &Comparison, folder: &Path) -> Result<(), Error> {
    let tables = [EXPERIMENT, AGENTS, GAMES, TIMING, SUMMARY, TIMING_SUMMARY, COMPARISONS, REPORT];
    let published = comparison.published.is_some().then_some(PUBLISHED);
    manifest.outputs.clear();
    for name in tables.into_iter().chain(published) {
        let path = folder.join(name);
        manifest.outputs.insert(name.into(), manifest::sha256_of(&path).map_err(at(&path))?);
    }
    manifest.finished = Some(manifest::now());
    manifest.write(folder).map_err(at(&folder.join(manifest::FILE)))
}
