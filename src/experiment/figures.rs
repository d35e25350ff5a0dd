//! Drawing the figures of a results folder: what comparisons, tuning runs and trainings have in common.

use std::path::{Path, PathBuf};

use super::error::{Error, at};
use super::folder::ResultsFolder;
use crate::params::{InputError, unknown};
use crate::report::figures::{
    Family, Format, NotDrawn, RUNS, RunChart, RunKind, RunTables, Scene, Width, draw, with_family, write,
};

/// The folder of figures inside a results folder.
pub const FIGURES: &str = "figures";

/// Which figures are drawn, and how.
#[derive(Clone, Debug)]
pub struct FigureOptions {
    /// `None` gives each figure the width that suits it.
    pub width: Option<Width>,
    /// The font of all texts.
    pub font: Family,
    /// The formats to write; none draws nothing.
    pub formats: Vec<Format>,
    /// Names or kinds of the figures to draw; all if empty.
    pub only: Vec<String>,
}

impl Default for FigureOptions {
    fn default() -> Self {
        FigureOptions { width: None, font: Family::default(), formats: Format::ALL.to_vec(), only: Vec::new() }
    }
}

/// The figures that were drawn, and why others were not.
#[derive(Clone, Debug, Default)]
pub struct DrawnFigures {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// One sentence for each figure that was left out.
    pub left_out: Vec<String>,
}

impl DrawnFigures {
    /// The same list after the figures have been moved to another folder.
    fn moved(self, from: &Path, to: &Path) -> Self {
        let moved = |path: PathBuf| path.strip_prefix(from).map(|name| to.join(name)).unwrap_or(path);
        DrawnFigures { files: self.files.into_iter().map(moved).collect(), ..self }
    }
}

/// Draws the figures of finished results again, from those of their tables that are there. If some are not, the sentences
/// on figures that were left out end with one that says how `command` makes the tables.
pub(super) fn redraw(
    results: ResultsFolder,
    folder: &Path,
    command: &str,
    draw: impl FnOnce(&ResultsFolder) -> Result<DrawnFigures, Error>,
) -> Result<DrawnFigures, Error> {
    let not_kept = results.stage_tables(command)?;
    let mut drawn = match (draw(&results), &not_kept) {
        (Err(Error::Failed(why)), Some(not_kept)) => return Err(Error::Failed(format!("{why}\n{not_kept}"))),
        (drawn, _) => drawn?.moved(results.stage(), folder),
    };
    if !drawn.left_out.is_empty() {
        drawn.left_out.extend(not_kept);
    }
    results.commit(None)?;
    Ok(drawn)
}

/// Draws the figures of a tuning run or a training.
pub(super) fn draw_run(tables: &RunTables, kind: RunKind, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    if options.formats.is_empty() {
        return Ok(DrawnFigures::default());
    }
    let charts: Vec<&RunChart> = RUNS.iter().filter(|chart| chart.belongs_to(kind)).collect();
    let mut drawing = Drawing::new(tables.folder, options);
    drawing.check(&charts.iter().map(|chart| (chart.name.to_string(), chart.name)).collect::<Vec<_>>())?;
    for chart in charts {
        if drawing.wants(chart.name, chart.name) {
            drawing.add(chart.name, || {
                chart.build(tables).map(|chart| draw(chart.as_ref(), options.width.unwrap_or(chart.natural_width())))
            })?;
        }
    }
    drawing.finish()
}

/// Draws figures into the folder of a run.
pub(super) struct Drawing<'a> {
    folder: &'a Path,
    options: &'a FigureOptions,
    drawn: DrawnFigures,
}

impl<'a> Drawing<'a> {
    pub fn new(folder: &'a Path, options: &'a FigureOptions) -> Self {
        Drawing { folder, options, drawn: DrawnFigures::default() }
    }

    /// Checks that all figures which the user asked for exist. Each figure has a name and a kind.
    pub fn check(&self, known: &[(String, &str)]) -> Result<(), Error> {
        let fits = |wanted: &&String| known.iter().any(|(name, kind)| name == *wanted || kind == wanted);
        match self.options.only.iter().find(|wanted| !fits(wanted)) {
            None => Ok(()),
            Some(wanted) => {
                let names = known.iter().map(|(name, _)| name.as_str());
                Err(InputError::new(unknown("figure", wanted, names)).into())
            }
        }
    }

    /// Whether the user wants this figure.
    pub fn wants(&self, name: &str, kind: &str) -> bool {
        self.options.only.is_empty() || self.options.only.iter().any(|wanted| wanted == name || wanted == kind)
    }

    /// Draws a figure in the wanted font and writes it, or notes why it cannot be drawn.
    pub fn add(&mut self, name: &str, scene: impl FnOnce() -> Result<Scene, NotDrawn>) -> Result<(), Error> {
        let why = match with_family(self.options.font, scene) {
            Ok(scene) => {
                let into = self.folder.join(FIGURES);
                self.drawn.files.extend(write(&into, name, &scene, &self.options.formats).map_err(at(&into))?);
                return Ok(());
            }
            Err(NotDrawn::NotApplicable) => return Ok(()),
            Err(NotDrawn::Unreadable(error)) => return Err(error.into()),
            Err(NotDrawn::TooLittle(why)) => why,
            Err(NotDrawn::Missing(file)) => format!("its table `{file}` is not there"),
        };
        self.drawn.left_out.push(format!("{name} is not drawn: {why}"));
        Ok(())
    }

    /// The figures that were drawn. It is an error if the user asked for figures by name and none of them could be
    /// drawn.
    pub fn finish(self) -> Result<DrawnFigures, Error> {
        let DrawnFigures { files, left_out } = &self.drawn;
        if !self.options.only.is_empty() && files.is_empty() && !left_out.is_empty() {
            return Err(Error::Failed(left_out.join("\n")));
        }
        Ok(self.drawn)
    }
}
