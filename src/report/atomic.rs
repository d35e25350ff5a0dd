//! Files that are either whole or absent: temporary, fsync, rename.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Replaces `path` by `bytes` in one step. A kill at any moment leaves the old file or the new one, never half of one.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    stream(path, |file| file.write_all(bytes))
}

/// As [`write()`], for what is too long to be held in memory.
pub fn stream(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let outcome = filled(&temporary, fill).and_then(|()| fs::rename(&temporary, path));
    if outcome.is_err() {
        // The first error is the one worth telling; a temporary that cannot be removed adds nothing to it.
        let _ = fs::remove_file(&temporary);
    }
    outcome.and_then(|()| sync_folder(path))
}

/// Beside the target, because a rename is atomic only within one file system.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a path without a name"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn filled(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    fill(&mut file)?;
    file.into_inner().map_err(|error| error.into_error())?.sync_all()
}

/// The new name itself lives in the folder, so that has to reach the disk too.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write(&path, b"first, and longer").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_not_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("absent/table.csv"), b"x").is_err());
        assert!(write(Path::new("/"), b"x").is_err());
    }
}
