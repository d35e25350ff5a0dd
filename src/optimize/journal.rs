//! Every evaluation, written down as soon as it is known.
//!
//! A search is resumed by running its seeded solver again and serving the evaluations that the journal already has:
//! no solver state is ever stored, and a larger budget simply goes on where the journal ends. One JSON line per
//! evaluation, forced to the disk generation by generation; a last line that a crash has cut short is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Error;
use super::objective::{Candidate, Evaluation, RACE_FIRST_GAME};
use crate::params::Problem;
use crate::rng::{derive, scramble};

/// The first line. The fingerprint names the search; its budget is no part of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    fingerprint: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    first_game: u64,
    /// Of the candidate's coordinates and games, bit by bit.
    key: u64,
    mean: f64,
    standard_error: Option<f64>,
    games: u64,
}

/// The evaluations known so far and, unless in memory only, the file that keeps them.
#[derive(Debug, Default)]
pub struct Journal {
    known: BTreeMap<u64, Evaluation>,
    /// The first games of all evaluations of the search proper.
    searched: BTreeSet<u64>,
    file: Option<(PathBuf, File)>,
}

impl Journal {
    /// A journal that is forgotten with the process.
    pub fn in_memory() -> Self {
        Journal::default()
    }

    /// Opens or begins the journal of the search with this fingerprint.
    pub fn open(path: &Path, fingerprint: &str) -> Result<Self, Error> {
        let failed = |source| Error::Journal { path: path.to_path_buf(), source };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        lock(&file, path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let mut journal = Journal::default();
        let whole = journal.read(&text, fingerprint, path)?;
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        journal.file = Some((path.to_path_buf(), file));
        if whole == 0 {
            journal.write(&[Header { fingerprint: fingerprint.to_string() }])?;
        }
        Ok(journal)
    }

    /// Takes in all whole lines and returns how many bytes they have.
    fn read(&mut self, text: &[u8], fingerprint: &str, path: &Path) -> Result<usize, Error> {
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for (index, line) in text[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let taken = if index == 0 { check_header(line, fingerprint) } else { self.take(line) };
            taken.map_err(|why| Problem::new(format!("{}, line {}: {why}", path.display(), index + 1)))?;
        }
        Ok(whole)
    }

    fn take(&mut self, line: &[u8]) -> Result<(), String> {
        let record: Record = serde_json::from_slice(line).map_err(|error| format!("not an evaluation ({error})"))?;
        let Record { first_game, key, mean, standard_error, games } = record;
        self.insert(first_game, key, Evaluation { mean, standard_error, games });
        Ok(())
    }

    fn insert(&mut self, first_game: u64, key: u64, evaluation: Evaluation) {
        self.known.insert(key, evaluation);
        if first_game < RACE_FIRST_GAME {
            self.searched.insert(first_game);
        }
    }

    /// What is known about this candidate. A search goes through its games in order, so a journal that has later games
    /// of the search but not these was written on another trajectory. The games of a race may be played again: an
    /// extended search sends other finalists into it.
    pub fn recall(&self, candidate: &Candidate) -> Result<Option<Evaluation>, Error> {
        let found = self.known.get(&key(candidate)).copied();
        let game = candidate.first_game;
        if found.is_none() && game < RACE_FIRST_GAME && self.searched.range(game..).next().is_some() {
            let name = self.file.as_ref().map_or("the journal".into(), |(path, _)| path.display().to_string());
            let message = format!(
                "{name} follows another trajectory from training game {game} on; move it away or rename the experiment"
            );
            return Err(Problem::new(message).into());
        }
        Ok(found)
    }

    /// Keeps the evaluations of a batch, on the disk too before it returns.
    pub fn append(&mut self, batch: &[Candidate], evaluations: &[Evaluation]) -> Result<(), Error> {
        let mut records = Vec::with_capacity(batch.len());
        for (candidate, evaluation) in batch.iter().zip(evaluations) {
            let key = key(candidate);
            let Evaluation { mean, standard_error, games } = *evaluation;
            self.insert(candidate.first_game, key, *evaluation);
            records.push(Record { first_game: candidate.first_game, key, mean, standard_error, games });
        }
        self.write(&records)
    }

    fn write<T: Serialize>(&mut self, lines: &[T]) -> Result<(), Error> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let write = |file: &mut File| -> io::Result<()> {
            let mut text = Vec::new();
            for line in lines {
                serde_json::to_writer(&mut text, line)?;
                text.push(b'\n');
            }
            file.write_all(&text)?;
            file.sync_data()
        };
        write(file).map_err(|source| Error::Journal { path: path.clone(), source })
    }
}

