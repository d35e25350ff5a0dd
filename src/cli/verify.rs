//! `lab2048 verify`: checks that a results folder is as its run wrote it, and that its games can be repeated.

use std::path::PathBuf;

use serde_json::json;

use super::interrupt::interruptible;
use super::output::{print, print_json};
use super::{Context, Failure};
use crate::experiment::{Verification, verify};

/// Check the hashes of a results folder, and play some of its games again
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 verify results/malaga-short
  lab2048 verify results/malaga-short --replay 20

Exit code 0: every file is as the run wrote it. Exit code 1: something has changed, and the output names it.")]
pub struct Args {
    /// A results folder of `lab2048 compare`, `tune` or `learn`
    folder: PathBuf,
    /// Play this many games of `games.csv` again, chosen at random, and compare their results
    #[arg(long, value_name = "N", default_value_t = 0)]
    replay: usize,
    /// The seed of the random choice of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let (folder, replay, seed) = (self.folder.clone(), self.replay, self.seed);
        let found = interruptible(move |_| Ok(verify(&folder, replay, seed)?))?;
        if self.json {
            print_json(&to_json(&found))?;
        } else {
            print(&self.text(&found, context.quiet))?;
        }
        match found.problems.len() {
            0 => Ok(()),
            count => Err(Failure::Failed(anyhow::anyhow!("`{}` has {count} problem(s)", self.folder.display()))),
        }
    }

    fn text(&self, found: &Verification, quiet: bool) -> String {
        let mut lines = found.problems.clone();
        if !quiet {
            lines.extend(found.not_kept.iter().map(|name| format!("{name}: not kept")));
            lines.push(format!("{} files are as the run wrote them", found.intact.len()));
            if self.replay > 0 {
                lines.push(format!("{} games had the same result when played again", found.replayed));
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn to_json(found: &Verification) -> serde_json::Value {
    json!({
        "intact": found.intact,
        "not_kept": found.not_kept,
        "problems": found.problems,
        "replayed": found.replayed,
    })
}
