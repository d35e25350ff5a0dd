//! Kills the program at random moments and runs the same command again.

use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

use rand::Rng as _;
use rand::seq::IndexedRandom;

use crate::Trial;
use crate::program::{Job, Task, quiet, said};

/// A random command for a folder.
pub fn random_job(trial: &mut Trial, out: &Path) -> Job {
    let task = *Task::ALL.choose(&mut trial.rng).unwrap_or(&Task::Compare);
    let threads = *[1, 2, 8].choose(&mut trial.rng).unwrap_or(&2);
    Job { threads, exclusive: trial.rng.random_bool(0.3), ..Job::new(task, out) }
}

/// A random moment of a run: often in its first 30 ms, in which it claims its folder, and otherwise at any time.
pub fn random_moment(trial: &mut Trial, task: Task) -> Duration {
    match trial.rng.random_bool(0.4) {
        true => Duration::from_micros(trial.rng.random_range(0..30_000)),
        false => trial.setup.duration(task).mul_f64(trial.rng.random_range(0.0..1.1)),
    }
}

/// Starts the command and kills it at a random moment.
fn kill(trial: &mut Trial, job: &Job) -> Result<(), String> {
    let moment = random_moment(trial, job.task);
    kill_after(trial.setup.start(job), moment)
}

/// Waits a moment and kills the process.
fn kill_after(mut child: Child, moment: Duration) -> Result<(), String> {
    sleep(moment);
    let killed = child.kill();
    child.wait().and(killed).map_err(|error| error.to_string())
}

/// A run that is killed several times and then left alone has the true results.
pub fn kill_and_resume(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let job = random_job(trial, &folder.path().join("out"));
    let kills = trial.rng.random_range(1..5);
    for _ in 0..kills {
        kill(trial, &job)?;
    }
    trial.setup.complete(&job)?;
    Ok(kills)
}

/// A finished run that is repeated with `--fresh` and killed keeps its results until the new ones are complete.
pub fn kill_a_fresh_run(trial: &mut Trial) -> Result<u64, String> {
    let mut job = random_job(trial, Path::new(""));
    let folder = trial.setup.copy_of_truth(job.task);
    job.out = folder.path().to_path_buf();
    let fresh = Job { fresh: trial.rng.random_bool(0.7), ..job.clone() };
    kill(trial, &fresh)?;
    // The plain command completes what the kill interrupted, and plays nothing.
    trial.setup.complete(&job)?;
    trial.setup.complete(&fresh)?;
    Ok(1)
}

/// Figures and a report that are made again, with a kill at a random moment, leave the true results.
pub fn kill_a_redrawing(trial: &mut Trial) -> Result<u64, String> {
    let task = *[Task::Draw, Task::DrawTuned].choose(&mut trial.rng).unwrap_or(&Task::Draw);
    let folder = trial.setup.copy_of_truth(task);
    let arguments: &[&str] = if trial.rng.random_bool(0.5) { &["plot", "--format", "svg"] } else { &["report"] };
    let moment = Duration::from_micros(trial.rng.random_range(0..150_000));
    kill_after(trial.setup.start_on(arguments, folder.path()), moment)?;
    // The tables are as they were, so the figures can be drawn at once.
    let output = trial.setup.run_on(arguments, folder.path());
    if !output.status.success() {
        return Err(format!("{arguments:?} after a kill: {}", said(&output)));
    }
    trial.setup.compare(&Job::new(task, folder.path()))?;
    Ok(1)
}

/// Shards and the merge that are killed at random moments, and then run to their end, give the results of one machine.
pub fn kill_shards_and_merge(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let task = *[Task::Compare, Task::Draw].choose(&mut trial.rng).unwrap_or(&Task::Draw);
    let job = Job { task, ..random_job(trial, &folder.path().join("out")) };
    let shards: u64 = trial.rng.random_range(1..4);
    for shard in 0..shards {
        let part = ["compare", "compare.toml", "--shard", &format!("{shard}/{shards}")].map(String::from);
        kill_and_repeat(trial, &job, &part)?;
    }
    let format = if task == Task::Draw { "svg" } else { "none" };
    kill_and_repeat(trial, &job, &["merge", "compare.toml", "--format", format].map(String::from))?;
    trial.setup.compare(&job)?;
    Ok(shards + 1)
}

/// Kills a command at a random moment and then runs it to its end.
fn kill_and_repeat(trial: &mut Trial, job: &Job, words: &[String]) -> Result<(), String> {
    let moment = random_moment(trial, job.task);
    kill_after(quiet(&mut trial.setup.command_of(job, words)).spawn().map_err(|error| error.to_string())?, moment)?;
    let output = trial.setup.command_of(job, words).output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(format!("{words:?} after a kill: {}", said(&output))) }
}
