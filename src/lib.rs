//! A toolkit for 2048 agents: tune heuristics, compare Monte Carlo with tree search, draw figures for papers.
//!
//! Modules in reading order; each uses only those above it. The engine (`rng` to `optimize`) builds without the default
//! features on a few dozen crates. The feature `files` adds heuristic and experiment files, `figures` adds experiments,
//! results and charts, `tutor` adds the terminal interface, `web` the pages for a browser, and `cli` the program.

#![warn(missing_docs)]

pub mod rng;

pub mod stats;

pub mod params;

pub mod games;

pub mod learn;

pub mod heuristics;

pub mod agents;

pub mod play;

pub mod engine;

pub mod optimize;

#[cfg(feature = "files")]
pub mod explain;

#[cfg(feature = "files")]
pub mod record;

#[cfg(feature = "figures")]
pub mod store;

#[cfg(feature = "figures")]
pub mod report;

#[cfg(feature = "figures")]
pub mod spec;

#[cfg(feature = "figures")]
pub mod cluster;

#[cfg(feature = "figures")]
pub mod experiment;

#[cfg(feature = "tutor")]
pub mod tutor;

#[cfg(feature = "web")]
pub mod web;

#[cfg(feature = "cli")]
pub mod cli;
