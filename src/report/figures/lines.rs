//! Estimates against a number or a category: one marked line with 95 % intervals for each series.

use super::agents::{Agent, shown_note, value_words};
use super::axis::Axis;
use super::facets;
use super::legend::Key;
use super::marker::Marker;
use super::plot::{Framed, Layout, Plot};
use super::request::{NotDrawn, View};
use super::scale::Scale;
use super::style::{CURVE, MARKER, colour, pen};
use super::wording::axis_label;
use super::{Chart, Point, Series, Width, bars};
use crate::stats::Interval;

/// What the y axis covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Range {
    /// Shares from 0 to 1.
    Share,
    /// Shares from 0 to 100 %.
    Percent,
    /// The values.
    Values { log: bool },
}

/// A chart of marked lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lines {
    pub x_label: String,
    pub y_label: String,
    pub log_x: bool,
    /// Names of the places 0, 1, 2, ... on the x axis; empty if x is a number.
    pub categories: Vec<String>,
    pub range: Range,
    /// A series without points keeps its style, so that the same series looks alike in all panels.
    pub series: Vec<Series>,
    /// Whether lines join the points of a series. They do not if there are no values of x between two points.
    pub joined: bool,
    pub notes: Vec<String>,
}

/// Values that span this factor are drawn on a logarithmic axis.
pub(super) const LOG_Y_FROM: f64 = 6.0;
const LOG_X_FROM: f64 = 30.0;
/// More series than this are told apart only at the width of a page.
const COLUMN_SERIES: usize = 7;
/// The width that each name on the x axis needs, and that of everything beside the frame, in points.
const NAME: f64 = 36.0;
const BESIDE_NAMES: f64 = 40.0;
/// If all values of x are whole numbers up to this one, they are taken for counts, such as plies.
const MOST_COUNTED: f64 = 64.0;
/// What shifted points on a logarithmic axis are, for the legend.
const AT_TICKS: &str = "points spread around ticks";
/// A chart with fewer points says no more than a sentence.
const FEWEST_POINTS: usize = 3;

impl Chart for Lines {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let x = match self.categories.is_empty() {
            true => self.x_axis()?,
            false => Axis::names(&self.x_label, self.categories.clone()),
        };
        let y = Axis::new(&self.y_label, self.y_scale()?);
        let layout = Layout::new(x, y).legend(self.keys(), bars::obstacles(&self.series));
        Framed::new(layout, |plot| self.draw_series(plot))
    }

    fn narrowest_panel(&self) -> f64 {
        facets::NARROWEST.max(BESIDE_NAMES + NAME * self.categories.len() as f64)
    }

    fn natural_width(&self) -> Width {
        if self.series.len() > COLUMN_SERIES { Width::PAGE } else { Width::COLUMN }
    }
}

impl Lines {
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|s| &s.points).filter(|p| p.y.estimate.is_finite())
    }

    /// An axis over every x, with ticks at the values themselves where these are few.
    fn x_axis(&self) -> Option<Axis> {
        let scale = Scale::covering(self.points().map(|p| p.x), self.log_x, 0.07)?;
        Some(Axis::at_values(&self.x_label, scale, self.points().map(|p| p.x)))
    }

    fn y_scale(&self) -> Option<Scale> {
        self.points().next()?;
        match self.range {
            Range::Share => Some(Scale::linear(-0.03, 1.04)),
            Range::Percent => Some(Scale::linear(-3.0, 104.0)),
            Range::Values { log } => Scale::covering(self.points().flat_map(|p| bars::reach(&p.y)), log, 0.06),
        }
    }

    fn keys(&self) -> Vec<Key> {
        let named = self.series.iter().enumerate().filter(|(_, s)| !s.points.is_empty() && !s.label.is_empty());
        let key = |(index, s): (usize, &Series)| match self.joined {
            true => Key::marked_line(&s.label, index),
            false => Key::marker(&s.label, Marker::of(index)),
        };
        let mut keys: Vec<Key> = named.map(key).collect();
        keys.extend(self.notes.iter().map(|note| Key::note(note)));
        keys.extend((self.log_x && self.series.len() > 1 && self.has_own_ticks()).then(|| Key::note(AT_TICKS)));
        let has_bars = self.points().any(|point| point.y.low < point.y.high);
        keys.extend(has_bars.then(|| Key::note(bars::BARS)));
        keys
    }

    /// The sideways shift of every series. There is none where a shifted point would be read as another value: it must have
    /// its own tick or name beside it, or lie between whole numbers.
    fn shifts(&self, plot: &Plot) -> Vec<f64> {
        let is_counted = || !self.log_x && self.points().all(|point| point.x.fract() == 0.0 && point.x <= MOST_COUNTED);
        match !self.categories.is_empty() || is_counted() || self.has_own_ticks() {
            true => bars::dodge(plot, &self.series),
            false => vec![0.0; self.series.len()],
        }
    }

    fn has_own_ticks(&self) -> bool {
        self.x_axis().is_some_and(|axis| axis.has_ticks_at_values())
    }

    /// Markers with intervals, and the lines between them.
    fn draw_series(&self, plot: &Plot) {
        let shifts = self.shifts(plot);
        let visible: Vec<Vec<Point>> = self.series.iter().map(|s| bars::shown(plot, &s.points)).collect();
        let place = |point: &Point, shift: f64| {
            let (x, y) = plot.at(point.x, point.y.estimate);
            (x + shift, y)
        };
        for (index, (points, shift)) in visible.iter().zip(&shifts).enumerate().filter(|_| self.joined) {
            let path: Vec<_> = points.iter().map(|point| place(point, *shift)).collect();
            plot.cell.line(&path, pen(colour(index), CURVE));
        }
        for (index, (points, shift)) in visible.iter().zip(&shifts).enumerate() {
            points.iter().for_each(|point| bars::vertical(plot, point, *shift, colour(index)));
            points.iter().for_each(|point| Marker::of(index).draw(plot.cell, place(point, *shift), MARKER));
        }
    }
}

