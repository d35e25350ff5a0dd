//! The validated objective during a search, with its 95 % interval as a band.

use crate::report::figures::axis::Axis;
use crate::report::figures::bars;
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::marker::Marker;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{INK, MUTED, colour, pen};
use crate::report::figures::ticks::compact;
use crate::report::figures::{Chart, Point, Series};
use crate::report::table::Row;
use plotters::style::{Color, RGBColor};

pub const KIND: RunChart = RunChart {
    name: "convergence",
    about: "the validated objective against training games",
    caption: "The objective on validation games while the search went on. The band is the 95 % interval. The \
              search itself never saw these games.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let (validation, optimism) = (tables.table("validation.csv")?, tables.table("optimism.csv")?);
    let point = |row: Row| Some(Point { x: row.number("training_games")?, y: row.interval("objective")? });
    let points = validation.rows().filter_map(point).collect();
    let start = validation.rows().next().and_then(|row| row.number("objective"));
    let claimed = optimism.rows().next().and_then(|row| row.number("claimed"));
    let level = |label: &str, value: Option<f64>| value.map(|value| Reference { label: label.into(), value });
    let references = [level("start", start), level("best seen in training", claimed)];
    Ok(Box::new(Convergence {
        x_label: "Training games".into(),
        y_label: tables.objective.into(),
        curves: vec![Series { label: "on validation games, 95 % interval".into(), points }],
        references: references.into_iter().flatten().collect(),
    }))
}

/// A level to compare with, such as the score of the starting point.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reference {
    pub label: String,
    pub value: f64,
}

/// Curves with their bands. More than two would hide each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    pub x_label: String,
    pub y_label: String,
    pub curves: Vec<Series>,
    pub references: Vec<Reference>,
}

/// A curve with up to this many points has a marker at each, because the lines between them are a guess.
const MARKED: usize = 15;
/// A reference farther from the curve than this share of its range is not drawn, because the curve would become too
/// flat. The legend has its value.
const REFERENCE_ROOM: f64 = 0.5;

impl Chart for Convergence {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points).filter(|p| p.y.estimate.is_finite());
        let y = self.y_range()?;
        let levels = self.references.iter().map(|level| level.value).filter(|value| is_near(y, *value));
        let (low, high) = y.ends();
        let y = Scale::covering(levels.chain([low, high]), false, 0.06)?;
        let x = Scale::covering(points().map(|p| p.x), false, 0.03)?;
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        Framed::new(layout.legend(self.keys(), self.obstacles(x, y)), |plot| self.draw_data(plot))
    }
}

fn is_near(y: Scale, value: f64) -> bool {
    let (low, high) = y.ends();
    let room = REFERENCE_ROOM * (high - low);
    value >= low - room && value <= high + room
}

impl Convergence {
    /// The range of the curves with their intervals.
    fn y_range(&self) -> Option<Scale> {
        let points = self.curves.iter().flat_map(|curve| &curve.points).filter(|p| p.y.estimate.is_finite());
        Scale::covering(points.flat_map(|p| bars::reach(&p.y)), false, 0.0)
    }

    fn keys(&self) -> Vec<Key> {
        let curves = self.curves.iter().enumerate();
        let mut keys: Vec<Key> = curves.map(|(index, curve)| Key::band(&curve.label, index)).collect();
        for (index, level) in self.references.iter().enumerate() {
            match self.y_range() {
                Some(y) if is_near(y, level.value) => keys.push(Key::dashes(&level.label, grey(index))),
                _ => keys.push(Key::note(&format!("{}: {}, off the scale", level.label, compact(level.value)))),
            }
        }
        keys
    }

    fn obstacles(&self, x: Scale, y: Scale) -> Vec<Obstacle> {
        let (low, high) = x.ends();
        let mut all = bars::obstacles(&self.curves);
        let near = self.references.iter().filter(|level| is_near(y, level.value));
        all.extend(near.map(|level| Obstacle::Line(vec![(low, level.value), (high, level.value)])));
        all
    }

    fn draw_data(&self, plot: &Plot) {
        let curves: Vec<Vec<Point>> = self.curves.iter().map(|curve| bars::shown(plot, &curve.points)).collect();
        for (index, points) in curves.iter().enumerate() {
            plot.cell.polygon(&band(plot, points), colour(index).mix(0.2));
        }
        let (low, high) = plot.y.ends();
        let inside = |level: &Reference| level.value >= low && level.value <= high;
        for (index, level) in self.references.iter().enumerate().filter(|(_, level)| inside(level)) {
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

/// The first reference is darker than the others.
fn grey(level: usize) -> RGBColor {
    if level == 0 { INK } else { MUTED }
}

/// Along the upper ends and back along the lower ends.
pub fn band(plot: &Plot, points: &[Point]) -> Vec<Place> {
    let bounded = || points.iter().filter(|p| p.y.low.is_finite() && p.y.high.is_finite());
    let upper = bounded().map(|p| plot.at(p.x, p.y.high));
    upper.chain(bounded().rev().map(|p| plot.at(p.x, p.y.low))).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn curve(label: &str, count: u32, limit: f64, pace: f64, spread: f64) -> Series {
        let point = |generation: u32| {
            let t = 100.0 * f64::from(generation) / f64::from(count);
            let value = limit - (limit - 7_000.0) * (-t / pace).exp();
            Point { x: t, y: estimate(value, value - spread, value + 0.8 * spread) }
        };
        Series { label: label.to_string(), points: (0..count).map(point).collect() }
    }

    pub fn sample() -> Box<dyn Chart> {
        let level = |label: &str, value: f64| Reference { label: label.to_string(), value };
        Box::new(Convergence {
            x_label: "Generation".to_string(),
            y_label: "Mean score".to_string(),
            curves: vec![curve("on validation games, 95 % interval", 100, 36_500.0, 20.0, 1_700.0)],
            references: vec![level("start", 7_000.0), level("best seen in training", 66_000.0)],
        })
    }
}
