//! The store of finished games, and the lock of a results folder.
//!
//! A [`GameStore`] is a folder of segment files. Each process creates its own segment, appends one line for each
//! finished block of games, and never changes the segment of another process. So threads, shards on a cluster and the
//! games of a search share one format, a kill loses at most the line that was being written, and two processes cannot
//! damage each other's files.
//!
//! A [`FolderLock`] keeps two processes from writing results into the same folder.

pub mod checksum;
mod games;
mod lock;
pub mod machine;
mod origin;
mod segment;

pub use games::{GameStore, segment_damage};
pub use lock::{FolderLock, LockError, LockMethod};
pub use origin::Origin;
pub use segment::{Damage, Header, SegmentSummary};

use std::io;
use std::path::{Path, PathBuf};

/// Why games could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system reported an error.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The segment was written by another experiment, engine or kind of machine.
    #[error("{0}")]
    Foreign(String),
    /// Two copies of a block do not hold the same games.
    #[error("{0}")]
    Contradiction(String),
    /// The user stopped the run.
    #[error("interrupted while reading the games of earlier runs")]
    Interrupted,
}

/// Adds the file to an error of the system.
fn at(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |source| StoreError::Io { path, source }
}
