//! Lists the processes that have trained, and how much. The list is kept beside the checkpoints, so that a killed
//! process is listed too.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::experiment::error::{Error, at};
use crate::params::document::open_plain;
use crate::report::atomic;
use crate::report::manifest::Stretch;
use crate::store::checksum::{seal, unseal};
use crate::store::machine::now;

const FILE: &str = "stretches.json";

/// The list in a file, which is one line with its checksum; `None` if the line is damaged.
fn read(path: &Path) -> io::Result<Option<Vec<Stretch>>> {
    let mut bytes = Vec::new();
    match open_plain(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(Vec::new())),
        read => read?,
    };
    let content = bytes.strip_suffix(b"\n").and_then(unseal);
    Ok(content.and_then(|content| serde_json::from_str(content).ok()))
}

/// What is wrong with the log in a folder.
pub(super) fn damage(folder: &Path) -> Option<String> {
    let path = folder.join(FILE);
    match read(&path) {
        Ok(Some(_)) => None,
        Ok(None) => Some(format!("`{}` is damaged: its checksum does not match", path.display())),
        Err(error) => Some(format!("`{}`: {error}", path.display())),
    }
}

/// The training of earlier processes and of this one.
pub(super) struct TrainingLog {
    path: PathBuf,
    earlier: Vec<Stretch>,
    own: Stretch,
    /// Training games when this process began.
    before: u64,
}

impl TrainingLog {
    /// Opens the log of a folder, which a new process continues. If the log is damaged, the list is lost, but no
    /// training.
    pub fn open(folder: &Path, threads: usize) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let earlier = read(&path).map_err(at(&path))?.unwrap_or_default();
        Ok(TrainingLog { path, earlier, own: Stretch::begin(threads), before: 0 })
    }

    /// Sets how many training games were done before this process. If there were none, the training starts over, so
    /// earlier entries are dropped.
    pub fn begin(&mut self, games: u64) {
        self.before = games;
        if games == 0 {
            self.earlier.clear();
        }
    }

    /// Notes that a checkpoint with this many training games has been saved.
    pub fn note(&mut self, games: u64) -> Result<(), Error> {
        self.own.games = games - self.before;
        let text = serde_json::to_string(&self.all()).map_err(io::Error::from).map_err(at(&self.path))?;
        atomic::write(&self.path, seal(&text).as_bytes()).map_err(at(&self.path))
    }

    /// Marks this process as finished, and returns the whole list.
    pub fn finish(&mut self) -> Result<Vec<Stretch>, Error> {
        self.own.finished = Some(now());
        self.note(self.before + self.own.games)?;
        Ok(self.all())
    }

    /// All entries. A process that has trained nothing is not listed.
    fn all(&self) -> Vec<Stretch> {
        let own = (self.own.games > 0).then(|| self.own.clone());
        self.earlier.iter().cloned().chain(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_process_that_trained_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let process = |from: u64, to: u64, is_killed: bool| {
            let mut log = TrainingLog::open(folder.path(), 2).unwrap();
            log.begin(from);
            log.note(to).unwrap();
            if is_killed { Vec::new() } else { log.finish().unwrap() }
        };
        process(0, 100, true);
        let listed = process(100, 250, false);
        assert_eq!(listed.iter().map(|stretch| stretch.games).collect::<Vec<_>>(), [100, 150]);
        assert!(listed[0].finished.is_none() && listed[1].finished.is_some() && listed[1].origin.threads == 2);
        assert_eq!(process(250, 250, false), listed);
        assert_eq!(process(0, 10, false).len(), 1);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = TrainingLog::open(folder.path(), 2).unwrap();
        assert_eq!(damage(folder.path()), None);
        log.note(100).unwrap();
        assert_eq!(damage(folder.path()), None);
        let path = folder.path().join(FILE);
        let bytes = fs::read(&path).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).unwrap();
            assert!(damage(folder.path()).is_some(), "bit {bit}");
        }
    }
}
