//! A lock on a results folder, so that only one process at a time replaces or deletes results there. Shards take no
//! lock, because they only add segments.
//!
//! The lock is the file `.lock`, which says who holds it. If the file system supports `flock`, the system releases the
//! lock when its process ends. Otherwise the file itself is the lock: the process that creates it holds the folder. A
//! file left behind by a killed process is recognised by its host, boot and process, and is taken over.
//!
//! `LAB2048_LOCK=exclusive` chooses the second method, for file systems where `flock` only works within one machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::machine;
use crate::params::document::open_plain;

/// The name of the lock's file in its folder.
pub const FILE: &str = ".lock";
/// The environment variable that chooses the method.
const VARIABLE: &str = "LAB2048_LOCK";
/// How often to try again if another process changes the file during an attempt.
const TRIES: usize = 100;
/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(50);
/// A process that creates the lock's file writes its name into it well within this time.
const NAMING_TIME: Duration = Duration::from_secs(2);
/// Only the process that creates this file may replace a stale lock. It has the name of a temporary file, so that a run
/// removes a file that was left behind.
const GUARD: &str = ".lock-guard.tmp";

/// Who holds a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    host: String,
    process: u32,
    /// The start of the process, in the kernel's clock ticks; `None` if the system does not say.
    began: Option<u64>,
    boot: String,
    since: String,
}

impl Holder {
    fn this_process() -> Self {
        let process = std::process::id();
        Holder {
            host: machine::host(),
            process,
            began: machine::process_start(process),
            boot: machine::boot(),
            since: machine::now(),
        }
    }

    /// Whether the process certainly runs on this host.
    fn is_running(&self) -> bool {
        self.host == machine::host() && machine::lists_processes() && !self.is_gone()
    }

    /// Whether the process has certainly ended. For a process on another host this is unknown, so the result is false.
    fn is_gone(&self) -> bool {
        let rebooted = !self.boot.is_empty() && self.boot != machine::boot();
        let ended = machine::lists_processes() && machine::process_start(self.process) != self.began;
        self.host == machine::host() && (rebooted || ended)
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "process {} on {} (since {})", self.process, self.host, self.since)
    }
}

/// How the lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMethod {
    /// By `flock`, or else by exclusive creation where the file system has no `flock`.
    Automatic,
    /// By exclusive creation.
    Exclusive,
}

impl LockMethod {
    /// The method that the environment variable chooses.
    pub fn from_environment() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Ok("exclusive") => LockMethod::Exclusive,
            _ => LockMethod::Automatic,
        }
    }
}

/// Why a folder could not be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds the folder.
    #[error("`{}` is in use by {holder}; wait for it, or choose another folder with --out", folder.display())]
    Held {
        /// The folder.
        folder: PathBuf,
        /// Who holds it.
        holder: String,
    },
    /// The system reported an error.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The lock's file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// The lock on a folder; dropping it releases it.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Keeps the `flock`.
    _file: File,
    /// The previous holder, if the lock of a killed process was taken over.
    pub taken_over: Option<String>,
}

enum Attempt {
    Locked(FolderLock),
    Held(String),
    /// Another process changed the file during the attempt.
    Again,
}

impl FolderLock {
    /// Locks a folder that exists.
    pub fn take(folder: &Path, method: LockMethod) -> Result<Self, LockError> {
        let path = folder.join(FILE);
        let failed = |source| LockError::Io { path: path.clone(), source };
        for _ in 0..TRIES {
            let attempt = match method {
                LockMethod::Exclusive => by_creation(&path),
                LockMethod::Automatic => match by_flock(&path) {
                    Err(error) if error.kind() == io::ErrorKind::Unsupported => by_creation(&path),
                    attempt => attempt,
                },
            };
            match attempt.map_err(failed)? {
                Attempt::Locked(lock) => return Ok(lock),
                Attempt::Held(holder) => return Err(LockError::Held { folder: folder.to_path_buf(), holder }),
                Attempt::Again => {}
            }
        }
        Err(LockError::Held { folder: folder.to_path_buf(), holder: "a process that is about to begin".into() })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The file is removed while the lock is still held, so no other process can have taken the lock. If the file
        // cannot be removed, the next process will find that its holder has ended.
        let _ = fs::remove_file(&self.path);
    }
}

fn by_flock(path: &Path) -> io::Result<Attempt> {
    let mut file = open_without_following(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Attempt::Held(holder_in(&mut file))),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let left_behind = read_holder(&mut file);
    if let Some(other) = left_behind.as_ref().filter(|left| left.host != machine::host()) {
        // On some network file systems `flock` does not reach other hosts, so their lock counts as held.
        return Ok(Attempt::Held(format!("{other}; delete `{}` if that process has ended", path.display())));
    }
    if let Some(other) = left_behind.as_ref().filter(|left| left.is_running()) {
        // It holds the folder by exclusive creation, without a `flock`.
        return Ok(Attempt::Held(other.to_string()));
    }
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(serde_json::to_string(&Holder::this_process())?.as_bytes())?;
    if !is_still_at(&file, path) {
        // The last holder removed the file, or another process replaced it, after it was opened here.
        return Ok(Attempt::Again);
    }
    let taken_over = left_behind.map(|left| left.to_string());
    Ok(Attempt::Locked(FolderLock { path: path.to_path_buf(), _file: file, taken_over }))
}

