//! The figures of a comparison, drawn from its CSV files alone: the same files give the same bytes.

mod charts;
mod subjects;

use std::path::{Path, PathBuf};

use charts::chart;
use subjects::Subjects;

use super::sample::{AgentGames, read_samples};
use super::{AGENTS, EXPERIMENT, PUBLISHED, SUMMARY, TIMING_SUMMARY};
use crate::experiment::error::{Error, at};
use crate::params::{InputError, document::Document, unknown};
use crate::report::figures::{Chart, Format, Scene, Width, draw, panels, write};
use crate::report::table::Table;
use crate::spec::{FigureChoice, FigureKind};

/// The folder of figures inside one of results.
pub(super) const FIGURES: &str = "figures";

/// How figures are printed.
#[derive(Clone, Debug)]
pub struct FigureOptions {
    /// `None` for what suits each figure.
    pub width: Option<Width>,
    pub formats: Vec<Format>,
    /// Names or kinds of the figures to draw; empty for all.
    pub only: Vec<String>,
}

impl Default for FigureOptions {
    fn default() -> Self {
        FigureOptions { width: None, formats: Format::ALL.to_vec(), only: Vec::new() }
    }
}

/// What figures are drawn from.
struct Files {
    agents: Table,
    summary: Table,
    timing: Table,
    published: Option<Table>,
    samples: Vec<AgentGames>,
    choices: Vec<FigureChoice>,
}

impl Files {
    fn read(folder: &Path) -> Result<Self, Error> {
        let published = folder.join(PUBLISHED);
        let files = Files {
            agents: Table::read(&folder.join(AGENTS))?,
            summary: Table::read(&folder.join(SUMMARY))?,
            timing: Table::read(&folder.join(TIMING_SUMMARY))?,
            published: published.exists().then(|| Table::read(&published)).transpose()?,
            samples: read_samples(folder)?,
            choices: choices(&folder.join(EXPERIMENT))?,
        };
        let agents = |table: &Table| table.rows().map(|row| row.text("agent").to_string()).collect::<Vec<_>>();
        let expected = agents(&files.agents);
        let played: Vec<String> = files.samples.iter().map(|sample| sample.agent.clone()).collect();
        if [agents(&files.summary), agents(&files.timing), played].iter().any(|found| *found != expected) {
            return Err(Error::Failed(format!("the tables in `{}` do not name the same agents", folder.display())));
        }
        Ok(files)
    }

    fn subjects(&self) -> Subjects<'_> {
        Subjects::new(&self.agents, &self.summary, &self.timing, &self.samples)
    }

    /// What the user chose, or else everything that these data can show.
    fn wanted(&self) -> Vec<FigureChoice> {
        if !self.choices.is_empty() {
            return self.choices.clone();
        }
        use FigureKind::*;
        let with_tiles = self.summary.columns().iter().any(|name| name.starts_with("reach_"));
        let kinds: &[FigureKind] = match with_tiles {
            true => &[WinRate, Score, Cost, Ecdf, Violin, Reach, Pareto],
            false => &[Outcomes, WinRate, Cost],
        };
        kinds.iter().copied().chain(self.published.as_ref().map(|_| Published)).map(FigureChoice::of).collect()
    }
}

/// The figures that the experiment asks for; none if it is not there to be asked.
fn choices(experiment: &Path) -> Result<Vec<FigureChoice>, Error> {
    if !experiment.exists() {
        return Ok(Vec::new());
    }
    let document = Document::open(&experiment.to_string_lossy())?;
    Ok(FigureChoice::read_all(document.table()).map_err(|problem| document.locate(problem))?)
}

/// Draws the figures of a results folder, and says which files these are.
pub fn plot(folder: &Path, print: &FigureOptions) -> Result<Vec<PathBuf>, Error> {
    if print.formats.is_empty() {
        return Ok(Vec::new());
    }
    let files = Files::read(folder)?;
    let wanted = selected(files.wanted(), &print.only)?;
    let mut written = Vec::new();
    for choice in wanted {
        if let Some(scene) = scene(&choice, &files, print.width) {
            let into = folder.join(FIGURES);
            written.extend(write(&into, &choice.name, &scene, &print.formats).map_err(at(&into))?);
        }
    }
    Ok(written)
}

fn selected(wanted: Vec<FigureChoice>, only: &[String]) -> Result<Vec<FigureChoice>, Error> {
    let names: Vec<String> = wanted.iter().map(|choice| choice.name.clone()).collect();
    let fits = |choice: &FigureChoice, name: &String| choice.name == *name || choice.kind.name() == name;
    for name in only {
        if !wanted.iter().any(|choice| fits(choice, name)) {
            return Err(InputError::new(unknown("figure", name, names.iter().map(String::as_str))).into());
        }
    }
    let chosen = |choice: &FigureChoice| only.is_empty() || only.iter().any(|name| fits(choice, name));
    Ok(wanted.into_iter().filter(chosen).collect())
}

/// One chart in a column, or panels across the page.
fn scene(choice: &FigureChoice, files: &Files, width: Option<Width>) -> Option<Scene> {
    let subjects = files.subjects().chosen(choice);
    let published = files.published.as_ref();
    let Some(axis) = &choice.panel else {
        let chart = chart(choice, &subjects, published, "")?;
        return Some(draw(chart.as_ref(), width.unwrap_or_else(|| natural_width(choice, &subjects))));
    };
    let charts = subjects.grouped(axis).into_iter();
    let charts: Vec<Box<dyn Chart>> =
        charts.filter_map(|(name, group)| chart(choice, &group, published, &name)).collect();
    let charts: Vec<&dyn Chart> = charts.iter().map(AsRef::as_ref).collect();
    (!charts.is_empty()).then(|| panels(&charts, PANEL_COLUMNS, width.unwrap_or(Width::Page), &choice.name))
}

const PANEL_COLUMNS: usize = 2;
/// Names of more agents than this do not fit side by side into a column.
const COLUMN_NAMES: usize = 4;

fn natural_width(choice: &FigureChoice, subjects: &Subjects) -> Width {
    let names_agents = matches!(choice.kind, FigureKind::Violin | FigureKind::Reach | FigureKind::Pareto);
    if names_agents && subjects.all.len() > COLUMN_NAMES { Width::Page } else { Width::Column }
}
