//! Running the program.

use std::path::Path;
use std::process::{Command, Output};

/// The program with these arguments, to be run in this folder.
pub fn lab(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab2048"));
    command.current_dir(folder).args(arguments);
    command
}

/// Runs it, and checks its exit code. Returns what it printed.
pub fn run(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = lab(folder, arguments).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{said}");
    said
}

/// Everything on standard output, then everything on standard error.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Standard output of a run that succeeds, wherever it runs.
pub fn stdout(arguments: &[&str]) -> String {
    let output = lab(Path::new("."), arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}\n{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The same as JSON.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// Asserts that a run ends with this exit code and names all these parts.
pub fn assert_fails(arguments: &[&str], code: i32, parts: &[&str]) {
    let said = run(Path::new("."), arguments, code);
    for part in parts {
        assert!(said.contains(part), "{arguments:?} does not say `{part}`\n{said}");
    }
    assert!(!said.contains("panicked"), "{arguments:?}\n{said}");
}
