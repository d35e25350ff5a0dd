//! Printing results.

use std::io::{Write, stderr, stdout};
use std::time::Duration;

use serde_json::{Value, json};

use super::Failure;
use crate::games::is_win;

/// Prints to standard output, without control characters. A closed pipe ends the command quietly.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    out.write_all(printable(text).as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a line to standard error, without control characters. An error is ignored, because the command can continue
/// without the message.
pub fn say(line: &str) {
    let _ = writeln!(stderr().lock(), "{}", printable(line));
}

/// A text without control characters, which could change what a terminal shows. Line breaks and tabs stay.
pub fn printable(text: &str) -> String {
    let is_harmless = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars().map(|c| if is_harmless(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Prints a value as indented JSON.
pub fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// A time in words, to the second: `1h 20m 5s`.
pub fn duration(seconds: f64) -> String {
    humantime::format_duration(Duration::from_secs(seconds.clamp(1.0, 1e12) as u64)).to_string()
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