/// Two processes that append to one journal would spoil it for both.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Problem::new(format!("{} is in use by another run of this experiment", path.display())).into())
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

fn key(candidate: &Candidate) -> u64 {
    let start = derive(scramble(candidate.first_game), candidate.games);
    candidate.point.iter().fold(start, |key, coordinate| derive(key, coordinate.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn candidate(first_game: u64, x: f64) -> Candidate {
        Candidate { point: vec![x, 1.0], first_game, games: 5 }
    }

    fn evaluation(mean: f64) -> Evaluation {
        Evaluation { mean, standard_error: Some(mean / 7.0), games: 5 }
    }

    fn sample(path: &Path) {
        let mut journal = Journal::open(path, "mine").unwrap();
        for game in 0..3 {
            let x = game as f64 / 3.0;
            journal.append(&[candidate(game * 5, x)], &[evaluation(x)]).unwrap();
        }
    }

    #[test]
    fn evaluations_come_back_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        sample(&path);
        let journal = Journal::open(&path, "mine").unwrap();
        for game in 0..3 {
            let x = game as f64 / 3.0;
            assert_eq!(journal.recall(&candidate(game * 5, x)).unwrap(), Some(evaluation(x)));
        }
        assert_eq!(journal.recall(&candidate(15, 0.5)).unwrap(), None);
    }

    #[test]
    fn a_torn_end_is_dropped_wherever_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        sample(&path);
        let text = fs::read(&path).unwrap();
        for cut in 0..text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let mut journal = Journal::open(&path, "mine").unwrap();
            let lines = text[..cut].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(journal.known.len(), lines.saturating_sub(1), "cut at {cut}");
            for game in journal.known.len() as u64..3 {
                let x = game as f64 / 3.0;
                journal.append(&[candidate(game * 5, x)], &[evaluation(x)]).unwrap();
            }
            assert_eq!(fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn foreign_and_damaged_journals_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        sample(&path);
        let text = fs::read(&path).unwrap();
        let refusal = |fingerprint: &str| Journal::open(&path, fingerprint).unwrap_err().to_string();
        assert!(refusal("yours").contains("another experiment"));
        assert_eq!(fs::read(&path).unwrap(), text);
        let damaged = String::from_utf8(text).unwrap().replacen("\"mean\"", "\"maen\"", 1);
        fs::write(&path, &damaged).unwrap();
        assert!(refusal("mine").contains("line 2: not an evaluation"));
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    }

    #[test]
    fn another_trajectory_is_noticed() {
        let mut journal = Journal::in_memory();
        let race = Candidate { first_game: RACE_FIRST_GAME, ..candidate(0, 0.5) };
        journal.append(&[candidate(5, 0.5), race.clone()], &[evaluation(1.0); 2]).unwrap();
        assert_eq!(journal.recall(&Candidate { point: vec![0.25, 1.0], ..race }).unwrap(), None);
        assert!(journal.recall(&candidate(4, 0.5)).unwrap_err().to_string().contains("another trajectory"));
        assert!(journal.recall(&candidate(5, 0.25)).unwrap_err().to_string().contains("another trajectory"));
        assert_eq!(journal.recall(&candidate(10, 0.25)).unwrap(), None);
    }

    #[test]
    fn a_journal_in_use_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let _mine = Journal::open(&path, "mine").unwrap();
        assert!(Journal::open(&path, "mine").unwrap_err().to_string().contains("in use"));
    }
}
