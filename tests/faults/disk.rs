//! A full disk, simulated by a limit on the size of files.

use std::process::Command;

use rand::Rng as _;

use crate::Trial;
use crate::kills::random_job;
use crate::program::said;

/// A run on a full disk ends with an error, and can be completed when there is room again.
pub fn full_disk(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let job = random_job(trial, &folder.path().join("out"));
    // In blocks of 512 bytes. Small files come first and large tables last, so different limits stop the run at
    // different steps.
    let blocks = trial.rng.random_range(0..120);
    let command = trial.setup.command(&job);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {}", line.join(" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(command.get_current_dir().unwrap_or(folder.path()));
    let output = shell.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0) => trial.setup.compare(&job)?,
        Some(1 | 2) if said(&output).starts_with("error: ") => {}
        code => return Err(format!("{job:?} with {blocks} blocks ends with {code:?}: {}", said(&output))),
    }
    trial.setup.complete(&job)?;
    Ok(1)
}
