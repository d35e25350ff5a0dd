//! `lab2048 plot`: draws the figures of a results folder again from its tables.

use std::path::PathBuf;

use super::figure_args::FigureArgs;
use super::output::{print, say};
use super::{Context, Failure};
use crate::experiment::plot;

/// Draw the figures of a results folder again, from its tables alone
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 plot results/malaga --width page --format pdf
  lab2048 plot results/marks --only win-rate,pareto
  lab2048 plot results/quickstart --only convergence --width 89mm --font serif

A figure whose table is not in the folder is left as it is. A message says how to make the table.")]
pub struct Args {
    /// A results folder of `lab2048 compare`, `tune` or `learn`
    folder: PathBuf,
    #[command(flatten)]
    figures: FigureArgs,
    /// Draw only figures of these names or kinds
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let drawn = plot(&self.folder, &self.figures.options(&self.only)?)?;
        if context.quiet {
            return Ok(());
        }
        drawn.left_out.iter().for_each(|why| say(why));
        print(&drawn.files.iter().map(|path| format!("{}\n", path.display())).collect::<String>())
    }
}
