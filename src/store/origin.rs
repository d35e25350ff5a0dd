//! The origin of games: the program and the machine that played them.

use serde::{Deserialize, Serialize};

use super::machine;
use crate::engine::{BUILD, ENGINE_REVISION, tool};

/// The program and the machine that played games. Segments and the log of a run both record it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The engine's revision.
    pub engine: u32,
    /// The program and its version.
    pub tool: String,
    /// The commit that the program was built from.
    pub commit: Option<String>,
    /// Whether the sources had been changed since that commit.
    pub dirty: bool,
    /// The number of threads.
    pub threads: usize,
    /// The processor's name.
    pub cpu: String,
    /// The machine's name.
    pub host: String,
}

impl Origin {
    /// This program on this machine.
    pub fn here(threads: usize) -> Self {
        Origin {
            engine: ENGINE_REVISION,
            tool: tool(),
            commit: BUILD.commit.map(str::to_string),
            dirty: BUILD.dirty,
            threads,
            cpu: machine::cpu(),
            host: machine::host(),
        }
    }
}
