//! Score distribution as empirical distribution functions, with 95 % bands while these can be told apart.

use super::axis::Axis;
use super::canvas::Place;
use super::plot::{Layout, Obstacle, Plot};
use super::scale::Scale;
use super::style::colour;
use super::{Cell, Chart, Key};
use crate::stats::ecdf;
use crate::stats::proportions::wilson;
use plotters::style::Color;

/// The values of one agent, in any order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ScoreSample {
    pub label: String,
    pub values: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ecdf {
    pub x_label: String,
    pub log_x: bool,
    pub samples: Vec<ScoreSample>,
}

/// More bands than this hide each other.
const BANDS: usize = 4;
/// Steps shorter than this, in points, are less than a pixel at 300 dpi and only fill the file.
const STEP: f64 = 0.24;

impl Chart for Ecdf {
    fn title(&self) -> String {
        format!("Distribution of {}", self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        self.samples.iter().enumerate().map(|(index, sample)| Key::line(&sample.label, index)).collect()
    }

    fn draw(&self, cell: &Cell) {
        let values = self.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let Some(scale) = Scale::covering(values, self.log_x, 0.03) else { return cell.no_data() };
        let (x, y) = (Axis::new(&self.x_label, scale), Axis::new("Empirical CDF", Scale::linear(-0.01, 1.01)));
        let curves: Vec<Curve> = self.samples.iter().map(Curve::of).collect();
        let obstacles = curves.iter().map(|curve| Obstacle::Line(curve.corners(scale))).collect();
        cell.plot(Layout::new(x, y).legend(self.keys(), obstacles), |plot| draw_curves(plot, &curves));
    }
}

struct Curve {
    steps: Vec<(f64, f64)>,
    count: usize,
}

impl Curve {
    fn of(sample: &ScoreSample) -> Curve {
        let finite: Vec<f64> = sample.values.iter().copied().filter(|value| value.is_finite()).collect();
        Curve { steps: ecdf(&finite), count: finite.len() }
    }

    /// The corners of the staircase, from the left end of the axis to the right.
    fn corners(&self, x: Scale) -> Vec<(f64, f64)> {
        let (low, high) = x.ends();
        let mut corners = vec![(low, 0.0)];
        let mut level = 0.0;
        for (value, share) in &self.steps {
            corners.extend([(*value, level), (*value, *share)]);
            level = *share;
        }
        corners.push((high, level));
        corners
    }

    /// The pointwise 95 % interval of a share, by Wilson's score.
    fn interval(&self, share: f64) -> (f64, f64) {
        let count = self.count as u64;
        let interval = wilson((share * count as f64).round() as u64, count);
        interval.map_or((share, share), |interval| (interval.low, interval.high))
    }
}

fn draw_curves(plot: &Plot, curves: &[Curve]) {
    let drawn = curves.iter().enumerate().filter(|(_, curve)| curve.count > 0);
    if curves.len() <= BANDS {
        for (index, curve) in drawn.clone() {
            let mut outline = path(plot, curve, |share| curve.interval(share).0);
            outline.extend(path(plot, curve, |share| curve.interval(share).1).into_iter().rev());
            plot.cell.polygon(&outline, colour(index).mix(0.2));
        }
    }
    for (index, curve) in drawn {
        plot.cell.curve(&path(plot, curve, |share| share), index);
    }
}

fn path(plot: &Plot, curve: &Curve, level: impl Fn(f64) -> f64) -> Vec<Place> {
    let corners = curve.corners(plot.x);
    let mut kept: Vec<Place> = Vec::new();
    for (index, (value, share)) in corners.iter().enumerate() {
        let place = plot.at(*value, level(*share));
        let far = kept.last().is_none_or(|(x, y)| (place.0 - x).abs() >= STEP || (place.1 - y).abs() >= STEP);
        if far || index + 1 == corners.len() {
            kept.push(place);
        }
    }
    kept
}

pub(super) fn sample() -> Box<dyn Chart> {
    Box::new(Ecdf { x_label: "Final score".to_string(), log_x: true, samples: samples() })
}

/// Log-logistic scores by quantile: smooth, skewed, and without a generator.
pub(super) fn samples() -> Vec<ScoreSample> {
    let agents = [("n-tuple TD", 1.4e5), ("Snake weights", 3.4e4), ("Corner gradient", 2.2e4), ("Monotonicity", 9.5e3)];
    let values = |middle: f64| {
        let quantile = move |k: u32| {
            let p = (f64::from(k) + 0.5) / 400.0;
            (middle * (p / (1.0 - p)).powf(0.33) / 4.0).round() * 4.0
        };
        (0..400).map(quantile).collect()
    };
    agents.map(|(label, middle)| ScoreSample { label: label.to_string(), values: values(middle) }).into()
}
