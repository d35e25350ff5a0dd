//! Which agent is better, by how much, and at what cost.
//!
//! Outputs: `experiment.toml` (as given), `manifest.json`, `run.json`, `agents.csv` (which agent is which), `games.csv` (one
//! row for each game), `timing.csv` (measured times), `summary.csv` and `timing_summary.csv` (one row for each agent),
//! `comparisons.csv` (one row for each pair), `survival.csv` (if games stop at a goal), `sequential.csv` (if there is a `stop`
//! rule), `published.csv` (if there are figures to reproduce), `columns.json` (what each column is), `report.md`, and
//! `figures/`.
//!
//! Only `run.json`, `timing*.csv`, `published.csv`, the report and the figures of time depend on a clock. All other
//! outputs are equal byte for byte for any number of threads and interruptions.

mod agreement;
mod block_size;
mod figures;
mod play;
mod published;
mod quotes;
mod record;
mod schedule;
mod sequential;
mod shard;
mod survival;
mod text;
mod trial;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

pub use record::Keep;
pub use shard::{ShardResult, run_shard};
pub use trial::{Workload, workload};

use super::analysis::{self, Analysis, pairs, sample, summary};
use super::columns::{self, COLUMNS_FILE};
use super::contention::CpuTime;
use super::error::Error;
use super::figures::{DrawnFigures, FIGURES, FigureOptions, redraw};
use super::folder::{OutputKinds, ResultsFolder, kept_experiment};
use super::progress::Progress;
use super::runner::GameRunner;
use super::verify::{ListedGame, check_fingerprint};
use super::{EXPERIMENT, GAMES, Options, SUMMARY, TIMING_SUMMARY, new_manifest};
use crate::params::InputError;
use crate::params::document::Document;
use crate::play::GameResult;
use crate::report::figures::{COMPARE, FigureRequest};
use crate::report::manifest::{Checksummed, Manifest};
use crate::report::table::Table;
use crate::spec::{Comparison, Overrides, figure_requests};
use play::{Fill, GamePlan};
use sample::{AgentGames, AgentTimes};

const SCHEMA: &str = "lab2048/compare/2";
const AGENTS: &str = "agents.csv";
const TIMING: &str = "timing.csv";
const COMPARISONS: &str = "comparisons.csv";
const PUBLISHED: &str = "published.csv";
const SURVIVAL: &str = "survival.csv";
const SEQUENTIAL: &str = "sequential.csv";
const REPORT: &str = "report.md";
/// Outputs that the same command makes again, so they need not be kept.
const RAW: &[&str] = &[GAMES, TIMING];

/// The outputs besides the tables.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// How figures are drawn.
    pub figures: FigureOptions,
    /// Games to be kept as records.
    pub keep: Option<Keep>,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonResult {
    /// The results folder.
    pub folder: PathBuf,
    /// The rows of `agents.csv`.
    pub agents: Table,
    /// The rows of `summary.csv`.
    pub summary: Table,
    /// The rows of `timing_summary.csv`.
    pub timing: Table,
    /// The rows of `comparisons.csv`.
    pub comparisons: Table,
    /// The rows of `summary`, from best to worst.
    pub ranking: Vec<usize>,
    /// Sentences on the planned contrasts, or on the best agents.
    pub quotes: Vec<String>,
    /// Sentences on the agreement with published figures, if there are any.
    pub verdicts: Vec<String>,
    /// Warnings about the use of the numbers.
    pub warnings: Vec<String>,
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
    run_with(comparison, options, extras, stop, progress, &play::play_missing)
}

/// Makes the results of a comparison from games that shards have played, and plays none. Fails if any is missing.
pub fn merge(
    comparison: Comparison,
    options: &Options,
    extras: &Extras,
    stop: &'static AtomicBool,
    progress: Arc<dyn Progress>,
) -> Result<ComparisonResult, Error> {
    shard::check_begun(&options.folder, &manifest(&comparison))?;
    run_with(comparison, options, extras, stop, progress, &shard::require_all)
}

