//! `lab2048 report`: the HTML report of a results folder, made again from its tables.

use std::path::PathBuf;

use super::output::{print, say};
use super::serve::open;
use super::{Context, Failure};
use crate::experiment::{FigureOptions, plot};
use crate::report::figures::Format;
use crate::web::report;

/// Make report.html of a results folder again, from its tables alone
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 report results/quickstart --open
  lab2048 report results/malaga")]
pub struct Args {
    /// A results folder of `lab2048 compare`, `tune` or `learn`
    folder: PathBuf,
    /// Open the report in a browser
    #[arg(long)]
    open: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let folder = &self.folder;
        if !folder.join(crate::report::manifest::FILE).is_file() {
            let why = "has no manifest.json: it is not a results folder of `lab2048 compare`, `tune` or `learn`";
            return Err(Failure::Usage(format!("`{}` {why}", folder.display())));
        }
        let svg = FigureOptions { formats: vec![Format::Svg], ..FigureOptions::default() };
        if let Err(error) = plot(folder, &svg) {
            // The tables of a figure may not have been kept. The report then shows the figure that was drawn earlier.
            say(&format!("warning: the figures were not drawn again: {error}"));
        }
        let written = report::write(folder)?;
        if self.open {
            written.first().into_iter().for_each(|path| open(&path.display().to_string()));
        }
        let lines: String = written.iter().map(|path| format!("{}\n", path.display())).collect();
        if context.quiet { Ok(()) } else { print(&lines) }
    }
}
