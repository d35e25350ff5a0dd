//! Files that were damaged after they were written.

use std::fs;
use std::path::{Path, PathBuf};

use rand::Rng as _;
use rand::seq::IndexedRandom;

use crate::Trial;
use crate::program::{Job, Task, files, said};

/// Changes a file in one of several ways.
fn damage(trial: &mut Trial, path: &Path) -> Result<(), String> {
    let mut bytes = fs::read(path).map_err(|error| error.to_string())?;
    let place = if bytes.is_empty() { 0 } else { trial.rng.random_range(0..bytes.len()) };
    match trial.rng.random_range(0..5) {
        0 if !bytes.is_empty() => bytes[place] ^= 1 << trial.rng.random_range(0..8),
        1 => bytes.truncate(place),
        2 => bytes.splice(place..place, (0..9).map(|_| b'7')).for_each(drop),
        3 if !bytes.is_empty() => drop(bytes.drain(place..(place + 7).min(bytes.len()))),
        _ => return fs::remove_file(path).map_err(|error| error.to_string()),
    }
    fs::write(path, bytes).map_err(|error| error.to_string())
}

fn random_file(trial: &mut Trial, folder: &Path) -> Result<PathBuf, String> {
    files(folder).choose(&mut trial.rng).cloned().ok_or_else(|| "the folder is empty".into())
}

/// After damage to any file of a finished run, the same command makes the true results again, or it refuses clearly and
/// `--fresh` makes them.
pub fn damage_results(trial: &mut Trial) -> Result<u64, String> {
    let task = *Task::ALL.choose(&mut trial.rng).unwrap_or(&Task::Compare);
    let folder = trial.setup.copy_of_truth(task);
    let job = Job::new(task, folder.path());
    let damages = trial.rng.random_range(1..4);
    let mut damaged = Vec::new();
    for _ in 0..damages {
        let path = random_file(trial, folder.path())?;
        damage(trial, &path)?;
        damaged.push(path);
    }
    let output = trial.setup.run(&job);
    let outcome = match output.status.code() {
        Some(0) => trial.setup.compare(&job),
        Some(1 | 2) if said(&output).starts_with("error: ") => repair(trial, &job),
        code => Err(format!("ends with {code:?}: {}", said(&output))),
    };
    outcome.map(|()| damages).map_err(|why| format!("{damaged:?}: {why}"))
}

/// Plays the run again with `--fresh`. A folder whose manifest is missing or unreadable is refused even then, because
/// it may have other results.
fn repair(trial: &Trial, job: &Job) -> Result<(), String> {
    let fresh = Job { fresh: true, ..job.clone() };
    let output = trial.setup.run(&fresh);
    let refused = said(&output).contains("manifest.json");
    match output.status.code() {
        Some(0) => trial.setup.compare(&fresh),
        Some(1 | 2) if refused => Ok(()),
        code => Err(format!("--fresh ends with {code:?}: {}", said(&output))),
    }
}

/// Figures are never drawn from damaged tables: `plot` and `report` refuse, or do not need the damaged table.
pub fn damage_and_draw(trial: &mut Trial) -> Result<u64, String> {
    let task = *[Task::Draw, Task::DrawTuned].choose(&mut trial.rng).unwrap_or(&Task::Draw);
    let folder = trial.setup.copy_of_truth(task);
    let tables: Vec<PathBuf> = files(folder.path()).into_iter().filter(|path| is_table(path)).collect();
    let path = tables.choose(&mut trial.rng).ok_or("there is no table")?;
    damage(trial, path)?;
    let output = trial.setup.run_on(&["plot", "--format", "svg"], folder.path());
    let figures = |folder: &Path| -> Vec<Vec<u8>> {
        files(&folder.join("figures")).iter().map(|path| fs::read(path).unwrap_or_default()).collect()
    };
    let is_true = figures(folder.path()) == figures(trial.setup.truth(task, None));
    match output.status.code() {
        Some(0) if is_true => {}
        Some(1 | 2) if is_true && said(&output).contains("error: ") => {}
        code => return Err(format!("{path:?} is damaged, and plot ends with {code:?}: {}", said(&output))),
    }
    let output = trial.setup.run_on(&["report"], folder.path());
    let [report, truth] =
        [folder.path(), trial.setup.truth(task, None)].map(|run| fs::read(run.join("report.html")).ok());
    match output.status.code() {
        Some(0..=2) if report == truth => Ok(1),
        code => Err(format!("{path:?} is damaged, and report ends with {code:?}: {}", said(&output))),
    }
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "csv")
}

/// `verify` finds a single flipped bit in any file of a run.
pub fn flip_a_bit(trial: &mut Trial) -> Result<u64, String> {
    let task = *Task::ALL.choose(&mut trial.rng).unwrap_or(&Task::Compare);
    let folder = trial.setup.copy_of_truth(task);
    trial.setup.verify(folder.path())?;
    let path = random_file(trial, folder.path())?;
    let mut bytes = fs::read(&path).map_err(|error| error.to_string())?;
    let bit = trial.rng.random_range(0..8 * bytes.len());
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    match trial.setup.verify(folder.path()) {
        Err(_) => Ok(1),
        Ok(()) => Err(format!("bit {bit} of {} was flipped unnoticed", path.display())),
    }
}
