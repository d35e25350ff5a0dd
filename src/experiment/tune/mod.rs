//! Tunes the coefficients of a heuristic under noise, and measures the gain on unseen games.
//!
//! The optimizer sees training games only. Validation games measure the objective during the search and around its
//! recommendation. Test games are played last, when the recommendation is fixed. The three have no seed in common, and
//! the types of `rng` make sure that they are not mixed.
//!
//! Every game is stored before its result is used. A repeated run asks for the same games and plays only those that are
//! not in the store. So after a kill the same command ends with the same bytes, and a larger budget continues the same
//! search. Tables are made from the stored games alone, and figures from the tables alone.

mod ablation;
mod best;
mod contest;
mod context;
mod evaluate;
mod figures;
mod front;
mod games;
mod importance;
mod plan;
mod scenarios;
mod search_run;
mod sensitivity;
mod single_run;
mod statistic;
mod tables;
mod transfer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

pub use contest::{Contest, OptimizerScore};
pub use evaluate::{PointEvaluator, Served};
pub use front::{Front, TestedPoint};
pub use plan::{TuningPlan, plan};
pub use scenarios::ScenarioRow;
pub use search_run::Outlook;
pub use single_run::{Tuned, Verdict};
pub use transfer::Transfer;

use super::columns::{COLUMNS_FILE, describe_folder};
use super::error::Error;
use super::figures::{DrawnFigures, FigureOptions, redraw};
use super::folder::{OutputKinds, ResultsFolder, kept_experiment};
use super::progress::Progress;
use super::runner::{GameRunner, Players};
use super::verify::{ListedGame, check_fingerprint};
use super::{EXPERIMENT, GAMES, Options, SUMMARY, TIMING_SUMMARY, new_manifest};
use crate::agents::AgentSpec;
use crate::games::twenty48::Twenty48;
use crate::heuristics::Heuristic;
use crate::play::GameResult;
use crate::report::manifest::Manifest;
use crate::rng::{Seeds, Test};
use crate::spec::Tuning;
use crate::spec::tune::{Overrides as TuneOverrides, Plan};
use context::{Player, TuningContext};
use search_run::SearchJob;

const SCHEMA: &str = "lab2048/tune/2";
const EVALUATIONS: &str = "evaluations.csv";
const TRAJECTORY: &str = "trajectory.csv";
const VALIDATION: &str = "validation.csv";
const PARAMETERS: &str = "parameters.csv";
const OPTIMISM: &str = "optimism.csv";
const SLICES: &str = "slices.csv";
const ABLATION: &str = "ablation.csv";
const IMPORTANCE: &str = "importance.csv";
const LANDSCAPE: &str = "landscape.csv";
const COMPARISONS: &str = "comparisons.csv";
const MASK: &str = "mask.csv";
const RANKING: &str = "ranking.csv";
const TRANSFER: &str = "transfer.csv";
const SCENARIOS: &str = "scenarios.csv";
const FRONT: &str = "front.csv";
const HYPERVOLUME: &str = "hypervolume.csv";
/// The tuned heuristic.
pub const BEST: &str = "best.toml";

/// Outputs that the same command makes again, so they need not be kept.
const RAW: &[&str] = &[EVALUATIONS, TRAJECTORY, GAMES];

/// The result of a tuning experiment.
#[derive(Clone, Debug)]
pub enum TuningResult {
    /// One search.
    Tuned(Box<Tuned>),
    /// Several optimizers, or several runs of one.
    Contest(Contest),
    /// Tuned at some depths, tested at others.
    Transfer(Transfer),
    /// The front of two objectives.
    Front(Front),
}

/// Runs a tuning experiment to its end, or continues one.
pub fn run(
    tuning: Tuning,
    options: &Options,
    figure_options: &FigureOptions,
    stop: &'static AtomicBool,
    progress: Arc<dyn Progress>,
) -> Result<TuningResult, Error> {
    let jobs = jobs(&tuning);
    let mut folder = ResultsFolder::claim(&options.folder, manifest(&tuning), output_kinds(), options.fresh)?;
    folder.taken_over().iter().for_each(|message| progress.say(message));
    let store = folder.open_store(options.threads, stop, &*progress)?;
    let runner = GameRunner::new(options.threads, store, stop, progress)?.with_workers(&options.workers)?;
    let context = Arc::new(TuningContext::new(tuning, runner));
    context.runner.expect(expected_games(&context.tuning, &jobs));
    let seen_by = folder.note_test(folder.manifest().games);
    let result = match &context.tuning.plan {
        Plan::One(_) => TuningResult::Tuned(Box::new(Tuned { seen_by, ..single_run::run(&context, &folder, &jobs)? })),
        Plan::Contest { .. } => TuningResult::Contest(contest::run(&context, &folder, &jobs)?),
        Plan::Transfer { tested, .. } => TuningResult::Transfer(transfer::run(&context, &folder, &jobs, tested)?),
        Plan::Front(method) => TuningResult::Front(front::run(&context, &folder, method)?),
    };
    context.runner.store().repair_and_close()?;
    if folder.was_complete() && context.runner.store().appended() == 0 {
        context.runner.progress.say("nothing to play; `--fresh` plays again");
    }
    folder.write(COLUMNS_FILE, &describe_folder(folder.stage())?)?;
    figures::plot(folder.stage(), &context.tuning, figure_options)?;
    folder.commit(Some(&context.runner.store()))?;
    Ok(result)
}