/// Whether the values are positive and the largest is at least `factor` times the smallest.
pub(super) fn spans_factor(values: impl Iterator<Item = f64>, factor: f64) -> bool {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    low > 0.0 && high / low >= factor
}

/// A column of the tables against the x axis of a figure.
pub(super) struct Column<'a> {
    pub name: &'a str,
    pub y_label: String,
    /// Whether the values are shares from 0 to 1. For other values the axis covers the values.
    pub is_share: bool,
    /// Whether series with equal values are drawn as one. Measured times are never equal.
    pub merge: bool,
}

/// The lines of a panel: one for each series of the figure.
pub(super) fn against_x(view: &View, column: Column) -> Result<Lines, NotDrawn> {
    let x = view.request.x.as_deref().or(view.figure.natural_x());
    let x = x.ok_or_else(|| NotDrawn::TooLittle("the agents differ in no number to draw against".into()))?;
    let value = |agent: &Agent| Some((agent.number(x)?, agent.estimate(column.name)?));
    let mut series = all_series(view, x, value, column.merge);
    series.iter_mut().for_each(|s| s.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let all = &view.figure.all;
    let shown = all.iter().filter(|agent| value(agent).is_some()).count();
    if shown < FEWEST_POINTS {
        return Err(NotDrawn::few(shown, FEWEST_POINTS));
    }
    let log_x = view.request.log_x || spans_factor(all.iter().filter_map(|agent| agent.number(x)), LOG_X_FROM);
    let values = all.iter().filter_map(|agent| Some(value(agent)?.1.estimate));
    let range = if column.is_share { Range::Share } else { Range::Values { log: spans_factor(values, LOG_Y_FROM) } };
    let notes = shown_note(shown, all.len()).into_iter().chain(view.only_note()).collect();
    let (x_label, categories) = (axis_label(x), Vec::new());
    Ok(Lines { x_label, y_label: column.y_label, log_x, categories, range, series, joined: true, notes })
}

/// The series of the whole figure, with the points of this panel.
fn all_series(view: &View, x: &str, value: impl Fn(&Agent) -> Option<(f64, Interval)>, merge: bool) -> Vec<Series> {
    let names: Vec<String> = view.figure.all.iter().map(|agent| series_name(view, agent, x)).collect();
    let mut whole: Vec<WholeSeries> = Vec::new();
    for (agent, name) in view.figure.all.iter().zip(&names) {
        let Some((x, y)) = value(agent) else { continue };
        let point = (view.panel_of(agent), Point { x, y });
        match whole.iter_mut().find(|series| series.label == *name) {
            Some(series) => series.points.push(point),
            None => whole.push(WholeSeries { label: name.clone(), points: vec![point] }),
        }
    }
    match &mut whole[..] {
        // A single series needs no name.
        [only] => only.label.clear(),
        _ if merge => whole = merged(whole),
        _ => {}
    }
    let panel = view.agents.all.first().map_or("", |agent| view.panel_of(agent));
    let own = |series: WholeSeries| {
        let points = series.points.into_iter().filter(|(of, _)| *of == panel).map(|(_, point)| point);
        Series { label: series.label, points: points.collect() }
    };
    whole.into_iter().map(own).collect()
}

/// A series over all panels: each point with the panel it belongs to.
struct WholeSeries<'a> {
    label: String,
    points: Vec<(&'a str, Point)>,
}

/// The name of an agent's line: the series that the user chose, or every option in which agents differ except x. If x
/// is measured, the name also leaves out the option that was varied, so that its values form one line.
fn series_name(view: &View, agent: &Agent, x: &str) -> String {
    if let Some(axis) = &view.request.series {
        return value_words(agent, axis);
    }
    let varied = if view.figure.is_option(x) { Some(x) } else { view.figure.sweep(agent) };
    let panel = view.request.panel.as_deref();
    let without: Vec<&str> = [x].into_iter().chain(varied).chain(panel).collect();
    view.figure.name(agent, &without)
}

/// Draws series that are equal in every panel as one, under both names.
fn merged(series: Vec<WholeSeries>) -> Vec<WholeSeries> {
    let mut kept: Vec<WholeSeries> = Vec::new();
    for next in series {
        match kept.iter_mut().find(|earlier| same_points(earlier, &next)) {
            Some(earlier) => earlier.label = format!("{} = {}", earlier.label, next.label),
            None => kept.push(next),
        }
    }
    kept
}

/// Whether both have the same points; a single equal point is no curve.
fn same_points(a: &WholeSeries, b: &WholeSeries) -> bool {
    let sorted = |series: &WholeSeries| {
        let mut points: Vec<(String, [u64; 4])> = series
            .points
            .iter()
            .map(|(panel, p)| (panel.to_string(), [p.x, p.y.estimate, p.y.low, p.y.high].map(f64::to_bits)))
            .collect();
        points.sort();
        points
    };
    a.points.len() > 1 && sorted(a) == sorted(b)
}
