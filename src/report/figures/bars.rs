//! Error bars, and the sideways shift that separates those of different series.

use super::canvas::{Cell, Place};
use super::plot::{Obstacle, Plot};
use super::style::{PAPER, WHISKER, pen};
use super::{Point, Series};
use crate::stats::Interval;
use plotters::style::RGBColor;

/// What the bars of a chart are, for its legend.
pub(super) const BARS: &str = "bars: 95 % intervals";
/// Half the width of the caps of an error bar.
const CAP: f64 = 1.7;
/// The distance between neighbouring series at the same x where there is room.
const DODGE: f64 = 2.6;

/// All numbers that an axis must cover to show an interval.
pub(super) fn reach(interval: &Interval) -> [f64; 3] {
    [interval.estimate, interval.low, interval.high]
}

/// An interval from end to end with caps, or nothing if both ends are at one place.
pub(super) fn whisker(cell: &Cell, low: Place, high: Place, colour: RGBColor) {
    if (high.0 - low.0).abs().max((high.1 - low.1).abs()) < 0.05 {
        return;
    }
    whisker_lines(low, high).iter().for_each(|(from, to)| cell.line(&[*from, *to], pen(colour, WHISKER)));
}

/// The lines of an interval with its caps, which names must not cross.
pub(super) fn whisker_lines(low: Place, high: Place) -> [(Place, Place); 3] {
    let (dx, dy) = ((high.0 - low.0).abs(), (high.1 - low.1).abs());
    let (cx, cy) = if dy >= dx { (CAP, 0.0) } else { (0.0, CAP) };
    let cap = |(x, y): Place| ((x - cx, y - cy), (x + cx, y + cy));
    [(low, high), cap(low), cap(high)]
}

/// The vertical interval of a point, moved sideways by `shift`.
pub(super) fn vertical(plot: &Plot, point: &Point, shift: f64, colour: RGBColor) {
    if point.y.low.is_finite() && point.y.high.is_finite() {
        let ((x, low), (_, high)) = (plot.at(point.x, point.y.low), plot.at(point.x, point.y.high));
        let ends = [(x + shift, low), (x + shift, high)];
        // A white edge keeps bars apart where they cross.
        plot.cell.line(&ends, pen(PAPER, WHISKER + 0.6));
        whisker(plot.cell, ends[0], ends[1], colour);
    }
}

/// All series at the same x together take at most this share of the smallest gap. On a logarithmic axis it is smaller,
/// because a reader may take a distant point for another value.
const SHARE: f64 = 0.55;
const LOG_SHARE: f64 = 0.2;

/// The sideways shift of every series: even steps about the true x.
pub(super) fn dodge(plot: &Plot, series: &[Series]) -> Vec<f64> {
    let mut places: Vec<f64> = series.iter().flat_map(|s| &s.points).map(|p| plot.at(p.x, p.y.estimate).0).collect();
    places.sort_by(f64::total_cmp);
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.1);
    let least = gaps.fold(f64::INFINITY, f64::min);
    // Only series with points take a place.
    let count = series.iter().filter(|s| !s.points.is_empty()).count() as f64;
    let share = if plot.x.is_log() { LOG_SHARE } else { SHARE };
    let step = DODGE.min(share * least / count.max(1.0));
    let mut place = 0.0;
    let mut shift = |s: &Series| {
        let shift = (place - (count - 1.0) / 2.0) * step;
        place += if s.points.is_empty() { 0.0 } else { 1.0 };
        shift
    };
    series.iter().map(&mut shift).collect()
}

/// The points that a plot can show, in order of x.
pub(super) fn shown(plot: &Plot, points: &[Point]) -> Vec<Point> {
    let mut shown: Vec<Point> = points.iter().copied().filter(|p| plot.shows(p.x, p.y.estimate)).collect();
    shown.sort_by(|a, b| a.x.total_cmp(&b.x));
    shown
}

/// What series of points with bars cover.
pub(super) fn obstacles(series: &[Series]) -> Vec<Obstacle> {
    let lines = series.iter().map(|s| Obstacle::Line(s.points.iter().map(|p| (p.x, p.y.estimate)).collect()));
    let bars = series.iter().flat_map(|s| &s.points).map(|p| Obstacle::Line(vec![(p.x, p.y.low), (p.x, p.y.high)]));
    lines.chain(bars).collect()
}
