//! Shards: the parts of a comparison that is played by several processes, on one or more machines.
//!
//! A shard plays its share of the blocks and writes them into its own segment. It takes no lock, deletes nothing and
//! writes no manifest, so any number of shards can use one folder at once, and a shard can be run twice. Only
//! [`merge`](super::merge) makes tables of their games.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::manifest;
use super::play::{self, GamePlan};
use super::schedule::Block;
use crate::experiment::Options;
use crate::experiment::error::Error;
use crate::experiment::folder;
use crate::experiment::progress::Progress;
use crate::experiment::runner::GameRunner;
use crate::report::manifest::Manifest;
use crate::spec::{Comparison, Shard};
use crate::store::{GameStore, Header, SegmentSummary};

/// The most missing blocks that an error lists.
const NAMED: usize = 5;

/// The result of a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardResult {
    /// Which share it was.
    pub shard: Shard,
    /// Games that this process has played.
    pub played: u64,
    /// Games of the share, including those that were there before.
    pub games: u64,
    /// Where the games are.
    pub segments: PathBuf,
}

/// Plays the games of a shard that are not in the folder yet.
pub fn run_shard(
    comparison: &Comparison,
    shard: Shard,
    options: &Options,
    stop: &'static AtomicBool,
    progress: Arc<dyn Progress>,
) -> Result<ShardResult, Error> {
    let manifest = manifest(comparison);
    let segments = folder::open_shared(&options.folder, &manifest)?;
    let header = Header { shard: Some(shard.to_string()), ..Header::new(&manifest.fingerprint, options.threads) };
    let store = GameStore::open(&segments, header, manifest.timed.is_empty(), stop)?;
    store.damage().iter().for_each(|damage| progress.say(&damage.to_string()));
    let runner = GameRunner::new(options.threads, store, stop, progress)?;
    let games = play::play_shard(&GamePlan::new(comparison), shard, &runner)?;
    let played = runner.store().appended();
    Ok(ShardResult { shard, played, games, segments })
}

/// Refuses a folder that has no games.
pub(super) fn check_begun(folder: &Path, ours: &Manifest) -> Result<(), Error> {
    if folder.join(folder::SEGMENTS).is_dir() {
        return Ok(());
    }
    let why = format!(
        "there are no games of `{}` in `{}`; play them with `lab2048 compare FILE --shard I/N --out {}`, I from 0 to N-1",
        ours.name,
        folder.display(),
        folder.display()
    );
    Err(Error::Failed(why))
}

/// Fails if any block from this game on is missing, and says which shards to run again.
pub(super) fn require_all(plan: &GamePlan, from: u64, runner: &GameRunner) -> Result<(), Error> {
    let missing = plan.missing(from, runner)?;
    if missing.is_empty() {
        return Ok(());
    }
    let count = shard_count(&runner.store().stretches());
    Err(Error::Failed(format!("{}; {}", what_is_missing(plan, &missing), what_to_do(plan, &missing, count))))
}

fn what_is_missing(plan: &GamePlan, missing: &[Block]) -> String {
    let all = plan.schedule.blocks().count();
    let name = |block: &Block| {
        let (label, games) = (plan.label(block.entrant), plan.schedule.range(*block));
        format!("{label}, games {} to {}", games.start, games.end - 1)
    };
    let mut names: Vec<String> = missing.iter().take(NAMED).map(name).collect();
    if missing.len() > NAMED {
        names.push("...".into());
    }
    format!("{} of {all} blocks are missing ({})", missing.len(), names.join("; "))
}

fn what_to_do(plan: &GamePlan, missing: &[Block], count: Option<u64>) -> String {
    let Some(count) = count else { return "run the shards that have not finished".into() };
    let shards: BTreeSet<u64> = missing.iter().map(|block| plan.schedule.number(*block) % count).collect();
    let named: Vec<String> = shards.iter().map(|index| format!("{index}/{count}")).collect();
    let array: Vec<String> = shards.iter().map(u64::to_string).collect();
    format!("run again: --shard {} (in a job array: --array={})", named.join(", "), array.join(","))
}

/// The number of shards of the experiment, from the newest segment that has it.
fn shard_count(stretches: &[SegmentSummary]) -> Option<u64> {
    let shards = stretches.iter().rev().filter_map(|stretch| stretch.header.shard.as_ref());
    shards.flat_map(|shard| shard.parse::<Shard>()).next().map(Shard::count)
}

/// A warning about times that were measured on different processors.
pub(super) fn processors_note(store: &GameStore) -> Option<String> {
    let processors = store.processors();
    let names: Vec<&str> = processors.iter().map(String::as_str).collect();
    let note = || {
        format!(
            "Times were measured on different processors, so they compare agents only roughly: {}.",
            names.join("; ")
        )
    };
    (names.len() > 1).then(note)
}
