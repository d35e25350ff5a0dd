//! Scripts for Slurm, as text.

use std::path::Path;

/// The job to request from Slurm.
#[derive(Clone, Debug, PartialEq)]
pub struct SlurmJob<'a> {
    /// The experiment's name.
    pub name: &'a str,
    /// The program.
    pub program: &'a Path,
    /// The experiment's file.
    pub experiment: &'a Path,
    /// Options of the experiment, such as `--games 100`.
    pub options: &'a str,
    /// The results folder, on a file system that all nodes share.
    pub results: &'a Path,
    /// Nodes to play on.
    pub nodes: u64,
    /// Processors of each node.
    pub cpus: u64,
    /// The most time that a job may take, in minutes.
    pub minutes: u64,
}

impl SlurmJob<'_> {
    /// The lines that both kinds of script begin with.
    fn head(&self, purpose: &str, submit: &str, own: &str) -> String {
        let SlurmJob { name, cpus, minutes, .. } = self;
        format!(
            "#!/bin/bash\n# {purpose}\n{submit}#SBATCH --job-name={name}\n#SBATCH --cpus-per-task={cpus}\n\
             #SBATCH --time={minutes}\n#SBATCH --requeue\n#SBATCH --output=slurm-%x-%j.log\n{own}set -euo pipefail\n\
             program={}\nexperiment={}\nresults={}\n",
            quoted(&self.program.to_string_lossy()),
            quoted(&self.experiment.to_string_lossy()),
            quoted(&self.results.to_string_lossy()),
        )
    }

    /// A comparison as a job array of this many shards. The same script, submitted without an array, is its merge.
    pub fn comparison(&self, script: &str, shards: u64) -> String {
        let (options, cpus, last) = (spaced(self.options), self.cpus, shards.saturating_sub(1));
        let script = quoted(script);
        let submit = format!(
            "#\n#   array=$(sbatch --parsable --array=0-{last}%{} {script})\n\
             #   sbatch --dependency=afterany:$array {script}\n#\n\
             # A task that was killed is named by the second job, and can be submitted again: sbatch --array=3,7 {script}\n",
            self.nodes
        );
        let head = self.head("A comparison: each task of the array plays one share of the games.", &submit, "");
        format!(
            "{head}if [ -n \"${{SLURM_ARRAY_TASK_ID:-}}\" ]; then\n    \
             exec \"$program\" compare \"$experiment\"{options} --out \"$results\" \
             --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --threads {cpus}\nfi\n\
             # All tasks have ended. This makes the results, or says which tasks to submit again.\n\
             exec \"$program\" merge \"$experiment\"{options} --out \"$results\"\n"
        )
    }

    /// A tuning run with a worker on each node.
    pub fn tuning(&self, script: &str) -> String {
        let (options, SlurmJob { cpus, nodes, .. }) = (spaced(self.options), self);
        let submit = format!(
            "#\n#   sbatch {}\n#\n# If the job ends early, submit it again: it continues where it stopped.\n",
            quoted(script)
        );
        let own = format!("#SBATCH --ntasks={nodes}\n#SBATCH --no-kill\n");
        let head = self.head("A tuning run: one leader, and a worker for each task.", &submit, &own);
        format!(
            "{head}# Each worker is a step of its own: if its node fails, the others go on.\n\
             step=\"srun --ntasks=1 --nodes=1 --exact --cpus-per-task={cpus} --unbuffered --kill-on-bad-exit=0 --quiet\"\n\
             exec \"$program\" tune \"$experiment\"{options} --out \"$results\" --threads 1 \
             --workers \"$step '$program' worker --threads {cpus}\" --worker-count {nodes}\n"
        )
    }
}

/// Options after a space, if there are any.
fn spaced(options: &str) -> String {
    if options.is_empty() { String::new() } else { format!(" {options}") }
}

/// A text as one word of the shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_string(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The number of shards for this many seconds of one core: the number of nodes, or a multiple of it so that no shard
/// takes much longer than a quarter of an hour.
pub fn shards(seconds: f64, nodes: u64, cpus: u64, blocks: u64) -> u64 {
    const SHARD_SECONDS: f64 = 900.0;
    let rounds = (seconds / (nodes * cpus) as f64 / SHARD_SECONDS).ceil().clamp(1.0, 1000.0) as u64;
    // A shard without a block would have nothing to do.
    (rounds * nodes).min(blocks).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> SlurmJob<'static> {
        SlurmJob {
            name: "mine",
            program: Path::new("/opt/lab 2048/lab2048"),
            experiment: Path::new("experiments/mine.toml"),
            options: "--games 7",
            results: Path::new("it's/mine"),
            nodes: 4,
            cpus: 16,
            minutes: 90,
        }
    }

    #[test]
    fn scripts_quote_paths_and_name_what_was_asked_for() {
        let compare = job().comparison("mine.sbatch", 12);
        for part in [
            "#SBATCH --cpus-per-task=16\n",
            "#SBATCH --time=90\n",
            "--array=0-11%4 mine.sbatch",
            "program='/opt/lab 2048/lab2048'\n",
            r"results='it'\''s/mine'",
            "--games 7 --out \"$results\" --shard \"$SLURM_ARRAY_TASK_ID/12\" --threads 16\n",
            "merge \"$experiment\" --games 7 --out \"$results\"\n",
        ] {
            assert!(compare.contains(part), "{part}\n{compare}");
        }
        let tune = job().tuning("mine.sbatch");
        assert!(tune.contains("#SBATCH --ntasks=4\n") && tune.contains("--worker-count 4\n"), "{tune}");
        assert!(tune.contains("worker --threads 16\""), "{tune}");
    }

    #[test]
    fn shards_fill_the_nodes_and_take_about_a_quarter_of_an_hour() {
        assert_eq!(shards(10.0, 4, 16, 1000), 4);
        assert_eq!(shards(64.0 * 900.0, 4, 16, 1000), 4);
        assert_eq!(shards(64.0 * 3600.0, 4, 16, 1000), 16);
        assert_eq!(shards(64.0 * 3600.0, 4, 16, 7), 7);
        assert_eq!(shards(0.0, 4, 16, 0), 1);
    }
}
