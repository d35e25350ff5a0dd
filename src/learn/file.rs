//! Network files: `network.bin`.
//!
//! The header has the patterns and how the network was trained. See `container` for the layout.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::container::{self, Kind};
use super::memory::Numbers;
use super::network::Network;
use super::patterns::Patterns;
use crate::params::InputError;

const KIND: Kind = Kind { magic: *b"lab2048n", name: "network", version: 1 };

/// How a network was trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The name of the experiment.
    pub name: String,
    /// The seed of the experiment.
    pub seed: u64,
    /// The program and its version.
    pub tool: String,
    /// The training's settings, as in the experiment file.
    pub settings: String,
    /// The number of training games.
    pub games: u64,
    /// The number of training moves.
    pub moves: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    patterns: String,
    trained: Provenance,
}

/// Whether a file is a network, by its first bytes.
pub fn is_network(path: &Path) -> bool {
    container::is(KIND, path)
}

impl Network {
    /// Writes the network to an open file.
    pub fn write(&self, file: &mut dyn Write, trained: &Provenance) -> io::Result<()> {
        let header = Header { patterns: self.patterns().to_string(), trained: trained.clone() };
        let tables: Vec<&Numbers> = self.tables().iter().collect();
        container::write(KIND, file, &serde_json::to_string(&header)?, &tables)
    }

    /// Reads a network and how it was trained.
    pub fn open(path: &Path) -> Result<(Self, Provenance), InputError> {
        let opened = container::open(KIND, path)?;
        let header: Result<Header, _> = serde_json::from_str(&opened.header);
        let header =
            header.map_err(|error| opened.refuse(&format!("is damaged: its header is unreadable: {error}")))?;
        let patterns = Patterns::parse(&header.patterns).map_err(|problem| opened.refuse(&problem.message))?;
        opened.check_length(patterns.weights())?;
        let mut network = Network::new(patterns)?;
        opened.read(&mut network.tables_mut().iter_mut().collect::<Vec<_>>())?;
        Ok((network, header.trained))
    }

    /// As [`Network::open`], but a network that is already in memory is not read again. So agents of different depths
    /// share one copy of the tables.
    pub fn shared(path: &Path) -> Result<Arc<Network>, InputError> {
        static OPEN: OnceLock<Mutex<HashMap<Identity, Weak<Network>>>> = OnceLock::new();
        let mut open = OPEN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, network| network.strong_count() > 0);
        let identity = Identity::of(path);
        if let Some(network) = identity.as_ref().and_then(|identity| open.get(identity)).and_then(Weak::upgrade) {
            return Ok(network);
        }
        let network = Arc::new(Network::open(path)?.0);
        if let Some(identity) = identity {
            open.insert(identity, Arc::downgrade(&network));
        }
        Ok(network)
    }
}

/// Identifies the current content of a file. A file that is written again gets another identity.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(Identity { path: fs::canonicalize(path).ok()?, length: found.len(), modified: found.modified().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::Board;

    fn saved(folder: &Path) -> (PathBuf, Vec<u8>, f64) {
        let path = folder.join("network.bin");
        let mut network = Network::new(Patterns::parse("012 45").unwrap()).unwrap();
        for table in network.tables_mut() {
            let weights = table.as_mut_slice().iter_mut().enumerate();
            weights.for_each(|(place, weight)| *weight = place as f32 / 7.0);
        }
        let trained = Provenance { name: "toy".into(), games: 3, ..Provenance::default() };
        let mut bytes = Vec::new();
        network.write(&mut bytes, &trained).unwrap();
        fs::write(&path, &bytes).unwrap();
        (path, bytes, network.value(Board(0x1234)))
    }

    fn problem(path: &Path, bytes: &[u8]) -> String {
        fs::write(path, bytes).unwrap();
        Network::open(path).map(|_| ()).unwrap_err().message
    }

    #[test]
    fn writing_and_reading_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _, value) = saved(folder.path());
        let (network, trained) = Network::open(&path).unwrap();
        assert_eq!((network.value(Board(0x1234)), trained.games), (value, 3));
        assert!(is_network(&path));
        let (one, two) = (Network::shared(&path).unwrap(), Network::shared(&path).unwrap());
        assert!(Arc::ptr_eq(&one, &two));
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes, _) = saved(folder.path());
        assert!(problem(&path, &bytes[..bytes.len() - 40]).contains("cut short"));
        assert!(problem(&path, &bytes[..10]).contains("only 10 bytes"));
        assert!(problem(&path, b"").contains("only 0 bytes"));
        assert!(problem(&path, "name = \"no network at all\"".as_bytes()).contains("is no network"));
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert!(problem(&path, &newer).contains("format 2, but this program reads format 1"));
        // A changed byte anywhere is an error. A byte of the header may also make the header unreadable.
        for place in (16..bytes.len()).step_by(97) {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1;
            problem(&path, &flipped);
        }
        let mut flipped = bytes.clone();
        let last = flipped.len() - 9;
        flipped[last] ^= 1;
        assert!(problem(&path, &flipped).contains("checksum"));
        assert!(
            Network::open(&folder.path().join("none.bin")).map(|_| ()).unwrap_err().message.contains("cannot be read")
        );
    }
}
