//! Reading and writing record files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::params::document::read_text;

/// Larger files are refused, so that a wrong file name cannot fill the memory. The longest games take a few megabytes.
const MAX_BYTES: u64 = 64 << 20;

/// Reads the text of a record. An error names the file.
pub fn load(path: &Path) -> io::Result<String> {
    read_text(path, MAX_BYTES).map_err(|error| with_path(path, error))
}

/// Writes a new file. It is an error if the file exists. An error names the file, and no partial file is left behind.
pub fn save_new(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| with_path(path, error))?;
    let written = file.write_all(content.as_ref()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // If removing fails too, the first error is still the one to report.
        let _ = fs::remove_file(path);
        with_path(path, error)
    })
}

fn with_path(path: &Path, error: io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => "the file exists already, and nothing is overwritten".to_string(),
        io::ErrorKind::InvalidData => "the file is not text, so it is not a record of a game".to_string(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {why}", path.display()))
}
