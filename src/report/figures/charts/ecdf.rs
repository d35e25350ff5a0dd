//! The distribution of scores as empirical distribution functions, with 95 % bands where these do not hide each other.

use crate::report::figures::agents::{Agent, shown_note};
use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::lines::spans_factor;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::colour;
use crate::report::figures::{Agents, Chart};
use crate::stats::ecdf;
use crate::stats::proportions::wilson;
use plotters::style::Color;

pub const KIND: CompareChart = CompareChart {
    name: "ecdf",
    about: "score distribution as empirical distribution functions",
    caption: "Distribution of scores: the share of games with at most this score{games}. Bands are pointwise 95 % \
              confidence intervals (Wilson); more than three curves have none, because bands would hide each other.",
    by_default: |agents| agents.have_tiles(),
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// More curves than this cannot be told apart, so only the best agents are shown.
const MOST_CURVES: usize = 7;

fn build(view: &View) -> Built {
    let (samples, notes) = samples(view, MOST_CURVES)?;
    // All panels of a figure have the same kind of axis.
    let all = view.figure.all.iter().filter_map(|agent| agent.scores).flatten().copied();
    let log_x = spans_factor(all, LOG_FROM);
    Ok(Box::new(Ecdf { x_label: view.score_label("Score"), log_x, samples, notes }))
}

/// The values of one agent, in any order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ScoreSample {
    pub label: String,
    pub values: Vec<f64>,
}

/// The scores of the panel's agents. Of too many agents the best are shown, and a note says so.
pub fn samples(view: &View, most: usize) -> Result<(Vec<ScoreSample>, Vec<String>), NotDrawn> {
    let all: &Agents = view.agents;
    let shown = if all.all.len() > most { all.best(most) } else { all.clone() };
    let without: Vec<&str> = view.request.panel.as_deref().into_iter().collect();
    let sample = |agent: &Agent| {
        let values = agent.scores.ok_or(NotDrawn::Missing("games.csv"))?.to_vec();
        Ok(ScoreSample { label: view.figure.name(agent, &without), values })
    };
    let left_out = shown_note(shown.all.len(), all.all.len()).map(|note| format!("best {note}"));
    let notes = left_out.into_iter().chain(view.only_note()).collect();
    Ok((shown.all.iter().map(sample).collect::<Result<_, _>>()?, notes))
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ecdf {
    pub x_label: String,
    pub log_x: bool,
    pub samples: Vec<ScoreSample>,
    pub notes: Vec<String>,
}

/// More bands than this hide each other.
const MOST_BANDS: usize = 3;
/// Steps shorter than this, in points, are less than a pixel at 300 dpi, so they would only make the file larger.
const STEP: f64 = 0.24;
/// Scores that span this factor are drawn on a logarithmic axis.
const LOG_FROM: f64 = 30.0;

impl Chart for Ecdf {
    fn title(&self) -> String {
        format!("Distribution of {}", self.x_label)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let values = self.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let scale = Scale::covering(values, self.log_x, 0.03)?;
        let (x, y) =
            (Axis::new(&self.x_label, scale), Axis::new("Share of games at or below", Scale::linear(-0.01, 1.01)));
        let curves: Vec<Curve> = self.samples.iter().map(Curve::of).collect();
        let obstacles = curves.iter().map(|curve| Obstacle::Line(curve.corners(scale))).collect();
        let layout = Layout::new(x, y).legend(self.keys(), obstacles);
        Framed::new(layout, move |plot| draw_curves(plot, &curves))
    }
}

impl Ecdf {
    /// A chart whose axis is logarithmic if the scores differ much.
    pub fn new(x_label: &str, samples: Vec<ScoreSample>) -> Ecdf {
        let log_x = spans_factor(samples.iter().flat_map(|sample| sample.values.iter().copied()), LOG_FROM);
        Ecdf { x_label: x_label.to_string(), log_x, samples, notes: Vec::new() }
    }

    fn has_bands(&self) -> bool {
        self.samples.len() <= MOST_BANDS
    }

    fn keys(&self) -> Vec<Key> {
        let samples = self.samples.iter().enumerate();
        let mut keys: Vec<Key> = match self.has_bands() {
            true => samples.map(|(index, sample)| Key::band(&sample.label, index)).collect(),
            false => samples.map(|(index, sample)| Key::line(&sample.label, index)).collect(),
        };
        keys.extend(self.has_bands().then(|| Key::note("bands: pointwise 95 % intervals")));
        keys.extend(self.notes.iter().map(|note| Key::note(note)));
        keys
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
    if curves.len() <= MOST_BANDS {
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

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn sample() -> Box<dyn Chart> {
        Box::new(Ecdf::new("Final score", score_samples(400)))
    }

    /// Log-logistic scores by quantile: smooth, skewed, and without a generator.
    pub fn score_samples(games: u32) -> Vec<ScoreSample> {
        let agents =
            [("n-tuple TD", 1.4e5), ("Snake weights", 3.4e4), ("Corner gradient", 2.2e4), ("Monotonicity", 9.5e3)];
        let values = |middle: f64| {
            let quantile = move |k: u32| {
                let p = (f64::from(k) + 0.5) / f64::from(games);
                (middle * (p / (1.0 - p)).powf(0.33) / 4.0).round() * 4.0
            };
            (0..games).map(quantile).collect()
        };
        agents.map(|(label, middle)| ScoreSample { label: label.to_string(), values: values(middle) }).into()
    }
}
