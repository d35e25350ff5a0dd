//! The program as users meet it, in one test crate so that it links once.

mod cluster;
mod compare;
mod documents;
mod engine;
mod integrity;
mod learn;
mod processors;
mod program;
mod signatures;
mod tune;
mod tutor;
mod web;
mod workers;
