//! Score distribution as violins: density, quartiles, the middle 90 % and the median.

use super::axis::Axis;
use super::canvas::{Area, Place};
use super::ecdf::ScoreSample;
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{INK, PAPER, WHISKER, colour, pen, tint};
use super::{Cell, Chart};
use crate::stats::density;
use crate::stats::quantiles::quantile;

#[derive(Clone, Debug, PartialEq)]
pub struct Violin {
    pub y_label: String,
    pub log_y: bool,
    pub samples: Vec<ScoreSample>,
}

/// Places at which a density is drawn: finer than the eye at column width.
const GRID: usize = 128;
/// Half the width of the widest violin, in places of the axis.
const HALF: f64 = 0.4;

impl Chart for Violin {
    fn title(&self) -> String {
        format!("Distribution of {}", self.y_label)
    }

    fn draw(&self, cell: &Cell) {
        let values = self.samples.iter().flat_map(|sample| sample.values.iter().copied());
        let Some(scale) = Scale::covering(values, self.log_y, 0.05) else { return cell.no_data() };
        let names = self.samples.iter().map(|sample| sample.label.clone()).collect();
        let layout = Layout::new(Axis::names("", names), Axis::new(&self.y_label, scale));
        cell.plot(layout, |plot| {
            for (index, sample) in self.samples.iter().enumerate() {
                self.draw_violin(plot, index, &sample.values);
            }
        });
    }
}

impl Violin {
    /// Shapes are estimated as they are seen: on the logarithm when the axis is logarithmic.
    fn draw_violin(&self, plot: &Plot, index: usize, values: &[f64]) {
        let shown = values.iter().copied().filter(|value| plot.y.shows(*value));
        let shown: Vec<f64> = shown.map(|value| if self.log_y { value.ln() } else { value }).collect();
        let level = |value: f64| if self.log_y { value.exp() } else { value };
        if let Some(density) = density(&shown, GRID) {
            let widest = density.points.iter().map(|point| point.1).fold(f64::MIN_POSITIVE, f64::max);
            let side = |sign: f64| {
                let place = move |(value, height): &(f64, f64)| {
                    plot.at(index as f64 + sign * HALF * height / widest, level(*value))
                };
                density.points.iter().map(place).collect::<Vec<Place>>()
            };
            let mut outline = side(-1.0);
            outline.extend(side(1.0).into_iter().rev());
            plot.cell.polygon(&outline, tint(colour(index), 0.38));
            outline.extend(outline.first().copied());
            plot.cell.line(&outline, pen(colour(index), WHISKER));
        }
        draw_box(plot, index, |p| quantile(&shown, p).map(level));
    }
}

/// The box of the quartiles, the line from the 5th to the 95th percentile, and the median as a white dot.
fn draw_box(plot: &Plot, index: usize, quantile: impl Fn(f64) -> Option<f64>) {
    let place = |p: f64| quantile(p).map(|value| plot.at(index as f64, value));
    let marks = [0.05, 0.25, 0.5, 0.75, 0.95].map(place);
    let [Some(low), Some(first), Some(middle), Some(third), Some(high)] = marks else { return };
    plot.cell.line(&[low, high], pen(INK, WHISKER));
    let quartiles = Area { left: middle.0 - 2.3, top: third.1, right: middle.0 + 2.3, bottom: first.1 };
    plot.cell.fill(&quartiles, INK);
    plot.cell.disc(middle, 2.0, INK);
    plot.cell.disc(middle, 1.4, PAPER);
}

pub(super) fn sample() -> Box<dyn Chart> {
    Box::new(Violin { y_label: "Final score".to_string(), log_y: true, samples: super::ecdf::samples() })
}
