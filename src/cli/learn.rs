//! `lab2048 learn`: a network that learns to play from its own games.

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use super::figure_args::FigureArgs;
use super::output::{print, print_json};
use super::{Context, Failure, interrupt};
use crate::experiment::Options;
use crate::experiment::learn::{Learned, Point, Watch, network_file, run};
use crate::learn::{Budget, Progress};
use crate::spec::Learning;

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
    /// Threads to train on; by default one for each processor
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where results go; by default results/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Throw away what the folder holds of an earlier run, and start over
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    figures: FigureArgs,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let learning = Learning::open(&self.experiment)?;
        let options = Options {
            folder: self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(&learning.name)),
            threads: self.threads.map_or_else(super::processors, usize::from),
            fresh: self.fresh,
            workers: Vec::new(),
        };
        let figures = self.figures.options(&[])?;
        let bar = TrainingBar::new(learning.settings.budget, context.quiet);
        let outcome = run(&learning, &options, &figures, interrupt::flag(), &bar);
        bar.bar.finish_and_clear();
        let learned = outcome?;
        crate::web::report::write(&options.folder)?;
        if self.json {
            print_json(&to_json(&learned, &options.folder))
        } else {
            print(&text(&learned, &options.folder))
        }
    }
}

/// A bar on a terminal; elsewhere only what is worth a line.
struct TrainingBar {
    bar: ProgressBar,
    budget: Budget,
    quiet: bool,
    /// When the first game ended in this run, and how many moves had been made by then.
    begun: Mutex<Option<(Instant, u64)>>,
}

impl TrainingBar {
    fn new(budget: Budget, quiet: bool) -> Self {
        let target =
            if quiet || !stderr().is_terminal() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let (length, unit) = match budget {
            Budget::Games(games) => (games, "games"),
            Budget::Moves(moves) => (moves, "moves"),
        };
        let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}  {{eta}} left"));
        // A template that cannot be read is our own mistake; a plain bar is better than none.
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style);
        TrainingBar { bar, budget, quiet, begun: Mutex::new(None) }
    }

    /// Moves a second since the first game ended in this run.
    fn speed(&self, progress: Progress) -> f64 {
        let mut begun = self.begun.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (since, moves) = *begun.get_or_insert_with(|| {
            // What an earlier run has done says nothing about the speed of this one.
            self.bar.reset_eta();
            (Instant::now(), progress.moves)
        });
        (progress.moves - moves) as f64 / since.elapsed().as_secs_f64().max(1e-9)
    }
}

impl Watch for TrainingBar {
    fn advance(&self, progress: Progress, mean_score: f64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_position(match self.budget {
            Budget::Games(_) => progress.games,
            Budget::Moves(_) => progress.moves,
        });
        let speed = self.speed(progress) / 1e6;
        self.bar.set_message(format!("mean score {mean_score:.0}  {speed:.2} million moves/s"));
    }

    fn say(&self, line: &str) {
        match (self.quiet, self.bar.is_hidden()) {
            (true, _) => {}
            (false, true) => eprintln!("{line}"),
            (false, false) => self.bar.println(line),
        }
    }
}

fn text(learned: &Learned, folder: &Path) -> String {
    let Learned { progress, validation, test } = learned;
    let mut lines = vec!["Mean score at one ply on validation games, by training games:".to_string()];
    lines.extend(validation.iter().map(|point| format!("  {:>9}  {}", point.training_games, point.show_mean())));
    lines.push(format!(
        "After {} games and {} moves: {} on {} test games, which nothing had looked at before.",
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

/// What to know of games that met the largest tile that a board can hold.
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
