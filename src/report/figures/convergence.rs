//! Curves with bands: a validation curve, or several optimizers over the same budget.

use super::axis::Axis;
use super::canvas::Place;
use super::marker::Marker;
use super::plot::{Layout, Obstacle, Plot};
use super::scale::Scale;
use super::style::{MUTED, colour, pen};
use super::{Cell, Chart, Key, Point, Series, bars, estimate};
use plotters::style::Color;

/// A level to compare with, such as the score of the starting point.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reference {
    pub label: String,
    pub value: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    pub x_label: String,
    pub y_label: String,
    pub log_x: bool,
    /// Each point's interval is the band at that place.
    pub curves: Vec<Series>,
    pub references: Vec<Reference>,
}

/// Up to this many points each is marked, as the line between them is then a guess.
const MARKED: usize = 15;
/// Greys for reference levels, dark to light.
const LEVELS: [u8; 3] = [40, 110, 160];

impl Chart for Convergence {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        let curves = self.curves.iter().enumerate().filter(|(_, curve)| !curve.label.is_empty());
        let levels = self.references.iter().enumerate();
        let levels = levels.map(|(index, level)| Key::dashes(&level.label, grey(index)));
        curves.map(|(index, curve)| Key::band(&curve.label, index)).chain(levels).collect()
    }

    fn draw(&self, cell: &Cell) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points).filter(|p| p.y.estimate.is_finite());
        let levels = self.references.iter().map(|level| level.value);
        let y = Scale::covering(points().flat_map(|p| bars::reach(&p.y)).chain(levels), false, 0.06);
        let Some((x, y)) = Scale::covering(points().map(|p| p.x), self.log_x, 0.02).zip(y) else {
            return cell.no_data();
        };
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        cell.plot(layout.legend(self.keys(), self.obstacles(x)), |plot| self.draw_data(plot));
    }
}

impl Convergence {
    fn obstacles(&self, x: Scale) -> Vec<Obstacle> {
        let (low, high) = x.ends();
        let mut all = bars::obstacles(&self.curves);
        all.extend(self.references.iter().map(|level| Obstacle::Line(vec![(low, level.value), (high, level.value)])));
        all
    }

    fn draw_data(&self, plot: &Plot) {
        let curves: Vec<Vec<Point>> = self.curves.iter().map(|curve| bars::shown(plot, &curve.points)).collect();
        for (index, points) in curves.iter().enumerate() {
            plot.cell.polygon(&band(plot, points), colour(index).mix(0.2));
        }
        for (index, level) in self.references.iter().enumerate().filter(|(_, level)| plot.y.shows(level.value)) {
            let height = plot.at(plot.x.ends().0, level.value).1;
            plot.cell.dashes(&[(plot.frame.left, height), (plot.frame.right, height)], pen(grey(index), 0.9));
        }
        for (index, points) in curves.iter().enumerate() {
            let path: Vec<Place> = points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect();
            plot.cell.curve(&path, index);
            if points.len() <= MARKED {
                path.iter().for_each(|place| Marker::of(index).draw(plot.cell, *place, 1.6));
            }
        }
    }
}

fn grey(level: usize) -> plotters::style::RGBColor {
    LEVELS.get(level).map_or(MUTED, |&shade| plotters::style::RGBColor(shade, shade, shade))
}

/// Along the upper ends and back along the lower ones.
pub(super) fn band(plot: &Plot, points: &[Point]) -> Vec<Place> {
    let bounded = || points.iter().filter(|p| p.y.low.is_finite() && p.y.high.is_finite());
    let upper = bounded().map(|p| plot.at(p.x, p.y.high));
    upper.chain(bounded().rev().map(|p| plot.at(p.x, p.y.low))).collect()
}

pub(super) fn sample() -> Box<dyn Chart> {
    let optimizers = [
        ("CMA-ES", 36_500.0, 20.0, 700.0),
        ("Particle swarm", 33_000.0, 28.0, 2_100.0),
        ("Nelder-Mead", 28_200.0, 11.0, 1_900.0),
        ("Random search", 26_000.0, 45.0, 1_300.0),
    ];
    let curves = optimizers.map(|(label, limit, pace, spread): (&str, f64, f64, f64)| {
        let point = |generation: u32| {
            let t = f64::from(generation);
            let value = limit - (limit - 7_000.0) * (-t / pace).exp();
            Point { x: t, y: estimate(value, value - spread, value + 0.8 * spread) }
        };
        Series { label: label.to_string(), points: (0..100).map(point).collect() }
    });
    Box::new(Convergence {
        x_label: "Generation".to_string(),
        y_label: "Validated mean score".to_string(),
        log_x: false,
        curves: curves.into(),
        references: vec![Reference { label: "Start".to_string(), value: 7_000.0 }],
    })
}
