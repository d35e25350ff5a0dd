//! A laboratory for 2048 agents. Modules in reading order; each uses only those above it.

pub mod rng;

pub mod stats;

pub mod params;

pub mod games;

pub mod learn;

pub mod heuristics;

pub mod agents;

pub mod explain;

pub mod play;

pub mod record;

pub mod optimize;

pub mod report;

pub mod spec;

pub mod experiment;

pub mod tutor;

pub mod cli;
