//! Where the records of a session go: never onto a file that was there before.

use std::io;
use std::path::{Path, PathBuf};

use crate::record::save_new;
use crate::report::atomic;

/// A place for the games of one session.
#[derive(Clone, Debug)]
pub struct RecordPath {
    /// The wish; further games get `-2`, `-3` and so on.
    path: PathBuf,
    /// The file that holds the game under way.
    current: Option<PathBuf>,
}

/// So many names are tried before giving up.
const MOST_NAMES: u32 = 10_000;

impl RecordPath {
    pub fn new(path: PathBuf) -> Self {
        RecordPath { path, current: None }
    }

    /// Keeps the game as it stands; saved again, the same game replaces itself.
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

    /// Another game begins: it gets a file of its own.
    pub fn next_game(&mut self) {
        self.current = None;
    }

    fn free(&self) -> io::Result<PathBuf> {
        let names = (1..MOST_NAMES).map(|number| self.name(number));
        names.into_iter().find(|path| !path.exists()).ok_or_else(|| io::Error::other("too many records of this name"))
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
    fn a_game_replaces_itself_and_nothing_else() {
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
    fn an_unwritable_place_is_an_error() {
        assert!(RecordPath::new("/no/such/folder/x.game".into()).save("text").is_err());
    }
}
