//! Trains a network, validates it during the training, and tests it on games that are used for nothing else.
//!
//! Outputs: `network.bin`, `experiment.toml` (as given), `training.csv` (a row for every 1,000 training games),
//! `validation.csv` (the curve), `test.csv`, `games.csv` and `summary.csv` (the test games), `speed.csv` (measured
//! times), `columns.json` (what each column is), `manifest.json`, `run.json` and `figures/`.
//!
//! A checkpoint holds everything that the rest of the training depends on. So after a kill the same command ends with
//! the same bytes, and a larger budget continues a training that has ended.

mod checkpoints;
mod curve;
mod elsewhere;
mod figures;
mod log;
mod results;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::columns::{COLUMNS_FILE, describe_folder};
use super::error::Error;
use super::figures::redraw;
use super::folder::{OutputKinds, ResultsFolder, kept_experiment};
use super::progress::Progress;
use super::verify::{ListedGame, check_fingerprint};
use super::{DrawnFigures, EXPERIMENT, FigureOptions, GAMES, Options, SUMMARY, new_manifest};
use crate::learn::{self, Budget, Finished, Network, Play, Threads, Trainer, play, play_seeds};
use crate::play::GameResult;
use crate::report::manifest::Manifest;
use crate::rng::{Seeds, Stage, Test, Validation};
use crate::spec::Learning;
use checkpoints::Checkpoints;
use curve::Curve;
pub use curve::Point;
use elsewhere::Elsewhere;
use log::TrainingLog;
use results::{PLAYER, Players, provenance};

const SCHEMA: &str = "lab2048/learn/1";
const TRAINING: &str = "training.csv";
const VALIDATION: &str = "validation.csv";
const TEST: &str = "test.csv";
const TIMING: &str = "speed.csv";
const NETWORK: &str = "network.bin";

/// The result of a training.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The training games and moves.
    pub progress: learn::Progress,
    /// The validation curve, from the untrained network to the end.
    pub validation: Vec<Point>,
    /// The test games.
    pub test: Point,
}

/// The path of the network in a results folder.
pub fn network_file(folder: &Path) -> PathBuf {
    folder.join(NETWORK)
}

/// Trains to the end of the budget, or continues a training.
pub fn run(
    learning: &Learning,
    options: &Options,
    figure_options: &FigureOptions,
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<Learned, Error> {
    // Settings that cannot be carried out are refused before anything in the folder changes.
    let trainer = Trainer::new(learning.settings.clone())?;
    let mut folder = ResultsFolder::claim(&options.folder, manifest(learning), output_kinds(), options.fresh)?;
    folder.taken_over().iter().for_each(|message| progress.say(message));
    let checkpoints = Checkpoints::open(&folder.segments(), &folder.manifest().fingerprint)?;
    let threads = Threads::new(options.threads)?;
    let log = TrainingLog::open(&folder.segments(), threads.count())?;
    let elsewhere = Elsewhere::start(&options.workers, &folder.segments())?;
    let curve = Curve::default();
    let mut session = Session { learning, trainer, curve, checkpoints, log, threads, elsewhere, stop, progress };
    session.restore();
    let (begun, before) = (Instant::now(), session.trainer.progress());
    session.train()?;
    let trained = (session.trainer.progress().moves - before.moves, begun.elapsed().as_secs_f64());
    if folder.was_complete() && trained.0 == 0 {
        progress.say("nothing to train; `--fresh` trains again");
    }
    let learned = session.conclude(&folder, trained)?;
    folder.note_stretches(session.log.finish()?);
    folder.write(COLUMNS_FILE, &describe_folder(folder.stage())?)?;
    figures::plot(folder.stage(), figure_options)?;
    session.checkpoints.keep_one()?;
    folder.commit(None)?;
    Ok(learned)
}

fn manifest(learning: &Learning) -> Manifest {
    let games = match learning.settings.budget {
        Budget::Games(games) => games,
        Budget::Moves(_) => 0,
    };
    new_manifest(SCHEMA, &learning.name, learning.settings.seed, games, learning.configuration().into())
}

fn output_kinds() -> OutputKinds {
    OutputKinds { measured: vec![TIMING.to_string()], raw: &[NETWORK, GAMES] }
}

/// What is damaged among the checkpoints and the log of a training.
pub(super) fn damage(segments: &Path) -> Vec<String> {
    checkpoints::damage(segments).into_iter().chain(log::damage(segments)).collect()
}

/// Whether a folder's manifest says that it holds a training.
pub(super) fn is_ours(manifest: &Manifest) -> bool {
    manifest.schema == SCHEMA
}

/// Draws the figures of a results folder again, from its tables alone.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    let results = ResultsFolder::reopen(folder, |_| output_kinds())?;
    redraw(results, folder, "learn", |results| figures::plot(results.stage(), options))
}

/// Plays test games again that `games.csv` lists, with the network in the folder; `None` for a player that is not the
/// network.
pub(super) fn replay(folder: &Path, found: &Manifest, games: &[ListedGame]) -> Result<Vec<Option<GameResult>>, Error> {
    let learning = Learning::open(&kept_experiment(folder)?)?;
    check_fingerprint(found, &manifest(&learning).fingerprint)?;
    let (network, _) = Network::open(&network_file(folder))?;
    let seeds = Seeds::<Test>::new(learning.settings.seed);
    let values: Vec<u64> = games.iter().map(|game| seeds.game(game.number).value()).collect();
    let again = play_seeds(&network, &values);
    let result = |(listed, again): (&ListedGame, &Finished)| (listed.agent == PLAYER).then(|| GameResult::from(again));
    Ok(games.iter().zip(&again).map(result).collect())
}

