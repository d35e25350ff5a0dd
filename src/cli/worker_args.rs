//! The arguments that start workers, which play the games of a tuning run.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::params::document::read_text;

/// Stands for the name of a host in a command.
const HOST: &str = "{host}";
/// The largest file of hosts that is read.
const LARGEST: u64 = 1 << 20;

/// Workers that play the games, in place of the threads of this process
#[derive(Debug, clap::Args)]
pub struct WorkerArgs {
    /// A command that starts `lab2048 worker`, here or elsewhere; with --hosts, {host} is the name of the host
    #[arg(long, value_name = "COMMAND")]
    workers: Option<String>,
    /// How many copies of the command to start
    #[arg(long, value_name = "N", requires = "workers", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    worker_count: Option<u16>,
    /// A file with the name of a host on each line: one worker for each
    #[arg(long, value_name = "FILE", requires = "workers", conflicts_with = "worker_count")]
    hosts: Option<PathBuf>,
}

impl WorkerArgs {
    /// One command for each worker; none if this process plays by itself.
    pub fn commands(&self) -> Result<Vec<String>, Failure> {
        let Some(command) = &self.workers else { return Ok(Vec::new()) };
        if command.trim().is_empty() {
            return Err(Failure::Usage("--workers is empty: give a command that starts `lab2048 worker`".into()));
        }
        match (&self.hosts, command.contains(HOST)) {
            (Some(file), true) => Ok(hosts(file)?.iter().map(|host| command.replace(HOST, host)).collect()),
            (Some(_), false) => {
                let example = "such as --workers 'ssh {host} lab2048 worker'";
                Err(Failure::Usage(format!("--hosts needs {HOST} in the command of --workers, {example}")))
            }
            (None, true) => {
                Err(Failure::Usage(format!("--workers has {HOST}, so --hosts must name a file with the hosts")))
            }
            (None, false) => Ok(vec![command.clone(); self.worker_count.map_or(1, usize::from)]),
        }
    }
}

/// The hosts of a file: one on each line, apart from comments.
fn hosts(file: &Path) -> Result<Vec<String>, Failure> {
    let name = file.display();
    let text = read_text(file, LARGEST).map_err(|error| Failure::Usage(format!("cannot read `{name}`: {error}")))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut hosts = Vec::new();
    for (number, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "@.-_:[]%".contains(c);
        // The name becomes a part of a shell command, in which other characters may have a special meaning.
        if !line.chars().all(is_plain) || line.starts_with('-') {
            return Err(Failure::Usage(format!("`{name}`, line {}: `{line}` is not the name of a host", number + 1)));
        }
        hosts.push(line.to_string());
    }
    if hosts.is_empty() { Err(Failure::Usage(format!("`{name}` names no hosts"))) } else { Ok(hosts) }
}
