//! Published win rates above measured ones, one row for each pair.

use super::published::Pair;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{reach, whisker};
use crate::report::figures::legend::{self, Key};
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, HAIR, INK, MARKER, MUTED, pen, tint};
use crate::report::figures::{Chart, Width};
use crate::stats::Interval;

#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRows {
    pub pairs: Vec<Pair>,
    pub notes: Vec<String>,
}

/// The height of one row, in points.
const ROW: f64 = 31.0;
/// How far the two rates of a pair are above and below the middle of their row.
const APART: f64 = 0.17;
/// Longer names need the width of a page.
const COLUMN_NAME: usize = 60;
const PUBLISHED: Marker = Marker { shape: Shape::Disc, colour: INK, open: true };
const MEASURED: Marker = Marker { shape: Shape::Square, colour: BLUE, open: false };

impl Chart for PublishedRows {
    fn title(&self) -> String {
        "Published and measured win rates".into()
    }

    fn height(&self, width: f64) -> f64 {
        self.pairs.len() as f64 * ROW + 48.0 + legend::overflow(&self.keys(), width)
    }

    fn natural_width(&self) -> Width {
        let is_long = |pair: &Pair| pair.name.chars().count() > COLUMN_NAME;
        if self.pairs.iter().any(is_long) { Width::PAGE } else { Width::COLUMN }
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let values = self.pairs.iter().flat_map(|pair| [reach(&pair.published), reach(&pair.measured)].concat());
        let scale = Scale::covering(values, false, 0.04)?;
        // The first pair is at the top, which is the highest place of the axis.
        let names: Vec<String> = self.pairs.iter().rev().map(label).collect();
        let (low, high) = scale.ends();
        let everything = Obstacle::Block((low, -0.5), (high, names.len() as f64 - 0.5));
        let layout = Layout::new(Axis::new("Win rate", scale), Axis::names("", names));
        Framed::new(layout.legend(self.keys(), vec![everything]), |plot| self.draw_rows(plot))
    }
}

/// The name of a pair, which says so if the rates differ.
fn label(pair: &Pair) -> String {
    if pair.agrees { pair.name.clone() } else { format!("{} (differs)", pair.name) }
}

impl PublishedRows {
    fn keys(&self) -> Vec<Key> {
        let markers = [Key::marker("published", PUBLISHED), Key::marker("measured", MEASURED)];
        markers.into_iter().chain(self.notes.iter().map(|note| Key::note(note))).collect()
    }

    fn draw_rows(&self, plot: &Plot) {
        let last = self.pairs.len().saturating_sub(1);
        for (index, pair) in self.pairs.iter().enumerate() {
            let level = (last - index) as f64;
            let edge = plot.at(plot.x.ends().0, level - 0.5).1;
            if index < last {
                plot.cell.line(&[(plot.frame.left, edge), (plot.frame.right, edge)], pen(tint(MUTED, 0.5), HAIR));
            }
            draw_rate(plot, &pair.published, level + APART, PUBLISHED);
            draw_rate(plot, &pair.measured, level - APART, MEASURED);
        }
    }
}

fn draw_rate(plot: &Plot, rate: &Interval, level: f64, marker: Marker) {
    if !rate.estimate.is_finite() {
        return;
    }
    if rate.low.is_finite() && rate.high.is_finite() {
        whisker(plot.cell, plot.at(rate.low, level), plot.at(rate.high, level), marker.colour);
    }
    marker.draw(plot.cell, plot.at(rate.estimate, level), MARKER);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::exact;
    use crate::report::figures::tests::{check, estimate};

    #[test]
    fn every_pair_has_a_row_that_says_whether_the_rates_differ() {
        let pair = |k: u32| Pair {
            name: format!("runs for each move, {} playouts, source {k}", 100 * k),
            published: exact(0.1 * f64::from(k)),
            measured: estimate(0.5, 0.4, 0.6),
            agrees: k > 3,
            informative: true,
        };
        let chart = PublishedRows { pairs: (1..9).map(pair).collect(), notes: vec!["1 left out: both rates 0".into()] };
        check("published-rows", &chart);
        assert!(label(&chart.pairs[0]).ends_with("(differs)") && label(&chart.pairs[7]) == chart.pairs[7].name);
    }
}
