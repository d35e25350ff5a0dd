//! How the recommended values of parameters moved during a search, one small chart for each.

use super::convergence::band;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars;
use crate::report::figures::canvas::{Cell, Place};
use crate::report::figures::facets::{self, Facet, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, Values};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, MUTED, pen};
use crate::report::figures::{Chart, Point, Width, exact};
use crate::report::table::Row;
use plotters::style::Color;

pub const KIND: RunChart = RunChart {
    name: "paths",
    about: "recommended parameters against training games",
    caption: "The recommended value of each parameter after each generation of the search{training}. Choices and whole \
              numbers change in steps.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let (parameters, trajectory) = (tables.table("parameters.csv")?, tables.table("trajectory.csv")?);
    let path = |row: Row| {
        let parameter = Parameter::new(&row);
        let start = parameter.value(&row, "start").map(|start| Point { x: 0.0, y: exact(start) });
        let later =
            |step: Row| Some(Point { x: step.number("games")?, y: exact(parameter.value(&step, parameter.column)?) });
        let points = start.into_iter().chain(trajectory.rows().filter_map(later)).collect();
        ParameterPath { name: parameter.name, values: parameter.values, points }
    };
    Ok(Box::new(Paths {
        x_label: "Training games".into(),
        y_label: "Recommended value".into(),
        paths: parameters.rows().map(path).collect(),
    }))
}

/// The recommended value of one parameter against training games. The interval is the spread of the search, if known.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ParameterPath {
    pub name: String,
    pub values: Values,
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    pub x_label: String,
    pub y_label: String,
    pub paths: Vec<ParameterPath>,
}

impl Chart for Paths {
    fn title(&self) -> String {
        format!("{} over {}", self.y_label, self.x_label)
    }

    fn height(&self, width: f64) -> f64 {
        facets::height(self.paths.len(), false, self.narrowest(), &self.keys(), width)
    }

    fn natural_width(&self) -> Width {
        if self.paths.len() > 2 { Width::PAGE } else { Width::COLUMN }
    }

    fn draw(&self, cell: &Cell) {
        let facets = self.paths.iter().filter_map(ParameterPath::facet).collect();
        let (x_label, y_label) = (self.x_label.clone(), self.y_label.clone());
        facets::draw(cell, &Surround { x_label, y_label, keys: self.keys(), narrowest: self.narrowest() }, facets);
    }
}

impl Paths {
    /// Long words beside an axis need wider panels.
    fn narrowest(&self) -> f64 {
        self.paths.iter().map(|path| path.values.narrowest_panel()).fold(0.0, f64::max)
    }

    fn keys(&self) -> Vec<Key> {
        let has_spread = self.paths.iter().flat_map(|path| &path.points).any(|p| p.y.low < p.y.high);
        let path =
            if has_spread { Key::band("recommended, spread of the search", 0) } else { Key::line("recommended", 0) };
        vec![path, Key::dashes("start", MUTED)]
    }
}

impl ParameterPath {
    fn facet(&self) -> Option<Facet<'_>> {
        let x = Scale::covering(self.points.iter().map(|p| p.x), false, 0.03)?;
        let y = self.values.axis("", self.points.iter().flat_map(|p| bars::reach(&p.y)), 0.1)?;
        let layout = Layout::new(Axis::new("", x), y);
        Some(Facet { name: self.name.clone(), letter: None, frame: Framed::new(layout, |plot| self.draw(plot))? })
    }

    fn draw(&self, plot: &Plot) {
        let points = bars::shown(plot, &self.points);
        plot.cell.polygon(&band(plot, &points), BLUE.mix(0.2));
        let path: Vec<Place> = points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect();
        if let Some((_, start)) = path.first() {
            plot.cell.dashes(&[(plot.frame.left, *start), (plot.frame.right, *start)], pen(MUTED, 0.8));
        }
        let path = if self.values.is_discrete() { in_steps(&path) } else { path };
        plot.cell.line(&path, pen(BLUE, CURVE));
        path.last().into_iter().for_each(|end| plot.cell.disc(*end, 1.6, BLUE));
    }
}

/// The path with each value kept until the next one.
fn in_steps(path: &[Place]) -> Vec<Place> {
    let corners = path.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
    corners.chain(path.last().copied()).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let parameters = [
            ("empty cells", 1.0, 2.7, false),
            ("monotonicity", 0.2, 1.1, false),
            ("merges", 1.0, 0.35, false),
            ("smoothness", 0.0, -0.4, false),
            ("corner weight", 10.0, 900.0, true),
            ("mask ratio", 0.5, 0.31, false),
        ];
        let path = |(name, from, to, log): (&str, f64, f64, bool)| {
            let point = |generation: u32| {
                let t = f64::from(generation);
                let (gone, spread) = (1.0 - (-t / 12.0).exp(), 0.25 * (-t / 18.0).exp());
                let value: f64 = if log { from * f64::powf(to / from, gone) } else { from + (to - from) * gone };
                let margin = spread * if log { 0.8 * value } else { (to - from).abs() };
                Point { x: t, y: estimate(value, value - margin, value + margin) }
            };
            let values = Values::Number { log };
            ParameterPath { name: name.to_string(), values, points: (0..60).map(point).collect() }
        };
        Box::new(Paths {
            x_label: "Generation".to_string(),
            y_label: "Recommended value".to_string(),
            paths: parameters.map(path).into(),
        })
    }

    #[test]
    fn choices_change_in_steps() {
        assert_eq!(in_steps(&[(0.0, 1.0), (2.0, 5.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 5.0)]);
        assert!(in_steps(&[]).is_empty());
    }
}
