//! `lab2048 merge`: the results of a comparison that shards have played.

use std::path::PathBuf;
use std::sync::Arc;

use super::compare::{keep, show};
use super::interrupt::interruptible;
use super::live::LiveProgress;
use super::run_args::OutputArgs;
use super::{Context, Failure};
use crate::experiment::compare::{Extras, merge};
use crate::spec::{Comparison, MOST_GAMES, Overrides};
use crate::web::report;

/// Make the results of a comparison whose games were played by `compare --shard`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 compare experiments/malaga.toml --shard 0/2 --out results/malaga
  lab2048 compare experiments/malaga.toml --shard 1/2 --out results/malaga
  lab2048 merge experiments/malaga.toml --out results/malaga

All files but those with measured times are the same, byte for byte, as if one machine had played everything. If games are
missing, nothing is made of the others: the shards to run again are named, and the exit code is 1. Give the same --games and
--seed as to the shards.")]
pub struct Args {
    /// The experiment (TOML)
    experiment: PathBuf,
    /// Games for each agent
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// The seed that all games follow from
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the best or the worst game of each agent, or all games, in the folder's records/
    #[arg(long, value_name = "best|worst|all")]
    record: Option<String>,
    #[command(flatten)]
    run: OutputArgs,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let overrides = Overrides { games: self.games, seed: self.seed, opening: None };
        let comparison = Comparison::open(&self.experiment, overrides)?;
        let options = self.run.options(&comparison.name);
        let extras = Extras { print: self.run.figures()?, keep: self.record.as_deref().map(keep).transpose()? };
        let labels: Vec<String> = comparison.entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let progress = Arc::new(LiveProgress::of_comparison(&labels, comparison.games, &options.folder, context.quiet));
        let bars = progress.clone();
        let outcome = interruptible(move |stop| {
            let result = merge(comparison, &options, &extras, stop, bars)?;
            report::write(&options.folder)?;
            Ok(result)
        });
        progress.finish(outcome.is_ok());
        show(&outcome?, self.json, context.quiet)
    }
}
