//! `lab2048 merge`: makes the results of a comparison that shards have played.

use std::path::PathBuf;
use std::sync::Arc;

use super::compare::show;
use super::interrupt::interruptible;
use super::live::LiveProgress;
use super::run_args::{ComparisonArgs, OutputArgs};
use super::{Context, Failure};
use crate::experiment::compare::{Extras, merge};
use crate::spec::Comparison;
use crate::web::report;

/// Make the results of a comparison whose games were played by `compare --shard`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 compare experiments/malaga.toml --shard 0/2 --out results/malaga
  lab2048 compare experiments/malaga.toml --shard 1/2 --out results/malaga
  lab2048 merge experiments/malaga.toml --out results/malaga

All files except those with measured times are the same, byte for byte, as if one machine had played all games. If games are
missing, no results are made: the message names the shards to run again, and the exit code is 1. Give the same --games and
--seed as to the shards.")]
pub struct Args {
    /// The experiment (TOML)
    experiment: PathBuf,
    #[command(flatten)]
    comparison: ComparisonArgs,
    #[command(flatten)]
    run: OutputArgs,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let comparison = Comparison::open(&self.experiment, self.comparison.overrides())?;
        let options = self.run.options(&comparison.name);
        let extras = Extras { figures: self.run.figures()?, keep: self.comparison.keep()? };
        let labels: Vec<String> = comparison.entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let progress = Arc::new(LiveProgress::of_comparison(&labels, comparison.games, &options.folder, context.quiet));
        let bars = progress.clone();
        let outcome = interruptible(move |stop| {
            let result = merge(comparison, &options, &extras, stop, bars)?;
            report::write(&options.folder)?;
            Ok(result)
        });
        progress.finish();
        show(&outcome?, self.json, context.quiet)
    }
}
