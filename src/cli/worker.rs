//! `lab2048 worker`: plays games for a tuning run in another process, often on another machine.

use super::{Context, Failure};
use crate::cluster::serve;

/// Play games for `tune --workers`, which starts this command and uses its standard input and output
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 tune experiments/quickstart.toml --workers 'lab2048 worker --threads 1' --worker-count 2
  lab2048 tune experiments/quickstart.toml --workers 'ssh {host} lab2048 worker' --hosts hosts.txt

A worker reads no files and writes none. It ends when its input ends.")]
pub struct Args {
    /// Threads to play on; by default one for each processor
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let threads = self.threads.map_or_else(super::processors, usize::from);
        Ok(serve(threads, std::io::stdin().lock(), std::io::stdout())?)
    }
}
