//! Which agent is better, by how much, and at what cost.
//!
//! Outputs: `experiment.toml` (as given), `manifest.json`, `agents.csv` (which agent is which), `games.csv` (one row a game),
//! `timing.csv` (what the clock said), `summary.csv` and `timing_summary.csv` (one row an agent), `comparisons.csv` (one row
//! a pair), `published.csv` (if there are figures to reproduce), `report.md`, and `figures/`.
//!
//! Nothing but `timing*.csv`, `published.csv`, the report and the manifest has a clock in it: the rest is equal byte for
//! byte for any number of threads and interruptions.

mod figures;
mod pairs;
mod play;
mod published;
mod record;
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
pub use play::{AgentProgress, Watch};
pub use record::Keep;
pub(super) use sample::AgentGames;
pub(super) use summary::summary_table;

use super::blocks::Blocks;
use super::error::{Error, at};
use super::figures::{DrawnFigures, FigureOptions};
use super::folder;
use crate::params::InputError;
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

/// What to make of the games besides tables.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    pub print: FigureOptions,
    /// Games to be kept as records.
    pub keep: Option<Keep>,
}

/// What a comparison has found, ready to be shown.
#[derive(Clone, Debug)]
pub struct ComparisonResult {
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
    extras: &Extras,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<ComparisonResult, Error> {
    extras.keep.map_or(Ok(()), |_| record::check(&comparison))?;
    let published = comparison.published.as_deref().map(published::read).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|error| Error::Failed(format!("cannot start {} threads: {error}", options.threads)))?;
    let (mut manifest, finished) = take_possession(&comparison, options)?;
    let comparison = Arc::new(comparison);
    let folder = &options.folder;
    let complete = finished.as_ref().is_some_and(|earlier| earlier.games == comparison.games);
    if !complete {
        if let Some(earlier) = finished {
            let shorter = Comparison { games: earlier.games, ..(*comparison).clone() };
            store::take_apart(&shorter, &Blocks::open(folder)?, folder)?;
        }
        begin(&mut manifest, &comparison, folder)?;
        play::play_missing(&comparison, &Blocks::open(folder)?, &pool, stop, watch)?;
        store::assemble(&comparison, &Blocks::open(folder)?, folder)?;
    }
    let (findings, outputs) = pool.install(|| conclude(&comparison, published.as_ref(), folder, extras, stop))?;
    finish(&mut manifest, folder, outputs)?;
    if !complete {
        store::remove_blocks(&comparison, Blocks::open(folder)?)?;
    }
    Ok(findings)
}

/// Makes the folder ours. Returns the manifest to continue with, and that of an earlier run if it came to its end.
fn take_possession(comparison: &Comparison, options: &Options) -> Result<(Manifest, Option<Manifest>), Error> {
    let folder = &options.folder;
    let mut manifest = new_manifest(comparison, options.threads);
    let earlier = folder::claim(folder, &manifest, options.fresh)?;
    fs::create_dir_all(folder).map_err(at(folder))?;
    folder::sweep(folder)?;
    if let Some(earlier) = &earlier {
        manifest.started.clone_from(&earlier.started);
        manifest.outputs.clone_from(&earlier.outputs);
    }
    let finished = earlier.filter(|earlier| earlier.finished.is_some());
    finished.as_ref().map_or(Ok(()), |earlier| verify(folder, earlier))?;
    Ok((manifest, finished))
}

/// Everything that follows from the games: what they say, and the files that say it.
fn conclude(
    comparison: &Comparison,
    published: Option<&Table>,
    folder: &Path,
    extras: &Extras,
    stop: &AtomicBool,
) -> Result<(ComparisonResult, Vec<PathBuf>), Error> {
    let samples = sample::read_samples(folder)?;
    let (findings, tables) = analyse(comparison, published, &samples, folder)?;
    let mut outputs: Vec<PathBuf> = tables.iter().chain(&[GAMES, TIMING]).map(|name| folder.join(name)).collect();
    outputs.extend(figures::plot(folder, &extras.print)?.files);
    if let Some(keep) = extras.keep {
        outputs.extend(record::keep(comparison, &samples, keep, folder, stop)?);
    }
    Ok((findings, outputs))
}

fn interrupted(comparison: &Comparison, samples: &[AgentGames]) -> Error {
    let done = samples.iter().map(AgentGames::games).sum();
    Error::Interrupted { done, games: comparison.games * comparison.entrants.len() as u64 }
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

/// The tables and the report, with the names of their files.
fn analyse(
    comparison: &Comparison,
    published: Option<&Table>,
    samples: &[AgentGames],
    folder: &Path,
) -> Result<(ComparisonResult, Vec<&'static str>), Error> {
    let clocks = sample::read_clocks(folder)?;
    let groups: Vec<&str> = comparison.entrants.iter().map(|entrant| entrant.group.as_str()).collect();
    let published = published.map(|published| published::join(published, comparison, samples, &clocks));
    let findings = ComparisonResult {
        folder: folder.to_path_buf(),
        agents: summary::agents_table(comparison),
        summary: summary::summary_table(samples, comparison.seed),
        timing: summary::timing_table(&clocks, samples),
        ranking: pairs::ranking(samples),
        quotes: pairs::quotes(samples, &groups),
        verdicts: published.as_ref().map(published::verdicts).unwrap_or_default(),
        timed: new_manifest(comparison, 1).timed,
    };
    let comparisons = pairs::comparisons_table(samples);
    let tables = [
        (AGENTS, Some(&findings.agents)),
        (SUMMARY, Some(&findings.summary)),
        (TIMING_SUMMARY, Some(&findings.timing)),
        (COMPARISONS, Some(&comparisons)),
        (PUBLISHED, published.as_ref()),
    ];
    let mut names = vec![EXPERIMENT, REPORT];
    for (name, table) in tables.into_iter().filter_map(|(name, table)| Some((name, table?))) {
        write(folder, name, &table.to_csv()?)?;
        names.push(name);
    }
    write(folder, EXPERIMENT, comparison.text.as_bytes())?;
    write(folder, REPORT, text::report(comparison, &findings).as_bytes())?;
    Ok((findings, names))
}

/// Draws the figures of a results folder again, from its tables alone.
pub fn plot(folder: &Path, print: &FigureOptions) -> Result<DrawnFigures, Error> {
    let manifest = Manifest::read(folder)?;
    if let Some(other) = manifest.as_ref().filter(|manifest| manifest.schema != SCHEMA) {
        let why = format!(
            "`{}` holds {}, not a comparison; the command that wrote it draws its figures when it is run again",
            folder.display(),
            other.schema
        );
        return Err(InputError::new(why).into());
    }
    let written = figures::plot(folder, print)?;
    if let Some(mut manifest) = manifest {
        manifest.list(folder, &written.files).map_err(at(folder))?;
        manifest.write(folder).map_err(at(&folder.join(manifest::FILE)))?;
    }
    Ok(written)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = folder.join(name);
    atomic::write(&path, bytes).map_err(at(&path))
}

/// Hashes the outputs and signs the run off.
fn finish(manifest: &mut Manifest, folder: &Path, outputs: Vec<PathBuf>) -> Result<(), Error> {
    manifest.finished = Some(manifest::now());
    // What an earlier run wrote besides stays ours, to be thrown away by a fresh start.
    manifest.outputs.retain(|name, _| folder.join(name).exists());
    manifest.list(folder, &outputs).map_err(at(folder))?;
    manifest.write(folder).map_err(at(&folder.join(manifest::FILE)))
}
