//! `manifest.json`: what a results folder holds, and what is needed to get the same again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub const FILE: &str = "manifest.json";

/// The provenance of a folder of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What kind of folder this is, with the version of its layout.
    pub schema: String,
    pub tool: String,
    /// Of the source tree that the program was built in, where that is still there to be asked.
    pub commit: Option<String>,
    pub name: String,
    pub seed: u64,
    pub games: u64,
    /// SHA-256 of everything that decides what is played; the number of games is not part of it.
    pub configuration: String,
    /// Agents whose play depends on the clock: their games cannot be reproduced.
    pub timed: Vec<String>,
    pub threads: usize,
    pub cpu: String,
    pub started: String,
    /// `None` while the run goes on.
    pub finished: Option<String>,
    /// SHA-256 of each file, by its path in the folder.
    pub outputs: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest of a folder; `None` if it has none.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(io::Error::new(error.kind(), format!("cannot read `{}`: {error}", path.display())));
            }
        };
        let wrong = |error| io::Error::other(format!("`{}` is not a manifest: {error}", path.display()));
        serde_json::from_slice(&text).map(Some).map_err(wrong)
    }

    /// Lists files of the folder among its outputs, with their hashes.
    pub fn list(&mut self, folder: &Path, files: &[PathBuf]) -> io::Result<()> {
        for path in files {
            let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
            self.outputs.insert(name, sha256_of(path)?);
        }
        Ok(())
    }

    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        super::atomic::write(&folder.join(FILE), text.as_bytes())
    }
}

/// Name and version of this program.
pub fn tool() -> String {
    format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The hash of a file of any size.
pub fn sha256_of(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Now, in UTC, as RFC 3339 writes it.
pub fn now() -> String {
    rfc3339(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

fn rfc3339(seconds: u64) -> String {
    let (days, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// The date this many days after 1970-01-01, by the algorithm of Hinnant, "chrono-compatible low-level date
/// algorithms": years start in March, so that the leap day comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// The processor's name, as far as the system tells.
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// The commit checked out where this program was built.
pub fn commit() -> Option<String> {
    commit_of(Path::new(env!("CARGO_MANIFEST_DIR")))
}

fn commit_of(tree: &Path) -> Option<String> {
    let folder = git_folder(tree)?;
    let head = fs::read_to_string(folder.join("HEAD")).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_string()) };
    // A linked working tree keeps its branches with the main one.
    let common =
        fs::read_to_string(folder.join("commondir")).map_or_else(|_| folder.clone(), |c| folder.join(c.trim()));
    let loose = fs::read_to_string(common.join(name)).ok().map(|hash| hash.trim().to_string());
    loose.or_else(|| {
        let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
        packed.lines().find_map(|line| line.strip_suffix(name)?.split_whitespace().next().map(str::to_string))
    })
}

fn git_folder(tree: &Path) -> Option<PathBuf> {
    let path = tree.join(".git");
    if path.is_dir() {
        return Some(path);
    }
    let link = fs::read_to_string(&path).ok()?;
    Some(tree.join(link.trim().strip_prefix("gitdir: ")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        // From `date -u -d @N`.
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn hashes_are_sha256() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "abc").unwrap();
        assert_eq!(sha256(b"abc"), abc);
        assert_eq!(sha256_of(file.path()).unwrap(), abc);
    }

    #[test]
    fn commits_are_read_without_git() {
        let tree = tempfile::tempdir().unwrap();
        assert_eq!(commit_of(tree.path()), None);
        let git = tree.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git.join("packed-refs"), "# pack-refs\nabc123 refs/heads/main\n").unwrap();
        assert_eq!(commit_of(tree.path()).as_deref(), Some("abc123"));
        fs::write(git.join("refs/heads/main"), "def456\n").unwrap();
        assert_eq!(commit_of(tree.path()).as_deref(), Some("def456"));
        fs::write(git.join("HEAD"), "987fed\n").unwrap();
        assert_eq!(commit_of(tree.path()).as_deref(), Some("987fed"));
    }
}
