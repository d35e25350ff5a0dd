//! Which agent is better, by how much, and at what cost.
//!
//! Outputs: `experiment.toml` (as given), `manifest.json`, `run.json`, `agents.csv` (which agent is which), `games.csv` (one
//! row for each game), `timing.csv` (measured times), `summary.csv` and `timing_summary.csv` (one row for each agent),
//! `comparisons.csv` (one row for each pair), `published.csv` (if there are figures to reproduce), `report.md`, and
//! `figures/`.
//!
//! Only `run.json`, `timing*.csv`, `published.csv`, the report and the figures of time depend on a clock. All other files are
//! equal byte for byte for any number of threads and interruptions.

mod figures;
mod pairs;
mod play;
mod published;
mod record;
mod sample;
mod schedule;
mod summary;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use figures::FigureOptions;
pub(super) use pairs::comparisons_table;
pub use record::Keep;
pub(super) use sample::AgentGames;
pub(super) use summary::summary_table;

use super::error::Error;
use super::folder::{OutputKinds, ResultsFolder};
use super::progress::Progress;
use super::runner::GameRunner;
use super::{EXPERIMENT, Options, new_manifest};
use crate::params::InputError;
use crate::params::document::Document;
use crate::report::manifest::{Manifest, Signed};
use crate::report::table::Table;
use crate::spec::{Comparison, FigureChoice, FigureKind};
use crate::store::{GameStore, Header};
use play::GamePlan;
use sample::Clock;

const SCHEMA: &str = "lab2048/compare/2";
const AGENTS: &str = "agents.csv";
const GAMES: &str = "games.csv";
const TIMING: &str = "timing.csv";
const SUMMARY: &str = "summary.csv";
const TIMING_SUMMARY: &str = "timing_summary.csv";
const COMPARISONS: &str = "comparisons.csv";
const PUBLISHED: &str = "published.csv";
const REPORT: &str = "report.md";
/// Outputs that the same command makes again, so they need not be kept.
const RAW: &[&str] = &[GAMES, TIMING];

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
    stop: &'static AtomicBool,
    progress: Arc<dyn Progress>,
) -> Result<ComparisonResult, Error> {
    extras.keep.map_or(Ok(()), |_| record::check(&comparison))?;
    let published = comparison.published.as_deref().map(published::read).transpose()?;
    let kinds = output_kinds(&comparison.figures);
    let folder = ResultsFolder::claim(&options.folder, manifest(&comparison), kinds, options.fresh)?;
    folder.taken_over().iter().for_each(|message| progress.say(message));
    let header = Header::new(&folder.manifest().fingerprint, options.threads);
    let repeatable = folder.manifest().timed.is_empty();
    let store = GameStore::open(&folder.segments(), header, repeatable, stop)?;
    store.damage().iter().for_each(|damage| progress.say(&format!("{damage}; its games are played again")));
    let runner = GameRunner::new(options.threads, store, stop, progress)?;
    let plan = GamePlan::new(&comparison);
    play::play_missing(&plan, &runner)?;
    if folder.was_complete() && runner.store().appended() == 0 {
        runner.progress.say("nothing to play; `--fresh` plays again");
    }
    let result = runner.pool().install(|| conclude(&plan, published.as_ref(), &folder, extras, &runner))?;
    folder.commit(Some(&runner.store()))?;
    Ok(ComparisonResult { folder: options.folder.clone(), ..result })
}

fn manifest(comparison: &Comparison) -> Manifest {
    let Comparison { name, seed, games, .. } = comparison;
    let timed = comparison.entrants.iter().filter(|entrant| entrant.agent.is_timed());
    Manifest {
        timed: timed.map(|entrant| entrant.label.clone()).collect(),
        ..new_manifest(SCHEMA, name, *seed, *games, comparison.configuration())
    }
}

