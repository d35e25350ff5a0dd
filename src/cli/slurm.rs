//! `lab2048 slurm`: writes a script that runs an experiment on a cluster.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use serde_json::json;

use super::interrupt::interruptible;
use super::output::{duration, print, print_json};
use super::progress::ProgressBars;
use super::{Context, Failure};
use crate::cluster::slurm::{SlurmJob, shards};
use crate::experiment::compare::{Workload, workload};
use crate::experiment::tune;
use crate::params::document::Document;
use crate::spec::tune::Overrides as TuneOverrides;
use crate::spec::{Comparison, MOST_GAMES, Overrides, Tuning};

/// Write a script that runs an experiment on a Slurm cluster, with an estimate of the time
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 slurm experiments/malaga.toml --nodes 4 --cpus 16
  lab2048 slurm experiments/tune-line-sum.toml --nodes 2 --cpus 32 --submit

A comparison becomes a job array with one shard for each task, and a job that merges them. A tuning run becomes one job with
a worker on each node. The estimate comes from a few games on this machine. The results folder must be on a file system
that all nodes share. docs/cluster.md has more.")]
pub struct Args {
    /// The experiment (TOML): a comparison or a tuning run
    experiment: PathBuf,
    /// Nodes to play on at the same time
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    nodes: u64,
    /// Processors to use on each node
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024))]
    cpus: u64,
    /// Games for each agent of a comparison
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// The seed from which all games are derived
    #[arg(long)]
    seed: Option<u64>,
    /// Where results go; by default results/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where to write the script; by default NAME.sbatch
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Submit the script with sbatch
    #[arg(long)]
    submit: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The size of an experiment, for the script.
struct Job {
    name: String,
    /// The estimated time on one core.
    core_seconds: f64,
    /// The estimated time on all nodes.
    seconds: f64,
    /// `None` for a tuning run.
    shards: Option<u64>,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let job = self.job(context)?;
        let script = self.script.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sbatch", job.name)));
        let name = script.display().to_string();
        let text = self.text(&job, &name)?;
        match fs::read_to_string(&script) {
            Ok(there) if there != text => {
                let why = format!("`{name}` exists already and differs; choose another name with --script");
                return Err(Failure::Usage(why));
            }
            _ => fs::write(&script, text).map_err(|error| Failure::Failed(anyhow::anyhow!("`{name}`: {error}")))?,
        }
        let ids = if self.submit { submit(&name, &job, self.nodes)? } else { Vec::new() };
        if self.json {
            return print_json(&json!({
                "script": name, "shards": job.shards, "seconds": job.seconds, "core_seconds": job.core_seconds, "jobs": ids,
            }));
        }
        print(&self.summary(&job, &name, &ids))
    }

    fn job(&self, context: &Context) -> Result<Job, Failure> {
        let document = Document::open(&self.experiment.to_string_lossy())?;
        if document.table().contains_key("parameters") {
            if self.games.is_some() {
                return Err(Failure::Usage("--games is for comparisons; a tuning run has a `budget`".into()));
            }
            let tuning = Tuning::open_with(&self.experiment, TuneOverrides { seed: self.seed, repeats: None })?;
            let name = tuning.name.clone();
            let plan = interruptible(move |_| Ok(tune::plan(&tuning)?))?;
            let seconds = plan.seconds(self.nodes * self.cpus);
            return Ok(Job { name, core_seconds: plan.seconds(1), seconds, shards: None });
        }
        let comparison =
            Comparison::open(&self.experiment, Overrides { games: self.games, seed: self.seed, opening: None })?;
        let name = comparison.name.clone();
        let progress = Arc::new(ProgressBars::new(&[], 0, context.quiet));
        let bars = progress.clone();
        let Workload { seconds, blocks } = interruptible(move |_| Ok(workload(&comparison, bars.as_ref())?))?;
        progress.clear();
        let shards = shards(seconds, self.nodes, self.cpus, blocks);
        let at_once = (self.nodes.min(shards) * self.cpus) as f64;
        Ok(Job { name, core_seconds: seconds, seconds: seconds / at_once, shards: Some(shards) })
    }

    fn text(&self, job: &Job, script: &str) -> Result<String, Failure> {
        let options: Vec<String> = [("--games", self.games), ("--seed", self.seed)]
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} {}", value?)))
            .collect();
        let rounds = job.shards.map_or(1.0, |shards| shards.div_ceil(self.nodes) as f64);
        let slurm = SlurmJob {
            name: &job.name,
            program: &std::env::current_exe()?,
            experiment: &self.experiment,
            options: &options.join(" "),
            results: &self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&job.name)),
            nodes: self.nodes,
            cpus: self.cpus,
            // Estimates are rough and nodes differ, so the limit is twice the time plus ten minutes.
            minutes: (2.0 * job.seconds / rounds / 60.0).ceil() as u64 + 10,
        };
        Ok(match job.shards {
            Some(shards) => slurm.comparison(script, shards),
            None => slurm.tuning(script),
        })
    }

    fn summary(&self, job: &Job, script: &str, ids: &[String]) -> String {
        let (all, one) = (duration(job.seconds), duration(job.core_seconds));
        let what = job.shards.map_or("with a worker on each node".into(), |shards| format!("in {shards} shards"));
        let cores = format!("{} nodes with {} processors", self.nodes, self.cpus);
        let next = match (ids, job.shards) {
            ([], Some(_)) => format!("The first lines of {script} say how to submit it; --submit does so."),
            ([], None) => format!("Submit it with: sbatch {script}"),
            (ids, _) => format!("Submitted as {}.", ids.join(" and ")),
        };
        format!("{script}: {what}, about {all} on {cores} ({one} of one core here).\n{next}\n")
    }
}

/// Submits the script. For a comparison it submits the job array and then the merge. Returns the ids of the jobs.
fn submit(script: &str, job: &Job, nodes: u64) -> Result<Vec<String>, Failure> {
    let Some(shards) = job.shards else { return Ok(vec![sbatch(&[script])?]) };
    let array = sbatch(&[&format!("--array=0-{}%{nodes}", shards - 1), script])?;
    let merge = sbatch(&[&format!("--dependency=afterany:{array}"), script])?;
    Ok(vec![array, merge])
}

fn sbatch(arguments: &[&str]) -> Result<String, Failure> {
    let failed = |why: String| Failure::Failed(anyhow::anyhow!("sbatch: {why}"));
    let output = Command::new("sbatch").arg("--parsable").args(arguments).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    let id = String::from_utf8_lossy(&output.stdout).trim().to_string();
    // In a federation, sbatch adds the name of the cluster.
    Ok(id.split(';').next().unwrap_or_default().to_string())
}
