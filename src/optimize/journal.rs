//! Every evaluation, written down as soon as it is known.
//!
//! A search is resumed by running its seeded solver again and serving the evaluations that the journal already has:
//! no solver state is ever stored, and a larger budget simply goes on where the journal ends. The fingerprint names the
//! search; its budget is no part of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Error;
use super::log::Log;
use super::objective::{Candidate, Evaluation, RACE_FIRST_GAME};
use crate::params::InputError;
use crate::rng::{derive, scramble};

#[derive(Clone, Debug, Serialize, Deserialize)]
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
    log: Option<Log<Record>>,
}

impl Journal {
    /// A journal that is forgotten with the process.
    pub fn in_memory() -> Self {
        Journal::default()
    }

    /// Opens or begins the journal of the search with this fingerprint.
    pub fn open(path: &Path, fingerprint: &str) -> Result<Self, Error> {
        let (log, records) = Log::open(path, fingerprint)?;
        let mut journal = Journal { log: Some(log), ..Journal::default() };
        for Record { first_game, key, mean, standard_error, games } in records {
            journal.insert(first_game, key, Evaluation { mean, standard_error, games });
        }
        Ok(journal)
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
            let name = self.log.as_ref().map_or("the journal".into(), |log| log.path().display().to_string());
            let message = format!(
                "{name} follows another trajectory from training game {game} on; move it away or rename the experiment"
            );
            return Err(InputError::new(message).into());
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
        self.log.as_mut().map_or(Ok(()), |log| log.append(&records))
    }
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
        assert!(refusal("mine").contains("line 2: not an entry"));
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
