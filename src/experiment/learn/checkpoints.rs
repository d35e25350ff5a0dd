//! The two last checkpoints of a training. If a kill or a full disk damages one, the other can be used.

use std::fs;
use std::path::{Path, PathBuf};

use super::curve::Curve;
use crate::experiment::error::{Error, at};
use crate::experiment::folder::remove;
use crate::learn::Trainer;
use crate::params::InputError;
use crate::report::atomic;

/// The two files, which are written alternately.
pub(super) const FILES: [&str; 2] = ["checkpoint-1.bin", "checkpoint-2.bin"];

/// The checkpoint files of a training.
pub(super) struct Checkpoints {
    paths: [PathBuf; 2],
    /// The index of the file that is written next.
    next: usize,
    /// The fingerprint of the training that they belong to.
    training: String,
}

impl Checkpoints {
    /// Creates the folder for the checkpoints of a training, and removes temporary files of killed processes.
    pub fn open(folder: &Path, training: &str) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let path = entry.map_err(at(folder))?.path();
            if atomic::is_temporary(&path.file_name().unwrap_or_default().to_string_lossy()) {
                remove(&path)?;
            }
        }
        Ok(Checkpoints { paths: FILES.map(|file| folder.join(file)), next: 0, training: training.to_string() })
    }

    pub fn save(&mut self, trainer: &Trainer, curve: &Curve) -> Result<(), Error> {
        let path = &self.paths[self.next];
        atomic::stream(path, |file| trainer.write_checkpoint(file, &self.training, curve)).map_err(at(path))?;
        self.next = 1 - self.next;
        Ok(())
    }

    /// Reads the newest intact checkpoint into the trainer. Also returns what is wrong with damaged ones.
    pub fn restore(&mut self, trainer: &mut Trainer) -> (Option<Curve>, Vec<InputError>) {
        let mut refused = Vec::new();
        let mut numbers: Vec<(u64, usize)> = Vec::new();
        for (number, path) in self.paths.iter().enumerate().filter(|(_, path)| path.exists()) {
            match Trainer::checkpoint_games(path) {
                Ok(games) => numbers.push((games, number)),
                Err(problem) => refused.push(problem),
            }
        }
        numbers.sort_unstable();
        while let Some((_, number)) = numbers.pop() {
            match trainer.read_checkpoint(&self.paths[number], &self.training) {
                Ok(curve) => {
                    self.next = 1 - number;
                    return (Some(curve), refused);
                }
                Err(problem) => refused.push(problem),
            }
        }
        (None, refused)
    }

    /// Removes the older checkpoint, because a finished training needs only one.
    pub fn keep_one(&self) -> Result<(), Error> {
        remove(&self.paths[self.next])
    }
}
