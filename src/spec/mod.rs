//! What users write, turned once into checked values.

mod game;

pub use game::{GAMES, GameSpec, GameTask};
