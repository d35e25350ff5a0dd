//! Checkpoints: files from which a stopped training continues.
//!
//! A checkpoint holds the network, the state of the method for each weight, and the running games. So a continued
//! training ends with the same bytes as one that never stopped. See `container` for the layout.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::container::{self, Kind};
use super::learner::Learner;
use super::memory::Numbers;
use super::method::Memory;
use super::trainer::{Progress, Trainer};
use crate::params::InputError;

const KIND: Kind = Kind { magic: *b"lab2048c", name: "checkpoint", version: 1 };

#[derive(Serialize, Deserialize)]
struct Header<N> {
    /// Identifies the training that it belongs to.
    training: String,
    progress: Progress,
    learners: Vec<Learner>,
    /// Data of the caller, stored with the checkpoint.
    notes: N,
}

/// The part of a header that shows which of two checkpoints is newer.
#[derive(Deserialize)]
struct ProgressOnly {
    progress: Progress,
}

impl Trainer {
    /// Writes a checkpoint to an open file. `training` identifies the training and its settings.
    pub fn write_checkpoint(&self, file: &mut dyn Write, training: &str, notes: &impl Serialize) -> io::Result<()> {
        let (training, learners) = (training.to_string(), self.learners.clone());
        let header = serde_json::to_string(&Header { training, progress: self.progress, learners, notes })?;
        let memories = self.memories.iter().filter_map(Memory::numbers);
        let tables: Vec<&Numbers> = self.network.tables().iter().chain(memories).collect();
        container::write(KIND, file, &header, &tables)
    }

    /// Restores the state from a checkpoint of the same training, and returns the notes.
    pub fn read_checkpoint<N: for<'de> Deserialize<'de>>(
        &mut self,
        path: &Path,
        training: &str,
    ) -> Result<N, InputError> {
        let opened = container::open(KIND, path)?;
        let header: Result<Header<N>, _> = serde_json::from_str(&opened.header);
        let header =
            header.map_err(|error| opened.refuse(&format!("is damaged: its header is unreadable: {error}")))?;
        if header.training != training || !self.admits(&header.learners) {
            return Err(opened.refuse("belongs to another training"));
        }
        let memories = self.memories.iter_mut().filter_map(Memory::numbers_mut);
        let mut tables: Vec<&mut Numbers> = self.network.tables_mut().iter_mut().chain(memories).collect();
        opened.check_length(tables.iter().map(|table| table.as_slice().len()).sum())?;
        opened.read(&mut tables)?;
        (self.progress, self.learners) = (header.progress, header.learners);
        Ok(header.notes)
    }

    /// The number of games that had ended when a checkpoint was written. Only the header is read.
    pub fn checkpoint_games(path: &Path) -> Result<u64, InputError> {
        let opened = container::open(KIND, path)?;
        let header: Result<ProgressOnly, _> = serde_json::from_str(&opened.header);
        let unreadable = |error| opened.refuse(&format!("is damaged: its header is unreadable: {error}"));
        header.map(|header| header.progress.games).map_err(unreadable)
    }

    fn admits(&self, learners: &[Learner]) -> bool {
        let (expected, weights) = (self.empty_trace(), self.network.patterns().iter().map(|pattern| pattern.weights()));
        let weights: Vec<usize> = weights.collect();
        learners.len() == self.learners.len() && learners.iter().all(|learner| learner.trace.fits(&expected, &weights))
    }
}