fn manifest(tuning: &Tuning) -> Manifest {
    let budget = tuning.plan.budget();
    let repeats = match tuning.plan {
        Plan::Contest { repeats, .. } => Some(repeats),
        _ => None,
    };
    Manifest { repeats, ..new_manifest(SCHEMA, &tuning.name, tuning.seed, budget, tuning.configuration().into()) }
}

/// Only a search for a front writes measured times, beside its units of work.
fn output_kinds() -> OutputKinds {
    OutputKinds { measured: vec![TIMING_SUMMARY.into()], raw: RAW }
}

/// Whether a folder's manifest says that it holds a tuning run.
pub(super) fn is_ours(manifest: &Manifest) -> bool {
    manifest.schema == SCHEMA
}

/// Draws the figures of a results folder again, from its tables alone.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    let results = ResultsFolder::reopen(folder, |_| output_kinds())?;
    redraw(results, folder, "tune", |results| {
        let tuning = reopen(results.stage(), results.manifest())?;
        figures::plot(results.stage(), &tuning, options)
    })
}

/// Plays test games again that `games.csv` lists; `None` for a player that is not in the experiment.
pub(super) fn replay(folder: &Path, found: &Manifest, games: &[ListedGame]) -> Result<Vec<Option<GameResult>>, Error> {
    let tuning = reopen(folder, found)?;
    check_fingerprint(found, &manifest(&tuning).fingerprint)?;
    let (game, seeds) = (Twenty48::new(tuning.game.goal()), Seeds::<Test>::new(tuning.seed));
    let players = tested_players(folder, &tuning)?;
    let again = |listed: &ListedGame| {
        let Some((_, player)) = players.iter().find(|(name, _)| *name == listed.agent) else { return Ok(None) };
        let agent = player.factory(&game)?()?;
        let seed = seeds.game(listed.number).value();
        Ok(Some(Players::against_chance(agent).play(&game, seed)))
    };
    games.par_iter().map(again).collect()
}

/// Every player of the test with its name in `games.csv`. The tuned values come from the folder's files.
fn tested_players(folder: &Path, tuning: &Tuning) -> Result<Vec<(String, Player)>, Error> {
    let start = Player { agent: tuning.agent.clone(), heuristic: tuning.heuristic.clone() };
    let file = folder.join(format!("{}.toml", best::AGENT));
    let agent = if tuning.tunes_agent() { AgentSpec::open(&file)? } else { tuning.agent.clone() };
    let load = || Heuristic::load(&best_file(folder).display().to_string().into());
    let heuristic = tuning.heuristic.as_ref().map(|_| load()).transpose()?;
    let mut players = vec![("start".to_string(), start), ("tuned".to_string(), Player { agent, heuristic })];
    let rivals = tuning.test.against.iter();
    players.extend(rivals.map(|rival| (rival.name().to_string(), Player::new(&tuning.agent, rival))));
    let scenarios = &tuning.test.scenarios;
    let mut named = Vec::new();
    for (name, Player { agent, heuristic }) in players {
        let agents = tuning.agents(&agent, scenarios)?.into_iter().enumerate();
        named.extend(agents.map(|(place, agent)| {
            (scenarios::name_in(&name, scenarios.get(place)), Player { agent, heuristic: heuristic.clone() })
        }));
    }
    Ok(named)
}

/// The experiment of a results folder, with the seed and repeats that the command line gave.
fn reopen(folder: &Path, manifest: &Manifest) -> Result<Tuning, Error> {
    let overrides = TuneOverrides { seed: Some(manifest.seed), repeats: manifest.repeats };
    Ok(Tuning::open_with(&kept_experiment(folder)?, overrides)?)
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
        Plan::Front(_) => Vec::new(),
    }
}

fn expected_games(tuning: &Tuning, jobs: &[SearchJob]) -> u64 {
    match &tuning.plan {
        Plan::One(method) => single_run::expected_games(tuning, method),
        Plan::Contest { .. } => contest::expected_games(tuning, jobs),
        Plan::Transfer { tested, .. } => transfer::expected_games(tuning, jobs, tested),
        Plan::Front(method) => front::expected_games(tuning, method),
    }
}

/// The path of the tuned heuristic in a results folder.
pub fn best_file(folder: &Path) -> PathBuf {
    folder.join(BEST)
}

#[cfg(test)]
mod tests;
