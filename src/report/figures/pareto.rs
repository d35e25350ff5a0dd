//! Strength against cost: time per move and mean score on logarithmic axes, with the front of agents that no other
//! agent beats at both.

use super::axis::Axis;
use super::bars::{reach, whisker};
use super::canvas::{Area, Place, fitted};
use super::labels::{Note, Surroundings, leader, place};
use super::marker::{Marker, Shape};
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{BLUE, CURVE, HAIR, INK, Lettering, MARKER, MUTED, NOTE, pen, tint};
use super::{Cell, Chart, estimate};
use crate::stats::Interval;
use plotters::style::text_anchor::{HPos, VPos};

/// With more points than this, only those on the front are named: the others would hide each other.
const MOST_NAMES: usize = 20;

/// One agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    pub label: String,
    /// Less is better.
    pub cost: f64,
    /// More is better.
    pub value: Interval,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pareto {
    pub x_label: String,
    pub y_label: String,
    pub points: Vec<ParetoPoint>,
}

impl Chart for Pareto {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn draw(&self, cell: &Cell) {
        let x = Scale::covering(self.shown().map(|p| p.cost), true, 0.12);
        let y = Scale::covering(self.shown().flat_map(|p| reach(&p.value)), true, 0.1);
        let Some((x, y)) = x.zip(y) else { return cell.no_data() };
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        cell.plot(layout, |plot| self.draw_data(plot));
    }
}

impl Pareto {
    fn shown(&self) -> impl Iterator<Item = &ParetoPoint> {
        let usable = |value: f64| value.is_finite() && value > 0.0;
        self.points.iter().filter(move |p| usable(p.cost) && usable(p.value.estimate))
    }

    fn draw_data(&self, plot: &Plot) {
        let points: Vec<&ParetoPoint> = self.shown().collect();
        let on_front = front(&points);
        let places: Vec<Place> = points.iter().map(|p| plot.at(p.cost, p.value.estimate)).collect();
        let steps = staircase(plot, &places, &on_front);
        draw_front(plot, &steps);
        for (index, point) in points.iter().enumerate() {
            draw_point(plot, point, places[index], on_front[index]);
        }
        self.draw_names(plot, &points, &places, &on_front, &steps);
    }

    fn draw_names(&self, plot: &Plot, points: &[&ParetoPoint], places: &[Place], front: &[bool], steps: &[Place]) {
        let room = 0.45 * plot.frame.width();
        let note = |i: usize| Note { at: places[i], text: fitted(&points[i].label, NOTE, room), first: front[i] };
        let named = |i: &usize| front[*i] || points.len() <= MOST_NAMES;
        let indices: Vec<usize> = (0..points.len()).filter(named).collect();
        let notes: Vec<Note> = indices.iter().map(|i| note(*i)).collect();
        let marks: Vec<Area> = places.iter().map(|place| around(*place)).collect();
        let mut lines: Vec<(Place, Place)> = steps.windows(2).map(|pair| (pair[0], pair[1])).collect();
        lines.extend(points.iter().map(|p| (plot.at(p.cost, p.value.low), plot.at(p.cost, p.value.high))));
        let surroundings = Surroundings { frame: plot.frame, points: &marks, lines: &lines };
        let areas = place(&notes, NOTE, &surroundings);
        for ((note, area), index) in notes.iter().zip(areas).zip(indices) {
            if let Some(area) = area {
                draw_name(plot.cell, note, &area, front[index]);
            }
        }
    }
}

fn around((x, y): Place) -> Area {
    Area { left: x, top: y, right: x, bottom: y }.grown(MARKER + 0.6)
}

/// Which points no other point beats at both.
fn front(points: &[&ParetoPoint]) -> Vec<bool> {
    let beats = |a: &ParetoPoint, b: &ParetoPoint| {
        let (cheaper, better) = (a.cost <= b.cost, a.value.estimate >= b.value.estimate);
        cheaper && better && (a.cost < b.cost || a.value.estimate > b.value.estimate)
    };
    points.iter().map(|point| !points.iter().any(|other| beats(other, point))).collect()
}

/// The edge of what the front reaches, from the lower left to the right.
fn staircase(plot: &Plot, places: &[Place], front: &[bool]) -> Vec<Place> {
    let mut corners: Vec<Place> = places.iter().zip(front).filter(|(_, on)| **on).map(|(place, _)| *place).collect();
    corners.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut level = plot.frame.bottom;
    let mut path = Vec::new();
    for (x, y) in corners {
        path.extend([(x, level), (x, y)]);
        level = y;
    }
    path.push((plot.frame.right, level));
    path
}

fn draw_front(plot: &Plot, steps: &[Place]) {
    let mut reached = steps.to_vec();
    reached.push((plot.frame.right, plot.frame.bottom));
    plot.cell.polygon(&reached, tint(BLUE, 0.08));
    plot.cell.dashes(steps, pen(BLUE, 0.8 * CURVE));
}

fn draw_point(plot: &Plot, point: &ParetoPoint, place: Place, on_front: bool) {
    let (shape, colour) = if on_front { (Shape::Disc, BLUE) } else { (Shape::Diamond, MUTED) };
    if plot.y.shows(point.value.low) && point.value.high.is_finite() {
        let at = |value: f64| plot.at(point.cost, value);
        whisker(plot.cell, at(point.value.low), at(point.value.high), colour);
    }
    Marker { shape, colour, open: false }.draw(plot.cell, place, MARKER);
}

fn draw_name(cell: &Cell, note: &Note, area: &Area, on_front: bool) {
    let colour = if on_front { INK } else { MUTED };
    if let Some(end) = leader(note.at, area) {
        cell.line(&[note.at, end], pen(colour, HAIR));
    }
    let lettering = Lettering::new(NOTE, HPos::Left, VPos::Bottom).colour(colour);
    cell.text(&note.text, (area.left, area.bottom), lettering);
}

pub(super) fn sample() -> Box<dyn Chart> {
    let agents = [
        ("Random", 4e-4, 1_100.0),
        ("Greedy", 1.1e-3, 3_050.0),
        ("Corner d1", 2.5e-3, 6_800.0),
        ("Snake d1", 2.7e-3, 9_400.0),
        ("n-tuple d1", 4e-3, 97_800.0),
        ("Snake d2", 0.06, 21_500.0),
        ("n-tuple d2", 0.11, 142_000.0),
        ("Corner d3", 0.85, 22_500.0),
        ("Snake d3", 0.9, 34_000.0),
        ("n-tuple d3", 1.6, 171_000.0),
        ("MCTS 100", 4.2, 16_500.0),
        ("Snake d4", 11.0, 47_500.0),
        ("MCTS 1000", 41.0, 28_500.0),
    ];
    let point = |(label, cost, value): (&str, f64, f64)| ParetoPoint {
        label: label.to_string(),
        cost,
        value: estimate(value, 0.9 * value, 1.1 * value),
    };
    Box::new(Pareto {
        x_label: "Time per move (ms)".to_string(),
        y_label: "Mean score".to_string(),
        points: agents.map(point).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_holds_exactly_the_unbeaten() {
        let point =
            |cost: f64, value: f64| ParetoPoint { label: String::new(), cost, value: estimate(value, value, value) };
        let points = [point(1.0, 10.0), point(2.0, 9.0), point(2.0, 20.0), point(3.0, 20.0), point(0.5, 1.0)];
        let points: Vec<&ParetoPoint> = points.iter().collect();
        assert_eq!(front(&points), [true, false, true, false, true]);
    }
}
