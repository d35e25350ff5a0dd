//! What play costs: seconds per game, or any positive quantity, against depth on a logarithmic axis.

use super::axis::Axis;
use super::plot::Layout;
use super::scale::Scale;
use super::win_rate::{dotted_lines, marked_keys, x_axis};
use super::{Cell, Chart, Key, Point, Series, bars, estimate};

#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    pub x_label: String,
    pub y_label: String,
    pub log_x: bool,
    pub series: Vec<Series>,
}

impl Chart for Cost {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        marked_keys(&self.series)
    }

    fn draw(&self, cell: &Cell) {
        let values = self.series.iter().flat_map(|s| &s.points).flat_map(|point| bars::reach(&point.y));
        let axes = x_axis(&self.x_label, &self.series, self.log_x).zip(Scale::covering(values, true, 0.06));
        let Some((x, scale)) = axes else { return cell.no_data() };
        let layout = Layout::new(x, Axis::new(&self.y_label, scale));
        let layout = layout.legend(self.keys(), bars::obstacles(&self.series));
        cell.plot(layout, |plot| dotted_lines(plot, &self.series));
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let agents =
        [("Minimax", 0.004, 9.0), ("Alpha-beta", 0.003, 4.2), ("Expectimax", 0.002, 6.0), ("Monte Carlo", 0.9, 1.6)];
    let series = agents.map(|(label, first, growth): (&str, f64, f64)| {
        let point = |depth: i32| {
            let seconds = first * growth.powi(depth - 1);
            Point { x: f64::from(depth), y: estimate(seconds, 0.85 * seconds, 1.2 * seconds) }
        };
        Series { label: label.to_string(), points: (1..=7).map(point).collect() }
    });
    Box::new(Cost {
        x_label: "Search depth (plies)".to_string(),
        y_label: "Time per game (s)".to_string(),
        log_x: false,
        series: series.into(),
    })
}
