//! Experiments: many games, cut into blocks that survive an interruption.

pub mod bench;
mod blocks;
pub mod compare;
mod error;
mod figures;
mod folder;
pub mod tune;

pub use error::Error;
pub use figures::{DrawnFigures, FigureOptions};

use std::path::Path;

use crate::report::manifest::Manifest;

/// Draws the figures of a results folder again, from its tables alone.
pub fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    match Manifest::read(folder)? {
        Some(manifest) if tune::is_ours(&manifest) => tune::plot(folder, manifest, options),
        _ => compare::plot(folder, options),
    }
}
