//! The objective over each pair of parameters as contours, with the evaluations that it was learned from.

use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::{Cell, Place, fitted};
use crate::report::figures::contours::Grid;
use crate::report::figures::facets::{self, Facet, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{LABEL, MUTED, VERMILION, pen, tint};
use crate::report::figures::ticks::{Ticks, compact};
use crate::report::figures::viridis::viridis;
use crate::report::figures::{Chart, Width};
use crate::report::table::{Row, Table};
use plotters::style::RGBColor;

pub const KIND: RunChart = RunChart {
    name: "landscape",
    about: "the objective over each pair of parameters, with the evaluations",
    caption: "The objective over pairs of parameters as random forests have learned it from the evaluations{training}, \
              with all other parameters as recommended. Dots are evaluations, at most 300, spread evenly over the \
              search. The pairs are those of the five most important parameters.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// Evaluations in each panel; more of them would only cover the lines.
const MOST_DOTS: usize = 300;

fn build(tables: &RunTables) -> Built {
    let (landscape, parameters) = (tables.optional("landscape.csv")?, tables.table("parameters.csv")?);
    let evaluations = tables.table("evaluations.csv")?;
    let dots: Vec<Row> = spread(evaluations.rows().collect(), MOST_DOTS);
    let mut pairs: Vec<(&str, &str)> = landscape.rows().map(|row| (row.text("parameter"), row.text("other"))).collect();
    pairs.dedup();
    let panel = |(first, second): (&str, &str)| {
        let rows = [first, second].map(|name| parameters.find("parameter", name));
        let [Some(x), Some(y)] = rows else { return None };
        Some(panel(&landscape, &dots, &x, &y))
    };
    let panels: Vec<Panel> = pairs.into_iter().filter_map(panel).collect();
    if panels.is_empty() {
        return Err(NotDrawn::TooLittle("it needs two parameters and enough evaluations to learn from".into()));
    }
    Ok(Box::new(Landscape { objective: tables.objective.into(), panels }))
}

fn panel(landscape: &Table, dots: &[Row], x: &Row, y: &Row) -> Panel {
    let [across, along] = [x, y].map(Parameter::new);
    let own =
        landscape.rows().filter(|row| row.text("parameter") == across.column && row.text("other") == along.column);
    let own: Vec<Row> = own.collect();
    let columns = own.iter().take_while(|row| row.text("y") == own[0].text("y")).count();
    let places = |parameter: &Parameter, column: &str, step: usize| -> Vec<f64> {
        own.iter().step_by(step.max(1)).filter_map(|row| parameter.value(row, column)).collect()
    };
    Panel {
        xs: places(&across, "x", 1).into_iter().take(columns).collect(),
        ys: places(&along, "y", columns),
        values: own.iter().map(|row| row.number("objective").unwrap_or(f64::NAN)).collect(),
        dots: dots
            .iter()
            .filter_map(|row| Some((across.value(row, across.column)?, along.value(row, along.column)?)))
            .collect(),
        recommended: across.value(x, "tuned").zip(along.value(y, "tuned")),
        log: (across.log, along.log),
        choices: (across.choices, along.choices),
        names: (across.name, along.name),
    }
}

/// The objective over two parameters; the others have their recommended values.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub names: (String, String),
    pub log: (bool, bool),
    /// The values of choices; none for numbers.
    pub choices: (Vec<String>, Vec<String>),
    pub xs: Vec<f64>,
    pub ys: Vec<f64>,
    /// Row by row, one for each y and in it each x.
    pub values: Vec<f64>,
    pub dots: Vec<(f64, f64)>,
    pub recommended: Option<(f64, f64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Landscape {
    pub objective: String,
    pub panels: Vec<Panel>,
}

/// Levels of the contours, in all panels the same.
const LEVELS: usize = 7;
/// The room that a panel needs beside and below its frame, in points.
const BESIDE: f64 = 50.0;
const BELOW: f64 = 45.0;
/// The light end of the colours cannot be seen on white.
const LIGHTEST: f64 = 0.86;
const RECOMMENDED: Marker = Marker { shape: Shape::Diamond, colour: VERMILION, open: false };

impl Chart for Landscape {
    fn title(&self) -> String {
        format!("{} over pairs of parameters", self.objective)
    }

    fn height(&self, width: f64) -> f64 {
        // Every panel has its own axis labels.
        facets::height(self.panels.len(), false, &self.keys(), width) + 20.0 * self.rows(width)
    }

    fn natural_width(&self) -> Width {
        if self.panels.len() > 1 { Width::PAGE } else { Width::COLUMN }
    }

    fn draw(&self, cell: &Cell) {
        let (levels, width) = (self.levels(), cell.area.width());
        let columns = facets::columns(self.panels.len(), false, width) as f64;
        let room = (width / columns - BESIDE, cell.area.height() / self.rows(width) - BELOW);
        let facets = self.panels.iter().filter_map(|panel| panel.facet(&levels, room)).collect();
        facets::draw(cell, &Surround { keys: self.keys(), ..Surround::default() }, facets);
    }
}

impl Landscape {
    fn rows(&self, width: f64) -> f64 {
        self.panels.len().div_ceil(facets::columns(self.panels.len(), false, width)) as f64
    }

    /// Round values between the lowest and the highest, each with its colour.
    fn levels(&self) -> Vec<(f64, RGBColor)> {
        let values = self.panels.iter().flat_map(|panel| panel.values.iter().copied());
        let Some(scale) = Scale::covering(values, false, 0.0) else { return Vec::new() };
        let ticks = Ticks::of(scale, LEVELS);
        let colour = |value: f64| viridis(LIGHTEST * scale.fraction(value));
        ticks.major.iter().map(|(value, _)| (*value, colour(*value))).collect()
    }

    fn keys(&self) -> Vec<Key> {
        let evaluations = Marker { shape: Shape::Disc, colour: MUTED, open: false };
        let signs = [Key::marker("evaluations", evaluations), Key::marker("recommended", RECOMMENDED)];
        let levels = self.levels();
        let keys = levels.iter().map(|(value, colour)| Key::stroke(&compact(*value), *colour));
        signs.into_iter().chain([Key::note(&format!("{}:", self.objective))]).chain(keys).collect()
    }
}

impl Panel {
    /// `room` is how wide and how high the names of parameters may be.
    fn facet(&self, levels: &[(f64, RGBColor)], room: (f64, f64)) -> Option<Facet<'_>> {
        let names = (fitted(&self.names.0, LABEL, room.0), fitted(&self.names.1, LABEL, room.1));
        let x = Scale::covering(self.xs.iter().copied(), self.log.0, 0.0)?;
        let y = Scale::covering(self.ys.iter().copied(), self.log.1, 0.0)?;
        let (x, y) =
            (Axis::of_parameter(&names.0, x, &self.choices.0), Axis::of_parameter(&names.1, y, &self.choices.1));
        let layout = Layout::new(x, y);
        let levels = levels.to_vec();
        Some(Facet {
            name: String::new(),
            letter: None,
            frame: Framed::new(layout, move |plot| self.draw(plot, &levels))?,
        })
    }

    fn draw(&self, plot: &Plot, levels: &[(f64, RGBColor)]) {
        let shown = self.dots.iter().filter(|(x, y)| plot.shows(*x, *y));
        shown.for_each(|(x, y)| plot.cell.disc(plot.at(*x, *y), 0.6, tint(MUTED, 0.6)));
        let grid = Grid { columns: self.xs.len(), values: self.values.clone() };
        for (level, colour) in levels {
            for line in grid.lines(*level) {
                let line: Vec<Place> = line.into_iter().map(|at| self.place(plot, at)).collect();
                plot.cell.line(&line, pen(*colour, 0.9));
            }
        }
        if let Some((x, y)) = self.recommended.filter(|(x, y)| plot.shows(*x, *y)) {
            RECOMMENDED.draw(plot.cell, plot.at(x, y), 2.4);
        }
    }

    /// Where a place of the grid is on the page. Between two values it is interpolated on the page, because the grid is even
    /// there on any scale.
    fn place(&self, plot: &Plot, (column, row): (f64, f64)) -> Place {
        let between = |values: &[f64], at: f64, to_page: &dyn Fn(f64) -> f64| {
            let last = values.len().saturating_sub(1);
            let (low, high) = ((at.floor() as usize).min(last), (at.ceil() as usize).min(last));
            let (low, high) = (to_page(values[low]), to_page(values[high]));
            low + (high - low) * at.fract()
        };
        let x = between(&self.xs, column, &|x| plot.at(x, self.ys[0]).0);
        (x, between(&self.ys, row, &|y| plot.at(self.xs[0], y).1))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn panel(names: (&str, &str), log: bool, turn: f64) -> Panel {
        let xs: Vec<f64> =
            (0..25).map(|k| if log { 10f64.powf(f64::from(k) / 8.0 - 2.0) } else { f64::from(k) / 4.0 }).collect();
        let ys: Vec<f64> = (0..25).map(|k| f64::from(k) - 12.0).collect();
        let value = |index: usize| {
            let (x, y) = ((index % 25) as f64 / 12.0 - 1.0, (index / 25) as f64 / 12.0 - 1.0);
            20_000.0 - 9_000.0 * ((x - 0.3).powi(2) + (y + turn * x).powi(2))
        };
        let dot = |k: usize| (xs[(k * 7) % 25], ys[12 + (k * k) % 7 - 3] + 0.1 * (k % 5) as f64);
        Panel {
            names: (names.0.to_string(), names.1.to_string()),
            log: (log, false),
            choices: (Vec::new(), Vec::new()),
            values: (0..625).map(value).collect(),
            dots: (0..120).map(dot).collect(),
            recommended: Some((xs[16], ys[11])),
            xs,
            ys,
        }
    }

    pub fn sample() -> Box<dyn Chart> {
        let panels = vec![
            panel(("merges", "monotonicity.power"), false, 0.5),
            panel(("monotonicity", "monotonicity.power"), true, -0.8),
            panel(("rank-powers", "merges"), false, 0.0),
        ];
        Box::new(Landscape { objective: "Mean score".to_string(), panels })
    }
}
