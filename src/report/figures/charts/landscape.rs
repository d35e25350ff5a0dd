//! The objective over each pair of parameters, with the evaluations that it was learned from: as contours, or as cells where
//! a parameter is a choice or a whole number, because there is nothing between two of its values.

use super::landscape_panel::{Levels, Panel, RECOMMENDED};
use crate::report::figures::canvas::Cell;
use crate::report::figures::facets::{self, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::MUTED;
use crate::report::figures::ticks::Ticks;
use crate::report::figures::{Chart, Width};
use crate::report::table::{Row, Table};

pub const KIND: RunChart = RunChart {
    name: "landscape",
    about: "the objective over each pair of parameters, with the evaluations",
    caption: "The objective over pairs of parameters as random forests have learned it from the evaluations{training}, \
              with all other parameters as recommended. Dots are evaluations, at most 300, spread evenly over the \
              search. The pairs are those of the five most important parameters. Lines join equal values of the objective. \
              Choices and whole numbers have cells in the colour of the objective instead, with the evaluations beside them.",
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
        kinds: (across.values, along.values),
        names: (across.name, along.name),
    }
    .with_each_value_once()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Landscape {
    pub objective: String,
    pub panels: Vec<Panel>,
}

/// Levels of the contours, in all panels the same.
const LEVELS: usize = 7;
/// What the names of the axes must leave free of the width and of the height of a panel, in points.
const BESIDE: f64 = 20.0;
const BELOW: f64 = 8.0;

impl Chart for Landscape {
    fn title(&self) -> String {
        format!("{} over pairs of parameters", self.objective)
    }

    fn height(&self, width: f64) -> f64 {
        // Every panel has its own axis labels.
        facets::height(self.panels.len(), false, self.narrowest(), &self.keys(), width) + 20.0 * self.rows(width)
    }

    fn natural_width(&self) -> Width {
        if self.panels.len() > 1 { Width::PAGE } else { Width::COLUMN }
    }

    fn draw(&self, cell: &Cell) {
        let (levels, width) = (self.levels(), cell.area.width());
        let columns = self.columns(width) as f64;
        let height = cell.area.height() - facets::head(&self.keys(), width);
        let room = (width / columns - BESIDE, height / self.rows(width) - BELOW);
        let Some(levels) = levels else { return cell.no_data() };
        let facets = self.panels.iter().filter_map(|panel| panel.facet(&levels, room)).collect();
        let surround = Surround { keys: self.keys(), narrowest: self.narrowest(), ..Surround::default() };
        facets::draw(cell, &surround, facets);
    }
}

impl Landscape {
    /// Long words beside an axis need wider panels.
    fn narrowest(&self) -> f64 {
        self.panels.iter().map(|panel| panel.kinds.1.narrowest_panel()).fold(0.0, f64::max)
    }

    fn columns(&self, width: f64) -> usize {
        facets::columns(self.panels.len(), false, self.narrowest(), width)
    }

    fn rows(&self, width: f64) -> f64 {
        self.panels.len().div_ceil(self.columns(width)) as f64
    }

    /// The range of the objective and round values in it; `None` without values.
    fn levels(&self) -> Option<Levels> {
        let values = self.panels.iter().flat_map(|panel| panel.values.iter().copied());
        let scale = Scale::covering(values, false, 0.0)?;
        Some(Levels { scale, round: Ticks::of(scale, LEVELS).major })
    }

    fn keys(&self) -> Vec<Key> {
        let evaluations = Marker { shape: Shape::Disc, colour: MUTED, open: false };
        let signs = [Key::marker("evaluations", evaluations), Key::marker("recommended", RECOMMENDED)];
        let key = |levels: &Levels, (value, text): &(f64, String)| Key::stroke(text, levels.colour(*value));
        let keys = self.levels().map(|levels| levels.round.iter().map(|round| key(&levels, round)).collect::<Vec<_>>());
        let title = Key::note(&format!("{}:", self.objective));
        signs.into_iter().chain([title]).chain(keys.unwrap_or_default()).collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::run_tables::Values;

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
            kinds: (Values::Number { log }, Values::default()),
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
            with_cells(),
        ];
        Box::new(Landscape { objective: "Mean score".to_string(), panels })
    }

    /// A choice against a number, with several columns for each value of the choice.
    fn with_cells() -> Panel {
        let plain = panel(("backup", "merges"), false, 0.2);
        let xs = (0..25).map(|k| f64::from(k / 9)).collect();
        let words = ["mean", "max", "median"].map(str::to_string).to_vec();
        let dots = plain.dots.iter().map(|(x, y)| ((x / 2.0).floor().min(2.0), *y)).collect();
        let kinds = (Values::Choice(words), Values::default());
        Panel { kinds, xs, dots, recommended: Some((1.0, -1.0)), ..plain }.with_each_value_once()
    }

    #[test]
    fn a_choice_has_one_cell_for_each_value() {
        let panel = with_cells();
        assert_eq!((panel.xs.len(), panel.ys.len(), panel.values.len()), (3, 25, 75));
        assert!(panel.has_cells());
        let two = Panel {
            kinds: (Values::Whole, Values::default()),
            xs: vec![0.0, -0.0, 1.0],
            ys: vec![5.0],
            values: vec![1.0, 3.0, 8.0],
            ..panel
        };
        let two = two.with_each_value_once();
        assert_eq!((two.xs, two.values), (vec![0.0, 1.0], vec![2.0, 8.0]));
    }
}
