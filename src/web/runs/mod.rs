//! The runs in a results folder, read and never written.

use std::io;
use std::path::Path;

use crate::spec::file_name;

/// A results folder with more runs than this shows the first of them.
const MOST_RUNS: usize = 2000;

/// The names of the folders that hold a run, in order. Other names than those that experiments may have are left out.
pub fn names(results: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(results)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_run = entry.path().join(crate::report::manifest::FILE).is_file();
        if is_run && file_name("run", &name).is_ok() {
            names.push(name);
        }
    }
    names.sort();
    names.truncate(MOST_RUNS);
    Ok(names)
}
