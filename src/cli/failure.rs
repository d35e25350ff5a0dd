//! How a command fails, and with which exit code.

use std::io;

use super::output::printable;
use crate::params::InputError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments or a file are wrong: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Something went wrong during the work: exit code 1.
    #[error("{0:#}")]
    Failed(#[from] anyhow::Error),
    /// The user interrupted: exit code 130.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// The output has been closed by its reader, as in `lab2048 list | head`. This is not an error.
    #[error("output closed")]
    Closed,
}

impl Failure {
    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Failed(_) => 1,
            Failure::Interrupted(_) => 130,
            Failure::Closed => 0,
        }
    }

    /// Prints the message on standard error.
    pub fn report(&self) {
        if !matches!(self, Failure::Closed) {
            eprintln!("error: {}", printable(&self.to_string()));
        }
    }
}

impl From<InputError> for Failure {
    fn from(problem: InputError) -> Self {
        Failure::Usage(problem.message)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Failed(error.into()),
        }
    }
}