fn run_with(
    comparison: Comparison,
    options: &Options,
    extras: &Extras,
    stop: &'static AtomicBool,
    progress: Arc<dyn Progress>,
    fill: Fill,
) -> Result<ComparisonResult, Error> {
    extras.keep.map_or(Ok(()), |_| record::check(&comparison))?;
    let published = comparison.published.as_deref().map(published::read).transpose()?;
    let kinds = output_kinds(&comparison.figures);
    let folder = ResultsFolder::claim(&options.folder, manifest(&comparison), kinds, options.fresh)?;
    folder.taken_over().iter().for_each(|message| progress.say(message));
    let store = folder.open_store(options.threads, stop, &*progress)?;
    let runner = GameRunner::new(options.threads, store, stop, progress)?;
    let before = CpuTime::of_all_threads();
    let games = play::fill_until_settled(&comparison, &runner, fill)?;
    let busy = CpuTime::of_all_threads().zip(before).and_then(|(after, before)| after.since(before).warning());
    let busy = busy.filter(|_| runner.store().appended() > 0);
    let comparison = Comparison { games, ..comparison };
    let plan = GamePlan::new(&comparison);
    if folder.was_complete() && runner.store().appended() == 0 {
        runner.progress.say("nothing to play; `--fresh` plays again");
    }
    let mut result = runner.pool().install(|| conclude(&plan, published.as_ref(), &folder, extras, &runner))?;
    folder.commit(Some(&runner.store()))?;
    result.warnings.extend(busy);
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

/// Which files have measured times in them. Among the figures, these are the ones that show time.
fn output_kinds(figures: &[FigureRequest]) -> OutputKinds {
    let measured_kinds = || COMPARE.iter().filter(|kind| kind.is_measured).map(|kind| kind.name);
    let about_time = |figure: &&FigureRequest| {
        let axes = [&figure.x, &figure.series, &figure.panel];
        measured_kinds().any(|kind| kind == figure.kind)
            || axes.into_iter().flatten().any(|axis| axis.contains("seconds"))
    };
    let chosen = figures.iter().filter(about_time).map(|figure| figure.name.clone());
    let default = measured_kinds().map(str::to_string);
    let figures = chosen.chain(default).map(|name| format!("{}/{name}", FIGURES));
    let files = [TIMING, TIMING_SUMMARY, PUBLISHED, REPORT].map(str::to_string);
    OutputKinds { measured: figures.chain(files).collect(), raw: RAW }
}

/// Writes all outputs that are made from the games.
fn conclude(
    plan: &GamePlan,
    published: Option<&Table>,
    folder: &ResultsFolder,
    extras: &Extras,
    runner: &GameRunner,
) -> Result<ComparisonResult, Error> {
    let (samples, times) = play::assemble(plan, runner, folder)?;
    let note = shard::processors_note(&runner.store());
    let result = analyse(plan.comparison, published, &samples, &times, note, folder)?;
    figures::plot(folder.stage(), &extras.figures)?;
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
    times: &[AgentTimes],
    note: Option<String>,
    folder: &ResultsFolder,
) -> Result<ComparisonResult, Error> {
    let analysis = Analysis::of(comparison, samples);
    let looks = comparison.questions.stop.map(|rule| (rule, sequential::looks(comparison, &rule, samples)));
    let stopped = looks.as_ref().and_then(|(rule, looks)| Some(sequential::sentence(comparison, rule, looks.last()?)));
    let groups: Vec<&str> = comparison.entrants.iter().map(|entrant| entrant.group.as_str()).collect();
    let published = published.map(|published| published::join(published, comparison, samples, times));
    let result = ComparisonResult {
        folder: PathBuf::new(),
        agents: summary::agents_table(comparison),
        summary: summary::summary_table(samples, comparison.seed, &analysis),
        timing: summary::timing_table(times, samples),
        comparisons: pairs::comparisons_table(samples, &analysis),
        ranking: analysis.ranking(samples),
        quotes: stopped.into_iter().chain(quotes::quotes(samples, &groups, &analysis)).collect(),
        verdicts: published.as_ref().map(agreement::verdicts).unwrap_or_default(),
        warnings: [
            quotes::warnings(samples),
            summary::budget_notes(samples, &analysis),
            summary::limit_notes(samples),
            note.into_iter().collect(),
        ]
        .concat(),
        timed: folder.manifest().timed.clone(),
    };
    let survival = analysis.until_goal.then(|| survival::survival_table(samples));
    let sequential = looks.as_ref().map(|(_, looks)| sequential::sequential_table(looks));
    let tables = [
        (AGENTS, Some(&result.agents)),
        (SUMMARY, Some(&result.summary)),
        (TIMING_SUMMARY, Some(&result.timing)),
        (COMPARISONS, Some(&result.comparisons)),
        (SURVIVAL, survival.as_ref()),
        (SEQUENTIAL, sequential.as_ref()),
        (PUBLISHED, published.as_ref()),
    ];
    for (name, table) in tables.into_iter().filter_map(|(name, table)| Some((name, table?))) {
        folder.write_table(name, table)?;
    }
    folder.write(COLUMNS_FILE, &columns::describe_folder(folder.stage())?)?;
    folder.write(EXPERIMENT, comparison.text.as_bytes())?;
    folder.write(REPORT, text::report(comparison, &result).as_bytes())?;
    Ok(result)
}

/// Draws the figures of a results folder again, from its tables alone.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    if let Some(other) = Manifest::read(folder)?.filter(|manifest| manifest.schema != SCHEMA) {
        let why = format!("`{}` holds {}, not a comparison that this program can draw", folder.display(), other.schema);
        return Err(InputError::new(why).into());
    }
    // An experiment that cannot be read is reported by what follows.
    let choices = kept_experiment(folder).ok().and_then(|path| {
        let document = Document::open(&path.to_string_lossy()).ok()?;
        figure_requests(document.table()).ok()
    });
    let choices = choices.unwrap_or_default();
    let results = ResultsFolder::reopen(folder, |_| output_kinds(&choices))?;
    redraw(results, folder, "compare", |results| figures::plot(results.stage(), options))
}

/// Plays games again that `games.csv` lists; `None` for an agent that is not in the experiment or plays by the clock.
pub(super) fn replay(folder: &Path, found: &Manifest, games: &[ListedGame]) -> Result<Vec<Option<GameResult>>, Error> {
    let overrides = Overrides { games: Some(found.games), seed: Some(found.seed), opening: None };
    let comparison = Comparison::open(&kept_experiment(folder)?, overrides)?;
    check_fingerprint(found, &manifest(&comparison).fingerprint)?;
    games.par_iter().map(|game| comparison.game.with(play::ReplayOne { comparison: &comparison, game })).collect()
}
