//! Atomic writes: a file is written under a temporary name, synced to the disk, and then renamed. So it is either
//! complete or absent.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// How the names of temporary files begin and end.
const PREFIX: &str = ".lab2048-";
const SUFFIX: &str = ".tmp";

/// Whether this is the name of a temporary file. A killed process can leave such a file behind; the next run removes
/// it.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Replaces `path` by `bytes` in one step. A kill at any moment leaves the old file or the new one, never half of one.
/// A symbolic link of that name is replaced, not followed.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    stream(path, |file| file.write_all(bytes))
}

/// As [`write()`], for content that is too long to be held in memory.
pub fn stream(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a path without a name"));
    }
    // A rename is atomic only within one file system, so the temporary file is in the folder of its target.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(PREFIX).suffix(SUFFIX);
    // Others may read results as far as the user's umask allows it. By default only the owner can read a temporary
    // file.
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = BufWriter::new(temporary.tempfile_in(folder)?);
    fill(&mut file)?;
    let file = file.into_inner().map_err(|error| error.into_error())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Syncs a folder to the disk. A rename changes the entries of the folder, and syncing the file does not write those.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn whole_files_are_replaced_and_nothing_is_left_behind() {
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

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_not_written_through() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "mine").unwrap();
        symlink(&target, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!((fs::read(&target).unwrap(), fs::read(&link).unwrap()), (b"mine".to_vec(), b"new".to_vec()));
        let mode = fs::metadata(&link).unwrap().permissions().mode();
        assert_ne!(mode & 0o077, 0, "others may read results as the mask allows: {mode:o}");
    }
}