/// A training in progress.
struct Session<'a> {
    learning: &'a Learning,
    trainer: Trainer,
    curve: Curve,
    checkpoints: Checkpoints,
    log: TrainingLog,
    threads: Threads,
    /// Who plays validation and test games; `None` for the threads of this process.
    elsewhere: Option<Elsewhere>,
    stop: &'a AtomicBool,
    progress: &'a dyn Progress,
}

impl Session<'_> {
    /// Continues from the newest intact checkpoint.
    fn restore(&mut self) {
        let (found, refused) = self.checkpoints.restore(&mut self.trainer);
        let used = if found.is_some() { "an older checkpoint is used" } else { "the training begins again" };
        for problem in refused {
            self.progress.say(&format!("warning: {}; {used}", problem.message));
        }
        if let Some(curve) = found {
            self.curve = curve;
            self.progress.say(&format!("continuing after {} training games", self.trainer.progress().games));
        }
        self.log.begin(self.trainer.progress().games);
    }

    /// Trains from one validation or checkpoint to the next.
    fn train(&mut self) -> Result<(), Error> {
        let every = self.learning.checkpoint;
        let mut saved = self.trainer.progress().games;
        loop {
            if let Err(interrupted) = self.validate_if_due() {
                self.save()?;
                return Err(interrupted);
            }
            if self.trainer.is_done() {
                return self.save();
            }
            let save_at = (saved / every + 1) * every;
            self.train_until(save_at.min(self.next_validation()));
            if self.stop.load(Ordering::Relaxed) {
                self.save()?;
                return Err(self.interrupted());
            }
            if self.trainer.progress().games >= save_at {
                self.save()?;
                saved = self.trainer.progress().games;
            }
        }
    }

    fn train_until(&mut self, games: u64) {
        let Session { trainer, curve, progress, .. } = self;
        trainer.train(games, &self.threads, self.stop, |game, so_far| {
            curve.add(&game, so_far);
            progress.trained(so_far.games, so_far.moves, curve.recent_mean());
        });
    }

    /// Saves the state of the training, then notes who has trained.
    fn save(&mut self) -> Result<(), Error> {
        self.checkpoints.save(&self.trainer, &self.curve)?;
        self.log.note(self.trainer.progress().games)
    }

    fn interrupted(&self) -> Error {
        let done = self.trainer.progress().games;
        match self.learning.settings.budget {
            Budget::Games(games) => Error::Interrupted { done, games },
            // If the budget counts moves, the number of games is not known before the end.
            Budget::Moves(_) => Error::Interrupted { done, games: done },
        }
    }

    /// The number of training games after which the next validation is due.
    fn next_validation(&self) -> u64 {
        self.curve.validation.len() as u64 * self.learning.validation_every
    }

    fn validate_if_due(&mut self) -> Result<(), Error> {
        if self.trainer.progress().games < self.next_validation() {
            return Ok(());
        }
        let point = self.validate()?;
        self.progress.say(&format!("{} training games: validated {}", point.training_games, point.show_mean()));
        self.progress.validated("training", point.training_games, &point.mean());
        self.curve.validation.push(point);
        Ok(())
    }

    fn validate(&self) -> Result<Point, Error> {
        Ok(Point::new(self.trainer.progress(), &self.play::<Validation>(self.learning.validation_games)?))
    }

    /// Plays games of a stage with the current weights.
    fn play<S: Stage>(&self, games: u64) -> Result<Vec<Finished>, Error> {
        let (network, seeds) = (self.trainer.network(), Seeds::<S>::new(self.learning.settings.seed));
        let finished = match &self.elsewhere {
            Some(elsewhere) => {
                let trained = provenance(self.learning, self.trainer.progress());
                let seeds: Vec<u64> = (0..games).map(|number| seeds.game(number).value()).collect();
                elsewhere.play(network, trained, &seeds, self.stop, self.progress)?
            }
            None => play(network, Play { seeds, games, threads: self.threads.count() }, self.stop),
        };
        if (finished.len() as u64) < games {
            return Err(self.interrupted());
        }
        Ok(finished)
    }

    /// Plays the test games and writes all results.
    fn conclude(&self, folder: &ResultsFolder, trained: (u64, f64)) -> Result<Learned, Error> {
        let progress = self.trainer.progress();
        let mut validation = self.curve.validation.clone();
        if validation.last().is_none_or(|last| last.training_games < progress.games) {
            validation.push(self.validate()?);
        }
        self.progress.say("playing the test games");
        let begun = Instant::now();
        let games = self.play::<Test>(self.learning.test_games)?;
        let test = Point::new(progress, &games);
        let played = (games.iter().map(|game| u64::from(game.moves)).sum(), begun.elapsed().as_secs_f64());
        results::write_tables(folder, self.learning, &self.curve, &validation, &test, &games)?;
        // A run that trained nothing has no speed: the times of an earlier run stay, if there are any.
        if trained.0 > 0 || !folder.keep(TIMING)? {
            let here = || Players::here(self.threads.count());
            let testers = self.elsewhere.as_ref().map_or_else(here, |workers| Players::elsewhere(workers.threads()));
            results::write_timing(folder, [("training", trained, here()), ("test", played, testers)])?;
        }
        results::write_network(folder, self.trainer.network(), &provenance(self.learning, progress))?;
        Ok(Learned { progress, validation, test })
    }
}

#[cfg(test)]
mod tests;
