//! The user's input, parsed once into checked values.

mod compare;
mod figures;
mod game;
pub mod learn;
mod shard;
pub mod table_reader;
pub mod tune;

pub use compare::{Comparison, Contrast, Criterion, Entrant, MOST_GAMES, Overrides, Questions, StopRule};
pub use figures::figure_requests;
pub use game::{GAMES, GameSpec, GameTask};

pub use learn::Learning;
pub use shard::Shard;
pub use tune::Tuning;

use crate::params::InputError;

/// Checks that a text can safely be the name of a file or folder on any system. Errors call the text `key`.
pub fn file_name(key: &str, text: &str) -> Result<String, InputError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if text.is_empty() || text.len() > 100 || text.starts_with('.') || !text.chars().all(plain) {
        let why = format!("`{key}` is {text:?}, but must consist of letters, digits, `-`, `_` and `.`");
        return Err(InputError::at(key, why));
    }
    Ok(text.to_string())
}
