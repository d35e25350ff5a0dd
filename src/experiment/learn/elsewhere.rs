//! Validation and test games by workers on other machines. Training itself stays in this process.
//!
//! A network is too large for a pipe. So it is written into the results folder, which all workers must share, and is
//! removed when its games have been played.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::cluster::{Chunk, MOST_GAMES, NetworkText, PlayedChunk, PlayerText, Urgency, WorkerPool};
use crate::experiment::error::{Error, at};
use crate::experiment::progress::Progress;
use crate::learn::{Finished, Network, Provenance};
use crate::report::atomic;

/// How often the stop flag is looked at.
const TICK: Duration = Duration::from_millis(100);
/// A chunk should not be smaller: games are played side by side, so that one can go on while another waits for memory.
const LEAST_GAMES: usize = 6;
/// Chunks for each thread of the workers, so that all end at about the same time.
const CHUNKS_PER_THREAD: usize = 8;
/// The beginning of the names of networks that workers read.
const PREFIX: &str = "workers-";

/// Workers, and where they find networks.
pub(super) struct Elsewhere {
    pool: WorkerPool,
    /// Messages of the pool for the user.
    messages: Receiver<String>,
    folder: PathBuf,
}

impl Elsewhere {
    /// Starts a worker for each command, if there are any, and removes what a killed leader has left in the folder.
    pub fn start(commands: &[String], folder: &Path) -> Result<Option<Self>, Error> {
        remove_networks(folder)?;
        if commands.is_empty() {
            return Ok(None);
        }
        // Workers may have another current folder.
        let folder = fs::canonicalize(folder).map_err(at(folder))?;
        let (sender, messages) = channel();
        let pool = WorkerPool::start(commands, move |line| drop(sender.send(line.to_string())))?;
        Ok(Some(Elsewhere { pool, messages, folder }))
    }

    /// The threads of all workers.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The games of a network in the order of their seeds; fewer if `stop` was set.
    pub fn play(
        &self,
        network: &Network,
        trained: Provenance,
        seeds: &[u64],
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<Vec<Finished>, Error> {
        // Each network has its own file name, because a network file system may still show an older file of the same
        // name.
        let path = self.folder.join(format!("{PREFIX}{}.bin", trained.moves));
        atomic::stream(&path, |file| network.write(file, &trained)).map_err(at(&path))?;
        let player = PlayerText::Network(NetworkText { path: path.clone(), trained });
        let played = self.collect(player, seeds, stop, progress);
        fs::remove_file(&path).map_err(at(&path))?;
        played
    }

    fn collect(
        &self,
        player: PlayerText,
        seeds: &[u64],
        stop: &AtomicBool,
        progress: &dyn Progress,
    ) -> Result<Vec<Finished>, Error> {
        let size = (seeds.len() / (self.threads() * CHUNKS_PER_THREAD)).clamp(LEAST_GAMES, MOST_GAMES);
        let chunks: Vec<Chunk> = seeds.chunks(size).map(|seeds| Chunk { player: 0, seeds: seeds.to_vec() }).collect();
        let mut left = chunks.len();
        let call = self.pool.call(vec![player], chunks, Urgency::Now);
        let mut finished = Vec::with_capacity(seeds.len());
        while left > 0 && !stop.load(Ordering::Relaxed) {
            self.messages.try_iter().for_each(|line| progress.say(&line));
            match call.results.recv_timeout(TICK) {
                Ok(chunk) => finished.extend(games(chunk?, size)),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Failed("the workers are gone".into())),
            }
            left -= 1;
        }
        finished.sort_unstable_by_key(|game| game.number);
        Ok(finished)
    }
}

/// The games of a chunk. Every chunk but the last has `size` games.
fn games(chunk: PlayedChunk, size: usize) -> Vec<Finished> {
    let PlayedChunk { place, games, met_limit } = chunk;
    let finished = |(within, game): (usize, &crate::play::GameResult)| Finished {
        number: (place * size + within) as u64,
        seed: game.seed,
        // Scores of 2048 have at most seven digits.
        score: game.score as u32,
        moves: game.moves,
        max_rank: game.max_tile.trailing_zeros() as u8,
        met_limit: met_limit.contains(&within),
    };
    games.iter().enumerate().map(finished).collect()
}

fn remove_networks(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX)) {
            fs::remove_file(&path).map_err(at(&path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::GameResult;

    #[test]
    fn games_keep_their_numbers_and_everything_that_was_found() {
        let game = |number: u64| Finished {
            number,
            seed: 100 + number,
            score: 3_932_100,
            moves: 70_000,
            max_rank: 15,
            met_limit: number.is_multiple_of(2),
        };
        let all: Vec<Finished> = (12..18).map(game).collect();
        let met_limit = (0..6).filter(|place| all[*place].met_limit).collect();
        let chunk = PlayedChunk { place: 2, games: all.iter().map(GameResult::from).collect(), met_limit };
        assert_eq!(games(chunk, 6), all);
    }
}
