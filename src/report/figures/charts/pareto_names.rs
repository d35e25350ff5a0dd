//! The names and numbers beside the points of a Pareto figure.

use super::pareto::{FEW, Pareto, ParetoGroup, ParetoPoint, Shown};
use crate::report::figures::bars::whisker_lines;
use crate::report::figures::canvas::{Area, Cell, Place, fitted};
use crate::report::figures::labels::{Note, Surroundings, leader, place};
use crate::report::figures::plot::Plot;
use crate::report::figures::style::{HAIR, Lettering, MARKER, MUTED, NOTE, SMALL, pen};
use plotters::style::text_anchor::{HPos, VPos};

/// Points closer together than this, in points of the page, share a name.
const CLOSE: f64 = 9.0;
/// A name takes at most this share of the width of the frame.
const NAME_SHARE: f64 = 0.5;

/// The least area of the frame for each point, in square points, that leaves room for the numbers of all of them.
const ROOM: f64 = 600.0;

/// What is in the frame before names are written.
pub(super) struct Drawn<'a> {
    pub points: &'a [Shown<'a>],
    pub places: &'a [Place],
    pub on_front: &'a [bool],
    /// The corners of the Pareto front.
    pub steps: &'a [Place],
    /// The thin lines between points of a group.
    pub links: &'a [(Place, Place)],
}

impl Pareto {
    pub(super) fn draw_names(&self, plot: &Plot, drawn: &Drawn) {
        let size = if self.has_lines() || drawn.points.len() > FEW { SMALL } else { NOTE };
        let notes = self.notes_of_points(plot, drawn, size);
        let marks: Vec<Area> = drawn.places.iter().map(|place| around(*place)).collect();
        let mut lines: Vec<(Place, Place)> = drawn.steps.windows(2).map(|pair| (pair[0], pair[1])).collect();
        lines.extend(drawn.points.iter().flat_map(|shown| {
            let (low, high) = bar(plot, shown.point);
            whisker_lines(low, high)
        }));
        let surroundings = Surroundings { frame: plot.frame, points: &marks, lines: &lines, soft_lines: drawn.links };
        for (note, area) in notes.iter().zip(place(&notes, size, &surroundings)) {
            if let Some(area) = area {
                draw_name(plot.cell, note, &area, size);
            }
        }
    }

    /// What is written, in the order in which places are found. The ends of a line are named first, because the points
    /// between follow from their order.
    fn notes_of_points(&self, plot: &Plot, drawn: &Drawn, size: f64) -> Vec<Note> {
        let room = NAME_SHARE * plot.frame.width();
        let note = |(index, shown): (usize, &Shown)| {
            let (low, high) = bar(plot, shown.point);
            let text = fitted(&self.name(shown), size, room);
            let required = !self.groups.get(shown.group).is_some_and(ParetoGroup::is_line);
            Note { at: drawn.places[index], bar: (high.1, low.1), text, first: drawn.on_front[index], required }
        };
        let is_end = |shown: &Shown| self.groups.get(shown.group).is_some_and(|group| is_end(group, shown.point));
        let (mut ends, between): (Vec<_>, Vec<_>) =
            drawn.points.iter().enumerate().partition(|(_, shown)| is_end(shown));
        if !self.has_lines() {
            // Names of higher points are placed first, before names of lower points take the room above these.
            ends.sort_by(|(a, _), (b, _)| drawn.places[*a].1.total_cmp(&drawn.places[*b].1));
        }
        let is_crowded = plot.frame.width() * plot.frame.height() < ROOM * drawn.points.len() as f64;
        let between = between.into_iter().filter(|_| !is_crowded);
        let mut notes: Vec<Note> = Vec::new();
        for note in ends.into_iter().chain(between).map(note).filter(|note| !note.text.is_empty()) {
            if !notes.iter().any(|earlier| names_both(earlier, &note)) {
                notes.push(note);
            }
        }
        notes
    }

    /// The label of a point within its line, or its full name if it is in no line.
    fn name(&self, shown: &Shown) -> String {
        match self.groups.get(shown.group) {
            Some(group) if !group.is_line() => {
                let parts = [group.label.as_str(), &shown.point.label].into_iter().filter(|part| !part.is_empty());
                parts.collect::<Vec<_>>().join(", ")
            }
            _ => shown.point.label.clone(),
        }
    }
}

/// The lower and the upper end of a point's error bar. An end that the axis cannot show is put at the point itself.
fn bar(plot: &Plot, point: &ParetoPoint) -> (Place, Place) {
    let at = |value: f64| plot.at(point.cost, if plot.y.shows(value) { value } else { point.value.estimate });
    (at(point.value.low), at(point.value.high))
}

/// Whether the name of a point also tells what another point is, because it lies close to it and has the same name.
fn names_both(named: &Note, other: &Note) -> bool {
    named.text == other.text && (named.at.0 - other.at.0).hypot(named.at.1 - other.at.1) <= CLOSE
}

fn is_end(group: &ParetoGroup, point: &ParetoPoint) -> bool {
    [group.points.first(), group.points.last()].contains(&Some(point))
}

fn around((x, y): Place) -> Area {
    Area { left: x, top: y, right: x, bottom: y }.grown(MARKER + 0.6)
}

fn draw_name(cell: &Cell, note: &Note, area: &Area, size: f64) {
    if let Some((from, to)) = leader(note, area) {
        cell.line(&[from, to], pen(MUTED, HAIR));
    }
    let lettering = Lettering::new(size, HPos::Left, VPos::Bottom);
    cell.text(&note.text, (area.left, area.bottom), lettering);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_points_with_the_same_name_are_named_once() {
        let note = |x: f64, text: &str| Note {
            at: (x, 5.0),
            bar: (5.0, 5.0),
            text: text.into(),
            first: false,
            required: false,
        };
        assert!(names_both(&note(10.0, "1"), &note(14.0, "1")));
        assert!(!names_both(&note(10.0, "1"), &note(14.0, "2")));
        assert!(!names_both(&note(10.0, "1"), &note(80.0, "1")));
    }
}
