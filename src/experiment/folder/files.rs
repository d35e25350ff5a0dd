//! Files of a results folder: listing, removing, and moving a finished staging folder into place.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{COMMIT, REPLACED, SEGMENTS};
use crate::experiment::EXPERIMENT;
use crate::experiment::error::{Error, at};
use crate::params::document::check_plain;
use crate::report::atomic;
use crate::report::manifest::{self, Checksummed, Manifest};

pub fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(at(folder))?,
    };
    entries.map(|entry| Ok(entry.map_err(at(folder))?.file_name().to_string_lossy().into_owned())).collect()
}

/// The plain files in a folder and its folders, by their paths with `/`. Links are not followed.
pub fn files_below(folder: &Path) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    for name in names_in(folder)? {
        let about = fs::symlink_metadata(folder.join(&name)).map_err(at(&folder.join(&name)))?;
        if about.is_dir() {
            files.extend(files_below(&folder.join(&name))?.into_iter().map(|inner| format!("{name}/{inner}")));
        } else if about.is_file() {
            files.push(name);
        }
    }
    files.sort();
    Ok(files)
}

/// The experiment file in a results folder. It must be a plain file, because opening a pipe can wait forever.
pub fn kept_experiment(folder: &Path) -> Result<PathBuf, Error> {
    let path = folder.join(EXPERIMENT);
    check_plain(&path).map_err(at(&path))?;
    Ok(path)
}

/// Removes a file, if it exists.
pub fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// Removes a folder with everything in it. A link is removed, not followed.
pub fn remove_tree(path: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).map_err(at(path)),
        Ok(_) => remove(path),
        Err(_) => Ok(()),
    }
}

/// Makes sure that `path` is a folder and no link to one: nothing is written or deleted through a link.
pub fn real_folder(path: &Path) -> Result<(), Error> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            Err(Error::Failed(format!("`{}` is a link or a file where a folder is needed; remove it", path.display())))
        }
        Err(_) => fs::create_dir_all(path).map_err(at(path)),
    }
}

pub fn sync_all(folder: &Path) -> Result<(), Error> {
    for name in files_below(folder)? {
        let path = folder.join(name);
        fs::File::open(&path).and_then(|file| file.sync_all()).map_err(at(&path))?;
    }
    atomic::sync_folder(folder).map_err(at(folder))
}

/// Moves the files of `.commit` into place: the games first and the manifest last. If the process is killed, the next
/// one repeats it.
pub fn roll_forward(folder: &Path) -> Result<(), Error> {
    let commit = folder.join(COMMIT);
    if commit.join(SEGMENTS).is_dir() {
        replace_segments(folder, &commit)?;
    }
    remove_stale(folder, &commit)?;
    let mut names = files_below(&commit)?;
    names.sort_by_key(|name| name == manifest::FILE);
    for name in &names {
        let target = folder.join(name);
        if let Some(parent) = target.parent().filter(|parent| *parent != folder) {
            real_folder(parent)?;
        }
        fs::rename(commit.join(name), &target).map_err(at(&target))?;
    }
    atomic::sync_folder(folder).map_err(at(folder))?;
    remove_tree(&commit)
}

pub fn replace_segments(folder: &Path, commit: &Path) -> Result<(), Error> {
    let (old, new, aside) = (folder.join(SEGMENTS), commit.join(SEGMENTS), folder.join(REPLACED));
    remove_tree(&aside)?;
    if fs::symlink_metadata(&old).is_ok() {
        fs::rename(&old, &aside).map_err(at(&old))?;
    }
    fs::rename(&new, &old).map_err(at(&new))?;
    remove_tree(&aside)
}

/// Removes the files that the old manifest lists and the new one does not.
fn remove_stale(folder: &Path, commit: &Path) -> Result<(), Error> {
    let Some(new) = Manifest::read(commit)? else { return Ok(()) };
    let Some(old) = Manifest::read(folder)? else { return Ok(()) };
    let kept: BTreeSet<&str> = new.files().collect();
    // An older layout listed the journals of searches as outputs. They are removed here too.
    for name in old.files().filter(|name| !kept.contains(name) && is_inside(folder, name)) {
        remove(&folder.join(name))?;
    }
    Ok(())
}

/// Whether a listed path leads to a place in its folder, by its text alone.
pub fn stays_inside(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Refuses a folder that has a folder where a file is to go, before any file is moved.
pub fn check_targets(folder: &Path, stage: &Path) -> Result<(), Error> {
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let mut targets = files_below(stage)?.into_iter().map(|name| folder.join(name));
    match targets.find(|path| is_folder(path)) {
        Some(path) => Err(Error::Failed(format!("`{}` is a folder in the place of a file; remove it", path.display()))),
        None => Ok(()),
    }
}

/// Whether a listed path is inside its folder. Neither an edited manifest nor a link may make us delete a file
/// elsewhere.
fn is_inside(folder: &Path, name: &str) -> bool {
    let mut parents = Path::new(name).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    let has_link = |parent: &Path| fs::symlink_metadata(folder.join(parent)).is_ok_and(|found| !found.is_dir());
    stays_inside(name) && !name.starts_with(SEGMENTS) && !parents.any(has_link)
}