/// Which files have measured times in them. Of figures these are the ones drawn against or about time.
fn output_kinds(figures: &[FigureChoice]) -> OutputKinds {
    let about_time = |figure: &&FigureChoice| {
        let axes = [&figure.x, &figure.series, &figure.panel];
        matches!(figure.kind, FigureKind::Cost | FigureKind::Pareto | FigureKind::Published)
            || axes.into_iter().flatten().any(|axis| axis.contains("seconds"))
    };
    let chosen = figures.iter().filter(about_time).map(|figure| figure.name.clone());
    let default = [FigureKind::Cost, FigureKind::Pareto, FigureKind::Published].map(|kind| kind.name().to_string());
    let figures = chosen.chain(default).map(|name| format!("{}/{name}", figures::FIGURES));
    let files = [TIMING, TIMING_SUMMARY, PUBLISHED, REPORT].map(str::to_string);
    OutputKinds { measured: figures.chain(files).collect(), raw: RAW }
}

/// Writes everything that follows from the games.
fn conclude(
    plan: &GamePlan,
    published: Option<&Table>,
    folder: &ResultsFolder,
    extras: &Extras,
    runner: &GameRunner,
) -> Result<ComparisonResult, Error> {
    let (samples, clocks) = play::assemble(plan, runner, folder)?;
    let result = analyse(plan.comparison, published, &samples, &clocks, folder)?;
    figures::plot(folder.stage(), &extras.print)?;
    if let Some(keep) = extras.keep {
        record::keep(plan.comparison, &samples, keep, folder.stage(), runner)?;
    }
    Ok(result)
}

/// Writes the tables and the report.
fn analyse(
    comparison: &Comparison,
    published: Option<&Table>,
    samples: &[AgentGames],
    clocks: &[Clock],
    folder: &ResultsFolder,
) -> Result<ComparisonResult, Error> {
    let groups: Vec<&str> = comparison.entrants.iter().map(|entrant| entrant.group.as_str()).collect();
    let published = published.map(|published| published::join(published, comparison, samples, clocks));
    let result = ComparisonResult {
        folder: PathBuf::new(),
        agents: summary::agents_table(comparison),
        summary: summary::summary_table(samples, comparison.seed),
        timing: summary::timing_table(clocks, samples),
        ranking: pairs::ranking(samples),
        quotes: [pairs::quotes(samples, &groups), summary::limit_notes(samples)].concat(),
        verdicts: published.as_ref().map(published::verdicts).unwrap_or_default(),
        timed: folder.manifest().timed.clone(),
    };
    let comparisons = pairs::comparisons_table(samples);
    let tables = [
        (AGENTS, Some(&result.agents)),
        (SUMMARY, Some(&result.summary)),
        (TIMING_SUMMARY, Some(&result.timing)),
        (COMPARISONS, Some(&comparisons)),
        (PUBLISHED, published.as_ref()),
    ];
    for (name, table) in tables.into_iter().filter_map(|(name, table)| Some((name, table?))) {
        folder.write_table(name, table)?;
    }
    folder.write(EXPERIMENT, comparison.text.as_bytes())?;
    folder.write(REPORT, text::report(comparison, &result).as_bytes())?;
    Ok(result)
}

/// Draws the figures of a results folder again, from its tables alone, and says which files these are.
pub(super) fn plot(folder: &Path, print: &FigureOptions) -> Result<Vec<PathBuf>, Error> {
    if let Some(other) = Manifest::read(folder)?.filter(|manifest| manifest.schema != SCHEMA) {
        let why = format!("`{}` holds {}, not a comparison that this program can draw", folder.display(), other.schema);
        return Err(InputError::new(why).into());
    }
    let choices = Document::open(&folder.join(EXPERIMENT).to_string_lossy())
        .and_then(|document| FigureChoice::read_all(document.table()).map_err(|problem| document.locate(problem)));
    let choices = choices.unwrap_or_default();
    let results = ResultsFolder::reopen(folder, |_| output_kinds(&choices))?;
    results.stage_tables(&format!("compare {}", folder.join(EXPERIMENT).display()))?;
    let written = figures::plot(results.stage(), print)?;
    let moved = |path: PathBuf| path.strip_prefix(results.stage()).map(|name| folder.join(name)).unwrap_or(path);
    let written = written.into_iter().map(moved).collect();
    results.commit(None)?;
    Ok(written)
}
