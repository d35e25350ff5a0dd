//! A file of entries that only ever grows: one JSON line each, forced to the disk before the writer goes on.
//!
//! The first line names what the entries belong to. A last line that a crash has cut short is dropped.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Error;
use crate::params::InputError;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    fingerprint: String,
}

/// The open file, locked against other processes.
#[derive(Debug)]
pub struct Log<T> {
    path: PathBuf,
    file: File,
    entries: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Log<T> {
    /// Opens or begins the log of what has this fingerprint, and returns the entries that it has.
    pub fn open(path: &Path, fingerprint: &str) -> Result<(Self, Vec<T>), Error> {
        let failed = |source| Error::Journal { path: path.to_path_buf(), source };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        lock(&file, path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let (entries, whole) = read(&text, fingerprint, path)?;
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut log = Log { path: path.to_path_buf(), file, entries: PhantomData };
        if whole == 0 {
            log.write(&[Header { fingerprint: fingerprint.to_string() }])?;
        }
        Ok((log, entries))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds entries; they are on the disk when it returns.
    pub fn append(&mut self, entries: &[T]) -> Result<(), Error> {
        self.write(entries)
    }

    fn write<L: Serialize>(&mut self, lines: &[L]) -> Result<(), Error> {
        let write = |file: &mut File| -> io::Result<()> {
            let mut text = Vec::new();
            for line in lines {
                serde_json::to_writer(&mut text, line)?;
                text.push(b'\n');
            }
            file.write_all(&text)?;
            file.sync_data()
        };
        write(&mut self.file).map_err(|source| Error::Journal { path: self.path.clone(), source })
    }
}

/// The entries of all whole lines, and how many bytes these have.
fn read<T: DeserializeOwned>(text: &[u8], fingerprint: &str, path: &Path) -> Result<(Vec<T>, usize), Error> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let wrong = |line: usize, why: String| InputError::new(format!("{}, line {line}: {why}", path.display()));
    let mut entries = Vec::new();
    for (line, content) in (1..).zip(text[..whole].split_inclusive(|byte| *byte == b'\n')) {
        if line == 1 {
            check_header(content, fingerprint).map_err(|why| wrong(line, why))?;
        } else {
            let damaged = |error| wrong(line, format!("not an entry of this journal ({error})"));
            entries.push(serde_json::from_slice(content).map_err(damaged)?);
        }
    }
    Ok((entries, whole))
}

/// Two processes that append to one file would spoil it for both.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(InputError::new(format!("{} is in use by another run of this experiment", path.display())).into())
        }
        Err(TryLockError::Error(source)) => Err(Error::Journal { path: path.to_path_buf(), source }),
    }
}

fn check_header(line: &[u8], fingerprint: &str) -> Result<(), String> {
    let header: Header = serde_json::from_slice(line).map_err(|error| format!("not a journal ({error})"))?;
    if header.fingerprint == fingerprint {
        return Ok(());
    }
    Err("this is the journal of another experiment; move it away or rename the experiment. Only the budget of an \
         experiment may change between runs"
        .into())
}
