//! The files in which a session saves its games. Files from before the session are never overwritten.

use std::io;
use std::path::{Path, PathBuf};

use crate::record::save_new;
use crate::report::atomic;

/// The file names for the games of one session.
#[derive(Clone, Debug)]
pub struct RecordPath {
    /// The name of the first game; the next ones get `-2`, `-3` and so on.
    path: PathBuf,
    /// The file of the current game, once it has been saved.
    current: Option<PathBuf>,
}

/// How many names are tried.
const MOST_NAMES: u32 = 10_000;

impl RecordPath {
    /// Saves the first game under this name, if it is free.
    pub fn new(path: PathBuf) -> Self {
        RecordPath { path, current: None }
    }

    /// Saves the current game. If it has been saved before, it replaces its own file.
    pub fn save(&mut self, text: &str) -> io::Result<&Path> {
        match &self.current {
            Some(path) => atomic::write(path, text.as_bytes())?,
            None => {
                let path = self.free()?;
                save_new(&path, text)?;
                self.current = Some(path);
            }
        }
        Ok(self.current.as_deref().unwrap_or(&self.path))
    }

    /// Starts another game, which gets its own file.
    pub fn next_game(&mut self) {
        self.current = None;
    }

    fn free(&self) -> io::Result<PathBuf> {
        let names = (1..MOST_NAMES).map(|number| self.name(number));
        names
            .into_iter()
            .find(|path| !path.exists())
            .ok_or_else(|| io::Error::other("there are too many records with this name"))
    }

    fn name(&self, number: u32) -> PathBuf {
        if number == 1 {
            return self.path.clone();
        }
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let extension = self.path.extension().map(|part| format!(".{}", part.to_string_lossy())).unwrap_or_default();
        self.path.with_file_name(format!("{stem}-{number}{extension}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_replaces_only_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my.game");
        std::fs::write(&path, "theirs").unwrap();
        let mut record_path = RecordPath::new(path.clone());
        let second = record_path.save("first").unwrap().to_path_buf();
        assert_eq!(second, folder.path().join("my-2.game"));
        assert_eq!(record_path.save("first, later").unwrap(), second);
        record_path.next_game();
        assert_eq!(record_path.save("second").unwrap(), folder.path().join("my-3.game"));
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!([read("my.game"), read("my-2.game"), read("my-3.game")], ["theirs", "first, later", "second"]);
    }

    #[test]
    fn a_folder_that_does_not_exist_is_an_error() {
        assert!(RecordPath::new("/no/such/folder/x.game".into()).save("text").is_err());
    }
}
