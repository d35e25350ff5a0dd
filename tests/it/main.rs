//! The program as users meet it, in one test crate so that it links once.

mod compare;
mod documents;
mod engine;
mod evaluate;
mod integrity;
mod learn;
mod program;
mod signatures;
mod tune;
mod tutor;
mod web;
