//! Reads files of a results folder for a page. Links are not followed, because they may lead out of the folder, and no
//! file is read beyond a limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

/// The largest file that is read, in bytes. Files that a page shows are far smaller.
const LARGEST: u64 = 16 << 20;

/// Whether a file of a folder is a plain file, reached without any link.
pub fn is_plain(folder: &Path, name: &str) -> bool {
    let Some((parent, file)) = name.split_once('/') else {
        return fs::symlink_metadata(folder.join(name)).is_ok_and(|found| found.is_file());
    };
    fs::symlink_metadata(folder.join(parent)).is_ok_and(|found| found.is_dir()) && is_plain(&folder.join(parent), file)
}

/// The content of a file of a folder. The error names the file.
pub fn read(folder: &Path, name: &str) -> io::Result<Vec<u8>> {
    let path = folder.join(name);
    let named = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display()));
    if path.exists() && !is_plain(folder, name) {
        return Err(named(io::Error::other("it is not a plain file of this folder")));
    }
    let mut bytes = Vec::new();
    File::open(&path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(named)?;
    if bytes.len() as u64 > LARGEST {
        return Err(named(io::Error::other(format!("it has more than {LARGEST} bytes"))));
    }
    Ok(bytes)
}

/// The content of a JSON file; null where there is none.
pub fn read_json(folder: &Path, name: &str) -> Value {
    read(folder, name).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_not_followed_and_large_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("run");
        fs::create_dir_all(inner.join("figures")).unwrap();
        fs::write(folder.path().join("secret"), "SECRET").unwrap();
        fs::write(inner.join("figures/a.svg"), "<svg/>").unwrap();
        symlink(folder.path().join("secret"), inner.join("linked")).unwrap();
        symlink(folder.path(), inner.join("above")).unwrap();
        symlink("/dev/zero", inner.join("endless")).unwrap();
        assert_eq!(read(&inner, "figures/a.svg").unwrap(), b"<svg/>");
        for name in ["linked", "above/secret", "endless"] {
            let error = read(&inner, name).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("not a plain file"), "{error}");
        }
        fs::write(inner.join("large"), vec![b' '; LARGEST as usize + 1]).unwrap();
        assert!(read(&inner, "large").unwrap_err().to_string().contains("more than"));
        assert_eq!(read(&inner, "none").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
