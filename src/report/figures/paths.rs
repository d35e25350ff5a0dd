//! How coefficients moved over the generations of a tuning run, one small chart each.

use super::axis::Axis;
use super::canvas::Place;
use super::convergence::band;
use super::facets::{self, Facet};
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{BLUE, CURVE, MUTED, pen};
use super::{Cell, Chart, Point, bars, estimate};
use plotters::style::Color;

/// One coefficient: x is the generation, y the recommended value; the interval is the spread of the search, or none.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CoefficientPath {
    pub name: String,
    pub log: bool,
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    pub x_label: String,
    pub y_label: String,
    pub paths: Vec<CoefficientPath>,
}

impl Chart for Paths {
    fn title(&self) -> String {
        format!("{} over {}", self.y_label, self.x_label)
    }

    fn height(&self, width: f64) -> f64 {
        facets::height(self.paths.len(), width)
    }

    fn draw(&self, cell: &Cell) {
        let facets = self.paths.iter().filter_map(CoefficientPath::facet).collect();
        facets::draw(cell, &self.x_label, &self.y_label, facets);
    }
}

impl CoefficientPath {
    fn facet(&self) -> Option<Facet<'_>> {
        let x = Scale::covering(self.points.iter().map(|p| p.x), false, 0.03)?;
        let y = Scale::covering(self.points.iter().flat_map(|p| bars::reach(&p.y)), self.log, 0.1)?;
        let layout = Layout::new(Axis::new("", x), Axis::new("", y));
        Some(Facet { name: &self.name, layout, data: Box::new(|plot| self.draw(plot)) })
    }

    /// The path over its spread, with a dashed line at the value it started from.
    fn draw(&self, plot: &Plot) {
        let points = bars::shown(plot, &self.points);
        plot.cell.polygon(&band(plot, &points), BLUE.mix(0.2));
        let path: Vec<Place> = points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect();
        if let Some((_, start)) = path.first() {
            plot.cell.dashes(&[(plot.frame.left, *start), (plot.frame.right, *start)], pen(MUTED, 0.6));
        }
        plot.cell.line(&path, pen(BLUE, CURVE));
        path.last().into_iter().for_each(|end| plot.cell.disc(*end, 1.6, BLUE));
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let coefficients = [
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
        CoefficientPath { name: name.to_string(), log, points: (0..60).map(point).collect() }
    };
    Box::new(Paths {
        x_label: "Generation".to_string(),
        y_label: "Coefficient".to_string(),
        paths: coefficients.map(path).into(),
    })
}
