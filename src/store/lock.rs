//! A lock on a results folder, so that only one process at a time reads, deletes or writes there.
//!
//! The lock is the file `.lock`, which says who holds it. If the file system supports `flock`, the system releases the
//! lock when its process ends. Otherwise the file itself is the lock: the process that creates it holds the folder. A
//! file left behind by a killed process is recognised by its host, boot and process, and is taken over.
//!
//! `LAB2048_LOCK=exclusive` chooses the second method, for file systems where `flock` only works within one machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::machine;

/// The name of the lock's file in its folder.
pub const FILE: &str = ".lock";
/// The environment variable that chooses the method.
const VARIABLE: &str = "LAB2048_LOCK";
/// How often to try again if another process changes the file during an attempt.
const TRIES: usize = 100;

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
    if !is_still_at(&file, path) {
        // The last holder removed the file after it was opened here and before it was locked.
        return Ok(Attempt::Again);
    }
    let left_behind = read_holder(&mut file);
    if let Some(other) = left_behind.as_ref().filter(|left| left.host != machine::host()) {
        // On some network file systems `flock` does not reach other hosts, so their lock counts as held.
        return Ok(Attempt::Held(format!("{other}; delete `{}` if that process has ended", path.display())));
    }
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(serde_json::to_string(&Holder::this_process())?.as_bytes())?;
    let taken_over = left_behind.map(|left| left.to_string());
    Ok(Attempt::Locked(FolderLock { path: path.to_path_buf(), _file: file, taken_over }))
}

fn by_creation(path: &Path) -> io::Result<Attempt> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            file.write_all(serde_json::to_string(&Holder::this_process())?.as_bytes())?;
            file.sync_all()?;
            Ok(Attempt::Locked(FolderLock { path: path.to_path_buf(), _file: file, taken_over: None }))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => take_over(path),
        Err(error) => Err(error),
    }
}

/// Takes the lock of a process that has ended.
fn take_over(path: &Path) -> io::Result<Attempt> {
    let Ok(mut file) = File::open(path) else { return Ok(Attempt::Again) };
    let Some(holder) = read_holder(&mut file) else {
        // A process was killed while it created the file, or is creating it now.
        let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age.as_secs() < 2 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            return Ok(Attempt::Again);
        }
        return replace(path, None);
    };
    if holder.is_gone() { replace(path, Some(holder)) } else { Ok(Attempt::Held(holder.to_string())) }
}

/// Moves a stale lock away and creates a new one. If several processes try this, one of them moves the file and the
/// others fail to find it.
fn replace(path: &Path, stale: Option<Holder>) -> io::Result<Attempt> {
    let aside = path.with_file_name(format!("{FILE}-{:016x}.tmp", machine::random()));
    if fs::rename(path, &aside).is_err() {
        return Ok(Attempt::Again);
    }
    let moved = File::open(&aside).ok().and_then(|mut file| read_holder(&mut file));
    if moved != stale {
        // Another process was faster, and the moved file is its valid lock. Move it back.
        fs::rename(&aside, path)?;
        return Ok(Attempt::Again);
    }
    fs::remove_file(&aside)?;
    let mut attempt = by_creation(path)?;
    if let Attempt::Locked(lock) = &mut attempt {
        lock.taken_over = stale.map(|stale| stale.to_string());
    }
    Ok(attempt)
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
mod tests {
    use super::*;

    const METHODS: [LockMethod; 2] = [LockMethod::Automatic, LockMethod::Exclusive];

    #[test]
    fn the_second_process_is_told_who_holds_the_folder() {
        for method in METHODS {
            let folder = tempfile::tempdir().unwrap();
            let lock = FolderLock::take(folder.path(), method).unwrap();
            let refusal = FolderLock::take(folder.path(), method).unwrap_err().to_string();
            assert!(refusal.contains(&format!("process {}", std::process::id())), "{refusal}");
            assert!(refusal.contains(&machine::host()), "{refusal}");
            drop(lock);
            assert!(!folder.path().join(FILE).exists());
            assert_eq!(FolderLock::take(folder.path(), method).unwrap().taken_over, None);
        }
    }

    fn left_behind(folder: &Path, change: impl FnOnce(&mut Holder)) {
        let mut holder = Holder::this_process();
        change(&mut holder);
        fs::write(folder.join(FILE), serde_json::to_string(&holder).unwrap()).unwrap();
    }

    #[test]
    fn the_lock_of_a_killed_process_is_taken_over() {
        for method in METHODS {
            for change in [
                |holder: &mut Holder| holder.process = u32::MAX - 1,
                |holder: &mut Holder| holder.began = Some(1),
                |holder: &mut Holder| holder.boot = "an earlier one".into(),
            ] {
                let folder = tempfile::tempdir().unwrap();
                left_behind(folder.path(), change);
                let lock = FolderLock::take(folder.path(), method).unwrap();
                assert!(lock.taken_over.as_deref().is_some_and(|who| who.contains("process")), "{lock:?}");
            }
        }
    }

    #[test]
    fn the_lock_of_another_host_is_respected() {
        for method in METHODS {
            let folder = tempfile::tempdir().unwrap();
            left_behind(folder.path(), |holder| holder.host = "elsewhere".into());
            let refusal = FolderLock::take(folder.path(), method).unwrap_err().to_string();
            assert!(refusal.contains("elsewhere"), "{refusal}");
        }
    }

    #[test]
    fn only_one_of_many_concurrent_processes_gets_the_lock() {
        for method in METHODS {
            let folder = tempfile::tempdir().unwrap();
            left_behind(folder.path(), |holder| holder.process = u32::MAX - 1);
            let holders = std::sync::atomic::AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        if let Ok(lock) = FolderLock::take(folder.path(), method) {
                            assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0, "{method:?}");
                            std::thread::sleep(std::time::Duration::from_millis(20));
                            holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                            drop(lock);
                        }
                    });
                }
            });
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_the_lock_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("target"), "mine").unwrap();
        std::os::unix::fs::symlink(folder.path().join("target"), folder.path().join(FILE)).unwrap();
        assert!(FolderLock::take(folder.path(), LockMethod::Automatic).is_err());
        assert_eq!(fs::read_to_string(folder.path().join("target")).unwrap(), "mine");
    }
}
