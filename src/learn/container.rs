//! The file format that networks and checkpoints share: a header and large tables.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | kind of the file |
//! | 4 | version of the format |
//! | 4 | length of the header |
//! | | header: JSON, filled up with spaces so that the tables begin at a multiple of 64 bytes |
//! | | tables: 32-bit floating-point numbers |
//! | 4 | CRC-32 of everything before it |
//!
//! All numbers are little-endian.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::memory::Numbers;
use crate::params::InputError;
use crate::params::document::open_plain;

/// A kind of file: a network or a checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub magic: [u8; 8],
    /// Its name in error messages, such as `network`.
    pub name: &'static str,
    pub version: u32,
}

const PREFIX: usize = 16;
const ALIGNMENT: usize = 64;
const CHECKSUM: u64 = 4;
/// A file with a longer header was not written by this program.
const LONGEST_HEADER: u32 = 1 << 28;

/// Writes a file that [`open`] can read. The caller must make the write atomic, so that a killed program leaves no
/// incomplete file.
pub fn write(kind: Kind, file: &mut dyn Write, header: &str, tables: &[&Numbers]) -> io::Result<()> {
    let mut checksum = Hasher::new();
    let mut put = |bytes: &[u8]| {
        checksum.update(bytes);
        file.write_all(bytes)
    };
    let length = (PREFIX + header.len()).next_multiple_of(ALIGNMENT) - PREFIX;
    put(&kind.magic)?;
    put(&kind.version.to_le_bytes())?;
    put(&(length as u32).to_le_bytes())?;
    put(header.as_bytes())?;
    put(" ".repeat(length - header.len()).as_bytes())?;
    for table in tables {
        if cfg!(target_endian = "little") {
            put(table.as_bytes())?;
        } else {
            table.as_slice().iter().try_for_each(|number| put(&number.to_le_bytes()))?;
        }
    }
    file.write_all(&checksum.finalize().to_le_bytes())
}

/// Whether the first bytes of a file are those of this kind.
pub fn is(kind: Kind, path: &Path) -> bool {
    let mut magic = [0; 8];
    open_plain(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == kind.magic
}

/// A file whose header has been read.
pub struct Opened {
    kind: Kind,
    path: PathBuf,
    pub header: String,
    file: BufReader<File>,
    checksum: Hasher,
    /// The size of the tables in bytes, computed from the length of the file.
    tables: u64,
}

/// Reads the header of a file of this kind.
pub fn open(kind: Kind, path: &Path) -> Result<Opened, InputError> {
    let refuse = |why: String| InputError::new(format!("`{}` {why}", path.display()));
    let unread = |error: io::Error| refuse(format!("cannot be read: {error}"));
    let file = open_plain(path).map_err(unread)?;
    let length = file.metadata().map_err(unread)?.len();
    let (mut file, mut prefix) = (BufReader::with_capacity(1 << 20, file), [0; PREFIX]);
    let truncated = || refuse(format!("is no {}, or was cut short: it has only {length} bytes", kind.name));
    file.read_exact(&mut prefix).map_err(|_| truncated())?;
    let [_, _, version, header] =
        std::array::from_fn(|word| u32::from_le_bytes(std::array::from_fn(|byte| prefix[4 * word + byte])));
    if prefix[..8] != kind.magic {
        return Err(refuse(format!("is no {} of lab2048", kind.name)));
    }
    if version != kind.version {
        let (name, ours) = (kind.name, kind.version);
        return Err(refuse(format!("is a {name} of format {version}, but this program reads format {ours}")));
    }
    let before = PREFIX as u64 + u64::from(header) + CHECKSUM;
    if header > LONGEST_HEADER || length < before {
        return Err(truncated());
    }
    let mut bytes = vec![0; header as usize];
    file.read_exact(&mut bytes).map_err(unread)?;
    let mut checksum = Hasher::new();
    checksum.update(&prefix);
    checksum.update(&bytes);
    let header = String::from_utf8(bytes).map_err(|_| refuse("is damaged: its header is not text".into()))?;
    Ok(Opened { kind, path: path.to_path_buf(), header, file, checksum, tables: length - before })
}

impl Opened {
    /// An error about this file.
    pub fn refuse(&self, why: &str) -> InputError {
        InputError::new(format!("`{}` {why}", self.path.display()))
    }

    /// Fails if the size of the tables is not the one that the header implies. Call it before the tables are allocated.
    pub fn check_length(&self, numbers: usize) -> Result<(), InputError> {
        let expected = numbers as u64 * size_of::<f32>() as u64;
        if self.tables == expected {
            return Ok(());
        }
        let name = self.kind.name;
        Err(self.refuse(&format!(
            "was cut short or is damaged: the tables of this {name} have {expected} bytes, but the file has {} for them",
            self.tables
        )))
    }

    /// Compares the checksum without keeping the tables.
    pub fn check(mut self) -> Result<(), InputError> {
        let (mut buffer, mut left) = (vec![0; 1 << 16], self.tables);
        while left > 0 {
            let part = left.min(buffer.len() as u64) as usize;
            let read = self.file.read_exact(&mut buffer[..part]);
            read.map_err(|error| self.refuse(&format!("cannot be read: {error}")))?;
            self.checksum.update(&buffer[..part]);
            left -= part as u64;
        }
        self.compare_checksum()
    }

    /// Reads all tables and checks the checksum.
    pub fn read(mut self, tables: &mut [&mut Numbers]) -> Result<(), InputError> {
        for table in tables {
            let read = self.file.read_exact(table.as_mut_bytes());
            read.map_err(|error| self.refuse(&format!("cannot be read: {error}")))?;
            self.checksum.update(table.as_bytes());
            if cfg!(target_endian = "big") {
                let swap = |number: &mut f32| *number = f32::from_bits(number.to_bits().swap_bytes());
                table.as_mut_slice().iter_mut().for_each(swap);
            }
        }
        self.compare_checksum()
    }

    fn compare_checksum(&mut self) -> Result<(), InputError> {
        let mut stored = [0; CHECKSUM as usize];
        let read = self.file.read_exact(&mut stored);
        read.map_err(|error| self.refuse(&format!("cannot be read: {error}")))?;
        if self.checksum.clone().finalize() != u32::from_le_bytes(stored) {
            return Err(self.refuse("is damaged: its checksum does not agree with its content"));
        }
        Ok(())
    }
}
