//! Decides which folder a run may use, and removes what killed runs have left in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::{files_below, names_in, real_folder, remove, remove_tree, roll_forward, stays_inside};
use super::{COMMIT, FRESH, LOCK, NO_MANIFEST, REPLACED, SEGMENTS, STAGING};
use crate::experiment::error::{Error, at};
use crate::params::InputError;
use crate::report::atomic;
use crate::report::manifest::{self, Checksummed, Manifest};
use crate::store::{FolderLock, LockMethod};

/// Opens a results folder to which many processes add games at once, without a lock, and returns its folder of games.
/// Both are created if needed, and nothing is deleted. A folder with other results is refused.
pub fn open_shared(folder: &Path, ours: &Manifest) -> Result<PathBuf, Error> {
    if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
        return Err(refused(folder, "is a file, not a folder"));
    }
    match Manifest::read(folder).map_err(|error| unreadable(folder, &error))? {
        Some(earlier) => drop(accepted(folder, earlier, ours, false)?),
        None if is_free(folder)? => {}
        None => return Err(refused(folder, NO_MANIFEST)),
    }
    let segments = folder.join(SEGMENTS);
    fs::create_dir_all(&segments).map_err(at(&segments))?;
    Ok(segments)
}

/// Whether a kill has interrupted the replacement of results. The next run completes it.
pub fn has_pending_commit(folder: &Path) -> bool {
    folder.join(COMMIT).exists()
}

/// Creates and locks a folder, completes an interrupted commit, and removes what killed runs left behind.
pub(super) fn open_locked(folder: &Path) -> Result<FolderLock, Error> {
    if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
        return Err(refused(folder, "is a file, not a folder"));
    }
    fs::create_dir_all(folder).map_err(at(folder))?;
    let lock = FolderLock::take(folder, LockMethod::from_environment())?;
    if folder.join(COMMIT).exists() {
        roll_forward(folder)?;
    }
    remove_tree(&folder.join(STAGING))?;
    remove_tree(&folder.join(REPLACED))?;
    remove_temporary_files(folder)?;
    Ok(lock)
}

/// An earlier run's manifest, if this run may use its folder.
pub(super) fn accepted(folder: &Path, earlier: Manifest, ours: &Manifest, fresh: bool) -> Result<Manifest, Error> {
    let kind = |schema: &str| schema.rsplit_once('/').map(|(kind, _)| kind.to_string());
    if kind(&earlier.schema) != kind(&ours.schema) {
        return Err(refused(folder, &format!("holds results of another kind ({})", earlier.schema)));
    }
    if fresh {
        return Ok(earlier);
    }
    let advice = "choose another folder with --out, or replace its results with --fresh";
    if earlier.schema != ours.schema {
        let layouts = format!("holds results in the layout {}, this program writes {}", earlier.schema, ours.schema);
        return Err(refused(folder, &format!("{layouts}; {advice}")));
    }
    check_intact(folder, &earlier)?;
    if earlier.engine != ours.engine {
        let revisions = format!("was made by engine revision {}, this program has {}", earlier.engine, ours.engine);
        return Err(refused(folder, &format!("{revisions}, whose games differ; {advice}")));
    }
    if earlier.fingerprint != ours.fingerprint {
        let other = format!("`{}`, seed {}, or with other agents", earlier.name, earlier.seed);
        return Err(refused(folder, &format!("holds another experiment ({other}); {advice}")));
    }
    Ok(earlier)
}

/// A folder whose manifest cannot be read may be somebody else's, so even `--fresh` does not replace it.
pub(super) fn unreadable(folder: &Path, error: &io::Error) -> Error {
    let advice = "restore this file, move the folder away, or choose another folder with --out";
    refused(folder, &format!("cannot be used: {error}; {advice}"))
}

/// An error if a manifest is not as it was written, or leads out of its folder.
pub(super) fn check_intact(folder: &Path, earlier: &Manifest) -> Result<(), Error> {
    let path = folder.join(manifest::FILE);
    if let Some(name) = earlier.files().find(|name| !stays_inside(name)) {
        return Err(Error::Failed(format!("`{}` lists `{name}`, which is not in its folder", path.display())));
    }
    if earlier.is_intact() {
        return Ok(());
    }
    let advice = "its checksum does not match; restore it, or start over with --fresh";
    Err(Error::Failed(format!("`{}` is damaged: {advice}", path.display())))
}

pub(super) fn refused(folder: &Path, why: &str) -> Error {
    Error::Input(InputError::new(format!("`{}` {why}", folder.display())))
}

/// Keeps the games of an interrupted `--fresh` run of the same experiment; starts with an empty folder otherwise.
pub(super) fn prepare_fresh(root: &Path, ours: &Manifest) -> Result<(), Error> {
    let begun = Manifest::read(root).ok().flatten();
    if begun.is_none_or(|begun| begun.fingerprint != ours.fingerprint) {
        remove_tree(root)?;
    }
    real_folder(root)?;
    for name in files_below(root)?.into_iter().filter(|name| !is_manifest_or_games(name)) {
        remove(&root.join(name))?;
    }
    ours.write(root).map_err(at(&root.join(manifest::FILE)))
}

/// Whether a file of a staging folder is a manifest or belongs to the games. All other files are outputs.
pub(super) fn is_manifest_or_games(name: &str) -> bool {
    name == manifest::FILE || name == manifest::RUN_FILE || name.starts_with(&format!("{SEGMENTS}/"))
}

/// Whether a folder without a manifest is empty, or has only files of a run that was killed before it wrote its
/// manifest.
pub(super) fn is_free(folder: &Path) -> Result<bool, Error> {
    let ours = [SEGMENTS, STAGING, FRESH, COMMIT, REPLACED, LOCK];
    let names = names_in(folder)?;
    Ok(names.iter().all(|name| ours.contains(&name.as_str()) || is_temporary(name)))
}

/// Whether this is the name of a temporary file of an atomic write or of the lock.
fn is_temporary(name: &str) -> bool {
    atomic::is_temporary(name) || (name.starts_with(LOCK) && name.ends_with(".tmp"))
}

/// Removes temporary files that killed writes have left.
fn remove_temporary_files(folder: &Path) -> Result<(), Error> {
    for inner in ["", "figures", "records"] {
        let inner = folder.join(inner);
        for name in names_in(&inner)?.iter().filter(|name| is_temporary(name)) {
            remove(&inner.join(name))?;
        }
    }
    Ok(())
}
