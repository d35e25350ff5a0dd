//! Tunes a heuristic's coefficients under noise, and proves the gain on unseen games.
//!
//! Training games steer a search; validation games follow it, and show what surrounds its recommendation; test games are
//! played last, by the start and the recommendation alone. The three share no seed, and the types of `rng` keep them
//! apart.
//!
//! Every game's outcome goes into a journal before it is used. A run replays its journals and plays what is missing, so
//! that after a kill the same command ends with the same bytes, and a larger budget continues the same search. Outputs
//! are pure functions of the journals, and figures of the tables.

mod best;
mod contest;
mod context;
mod figures;
mod measurements;
mod outcome;
mod results_folder;
mod runner;
mod search_run;
mod sensitivity;
mod single_run;
mod tables;
mod transfer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use contest::{Contest, OptimizerScore};
pub use runner::Watch;
pub use search_run::Outlook;
pub use single_run::{Tuned, Verdict};
pub use transfer::Transfer;

use super::compare::Options;
use super::error::{Error, at};
use super::figures::{DrawnFigures, FigureOptions};
use crate::games::twenty48::Twenty48;
use crate::report::manifest::{Manifest, sha256};
use crate::spec::Tuning;
use crate::spec::tune::Plan;
use context::TuningContext;
use measurements::MeasurementLog;
use results_folder::ResultsFolder;
use runner::GameRunner;
use search_run::SearchJob;

const JOURNALS: &str = "journal";
const MEASUREMENTS: &str = "journal/measured.jsonl";
const EXPERIMENT: &str = "experiment.toml";
const EVALUATIONS: &str = "evaluations.csv";
const TRAJECTORY: &str = "trajectory.csv";
const VALIDATION: &str = "validation.csv";
const PARAMETERS: &str = "parameters.csv";
const OPTIMISM: &str = "optimism.csv";
const SLICES: &str = "slices.csv";
const ABLATION: &str = "ablation.csv";
const GAMES: &str = "games.csv";
const SUMMARY: &str = "summary.csv";
const COMPARISONS: &str = "comparisons.csv";
const MASK: &str = "mask.csv";
const RANKING: &str = "ranking.csv";
const TRANSFER: &str = "transfer.csv";
/// The tuned heuristic.
pub const BEST: &str = "best.toml";

/// What a tuning experiment has found, by its plan.
#[derive(Clone, Debug)]
pub enum TuningResult {
    Tuned(Tuned),
    Contest(Contest),
    Transfer(Transfer),
}

/// Runs a tuning experiment to its end, or continues one.
pub fn run(
    tuning: Tuning,
    options: &Options,
    print: &FigureOptions,
    stop: &'static AtomicBool,
    watch: Arc<dyn Watch>,
) -> Result<TuningResult, Error> {
    let jobs = jobs(&tuning);
    let journals =
        jobs.iter().map(|job| search_run::journal_file(&job.name)).chain([MEASUREMENTS.to_string()]).collect();
    let mut results = ResultsFolder::claim(&tuning, options, journals)?;
    let runner = GameRunner::new(Twenty48::new(tuning.game.goal()), options.threads, stop, watch)?;
    let measurements = MeasurementLog::open(&options.folder.join(MEASUREMENTS), &fingerprint(&tuning))?;
    let context = Arc::new(TuningContext::new(tuning, options.folder.clone(), runner, measurements));
    context.runner.expect(expected_games(&context.tuning, &jobs));
    let findings = match &context.tuning.plan {
        Plan::One(_) => TuningResult::Tuned(single_run::run(&context, &mut results, &jobs)?),
        Plan::Contest { .. } => TuningResult::Contest(contest::run(&context, &mut results, &jobs)?),
        Plan::Transfer { tested, .. } => TuningResult::Transfer(transfer::run(&context, &mut results, &jobs, tested)?),
    };
    results.figures(&context.tuning, print)?;
    results.sign_off()?;
    Ok(findings)
}

/// Whether a folder's manifest says that its results are of this kind.
pub(super) fn is_ours(manifest: &Manifest) -> bool {
    manifest.schema == results_folder::SCHEMA
}

/// Draws the figures of a results folder again, from its tables alone.
pub(super) fn plot(folder: &Path, mut manifest: Manifest, print: &FigureOptions) -> Result<DrawnFigures, Error> {
    let tuning = Tuning::open(&folder.join(EXPERIMENT))?;
    let written = figures::plot(folder, &tuning, print)?;
    manifest.list(folder, &written.files).map_err(at(folder))?;
    manifest.write(folder).map_err(at(folder))?;
    Ok(written)
}

/// The searches that a plan asks for.
fn jobs(tuning: &Tuning) -> Vec<SearchJob> {
    match &tuning.plan {
        Plan::One(method) => {
            let (agent, method) = (tuning.agent.clone(), method.clone());
            vec![SearchJob { name: "search".into(), mark: Vec::new(), agent, method, seed: tuning.seed }]
        }
        Plan::Contest { methods, repeats } => contest::jobs(tuning, methods, *repeats),
        Plan::Transfer { method, tuned, .. } => transfer::jobs(tuning, method, tuned),
    }
}

fn expected_games(tuning: &Tuning, jobs: &[SearchJob]) -> u64 {
    match &tuning.plan {
        Plan::One(method) => single_run::expected_games(tuning, method),
        Plan::Contest { .. } => contest::expected_games(tuning, jobs),
        Plan::Transfer { tested, .. } => transfer::expected_games(tuning, jobs, tested),
    }
}

/// Names what the measurements's games depend on besides their player: the seed and the goal.
fn fingerprint(tuning: &Tuning) -> String {
    sha256(format!("{}\n{}", tuning.seed, tuning.game.goal()).as_bytes())
}

/// Where the tuned heuristic of a results folder is.
pub fn best_file(folder: &Path) -> PathBuf {
    folder.join(BEST)
}

#[cfg(test)]
mod tests;
