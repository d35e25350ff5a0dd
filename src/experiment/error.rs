//! Why an experiment did not come to its end.

use std::io;
use std::path::Path;

use crate::optimize;
use crate::params::InputError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What was asked for cannot be done.
    #[error("{0}")]
    Input(#[from] InputError),
    /// The machine refused, or a file is not as we left it.
    #[error("{0}")]
    Failed(String),
    /// The user stopped it; nothing that was finished is lost.
    #[error("{done} of {games} games are done; run the same command again to continue")]
    Interrupted { done: u64, games: u64 },
}

impl From<optimize::Error> for Error {
    fn from(error: optimize::Error) -> Self {
        match error {
            optimize::Error::Input(problem) => Error::Input(problem),
            optimize::Error::Objective(inner) => {
                inner.downcast().unwrap_or_else(|other| Error::Failed(format!("{other:#}")))
            }
            other => Error::Failed(other.to_string()),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Failed(error.to_string())
    }
}

/// Names the file in an error of the system.
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.display().to_string();
    move |error| Error::Failed(format!("`{path}`: {error}"))
}
