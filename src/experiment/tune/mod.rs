//! Tunes a heuristic's coefficients under noise, and proves the gain on unseen games.
//!
//! Training games steer a search; validation games follow it, and show what surrounds its recommendation; test games are
//! played last, by the start and the recommendation alone. The three share no seed, and the types of `rng` keep them
//! apart.
//!
//! Every game's outcome goes into a journal before it is used. A run replays its journals and plays what is missing, so
//! that after a kill the same command ends with the same bytes, and a larger budget continues the same search. Outputs
//! are pure functions of the journals, and figures of the tables.

mod arena;
mod around;
mod best;
mod contest;
mod course;
mod figures;
mod lab;
mod notebook;
mod one;
mod outcome;
mod shelf;
mod tables;
mod transfer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use arena::Watch;
pub use contest::{Contest, Standing};
pub use course::Outlook;
pub use one::{Tuned, Verdict};
pub use transfer::Transfer;

use super::compare::{Options, Print};
use super::error::{Error, at};
use crate::games::twenty48::Twenty48;
use crate::report::manifest::{Manifest, sha256};
use crate::spec::Tuning;
use crate::spec::tune::Plan;
use arena::Arena;
use course::Leg;
use lab::Lab;
use notebook::Notebook;
use shelf::Shelf;

const JOURNALS: &str = "journal";
const NOTEBOOK: &str = "journal/measured.jsonl";
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
pub enum Findings {
    Tuned(Tuned),
    Contest(Contest),
    Transfer(Transfer),
}

/// Runs a tuning experiment to its end, or continues one.
pub fn run(
    tuning: Tuning,
    options: &Options,
    print: &Print,
    stop: &'static AtomicBool,
    watch: Arc<dyn Watch>,
) -> Result<Findings, Error> {
    let legs = legs(&tuning);
    let journals = legs.iter().map(|leg| course::journal_file(&leg.name)).chain([NOTEBOOK.to_string()]).collect();
    let mut shelf = Shelf::claim(&tuning, options, journals)?;
    let arena = Arena::new(Twenty48::new(tuning.game.goal()), options.threads, stop, watch)?;
    let notebook = Notebook::open(&options.folder.join(NOTEBOOK), &fingerprint(&tuning))?;
    let lab = Arc::new(Lab::new(tuning, options.folder.clone(), arena, notebook));
    lab.arena.expect(expected_games(&lab.tuning, &legs));
    let findings = match &lab.tuning.plan {
        Plan::One(_) => Findings::Tuned(one::run(&lab, &mut shelf, &legs)?),
        Plan::Contest { .. } => Findings::Contest(contest::run(&lab, &mut shelf, &legs)?),
        Plan::Transfer { tested, .. } => Findings::Transfer(transfer::run(&lab, &mut shelf, &legs, tested)?),
    };
    shelf.figures(&lab.tuning, print)?;
    shelf.sign_off()?;
    Ok(findings)
}

/// Whether a folder's manifest says that its results are of this kind.
pub(super) fn is_ours(manifest: &Manifest) -> bool {
    manifest.schema == shelf::SCHEMA
}

/// Draws the figures of a results folder again, from its tables alone, and says which files these are.
pub(super) fn plot(folder: &Path, mut manifest: Manifest, print: &Print) -> Result<Vec<PathBuf>, Error> {
    let tuning = Tuning::open(&folder.join(EXPERIMENT))?;
    let written = figures::plot(folder, &tuning, print)?;
    manifest.list(folder, &written).map_err(at(folder))?;
    manifest.write(folder).map_err(at(folder))?;
    Ok(written)
}

/// The searches that a plan asks for.
fn legs(tuning: &Tuning) -> Vec<Leg> {
    match &tuning.plan {
        Plan::One(method) => {
            let (agent, method) = (tuning.agent.clone(), method.clone());
            vec![Leg { name: "search".into(), mark: Vec::new(), agent, method, seed: tuning.seed }]
        }
        Plan::Contest { methods, repeats } => contest::legs(tuning, methods, *repeats),
        Plan::Transfer { method, tuned, .. } => transfer::legs(tuning, method, tuned),
    }
}

fn expected_games(tuning: &Tuning, legs: &[Leg]) -> u64 {
    match &tuning.plan {
        Plan::One(method) => one::expected_games(tuning, method),
        Plan::Contest { .. } => contest::expected_games(tuning, legs),
        Plan::Transfer { tested, .. } => transfer::expected_games(tuning, legs, tested),
    }
}

/// Names what the notebook's games depend on besides their player: the seed and the goal.
fn fingerprint(tuning: &Tuning) -> String {
    sha256(format!("{}\n{}", tuning.seed, tuning.game.goal()).as_bytes())
}

/// Where the tuned heuristic of a results folder is.
pub fn best_file(folder: &Path) -> PathBuf {
    folder.join(BEST)
}

#[cfg(test)]
mod tests;
