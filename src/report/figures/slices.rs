//! The objective around the recommendation, one coefficient at a time, with 95 % intervals.

use super::axis::Axis;
use super::facets::{self, Facet};
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{BLUE, CURVE, VERMILION, pen};
use super::{Cell, Chart, Point, bars, estimate};

/// The objective along one coefficient while the others stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    pub name: String,
    pub log: bool,
    /// The recommended value of this coefficient.
    pub recommended: f64,
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    pub x_label: String,
    pub y_label: String,
    pub slices: Vec<Slice>,
}

impl Chart for Slices {
    fn title(&self) -> String {
        format!("{} around the recommendation", self.y_label)
    }

    fn height(&self, width: f64) -> f64 {
        facets::height(self.slices.len(), width)
    }

    /// All slices share the y axis, so that steep and flat coefficients can be told apart.
    fn draw(&self, cell: &Cell) {
        let points = self.slices.iter().flat_map(|slice| &slice.points);
        let Some(y) = Scale::covering(points.flat_map(|p| bars::reach(&p.y)), false, 0.08) else {
            return cell.no_data();
        };
        let facets = self.slices.iter().filter_map(|slice| slice.facet(y)).collect();
        facets::draw(cell, &self.x_label, &self.y_label, facets);
    }
}

impl Slice {
    fn facet(&self, y: Scale) -> Option<Facet<'_>> {
        let places = self.points.iter().map(|p| p.x).chain([self.recommended]);
        let x = Scale::covering(places, self.log, 0.06)?;
        let layout = Layout::new(Axis::new("", x), Axis::new("", y));
        Some(Facet { name: &self.name, layout, data: Box::new(|plot| self.draw(plot)) })
    }

    fn draw(&self, plot: &Plot) {
        if plot.x.shows(self.recommended) {
            let x = plot.at(self.recommended, plot.y.ends().0).0;
            plot.cell.dashes(&[(x, plot.frame.bottom), (x, plot.frame.top)], pen(VERMILION, 0.8));
        }
        let points = bars::shown(plot, &self.points);
        let path: Vec<_> = points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect();
        plot.cell.line(&path, pen(BLUE, CURVE));
        points.iter().for_each(|point| bars::vertical(plot, point, 0.0, BLUE));
        path.iter().for_each(|place| plot.cell.disc(*place, 1.5, BLUE));
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let coefficients = [
        ("empty cells", 2.7, 2e3, false),
        ("monotonicity", 1.1, 9e3, false),
        ("merges", 0.35, 6e3, false),
        ("corner weight", 900.0, 3e3, true),
    ];
    let slice = |(name, best, drop, log): (&str, f64, f64, bool)| {
        let point = |k: i32| {
            let step = f64::from(k) / 4.0;
            let x: f64 = if log { best * 10f64.powf(step) } else { best * (1.0 + 0.8 * step) };
            let value = 21_000.0 - drop * step * step - 400.0 * step;
            Point { x, y: estimate(value, value - 600.0, value + 600.0) }
        };
        Slice { name: name.to_string(), log, recommended: best, points: (-4..=4).map(point).collect() }
    };
    Box::new(Slices {
        x_label: "Coefficient".to_string(),
        y_label: "Mean score".to_string(),
        slices: coefficients.map(slice).into(),
    })
}
