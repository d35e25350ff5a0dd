//! A folder of results: whose it is, and what in it is ours to delete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Error, at};
use crate::params::InputError;
use crate::report::manifest::{self, Manifest};

/// Blocks of games that are not in `games.csv` yet.
pub const BLOCKS: &str = "blocks";

/// Takes possession of `folder` for the run that `ours` describes, and says what an earlier run of the same experiment
/// has left there.
///
/// A folder is free if it is absent or empty, and ours if its manifest has our schema and configuration. Anything else is
/// refused. With `start_over` a folder of our schema is emptied of what we wrote, whatever experiment it holds.
pub fn claim(folder: &Path, ours: &Manifest, start_over: bool) -> Result<Option<Manifest>, Error> {
    let earlier = match fs::metadata(folder) {
        Ok(found) if found.is_dir() => earlier(folder, ours)?,
        Ok(_) => return Err(refused(folder, "is a file, not a folder")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(at(folder)(error)),
    };
    match earlier {
        Some(earlier) if start_over => empty(folder, &earlier).map(|()| None),
        Some(earlier) if earlier.configuration != ours.configuration => Err(refused(
            folder,
            &format!(
                "holds another experiment (`{}`, seed {}, or with other agents); choose another folder with --out, or \
                 throw its results away with --fresh",
                earlier.name, earlier.seed
            ),
        )),
        earlier => Ok(earlier),
    }
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::Input(InputError::new(format!("`{}` {why}", folder.display())))
}

/// The manifest of an earlier run, `None` in a folder with nothing in it.
fn earlier(folder: &Path, ours: &Manifest) -> Result<Option<Manifest>, Error> {
    match Manifest::read(folder) {
        Ok(Some(earlier)) if earlier.schema == ours.schema => Ok(Some(earlier)),
        Ok(Some(earlier)) => Err(refused(folder, &format!("holds results of another kind ({})", earlier.schema))),
        Ok(None) if is_empty(folder)? => Ok(None),
        Ok(None) => Err(refused(folder, "is not empty and has no manifest.json: it is not a folder of results")),
        Err(error) => Err(refused(folder, &format!("cannot be continued: {error}"))),
    }
}

fn is_empty(folder: &Path) -> Result<bool, Error> {
    Ok(files_in(folder)?.iter().all(|path| is_temporary(path)))
}

/// What a kill may leave of a write: [`crate::report::atomic`] names its temporary files so.
fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.starts_with('.') && name.ends_with(".tmp")
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(at(folder))?,
    };
    entries.map(|entry| Ok(entry.map_err(at(folder))?.path())).collect()
}

/// Removes what a run wrote: its outputs, its blocks, and last its manifest, so that a kill on the way leaves a folder
/// that is still recognised as ours.
fn empty(folder: &Path, earlier: &Manifest) -> Result<(), Error> {
    for output in earlier.outputs.keys().filter(|output| is_inside(output)) {
        remove(&folder.join(output))?;
    }
    for block in files_in(&folder.join(BLOCKS))? {
        remove(&block)?;
    }
    remove(&folder.join(manifest::FILE))
}

/// A manifest that somebody edited must not lead us out of its folder.
fn is_inside(output: &str) -> bool {
    Path::new(output).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// Removes what killed writes have left.
pub fn sweep(folder: &Path) -> Result<(), Error> {
    for place in [folder.to_path_buf(), folder.join(BLOCKS)] {
        for path in files_in(&place)?.iter().filter(|path| is_temporary(path)) {
            remove(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn manifest(configuration: &str) -> Manifest {
        Manifest {
            schema: "lab2048/test/1".into(),
            tool: manifest::tool(),
            commit: None,
            name: "x".into(),
            seed: 1,
            games: 10,
            configuration: configuration.into(),
            timed: Vec::new(),
            threads: 1,
            cpu: String::new(),
            started: String::new(),
            finished: None,
            outputs: BTreeMap::from([("games.csv".to_string(), String::new()), ("../keep".into(), String::new())]),
        }
    }

    #[test]
    fn only_free_and_own_folders_are_taken() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("run");
        let ours = manifest("a");
        assert_eq!(claim(&folder, &ours, false).unwrap(), None);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(".manifest.json.7.tmp"), "half").unwrap();
        assert_eq!(claim(&folder, &ours, false).unwrap(), None);
        sweep(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        ours.write(&folder).unwrap();
        assert_eq!(claim(&folder, &ours, false).unwrap(), Some(ours.clone()));
        assert!(claim(&folder, &manifest("b"), false).unwrap_err().to_string().contains("another experiment"));
        fs::write(folder.join("manifest.json"), "{").unwrap();
        assert!(claim(&folder, &ours, false).unwrap_err().to_string().contains("not a manifest"));
    }

    #[test]
    fn starting_over_removes_only_what_we_wrote() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("run");
        fs::create_dir_all(folder.join(BLOCKS)).unwrap();
        for path in ["games.csv", "notes.txt", "blocks/0-0.csv", "../keep"] {
            fs::write(folder.join(path), "x").unwrap();
        }
        assert!(claim(&folder, &manifest("a"), true).unwrap_err().to_string().contains("not empty"));
        manifest("a").write(&folder).unwrap();
        assert_eq!(claim(&folder, &manifest("b"), true).unwrap(), None);
        assert!(folder.join("notes.txt").exists() && root.path().join("keep").exists());
        assert!(!folder.join("games.csv").exists() && !folder.join("blocks/0-0.csv").exists());
    }
}
