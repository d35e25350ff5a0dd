//! `live.json`: the progress of a run, for other processes such as the dashboard.
//!
//! The file is written about twice a second during a run and removed at its end. No result depends on it. A run that
//! was killed leaves it behind. Readers notice this by its age.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{atomic, manifest};
use crate::params::document::read_text;
use crate::stats::{Interval, Moments};

const FILE: &str = "live.json";
const WRITE_INTERVAL: Duration = Duration::from_millis(500);
/// A file that is older than this belongs to a run that has stopped.
const STALE_SECONDS: f64 = 15.0;
/// The most evaluations that the state keeps of a search, about as many as a chart can show. The oldest are dropped
/// first.
const MOST_EVALUATIONS: usize = 1500;
/// The largest file that is read, in bytes. Runs write far smaller ones.
const LARGEST: u64 = 16 << 20;

/// An estimate with the ends of its interval.
pub type Estimate = [f64; 3];

/// The three numbers of an interval.
pub fn estimate(interval: Interval) -> Estimate {
    [interval.estimate, interval.low, interval.high]
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveState {
    /// When the run began, in seconds since 1970.
    pub started: f64,
    /// When the state was written.
    pub updated: f64,
    /// Finished games, including those of earlier runs.
    pub done: u64,
    /// About how many games there will be.
    pub expected: u64,
    /// The finished games that were played by earlier runs.
    pub replayed: u64,
    /// The objective that the searches maximise.
    pub objective: String,
    /// The names of the parameters that are tuned.
    pub parameters: Vec<String>,
    /// The searches of a tuning run, in the order in which they started.
    pub searches: Vec<LiveSearch>,
    /// The agents of a comparison.
    pub agents: Vec<LiveAgent>,
}

/// A search of a tuning run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveSearch {
    /// Its name in messages and tables.
    pub name: String,
    /// For each validation, the number of training games before it and the objective on the validation games.
    pub validation: Vec<(u64, Estimate)>,
    /// For each candidate, the number of its first training game and its value.
    pub evaluations: Vec<(u64, f64)>,
    /// The point that the search would recommend now.
    pub point: Vec<f64>,
    /// The standard deviation of the latest candidates along each parameter.
    pub spread: Vec<f64>,
}

/// An agent of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveAgent {
    /// Its label.
    pub agent: String,
    /// Games played so far.
    pub games: u64,
    /// Games won so far.
    pub wins: u64,
    /// The moments of its scores.
    pub scores: Moments,
}

impl LiveAgent {
    /// Adds a finished game.
    pub fn add(&mut self, score: i64, won: bool) {
        self.games += 1;
        self.wins += u64::from(won);
        self.scores.push(score as f64);
    }
}

impl LiveState {
    /// Reads the state of a run. `None` if there is no file or if it cannot be parsed.
    pub fn read(folder: &Path) -> Option<LiveState> {
        serde_json::from_str(&read_text(&folder.join(FILE), LARGEST).ok()?).ok()
    }

    /// Whether the run still writes its state.
    pub fn is_fresh(&self) -> bool {
        seconds_now() - self.updated < STALE_SECONDS
    }

    /// The estimated seconds for the remaining games, at the speed of the games so far.
    pub fn seconds_left(&self) -> Option<f64> {
        let played = self.done.saturating_sub(self.replayed) as f64;
        let left = self.expected.saturating_sub(self.done) as f64;
        (played > 0.0).then(|| left * (self.updated - self.started) / played)
    }

    /// The search of this name, which is added if it is new.
    pub fn search(&mut self, name: &str) -> &mut LiveSearch {
        let place = self.searches.iter().position(|search| search.name == name).unwrap_or_else(|| {
            self.searches.push(LiveSearch { name: name.to_string(), ..LiveSearch::default() });
            self.searches.len() - 1
        });
        &mut self.searches[place]
    }
}

impl LiveSearch {
    /// Adds the value of a candidate.
    pub fn add_evaluation(&mut self, first_game: u64, value: f64) {
        if self.evaluations.len() >= MOST_EVALUATIONS {
            self.evaluations.remove(0);
        }
        self.evaluations.push((first_game, value));
    }
}

fn seconds_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// The file of a run in progress. The file is removed on drop.
pub struct LiveFile {
    state: Arc<Mutex<LiveState>>,
    path: PathBuf,
    /// The thread that writes the file, and the channel that stops it.
    writer: Mutex<Option<(Sender<()>, JoinHandle<bool>)>>,
}

impl LiveFile {
    /// Begins to write the state of a run, as soon as the run has made its folder.
    pub fn start(folder: &Path) -> LiveFile {
        let started = seconds_now();
        let state = Arc::new(Mutex::new(LiveState { started, updated: started, ..LiveState::default() }));
        let path = folder.join(FILE);
        let (stop, stopped) = channel();
        let (shared, target) = (state.clone(), path.clone());
        // Returns whether it has written the file. If this run was refused, the file belongs to another process.
        let write_until_stopped = move || {
            let mut has_written = false;
            while stopped.recv_timeout(WRITE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // A failed write is ignored, because only the dashboard reads this file.
                has_written |= write(&shared, &target).is_ok_and(|written| written);
            }
            has_written
        };
        let writer = thread::Builder::new().name("live".into()).spawn(write_until_stopped).ok();
        LiveFile { state, path, writer: Mutex::new(writer.map(|writer| (stop, writer))) }
    }

    /// Changes the state. The change is in the file about half a second later.
    pub fn update(&self, change: impl FnOnce(&mut LiveState)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Ends the writing and removes the file.
    pub fn close(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, writer)) = writer {
            drop(stop);
            if writer.join().unwrap_or(false) {
                let _ = fs::remove_file(&self.path);
            }
        }
    }
}

impl Drop for LiveFile {
    fn drop(&mut self) {
        self.close();
    }
}

/// Replaces the file in one step, if the run has made its folder. Returns whether it did.
fn write(state: &Mutex<LiveState>, path: &Path) -> io::Result<bool> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.join(manifest::FILE).is_file() {
        return Ok(false);
    }
    let text = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.updated = seconds_now();
        serde_json::to_vec(&*state)?
    };
    atomic::write(path, &text).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_can_be_read_while_the_run_goes_on_and_is_gone_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(manifest::FILE), "{}").unwrap();
        let file = LiveFile::start(folder.path());
        file.update(|state| {
            (state.done, state.expected) = (30, 100);
            state.search("a").validation.push((10, [1.0, 0.5, 1.5]));
        });
        let read = || LiveState::read(folder.path());
        let state = std::iter::repeat_with(|| {
            thread::sleep(WRITE_INTERVAL);
            read()
        });
        let state = state.take(100).flatten().next().unwrap();
        assert!(state.is_fresh() && state.done == 30 && state.searches[0].name == "a");
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn nothing_is_written_before_the_folder_belongs_to_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = LiveFile::start(folder.path());
        write(&file.state, &file.path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_time_left_does_not_count_what_an_earlier_run_has_done() {
        let state =
            LiveState { started: 0.0, updated: 10.0, done: 60, replayed: 40, expected: 100, ..Default::default() };
        assert_eq!(state.seconds_left(), Some(20.0));
    }

    #[test]
    fn a_truncated_file_is_no_state() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "{\"done\": 3").unwrap();
        assert_eq!(LiveState::read(folder.path()), None);
    }
}
