//! Checks that a results folder is as its run wrote it, and plays some of its games again.

use std::fs;
use std::path::Path;

use rand::seq::index::sample;

use super::error::{Error, at};
use super::folder::{SEGMENTS, has_pending_commit, stays_inside};
use super::{GAMES, compare, learn, tune};
use crate::engine::ENGINE_REVISION;
use crate::params::InputError;
use crate::play::GameResult;
use crate::report::manifest::{Checksummed, Manifest, RunLog, sha256_of};
use crate::report::records::read_games;
use crate::rng::seeded;
use crate::store::segment_damage;

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// Files that are as they were written.
    pub intact: Vec<String>,
    /// Files that were not kept, because the same command makes them again.
    pub not_kept: Vec<String>,
    /// The problems; empty if the folder is as its run wrote it.
    pub problems: Vec<String>,
    /// Games that were played again with the same result.
    pub replayed: usize,
}

/// A row of `games.csv`.
#[derive(Clone, Debug)]
pub(super) struct ListedGame {
    pub agent: String,
    pub number: u64,
    pub result: GameResult,
}

/// Checks all hashes and checksums of a folder. Plays `replay` games again, chosen at random by `seed`.
pub fn verify(folder: &Path, replay: usize, seed: u64) -> Result<Verification, Error> {
    let Some(manifest) = Manifest::read(folder)? else {
        let why = format!("`{}` has no manifest.json: it is not a results folder", folder.display());
        return Err(InputError::new(why).into());
    };
    let mut found = Verification::default();
    if has_pending_commit(folder) {
        found.problems.push("new results are only partly in place; run the same command again".into());
    } else if !manifest.complete {
        found.problems.push("the run is not finished; run the same command again to continue it".into());
    }
    let run = RunLog::read(folder)?.unwrap_or_default();
    check_text(folder, &manifest, &mut found)?;
    check_text(folder, &run, &mut found)?;
    for (name, hash) in &manifest.outputs {
        check_file(folder, name, hash, manifest.raw.contains(name), &mut found)?;
    }
    for (name, hash) in &run.outputs {
        let is_raw = manifest.raw.contains(name) || name.starts_with(&format!("{SEGMENTS}/"));
        check_file(folder, name, hash, is_raw, &mut found)?;
    }
    for name in manifest.measured.iter().filter(|name| !run.outputs.contains_key(*name)) {
        found.problems.push(format!("{name}: run.json has no hash of it"));
    }
    found.problems.extend(segment_damage(&folder.join(SEGMENTS))?.iter().map(ToString::to_string));
    found.problems.extend(learn::damage(&folder.join(SEGMENTS)));
    if replay > 0 && found.problems.is_empty() {
        replay_games(folder, &manifest, replay, seed, &mut found)?;
    }
    Ok(found)
}

/// Files that a report reads and that are not as the run wrote them: manifest, experiment, tables and figures, without
/// the raw tables. What cannot be read counts as damaged.
pub fn damaged_sources(folder: &Path) -> Vec<String> {
    let manifest = match Manifest::read_intact(folder) {
        Ok(None) => return Vec::new(),
        manifest => manifest.ok().flatten(),
    };
    let run = RunLog::read_intact(folder);
    let unreadable = [(Manifest::FILE, manifest.is_none()), (RunLog::FILE, run.is_err())];
    let mut damaged: Vec<String> =
        unreadable.iter().filter(|(_, is_damaged)| *is_damaged).map(|(name, _)| name.to_string()).collect();
    let (manifest, run) = (manifest.unwrap_or_default(), run.ok().flatten().unwrap_or_default());
    let is_source = |name: &str| [".csv", ".toml", ".json", ".svg", ".png"].iter().any(|end| name.ends_with(end));
    let is_read = |name: &str| is_source(name) && !manifest.raw.contains(name);
    for name in manifest.files().filter(|name| is_read(name)) {
        let hash = manifest.outputs.get(name).or(run.outputs.get(name));
        let found = sha256_of(&folder.join(name)).ok();
        if !stays_inside(name) || found.is_none() || found.as_ref() != hash {
            damaged.push(name.to_string());
        }
    }
    damaged
}

/// Checks that a file with a checksum has exactly the text that was written.
fn check_text<T: Checksummed>(folder: &Path, content: &T, found: &mut Verification) -> Result<(), Error> {
    let path = folder.join(T::FILE);
    match fs::read(&path) {
        Ok(text) if text == content.to_text()?.as_bytes() => found.intact.push(T::FILE.into()),
        Ok(_) => found.problems.push(format!("{}: it has been changed", T::FILE)),
        Err(_) => found.problems.push(format!("{}: it is missing", T::FILE)),
    }
    Ok(())
}

fn check_file(folder: &Path, name: &str, hash: &str, is_raw: bool, found: &mut Verification) -> Result<(), Error> {
    let path = folder.join(name);
    if !stays_inside(name) {
        found.problems.push(format!("{name}: it is listed, but is not in the folder"));
    } else if path.exists() && !path.is_file() {
        found.problems.push(format!("{name}: it is not a plain file"));
    } else if !path.exists() {
        let missing = || format!("{name}: it is missing");
        if is_raw { found.not_kept.push(name.into()) } else { found.problems.push(missing()) }
    } else if sha256_of(&path).map_err(at(&path))? == hash {
        found.intact.push(name.into());
    } else {
        found.problems.push(format!("{name}: it has been changed"));
    }
    Ok(())
}

/// Plays some games again and compares them with their rows.
fn replay_games(
    folder: &Path,
    manifest: &Manifest,
    count: usize,
    seed: u64,
    found: &mut Verification,
) -> Result<(), Error> {
    if manifest.engine != ENGINE_REVISION {
        let revisions = format!("engine revision {}, this program has {ENGINE_REVISION}", manifest.engine);
        return Err(InputError::new(format!("the games were played by {revisions}: they cannot be repeated")).into());
    }
    let path = folder.join(GAMES);
    if !path.exists() {
        let why = format!("`{}` is not kept in this folder; run its experiment to play the games", path.display());
        return Err(InputError::new(why).into());
    }
    let rows = read_games(&path)?.count();
    let mut chosen = sample(&mut seeded(seed), rows, count.min(rows)).into_vec();
    chosen.sort_unstable();
    let mut games = Vec::with_capacity(chosen.len());
    let mut wanted = chosen.iter().peekable();
    for (place, row) in read_games(&path)?.enumerate() {
        if wanted.next_if(|next| **next == place).is_some() {
            let (agent, number, result) = row?;
            games.push(ListedGame { agent, number, result });
        }
    }
    let again = match manifest {
        manifest if tune::is_ours(manifest) => tune::replay(folder, manifest, &games)?,
        manifest if learn::is_ours(manifest) => learn::replay(folder, manifest, &games)?,
        manifest => compare::replay(folder, manifest, &games)?,
    };
    for (game, again) in games.iter().zip(again) {
        let ListedGame { agent, number, result } = game;
        match again.filter(|again| result.is_same_game(again)) {
            Some(_) => found.replayed += 1,
            None => {
                found.problems.push(format!("{GAMES}: game {number} of `{agent}` ends differently when played again"))
            }
        }
    }
    Ok(())
}

/// Fails if the experiment is not the one that the manifest describes, for example because a heuristic file has
/// changed.
pub(super) fn check_fingerprint(manifest: &Manifest, fingerprint: &str) -> Result<(), Error> {
    if manifest.fingerprint == fingerprint {
        return Ok(());
    }
    let why = "experiment.toml does not describe these games any more: a file that it names has changed";
    Err(InputError::new(why).into())
}
