use std::fs;
use std::sync::Mutex;

use super::*;
use crate::report::figures::Format;
use crate::report::manifest::{Checksummed, RunLog};
use crate::report::table::Table;

/// Stops the training after `at` games, and keeps the messages.
struct Observer<'a> {
    stop: &'a AtomicBool,
    at: u64,
    lines: Mutex<Vec<String>>,
}

impl Progress for Observer<'_> {
    fn trained(&self, games: u64, _: u64, _: f64) {
        if games >= self.at {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn say(&self, line: &str) {
        self.lines.lock().unwrap().push(line.to_string());
    }
}

fn learning(folder: &Path, games: u64) -> Learning {
    let text = format!(
        "name = \"toy\"\n[network]\npatterns = \"0123 4567\"\n[training]\ngames = {games}\nbatch = 10\ncheckpoint = 70\n\
         [validation]\ngames = 10\nevery = 100\n[test]\ngames = 20\n"
    );
    let path = folder.join("toy.toml");
    fs::write(&path, text).unwrap();
    Learning::open(&path).unwrap()
}

fn options(folder: &Path, threads: usize) -> Options {
    Options { folder: folder.join("run"), threads, fresh: false, workers: Vec::new() }
}

/// Runs until `at` training games are done.
fn run_to(learning: &Learning, options: &Options, at: u64) -> (Result<Learned, Error>, Vec<String>) {
    let stop = AtomicBool::new(false);
    let observer = Observer { stop: &stop, at, lines: Mutex::default() };
    let figures = FigureOptions { formats: Vec::new(), ..FigureOptions::default() };
    let outcome = run(learning, options, &figures, &stop, &observer);
    (outcome, observer.lines.into_inner().unwrap())
}

/// Everything that must be the same, whatever the threads and interruptions.
fn files(options: &Options) -> Vec<Vec<u8>> {
    let names = [NETWORK, TRAINING, VALIDATION, TEST, GAMES, SUMMARY, EXPERIMENT];
    names.iter().map(|name| fs::read(options.folder.join(name)).unwrap()).collect()
}

#[test]
fn interruptions_and_threads_change_nothing() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let (whole, parts) = (options(folders[0].path(), 1), options(folders[1].path(), 2));
    let plan = learning(folders[0].path(), 250);
    let learned = run_to(&plan, &whole, u64::MAX).0.unwrap();
    assert!(learned.progress.games >= 250 && learned.validation.len() == 4);
    for at in [30, 31, 120, 201] {
        let outcome = run_to(&plan, &parts, at).0;
        assert!(matches!(outcome, Err(Error::Interrupted { games: 250, .. })), "{at}");
    }
    run_to(&plan, &parts, u64::MAX).0.unwrap();
    assert!(files(&whole) == files(&parts));
    // A repeated run has nothing to do and changes nothing.
    run_to(&plan, &parts, u64::MAX).0.unwrap();
    assert!(files(&whole) == files(&parts));
}

#[test]
fn a_damaged_checkpoint_is_replaced_by_the_older_one() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let (whole, parts) = (options(folders[0].path(), 1), options(folders[1].path(), 1));
    let plan = learning(folders[0].path(), 250);
    run_to(&plan, &whole, u64::MAX).0.unwrap();
    run_to(&plan, &parts, 180).0.unwrap_err();
    let newest = checkpoints::FILES.map(|file| parts.folder.join("segments").join(file));
    let newest = newest.iter().max_by_key(|path| Trainer::checkpoint_games(path).unwrap()).unwrap();
    let bytes = fs::read(newest).unwrap();
    fs::write(newest, &bytes[..bytes.len() / 2]).unwrap();
    let (outcome, lines) = run_to(&plan, &parts, u64::MAX);
    outcome.unwrap();
    assert!(lines.iter().any(|line| line.contains("cut short") && line.contains("an older checkpoint is used")));
    assert!(files(&whole) == files(&parts));
}

#[test]
fn without_an_intact_checkpoint_the_training_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let (options, plan) = (options(folder.path(), 1), learning(folder.path(), 250));
    run_to(&plan, &options, 180).0.unwrap_err();
    for file in checkpoints::FILES.map(|file| options.folder.join("segments").join(file)) {
        fs::write(file, "damaged").unwrap();
    }
    let (outcome, lines) = run_to(&plan, &options, u64::MAX);
    outcome.unwrap();
    assert!(lines.iter().any(|line| line.ends_with("; the training begins again")), "{lines:?}");
}

#[test]
fn test_games_can_be_played_again_with_the_network_of_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (options, plan) = (options(folder.path(), 1), learning(folder.path(), 120));
    run_to(&plan, &options, u64::MAX).0.unwrap();
    let found = crate::experiment::verify(&options.folder, 10, 1).unwrap();
    assert_eq!((found.replayed, found.problems), (10, vec![]));
}

#[test]
fn a_larger_budget_continues_the_training() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let (whole, longer) = (options(folders[0].path(), 1), options(folders[1].path(), 1));
    run_to(&learning(folders[0].path(), 250), &whole, u64::MAX).0.unwrap();
    run_to(&learning(folders[1].path(), 130), &longer, u64::MAX).0.unwrap();
    let (outcome, lines) = run_to(&learning(folders[1].path(), 250), &longer, u64::MAX);
    outcome.unwrap();
    assert!(lines.iter().any(|line| line.contains("continuing after 13")), "{lines:?}");
    assert!(files(&whole) == files(&longer));
}

#[test]
fn figures_are_drawn_from_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let (options, plan) = (options(folder.path(), 1), learning(folder.path(), 120));
    run_to(&plan, &options, u64::MAX).0.unwrap();
    let table = Table::read(&options.folder.join(TEST)).unwrap();
    assert_eq!(table.rows().next().unwrap().count("games"), Some(20));
    fs::remove_file(options.folder.join(NETWORK)).unwrap();
    let figures = FigureOptions { formats: vec![Format::Svg], ..FigureOptions::default() };
    let written = crate::experiment::plot(&options.folder, &figures).unwrap();
    let names: Vec<_> = written.files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["convergence.svg", "learning-curve.svg", "reach.svg", "ecdf.svg"]);
}

#[test]
fn a_finished_training_is_not_trained_again_and_keeps_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let (plan, options) = (learning(folder.path(), 150), options(folder.path(), 2));
    assert!(run_to(&plan, &options, 80).0.is_err());
    let learned = run_to(&plan, &options, u64::MAX).0.unwrap();
    let read = |name: &str| fs::read(options.folder.join(name)).unwrap();
    let log = RunLog::read(&options.folder).unwrap().unwrap();
    assert_eq!(log.stretches.iter().map(|stretch| stretch.games).sum::<u64>(), learned.progress.games);
    assert_eq!((log.stretches.len(), log.stretches[0].origin.threads), (2, 2));
    let before = (read(TIMING), read("run.json"), files(&options));
    let (outcome, lines) = run_to(&plan, &options, u64::MAX);
    outcome.unwrap();
    assert!(lines.iter().any(|line| line.starts_with("nothing to train")), "{lines:?}");
    assert!(before == (read(TIMING), read("run.json"), files(&options)));
}
