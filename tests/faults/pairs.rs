//! Two processes that use the same folder.

use std::process::Child;
use std::thread::sleep;

use rand::Rng as _;
use rand::seq::IndexedRandom;

use crate::Trial;
use crate::kills::{random_job, random_moment};
use crate::program::{Job, OTHER_SEED, Task, quiet, said};

/// Exit codes of a process that has done its work, or has been refused.
const ORDERLY: [i32; 3] = [0, 1, 2];

/// Waits for two processes. Each must have done its work or have been refused.
fn await_both(first: &mut Child, second: &mut Child) -> Result<(), String> {
    for child in [first, second] {
        let code = child.wait().map_err(|error| error.to_string())?.code();
        if !code.is_some_and(|code| ORDERLY.contains(&code)) {
            return Err(format!("one ends with {code:?}"));
        }
    }
    Ok(())
}

/// Whatever two processes do to one folder, it ends with the results of one of them.
pub fn two_at_once(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let one = random_job(trial, &folder.path().join("out"));
    let seed = trial.rng.random_bool(0.7).then_some(OTHER_SEED);
    // The two need not lock the folder in the same way.
    let exclusive = trial.rng.random_bool(0.3);
    let other = Job { seed, fresh: trial.rng.random_bool(0.7), exclusive, ..one.clone() };
    let pause = random_moment(trial, one.task);
    let (mut first, second) = (trial.setup.start(&one), {
        sleep(pause);
        trial.setup.start(&other)
    });
    await_both(&mut first, &mut { second }).map_err(|why| format!("{one:?} and {other:?}: {why}"))?;
    // One of the two can be completed; the other is refused or finds its own results.
    let ended = [&one, &Job { fresh: false, ..other.clone() }].map(|job| trial.setup.complete(job));
    if ended.iter().any(Result::is_ok) { Ok(1) } else { Err(format!("neither {one:?} nor {other:?}: {ended:?}")) }
}

/// A run that replaces results while `plot` or `report` draws them: the folder ends with the results of one run, and what was
/// drawn belongs to them.
pub fn drawing_beside_a_run(trial: &mut Trial) -> Result<u64, String> {
    let task = *[Task::Draw, Task::DrawTuned].choose(&mut trial.rng).unwrap_or(&Task::Draw);
    let folder = trial.setup.copy_of_truth(task);
    let seed = trial.rng.random_bool(0.5).then_some(OTHER_SEED);
    let exclusive = trial.rng.random_bool(0.3);
    let job = Job { seed, exclusive, fresh: true, ..Job::new(task, folder.path()) };
    let arguments: &[&str] = if trial.rng.random_bool(0.5) { &["plot", "--format", "svg"] } else { &["report"] };
    let mut run = trial.setup.start(&job);
    sleep(random_moment(trial, task));
    let mut drawing = trial.setup.start_on(arguments, folder.path());
    await_both(&mut run, &mut drawing).map_err(|why| format!("{job:?} beside {arguments:?}: {why}"))?;
    let ended = [None, seed].map(|seed| trial.setup.compare(&Job { seed, fresh: false, ..job.clone() }));
    if ended.iter().any(Result::is_ok) { Ok(1) } else { Err(format!("{job:?} beside {arguments:?}: {ended:?}")) }
}

/// A merge while shards still play is refused or makes the true results, and so does a merge after them.
pub fn merge_beside_a_shard(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let job = Job { task: Task::Compare, ..random_job(trial, &folder.path().join("out")) };
    let shard = |share: &str| ["compare", "compare.toml", "--shard", share].map(String::from);
    let merge = ["merge", "compare.toml", "--format", "none"].map(String::from);
    let start = |words: &[String]| quiet(&mut trial.setup.command_of(&job, words)).spawn().map_err(|e| e.to_string());
    let mut first = start(&shard("0/2"))?;
    let mut second = start(&shard("1/2"))?;
    let moment = trial.setup.duration(Task::Compare).mul_f64(trial.rng.random_range(0.0..1.5));
    sleep(moment);
    let mut merging = start(&merge)?;
    await_both(&mut first, &mut merging).and(await_both(&mut second, &mut merging))?;
    for words in [shard("0/2"), shard("1/2"), merge] {
        let output = trial.setup.command_of(&job, &words).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("{words:?}: {}", said(&output)));
        }
    }
    trial.setup.compare(&job)?;
    Ok(1)
}
