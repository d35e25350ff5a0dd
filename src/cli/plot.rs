//! `lab2048 plot`: the figures of a results folder, drawn again from its tables.

use std::path::PathBuf;

use super::output::print;
use super::{Context, Failure};
use crate::experiment::{FigureOptions, plot};
use crate::params::unknown;
use crate::report::figures::{Format, Width};

/// Draw the figures of a results folder again, from its CSV files alone
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 plot results/malaga --width page --format pdf
  lab2048 plot results/marks --only win-rate,pareto
  lab2048 plot results/quickstart --only convergence --width page")]
pub struct Args {
    /// The folder that `lab2048 compare` or `lab2048 tune` wrote
    folder: PathBuf,
    /// How wide figures are printed: column (3.5 in) or page (7 in); by default as suits each
    #[arg(long)]
    width: Option<String>,
    /// What figures are written as: any of png, svg, pdf
    #[arg(long, value_delimiter = ',', default_value = "png,svg,pdf")]
    format: Vec<String>,
    /// Only figures of these names or kinds
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let printed = FigureOptions {
            width: self.width.as_deref().map(width).transpose()?,
            formats: formats(&self.format)?,
            only: self.only.clone(),
        };
        let written = plot(&self.folder, &printed)?;
        let lines: String = written.iter().map(|path| format!("{}\n", path.display())).collect();
        if context.quiet { Ok(()) } else { print(&lines) }
    }
}

fn width(text: &str) -> Result<Width, Failure> {
    match text {
        "column" => Ok(Width::Column),
        "page" => Ok(Width::Page),
        other => Err(Failure::Usage(unknown("width", other, ["column", "page"].into_iter()))),
    }
}

/// The formats of these names; `none` stands for no figures.
pub fn formats(names: &[String]) -> Result<Vec<Format>, Failure> {
    let named = |name: &String| {
        let found = Format::ALL.into_iter().find(|format| format.extension() == name);
        let known = Format::ALL.iter().map(|format| format.extension()).chain(["none"]);
        found.ok_or_else(|| Failure::Usage(unknown("format", name, known)))
    };
    names.iter().filter(|name| *name != "none").map(named).collect()
}
