//! Experiments: many games, cut into blocks that survive an interruption.

mod blocks;
pub mod compare;
mod error;
mod folder;

pub use error::Error;
