//! `lab2048 plan`: how many games an experiment needs.

use std::path::PathBuf;

use comfy_table::{CellAlignment, Table as Grid, presets};
use serde_json::json;

use super::output::{print, print_json};
use super::{Context, Failure};
use crate::experiment::plan::{Plan, PlanOptions, plan, read_summary};
use crate::report::table::Table;
use crate::spec::{Comparison, Overrides};

/// Compute how many games each contrast of an experiment needs
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 plan experiments/malaga-short.toml
  lab2048 plan experiments/speed.toml --difference 0.05 --power 0.9
  lab2048 plan experiments/marks.toml --results results/marks

Without results, a win rate or a spread of scores is assumed and printed. If the experiment has results, they are used
instead. Differences are shares: 0.1 is 10 points of win rate, or 10 % of the mean score.")]
pub struct Args {
    /// The experiment (TOML) that compares agents
    experiment: PathBuf,
    /// The chance of detecting the difference
    #[arg(long, default_value_t = 0.8)]
    power: f64,
    /// The smallest difference that matters; by default the experiment's margin, or else 0.1
    #[arg(long)]
    difference: Option<f64>,
    /// The win rate to assume if there are no results
    #[arg(long, default_value_t = 0.5)]
    win_rate: f64,
    /// The standard deviation of scores to assume if there are no results, as a share of their mean
    #[arg(long, default_value_t = 0.5)]
    variation: f64,
    /// The results folder; by default results/NAME if it exists
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let comparison = Comparison::open(&self.experiment, Overrides::default())?;
        let summary = self.summary(&comparison)?;
        let plan = plan(&comparison, &self.options()?, summary.as_ref())?;
        if self.json {
            return print_json(&json!({ "contrasts": plan.contrasts.to_json(), "notes": plan.notes }));
        }
        print(&text(&plan))
    }

    fn options(&self) -> Result<PlanOptions, Failure> {
        let share = |name: &str, value: f64, most: f64| match value > 0.0 && value < most {
            true => Ok(value),
            false => Err(Failure::Usage(format!("--{name} is {value}, but must be between 0 and {most}"))),
        };
        Ok(PlanOptions {
            power: share("power", self.power, 1.0)?,
            difference: self.difference.map(|value| share("difference", value, 10.0)).transpose()?,
            win_rate: share("win-rate", self.win_rate, 1.0)?,
            variation: share("variation", self.variation, 100.0)?,
        })
    }

    /// The results of the folder that the user gave, or of the default folder if it has any.
    fn summary(&self, comparison: &Comparison) -> Result<Option<Table>, Failure> {
        let default = PathBuf::from("results").join(&comparison.name);
        match &self.results {
            Some(folder) => Ok(Some(read_summary(folder)?)),
            None => Ok(read_summary(&default).ok()),
        }
    }
}

const HEADER: [(&str, &str); 8] = [
    ("first", "contrast"),
    ("second", "with"),
    ("basis", "basis"),
    ("difference", "difference"),
    ("games_needed", "games needed"),
    ("power_of_planned_games", "power of planned games"),
    ("measured_difference", "measured"),
    ("games_for_measured_difference", "games for it"),
];

fn text(plan: &Plan) -> String {
    let measured = plan.contrasts.rows().any(|row| row.text("basis") == "measured");
    let shown = &HEADER[..if measured { 8 } else { 6 }];
    let mut grid = Grid::new();
    grid.load_style(presets::NOTHING);
    grid.set_header(shown.iter().map(|(_, title)| *title));
    for row in plan.contrasts.rows() {
        grid.add_row(shown.iter().map(|(column, _)| match (*column, row.number(column)) {
            ("power_of_planned_games", Some(power)) => format!("{power:.2} ({} games)", row.text("planned_games")),
            (_, _) => row.text(column).to_string(),
        }));
    }
    for column in grid.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let notes: String = plan.notes.iter().map(|note| format!("{note}\n")).collect();
    format!("{notes}\n{grid}\n")
}
