//! Rate against depth, or any other number such as a budget, with 95 % intervals per series.

use super::axis::Axis;
use super::marker::Marker;
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{CURVE, MARKER, colour, pen};
use super::{Cell, Chart, Key, Point, Series, bars, estimate};

/// Rates between 0 and 1 per series.
#[derive(Clone, Debug, PartialEq)]
pub struct WinRate {
    pub x_label: String,
    pub y_label: String,
    /// For budgets, which grow by factors.
    pub log_x: bool,
    pub series: Vec<Series>,
}

impl Chart for WinRate {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        marked_keys(&self.series)
    }

    fn draw(&self, cell: &Cell) {
        let Some(x) = x_axis(&self.x_label, &self.series, self.log_x) else { return cell.no_data() };
        let y = Axis::new(&self.y_label, Scale::linear(-0.03, 1.04));
        let layout = Layout::new(x, y).legend(self.keys(), bars::obstacles(&self.series));
        cell.plot(layout, |plot| dotted_lines(plot, &self.series));
    }
}

/// The keys of series with markers; a single nameless series needs none.
pub(super) fn marked_keys(series: &[Series]) -> Vec<Key> {
    if let [only] = series
        && only.label.is_empty()
    {
        return Vec::new();
    }
    series.iter().enumerate().map(|(index, s)| Key::marked_line(&s.label, index)).collect()
}

/// An axis over every x of the series, ticked at the values themselves where these are few.
pub(super) fn x_axis(label: &str, series: &[Series], log: bool) -> Option<Axis> {
    let values = || series.iter().flat_map(|s| &s.points).filter(|p| p.y.estimate.is_finite()).map(|p| p.x);
    let scale = Scale::covering(values(), log, 0.07)?;
    Some(Axis::at_values(label, scale, values()))
}

/// Markers with intervals joined by lines, each series a little beside the other.
pub(super) fn dotted_lines(plot: &Plot, series: &[Series]) {
    let shifts = bars::dodge(plot, series);
    let visible: Vec<Vec<Point>> = series.iter().map(|s| bars::shown(plot, &s.points)).collect();
    let place = |point: &Point, shift: f64| {
        let (x, y) = plot.at(point.x, point.y.estimate);
        (x + shift, y)
    };
    for (index, (points, shift)) in visible.iter().zip(&shifts).enumerate() {
        let path: Vec<_> = points.iter().map(|point| place(point, *shift)).collect();
        plot.cell.line(&path, pen(colour(index), CURVE));
    }
    for (index, (points, shift)) in visible.iter().zip(&shifts).enumerate() {
        points.iter().for_each(|point| bars::vertical(plot, point, *shift, colour(index)));
        points.iter().for_each(|point| Marker::of(index).draw(plot.cell, place(point, *shift), MARKER));
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let rates = [
        ("n-tuple TD", [0.68, 0.89, 0.94, 1.0, 0.975, 0.985]),
        ("Snake weights", [0.12, 0.36, 0.625, 0.82, 0.84, 0.93]),
        ("Corner gradient", [0.065, 0.2, 0.455, 0.695, 0.715, 0.86]),
        ("Monotonicity only", [0.01, 0.04, 0.095, 0.255, 0.4, 0.435]),
    ];
    let point = |(depth, rate): (usize, f64)| {
        let margin = 0.02 + 0.13 * (rate * (1.0 - rate)).sqrt();
        Point { x: depth as f64 + 1.0, y: estimate(rate, (rate - margin).max(0.0), (rate + margin).min(1.0)) }
    };
    let series = rates.map(|(label, rates)| Series {
        label: label.to_string(),
        points: rates.into_iter().enumerate().map(point).collect(),
    });
    Box::new(WinRate {
        x_label: "Search depth (plies)".to_string(),
        y_label: "Win rate, *P*(tile ≥ 2048)".to_string(),
        log_x: false,
        series: series.into(),
    })
}
