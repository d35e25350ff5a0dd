//! The distribution of scores, one row for each agent: every game as a dot, or a violin where there are many games. The box
//! has the quartiles, the line the 5th to the 95th percentile, and the white dot is the median.

use super::ecdf::{ScoreSample, samples};
use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::{Area, Place};
use crate::report::figures::legend::{self, Key};
use crate::report::figures::lines::spans_factor;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::View;
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{INK, PAPER, WHISKER, colour, pen, tint};
use crate::report::figures::{Chart, Width};
use crate::stats::quantiles::quantile;
use crate::stats::{Density, density};
use plotters::style::Color;

pub const KIND: CompareChart = CompareChart {
    name: "violin",
    about: "score distribution with median and quartiles, one row for each agent",
    caption: "Distribution of scores{games}: every game as a dot above the box, or a smoothed density where there are 250 games or \
              more. The box has the quartiles, the line the 5th to the 95th percentile, and the white dot is the median.",
    by_default: |agents| agents.have_tiles(),
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// More rows than this make a figure too tall, so only the best agents are shown.
const MOST_ROWS: usize = 10;

fn build(view: &View) -> Built {
    let (samples, notes) = samples(view, MOST_ROWS)?;
    Ok(Box::new(Violin { x_label: view.score_label("Score"), samples, notes }))
}

#[derive(Clone, Debug, PartialEq)]
struct Violin {
    x_label: String,
    samples: Vec<ScoreSample>,
    notes: Vec<String>,
}

/// From this many games on, a density is clearer than dots.
const DENSITY_FROM: usize = 250;
/// Places at which a density is drawn: closer together than the eye can see.
const GRID: usize = 128;
/// Half the height of the highest violin, in rows.
const HALF: f64 = 0.4;
/// The least height of a violin, as a share of its greatest.
const THINNEST: f64 = 0.01;
const ROW: f64 = 24.0;
/// How far below the middle of its row a box is that has dots above it.
const BELOW_DOTS: f64 = -0.22;
/// The radius of the dot of a game, in points.
const DOT: f64 = 0.85;
/// Scores that span this factor are drawn on a logarithmic axis.
const LOG_FROM: f64 = 30.0;
/// Longer names need the width of a page.
const COLUMN_NAME: usize = 24;

impl Chart for Violin {
    fn title(&self) -> String {
        format!("Distribution of {}", self.x_label)
    }

    fn height(&self, width: f64) -> f64 {
        self.samples.len().max(2) as f64 * ROW + 48.0 + legend::overflow(&self.keys(), width)
    }

    fn natural_width(&self) -> Width {
        let is_long = |sample: &ScoreSample| sample.label.chars().count() > 2 * COLUMN_NAME;
        if self.samples.iter().any(is_long) { Width::PAGE } else { Width::COLUMN }
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let scale = self.scale()?;
        // The first sample is at the top, which is the highest place of the axis.
        let names: Vec<String> = self.samples.iter().rev().map(|sample| sample.label.clone()).collect();
        let (low, high) = scale.ends();
        let everything = Obstacle::Block((low, -0.5), (high, names.len() as f64 - 0.5));
        let layout = Layout::new(Axis::new(&self.x_label, scale), Axis::names("", names));
        Framed::new(layout.legend(self.keys(), vec![everything]), |plot| {
            for (index, sample) in self.samples.iter().enumerate() {
                Row { plot, index, level: (self.samples.len() - 1 - index) as f64 }.draw(&sample.values);
            }
        })
    }
}

impl Violin {
    /// An axis over all scores and over the tails of the violins, which reach beyond the scores.
    fn scale(&self) -> Option<Scale> {
        let values = || self.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let is_log = spans_factor(values(), LOG_FROM);
        let shape = |sample: &ScoreSample| Shape::of(&sorted(&sample.values, is_log), is_log);
        let tails = self.samples.iter().flat_map(|sample| shape(sample).ends());
        let tails = tails.map(|end| if is_log { end.exp() } else { end });
        Scale::covering(values().chain(tails), is_log, 0.05)
    }

    fn keys(&self) -> Vec<Key> {
        let legend = Key::note("box: quartiles, line: 5–95 %, white: median");
        [legend].into_iter().chain(self.notes.iter().map(|note| Key::note(note))).collect()
    }
}

/// How the games of a sample are drawn. Values are logarithms if the axis is logarithmic, so that a density is estimated as
/// it is seen.
enum Shape {
    /// The outline of a density: values with heights.
    Violin(Vec<(f64, f64)>),
    /// One dot for each game, spread by this density.
    Dots(Density),
}

impl Shape {
    fn of(sorted: &[f64], is_log: bool) -> Shape {
        match density(sorted, GRID) {
            Some(density) if sorted.len() >= DENSITY_FROM => {
                let outline = tapered(density, !is_log);
                Shape::Violin(without_thin_ends(&outline, THINNEST * highest(&outline)).to_vec())
            }
            Some(density) => Shape::Dots(density),
            None => Shape::Dots(Density { bandwidth: 1.0, points: vec![(0.0, 1.0)] }),
        }
    }

    /// Where a violin begins and ends. Dots end at their values.
    fn ends(&self) -> Vec<f64> {
        match self {
            Shape::Violin(outline) => outline.first().into_iter().chain(outline.last()).map(|point| point.0).collect(),
            Shape::Dots(_) => Vec::new(),
        }
    }
}

/// The values that an axis can show, or their logarithms if it is logarithmic, the least one first.
fn sorted(values: &[f64], is_log: bool) -> Vec<f64> {
    let shown = values.iter().copied().filter(|value| value.is_finite() && (!is_log || *value > 0.0));
    let mut sorted: Vec<f64> = shown.map(|value| if is_log { value.ln() } else { value }).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn highest(outline: &[(f64, f64)]) -> f64 {
    outline.iter().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max)
}

/// The row of one sample.
struct Row<'p, 'c, 's, 'a> {
    plot: &'p Plot<'c, 's, 'a>,
    index: usize,
    level: f64,
}

impl Row<'_, '_, '_, '_> {
    fn draw(&self, values: &[f64]) {
        let is_log = self.plot.x.is_log();
        let sorted = sorted(values, is_log);
        let distance = match Shape::of(&sorted, is_log) {
            Shape::Violin(outline) => {
                self.draw_violin(&outline);
                0.0
            }
            Shape::Dots(density) => {
                self.draw_dots(&sorted, &density);
                BELOW_DOTS
            }
        };
        self.draw_box(distance, |p| quantile(&sorted, p));
    }

    /// Where a value, or its logarithm, is at this distance from the middle of the row.
    fn at(&self, value: f64, distance: f64) -> Place {
        let value = if self.plot.x.is_log() { value.exp() } else { value };
        self.plot.at(value, self.level + distance)
    }

    fn draw_violin(&self, outline: &[(f64, f64)]) {
        let widest = highest(outline);
        let side = |sign: f64| outline.iter().map(move |(value, height)| (*value, sign * HALF * height / widest));
        let mut path: Vec<Place> = side(1.0).map(|(value, distance)| self.at(value, distance)).collect();
        path.extend(side(-1.0).rev().map(|(value, distance)| self.at(value, distance)));
        self.plot.cell.polygon(&path, tint(colour(self.index), 0.38));
        path.extend(path.first().copied());
        self.plot.cell.line(&path, pen(colour(self.index), WHISKER));
    }

    /// One dot for each game above the box, spread over the height that a violin would have there.
    fn draw_dots(&self, sorted: &[f64], density: &Density) {
        let widest = highest(&density.points);
        for (index, value) in sorted.iter().enumerate() {
            let place = density.points.partition_point(|point| point.0 < *value).min(density.points.len() - 1);
            // Multiples of the golden ratio spread dots evenly, and the same way each time.
            let spread = (index as f64 * 0.618_033_988_75).fract();
            let distance = HALF * spread * density.points[place].1 / widest;
            self.plot.cell.disc(self.at(*value, distance), DOT, colour(self.index).mix(0.6));
        }
    }

    /// The box at this distance from the middle of the row.
    fn draw_box(&self, distance: f64, quantile: impl Fn(f64) -> Option<f64>) {
        let place = |p: f64| quantile(p).map(|value| self.at(value, distance));
        let marks = [0.05, 0.25, 0.5, 0.75, 0.95].map(place);
        let [Some(low), Some(first), Some(middle), Some(third), Some(high)] = marks else { return };
        let cell = self.plot.cell;
        cell.line(&[low, high], pen(PAPER, WHISKER + 0.8));
        cell.line(&[low, high], pen(INK, WHISKER));
        let quartiles = Area { left: first.0, top: middle.1 - 2.2, right: third.0, bottom: middle.1 + 2.2 };
        cell.fill(&quartiles.grown(0.5), PAPER);
        cell.fill(&quartiles, INK);
        cell.disc(middle, 2.0, INK);
        cell.disc(middle, 1.4, PAPER);
    }
}

/// The part of an outline between its first and its last point of at least this height. Thinner ends would look like lines.
fn without_thin_ends(outline: &[(f64, f64)], least: f64) -> &[(f64, f64)] {
    let is_high = |point: &(f64, f64)| point.1 >= least;
    match (outline.iter().position(is_high), outline.iter().rposition(is_high)) {
        (Some(first), Some(last)) => &outline[first..=last],
        _ => outline,
    }
}

/// The density with the tails of its kernels beyond the first and last value, where it would end with a flat cut.
fn tapered(density: Density, from_zero: bool) -> Vec<(f64, f64)> {
    let Density { bandwidth, points } = density;
    let tail = |end: (f64, f64), sign: f64| {
        let steps = (1..=12).map(move |k| 0.25 * f64::from(k));
        steps.map(move |t| (end.0 + sign * t * bandwidth, end.1 * (-0.5 * t * t).exp()))
    };
    let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else { return points };
    let mut outline: Vec<(f64, f64)> = tail(first, -1.0).collect();
    outline.reverse();
    outline.extend(&points);
    outline.extend(tail(last, 1.0));
    // No game has a negative score.
    outline.retain(|point| !from_zero || point.0 >= 0.0);
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::charts::ecdf::tests::score_samples;

    pub fn sample() -> Box<dyn Chart> {
        let notes = vec!["best 4 of 9 agents shown".to_string()];
        let mut samples = score_samples(60);
        samples[0] = score_samples(400).swap_remove(0);
        Box::new(Violin { x_label: "Final score".to_string(), samples, notes })
    }

    #[test]
    fn the_axis_covers_the_tails_of_violins() {
        let values: Vec<f64> = (0..300).map(|k| 1_000.0 * 1.02_f64.powi(k)).collect();
        let samples = vec![ScoreSample { label: "agent".into(), values: values.clone() }];
        let scale = Violin { x_label: String::new(), samples, notes: Vec::new() }.scale().unwrap();
        let ends = Shape::of(&sorted(&values, true), true).ends();
        assert!(scale.is_log() && ends[0] < values[0].ln() && ends[1] > values[299].ln());
        assert!(ends.iter().all(|end| scale.shows(end.exp())));
        assert!(scale.fraction(ends[0].exp()) > 0.01 && scale.fraction(ends[1].exp()) < 0.99);
    }

    #[test]
    fn violins_have_no_flat_ends() {
        let outline = tapered(Density { bandwidth: 2.0, points: vec![(10.0, 1.0), (12.0, 0.8)] }, true);
        let ends = [outline.first().unwrap(), outline.last().unwrap()];
        assert!(ends.iter().all(|end| end.1 < 0.012));
        assert!(outline.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let thin = [(1.0, 0.001), (2.0, 0.5), (3.0, 0.002), (4.0, 0.8), (5.0, 0.003)];
        assert_eq!(without_thin_ends(&thin, 0.01), &thin[1..4]);
        let at_zero = tapered(Density { bandwidth: 2.0, points: vec![(0.0, 1.0), (1.0, 0.8)] }, true);
        assert_eq!(at_zero[0].0, 0.0);
    }
}
