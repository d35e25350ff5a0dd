//! Tests of the program as users run it. They are one crate, so that it is linked once.

mod cluster;
mod compare;
mod documents;
mod engine;
mod evaluate;
mod integrity;
mod learn;
mod processors;
mod program;
mod signatures;
mod slurm;
mod tune;
mod tutor;
mod web;
mod workers;
