//! The arguments that several experiments share: which games to play and keep, the number of threads, the results
//! folder, and how figures are drawn.

use std::path::PathBuf;

use super::Failure;
use super::figure_args::FigureArgs;
use crate::experiment::compare::Keep;
use crate::experiment::{FigureOptions, Options};
use crate::params::unknown;
use crate::spec::{MOST_GAMES, Overrides};

/// What `compare` and `merge` share
#[derive(Debug, clap::Args)]
pub struct ComparisonArgs {
    /// Games for each agent
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// The seed from which all games are derived
    #[arg(long)]
    seed: Option<u64>,
    /// Keep the best or the worst game of each agent, or all games, in the folder's records/
    #[arg(long, value_name = "best|worst|all")]
    record: Option<String>,
}

impl ComparisonArgs {
    /// The values that replace those of the experiment file.
    pub fn overrides(&self) -> Overrides {
        Overrides { games: self.games, seed: self.seed, opening: None }
    }

    /// Which games to keep as records.
    pub fn keep(&self) -> Result<Option<Keep>, Failure> {
        let known = [("best", Keep::Best), ("worst", Keep::Worst), ("all", Keep::All)];
        let Some(text) = &self.record else { return Ok(None) };
        let found = known.into_iter().find(|(name, _)| name == text);
        let wrong = || Failure::Usage(unknown("choice of games", text, known.iter().map(|(name, _)| *name)));
        found.map(|(_, keep)| Some(keep)).ok_or_else(wrong)
    }
}

/// How an experiment is run
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Start over, and replace the results in the folder when the new ones are complete
    #[arg(long)]
    fresh: bool,
}

/// Where results go
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Threads to run on; by default one for each processor
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Where results go; by default results/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    figures: FigureArgs,
}

impl RunArgs {
    /// How to run the experiment of this name.
    pub fn options(&self, name: &str) -> Options {
        Options { fresh: self.fresh, ..self.output.options(name) }
    }

    /// How to draw its figures.
    pub fn figures(&self) -> Result<FigureOptions, Failure> {
        self.output.figures()
    }
}

impl OutputArgs {
    /// How to continue the experiment of this name.
    pub fn options(&self, name: &str) -> Options {
        Options {
            folder: self.out.clone().unwrap_or_else(|| PathBuf::from("results").join(name)),
            threads: self.threads.map_or_else(super::processors, usize::from),
            fresh: false,
            workers: Vec::new(),
        }
    }

    /// How to draw its figures.
    pub fn figures(&self) -> Result<FigureOptions, Failure> {
        self.figures.options(&[])
    }
}
