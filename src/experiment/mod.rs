//! Experiments: many games, cut into blocks that survive an interruption.

pub mod bench;
mod blocks;
pub mod compare;
mod error;
mod folder;
pub mod learn;
pub mod tune;

pub use error::Error;

use std::path::{Path, PathBuf};

use crate::report::manifest::Manifest;

/// Draws the figures of a results folder again, from its tables alone, and says which files these are.
pub fn plot(folder: &Path, print: &compare::FigureOptions) -> Result<Vec<PathBuf>, Error> {
    match Manifest::read(folder)? {
        Some(manifest) if tune::is_ours(&manifest) => tune::plot(folder, manifest, print),
        Some(manifest) if learn::is_ours(&manifest) => learn::plot(folder, manifest, print),
        _ => compare::plot(folder, print),
    }
}