fn by_creation(path: &Path) -> io::Result<Attempt> {
    match create(path) {
        Ok(file) => Ok(Attempt::Locked(FolderLock { path: path.to_path_buf(), _file: file, taken_over: None })),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => take_over(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => again_if_folder_exists(path, error),
        Err(error) => Err(error),
    }
}

/// A run deletes temporary files. If it has deleted the one that was to become the lock, the caller tries again. If the
/// folder itself is missing, this is an error.
fn again_if_folder_exists(path: &Path, error: io::Error) -> io::Result<Attempt> {
    if path.parent().is_some_and(Path::is_dir) { Ok(again()) } else { Err(error) }
}

/// What a lock's file says about its holder.
enum Found {
    Running(Holder),
    /// The holder has ended; `None` if it was killed before it had written its name.
    Stale(Option<Holder>),
    /// The file is gone, or its holder is about to write its name.
    Changing,
}

fn look(path: &Path) -> io::Result<Found> {
    let mut file = match open_plain(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Changing),
        file => file?,
    };
    Ok(match read_holder(&mut file) {
        Some(holder) if holder.is_gone() => Found::Stale(Some(holder)),
        Some(holder) => Found::Running(holder),
        None if file.metadata()?.modified()?.elapsed().unwrap_or_default() < NAMING_TIME => Found::Changing,
        None => Found::Stale(None),
    })
}

/// Takes the lock of a process that has ended.
///
/// Several processes can find the same stale lock. Only the one that creates the guard's file may replace it, and it
/// reads the lock's file again before it does so. The lock's file exists all the time, so no other process can create
/// it meanwhile.
fn take_over(path: &Path) -> io::Result<Attempt> {
    match look(path)? {
        Found::Running(holder) => return Ok(Attempt::Held(holder.to_string())),
        Found::Changing => return Ok(again()),
        Found::Stale(_) => {}
    }
    let guard = path.with_file_name(GUARD);
    match create(&guard) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // A process that is killed while it has the guard leaves the guard's file behind.
            if let Found::Stale(_) = look(&guard)? {
                let _ = fs::remove_file(&guard);
            }
            return Ok(again());
        }
        Err(error) => return Err(error),
    }
    let attempt = replace(path);
    // The guard's file may be gone already: a run that has just taken the lock deletes temporary files.
    let _ = fs::remove_file(&guard);
    attempt
}

/// Replaces a stale lock by our own in one step. The caller has the guard.
///
/// A process that locks with `flock` does not look at the guard, so the stale file is locked in that way too.
fn replace(path: &Path) -> io::Result<Attempt> {
    let stale_file = match open_plain(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Attempt::Again),
        file => file?,
    };
    if matches!(stale_file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Ok(again());
    }
    let Found::Stale(stale) = look(path)? else { return Ok(Attempt::Again) };
    let (own, file) = create_temporary(path)?;
    match fs::rename(&own, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return again_if_folder_exists(path, error),
        renamed => renamed?,
    }
    let taken_over = stale.map(|stale| stale.to_string());
    Ok(Attempt::Locked(FolderLock { path: path.to_path_buf(), _file: file, taken_over }))
}

/// Creates a file that does not exist yet, with the name of this process in it.
///
/// The name is first written into a temporary file. Then a hard link to that file is created at `path`. So no other
/// process sees a file without a name, which would look like a lock that was left behind.
fn create(path: &Path) -> io::Result<File> {
    let (own, file) = create_temporary(path)?;
    let linked = fs::hard_link(&own, path);
    let _ = fs::remove_file(&own);
    match linked {
        Ok(()) => Ok(file),
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => Err(error),
        // The file system has no links.
        Err(_) => write_new(path),
    }
}

/// A new file beside the lock's file, with the name of this process in it.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let own = path.with_file_name(format!("{FILE}-{:016x}.tmp", machine::random()));
    let file = write_new(&own)?;
    Ok((own, file))
}

fn write_new(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(serde_json::to_string(&Holder::this_process())?.as_bytes())?;
    file.sync_all()?;
    Ok(file)
}

/// Waits a moment before the next attempt.
fn again() -> Attempt {
    std::thread::sleep(PAUSE);
    Attempt::Again
}

/// Opens or creates the lock's file. A symbolic link in its place is refused.
fn open_without_following(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a plain file"));
    }
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn read_holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(1 << 12).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn holder_in(file: &mut File) -> String {
    read_holder(file).map_or_else(|| "another process".into(), |holder| holder.to_string())
}

/// Whether the open file is still the file with this name.
#[cfg(unix)]
fn is_still_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |about: fs::Metadata| (about.dev(), about.ino());
    let (open, named) = (file.metadata().map(identity), fs::symlink_metadata(path).map(identity));
    matches!((open, named), (Ok(open), Ok(named)) if open == named)
}

#[cfg(not(unix))]
fn is_still_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests;
