//! The arguments that all experiments share: on how many threads they run, where results go, and how figures are printed.

use std::path::PathBuf;

use super::Failure;
use super::figure_args::FigureArgs;
use crate::experiment::{FigureOptions, Options};

/// How an experiment is run
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Start over, and replace what the folder holds when the new results are complete
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

    /// How to print its figures.
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

    /// How to print its figures.
    pub fn figures(&self) -> Result<FigureOptions, Failure> {
        self.figures.options(&[])
    }
}
