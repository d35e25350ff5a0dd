//! The arguments that experiments and `plot` share: how figures are drawn.

use super::Failure;
use crate::experiment::FigureOptions;
use crate::params::unknown;
use crate::report::figures::{Family, Format};

/// How figures are drawn
#[derive(Debug, clap::Args)]
pub struct FigureArgs {
    /// Formats of figures: any of png, svg, pdf, or none
    #[arg(long, value_delimiter = ',', default_value = "png,svg,pdf")]
    format: Vec<String>,
    /// Width of figures: column (3.5 in), page (7 in) or millimetres such as 89mm; by default each figure has its own
    #[arg(long)]
    width: Option<String>,
    /// Font of figures: sans or serif
    #[arg(long, default_value = "sans")]
    font: String,
}

impl FigureArgs {
    /// Checks the arguments. `only` are the names or kinds of figures to draw; all if empty.
    pub fn options(&self, only: &[String]) -> Result<FigureOptions, Failure> {
        let width = self.width.as_deref().map(str::parse).transpose().map_err(Failure::Usage)?;
        Ok(FigureOptions { width, font: family(&self.font)?, formats: formats(&self.format)?, only: only.to_vec() })
    }
}

fn family(name: &str) -> Result<Family, Failure> {
    let found = Family::ALL.into_iter().find(|family| family.name() == name);
    found.ok_or_else(|| Failure::Usage(unknown("font", name, Family::ALL.iter().map(|family| family.name()))))
}

fn formats(names: &[String]) -> Result<Vec<Format>, Failure> {
    let named = |name: &String| {
        let found = Format::ALL.into_iter().find(|format| format.extension() == name);
        let known = Format::ALL.iter().map(|format| format.extension()).chain(["none"]);
        found.ok_or_else(|| Failure::Usage(unknown("format", name, known)))
    };
    names.iter().filter(|name| *name != "none").map(named).collect()
}
