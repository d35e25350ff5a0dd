//! `lab2048 learn`: trains a network on its own games.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::interrupt::interruptible_within;
use super::live::LiveProgress;
use super::output::{print, print_json};
use super::run_args::RunArgs;
use super::{Context, Failure};
use crate::experiment::learn::{Learned, Point, network_file, run};
use crate::spec::Learning;

/// How long an interrupted training may take to write a checkpoint, which can be gigabytes.
const SAVING: Duration = Duration::from_secs(60);

/// Train an n-tuple network on its own games, and test it on games it never saw
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 learn experiments/learn-rows.toml
  lab2048 learn experiments/learn-4x6.toml --threads 2
  lab2048 watch --agent expectimax:depth=3,heuristic=results/learn-rows/network.bin

The same command continues an interrupted training; a larger `games` in the file extends a finished one.")]
pub struct Args {
    /// The experiment (TOML)
    experiment: PathBuf,
    #[command(flatten)]
    run: RunArgs,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let learning = Learning::open(&self.experiment)?;
        let options = self.run.options(&learning.name);
        let figures = self.run.figures()?;
        let folder = options.folder.clone();
        let progress = Arc::new(LiveProgress::of_training(&learning, &folder, context.quiet));
        let bars = progress.clone();
        let outcome = interruptible_within(SAVING, move |stop| {
            let learned = run(&learning, &options, &figures, stop, bars.as_ref())?;
            crate::web::report::write(&options.folder)?;
            Ok(learned)
        });
        progress.finish();
        let learned = outcome?;
        if self.json { print_json(&to_json(&learned, &folder)) } else { print(&text(&learned, &folder)) }
    }
}

fn text(learned: &Learned, folder: &Path) -> String {
    let Learned { progress, validation, test } = learned;
    let mut lines = vec!["Mean score at one ply on validation games, by training games:".to_string()];
    lines.extend(validation.iter().map(|point| format!("  {:>9}  {}", point.training_games, point.show_mean())));
    lines.push(format!(
        "After {} games and {} moves: {} on {} test games that the training never saw.",
        progress.games,
        progress.moves,
        test.show_mean(),
        test.games
    ));
    lines.extend(limit(test));
    lines.push(format!("Results are in {}. To see the network at work:", folder.display()));
    let network = network_file(folder);
    lines.push(format!("  lab2048 watch --goal none --agent expectimax:depth=3,heuristic={}", network.display()));
    lines.join("\n") + "\n"
}

/// A note on games with two of the largest tile, which cannot merge here.
fn limit(test: &Point) -> Option<String> {
    (test.met_limit > 0).then(|| {
        format!(
            "{} of {} test games had two tiles of 32768, which cannot merge here: their scores would be higher.",
            test.met_limit, test.games
        )
    })
}

fn to_json(learned: &Learned, folder: &Path) -> serde_json::Value {
    let point = |point: &Point| {
        json!({
            "training_games": point.training_games,
            "games": point.games,
            "mean_score": point.mean(),
            "met_limit": point.met_limit,
        })
    };
    json!({
        "network": network_file(folder),
        "training_games": learned.progress.games,
        "training_moves": learned.progress.moves,
        "validation": learned.validation.iter().map(point).collect::<Vec<_>>(),
        "test": point(&learned.test),
    })
}
