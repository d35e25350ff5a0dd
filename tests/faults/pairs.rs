//! Two processes that use the same folder.

use std::thread::sleep;

use rand::Rng as _;

use crate::Trial;
use crate::kills::{random_job, random_moment};
use crate::program::{Job, OTHER_SEED};

/// Exit codes of a process that has done its work, or has been refused.
const ORDERLY: [i32; 3] = [0, 1, 2];

/// Whatever two processes do to one folder, it ends with the results of one of them.
pub fn two_at_once(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let one = random_job(trial, &folder.path().join("out"));
    let seed = trial.rng.random_bool(0.7).then_some(OTHER_SEED);
    let other = Job { seed, fresh: trial.rng.random_bool(0.7), ..one.clone() };
    let pause = random_moment(trial, one.task);
    let (mut first, second) = (trial.setup.start(&one), {
        sleep(pause);
        trial.setup.start(&other)
    });
    for child in [&mut first, &mut { second }] {
        let code = child.wait().map_err(|error| error.to_string())?.code();
        if !code.is_some_and(|code| ORDERLY.contains(&code)) {
            return Err(format!("{one:?} and {other:?}: one ends with {code:?}"));
        }
    }
    // One of the two can be completed; the other is refused or finds its own results.
    let ended = [&one, &Job { fresh: false, ..other.clone() }].map(|job| trial.setup.complete(job));
    if ended.iter().any(Result::is_ok) { Ok(1) } else { Err(format!("neither {one:?} nor {other:?}: {ended:?}")) }
}
