//! The tutor: play, ask, watch and replay in the terminal.

pub mod grid;
pub mod timeline;
