//! The program as users meet it, in one test crate so that it links once.

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
