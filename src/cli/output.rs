//! Printing results.

use std::io::{Write, stdout};

use serde_json::{Value, json};

use super::Failure;
use crate::games::is_win;

/// Prints to standard output; a closed pipe ends the command quietly.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a value as indented JSON.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// A search value as JSON, which has no infinities: a win is the string `win`.
pub fn json_value(value: f64) -> Value {
    if is_win(value) {
        json!("win")
    } else if value.is_finite() {
        json!(value)
    } else {
        json!(value.to_string())
    }
}
