//! Games in fixed blocks: the unit of work, of storage, and of what a kill can cost.
//!
//! A block is a range of games of one agent. How games are cut depends on the experiment alone, never on threads, and a
//! block's file appears whole or not at all: a run is the set of its blocks, in whatever order they come about.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{Error, at};
use super::folder::BLOCKS;
use crate::report::atomic;

/// What is kept of one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    pub game: u64,
    pub seed: u64,
    pub score: i64,
    pub max_tile: u32,
    pub moves: u32,
    pub won: bool,
    pub nodes: u64,
    pub seconds: f64,
}

/// A block by the number of its agent and its place in that agent's games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block {
    pub entrant: usize,
    pub index: u64,
}

impl Block {
    /// The games of the block, in a run of `games` games cut into blocks of `size`.
    pub fn range(self, size: u64, games: u64) -> Range<u64> {
        self.index * size..((self.index + 1) * size).min(games)
    }
}

/// The block files of a results folder.
#[derive(Clone, Debug)]
pub struct Blocks {
    folder: PathBuf,
}

impl Blocks {
    pub fn open(results: &Path) -> Result<Self, Error> {
        let folder = results.join(BLOCKS);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Blocks { folder })
    }

    fn path(&self, block: Block) -> PathBuf {
        self.folder.join(format!("{}-{}.csv", block.entrant, block.index))
    }

    pub fn write(&self, block: Block, rows: &[GameResult]) -> Result<(), Error> {
        let path = self.path(block);
        let fill = |file: &mut dyn io::Write| {
            let mut writer = csv::Writer::from_writer(file);
            rows.iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()
        };
        atomic::stream(&path, fill).map_err(at(&path))
    }

    /// The rows of these games, or `None` if they have not all been played. A block may hold more games than asked for,
    /// of a run that was to be longer.
    pub fn read(&self, block: Block, games: Range<u64>) -> Result<Option<Vec<GameResult>>, Error> {
        let path = self.path(block);
        let mut reader = match fs::File::open(&path) {
            Ok(file) => csv::Reader::from_reader(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&path)(error)),
        };
        let wrong = |why: String| {
            Error::Failed(format!("`{}` is damaged ({why}); delete it to have its games played again", path.display()))
        };
        let rows: Result<Vec<GameResult>, csv::Error> = reader.deserialize().collect();
        let mut rows = rows.map_err(|error| wrong(error.to_string()))?;
        if rows.iter().zip(games.start..).any(|(row, game)| row.game != game) {
            return Err(wrong(format!("it should hold the games from {} on", games.start)));
        }
        let wanted = (games.end - games.start) as usize;
        rows.truncate(wanted);
        Ok(Some(rows).filter(|rows| rows.len() == wanted))
    }

    /// Removes a block whose games are safe elsewhere: all of them, or else it stays.
    pub fn remove(&self, block: Block, games: Range<u64>) -> Result<(), Error> {
        let beyond = games.start..games.end + 1;
        if self.read(block, beyond)?.is_some() {
            return Ok(());
        }
        let path = self.path(block);
        fs::remove_file(&path).map_err(at(&path))
    }

    /// Removes the folder if nothing is left in it.
    pub fn close(self) {
        // A folder that still holds blocks of a longer run refuses, and should.
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: u64) -> GameResult {
        GameResult { game, seed: u64::MAX - game, score: -1, max_tile: 8, moves: 3, won: true, nodes: 5, seconds: 0.1 }
    }

    #[test]
    fn blocks_read_back_and_lend_a_shorter_run_its_games() {
        let results = tempfile::tempdir().unwrap();
        let blocks = Blocks::open(results.path()).unwrap();
        let block = Block { entrant: 3, index: 2 };
        let games = block.range(10, 25);
        assert_eq!(games, 20..25);
        assert_eq!(blocks.read(block, games.clone()).unwrap(), None);
        let rows: Vec<GameResult> = games.clone().map(row).collect();
        blocks.write(block, &rows).unwrap();
        assert_eq!(blocks.read(block, games.clone()).unwrap().unwrap(), rows);
        assert_eq!(blocks.read(block, 20..23).unwrap().unwrap(), rows[..3]);
        assert_eq!(blocks.read(block, 20..26).unwrap(), None);
        blocks.remove(block, 20..23).unwrap();
        assert!(blocks.read(block, games.clone()).unwrap().is_some());
        blocks.remove(block, games.clone()).unwrap();
        assert_eq!(blocks.read(block, games).unwrap(), None);
        blocks.close();
        assert!(!results.path().join(BLOCKS).exists());
    }

    #[test]
    fn damage_is_an_error_that_says_what_to_do() {
        let results = tempfile::tempdir().unwrap();
        let blocks = Blocks::open(results.path()).unwrap();
        let block = Block { entrant: 0, index: 0 };
        blocks.write(block, &[row(0), row(1)]).unwrap();
        let path = blocks.path(block);
        let whole = fs::read_to_string(&path).unwrap();
        for damaged in [&whole[..whole.len() - 4], &whole.replace("\n1,", "\n7,"), "rubbish\n1\n"] {
            fs::write(&path, damaged).unwrap();
            let error = blocks.read(block, 0..2).unwrap_err().to_string();
            assert!(error.contains("0-0.csv") && error.contains("delete it"), "{error}");
        }
    }
}
