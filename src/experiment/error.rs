//! The errors of experiments.

use std::io;
use std::path::Path;

use crate::cluster::PoolError;
use crate::optimize;
use crate::params::InputError;
use crate::store::{LockError, StoreError};

/// Why an experiment failed or was interrupted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request cannot be carried out as it stands.
    #[error("{0}")]
    Input(#[from] InputError),
    /// The system reported an error, or a file is not as it was written.
    #[error("{0}")]
    Failed(String),
    /// Another process uses the results folder.
    #[error("{0}")]
    Busy(LockError),
    /// The user stopped the run; finished games are kept.
    #[error("{done} of {games} games are done; run the same command again to continue")]
    Interrupted {
        /// Games that are finished.
        done: u64,
        /// About how many games there are in all.
        games: u64,
    },
}

impl From<optimize::Error> for Error {
    fn from(error: optimize::Error) -> Self {
        match error {
            optimize::Error::Input(problem) => Error::Input(problem),
            optimize::Error::Objective(inner) => {
                inner.downcast().unwrap_or_else(|other| Error::Failed(format!("{other:#}")))
            }
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Failed(error.to_string())
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Foreign(why) => Error::Input(InputError::new(why)),
            StoreError::Interrupted => Error::Interrupted { done: 0, games: 0 },
            other => Error::Failed(other.to_string()),
        }
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Refused(why) => Error::Input(InputError::new(why)),
            other => Error::Failed(other.to_string()),
        }
    }
}

impl From<LockError> for Error {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { .. } => Error::Busy(error),
            LockError::Io { .. } => Error::Failed(error.to_string()),
        }
    }
}

/// Adds the path of the file to an error of the system.
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.display().to_string();
    move |error| Error::Failed(format!("`{path}`: {error}"))
}
