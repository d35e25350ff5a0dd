//! Functions that run the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A command that runs the program with these arguments in this folder.
pub fn lab(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab2048"));
    command.current_dir(folder).args(arguments);
    command
}

/// Runs the program and checks its exit code. Returns everything that it printed.
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

/// Runs the program, which must succeed, and returns its standard output.
pub fn stdout(arguments: &[&str]) -> String {
    stdout_in(Path::new("."), arguments)
}

/// As [`stdout`], in this folder.
pub fn stdout_in(folder: &Path, arguments: &[&str]) -> String {
    let output = lab(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}\n{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// As [`stdout`], parsed as JSON.
pub fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// Checks that a run ends with this exit code and that its output has all these parts.
pub fn assert_fails(arguments: &[&str], code: i32, parts: &[&str]) {
    let said = run(Path::new("."), arguments, code);
    for part in parts {
        assert!(said.contains(part), "{arguments:?} does not say `{part}`\n{said}");
    }
    assert!(!said.contains("panicked"), "{arguments:?}\n{said}");
}

/// All files of a folder and of the folders in it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
