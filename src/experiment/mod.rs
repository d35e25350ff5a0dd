//! Experiments: many games, cut into blocks that survive an interruption.

mod blocks;
pub mod compare;
mod error;
mod folder;
pub mod tune;

pub use error::Error;
