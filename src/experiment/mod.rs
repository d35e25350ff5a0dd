//! Experiments: many games, cut into blocks that survive an interruption.

pub mod bench;
mod blocks;
pub mod compare;
mod error;
mod folder;
pub mod tune;

pub use error::Error;
