//! Records on disk.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::params::document::read_text;

/// Far more than the longest game: a cap so that a wrong file name cannot fill the memory.
const LARGEST: u64 = 64 << 20;

/// The text of a record. The error names the file.
pub fn load(path: &Path) -> io::Result<String> {
    read_text(path, LARGEST).map_err(|error| naming(path, error))
}

/// Writes a file that must not exist yet. The error names the file; a file half written is removed.
pub fn save_new(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| naming(path, error))?;
    let written = file.write_all(content.as_ref()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        // The first error is the one worth telling.
        let _ = fs::remove_file(path);
        naming(path, error)
    })
}

fn naming(path: &Path, error: io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => "it exists already, and nothing is overwritten".to_string(),
        io::ErrorKind::InvalidData => "it is not text, so it is no record of a game".to_string(),
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{}: {why}", path.display()))
}
