//! Mean score against cost per move, with the front of agents that no other agent beats at both. Agents that differ in one
//! number only, such as depth, are one line.

use crate::report::figures::agents::Agent;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{BARS, reach, whisker, whisker_lines};
use crate::report::figures::canvas::{Area, Cell, Place, fitted};
use crate::report::figures::labels::{Note, Surroundings, leader, place};
use crate::report::figures::legend::Key;
use crate::report::figures::lines::{LOG_Y_FROM, spans_factor};
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, HAIR, INK, Lettering, MARKER, MUTED, NOTE, SMALL, colour, pen, tint};
use crate::report::figures::ticks::written;
use crate::report::figures::wording::{axis_label, option_words, unit};
use crate::report::figures::{Chart, Width};
use crate::stats::Interval;
use plotters::style::text_anchor::{HPos, VPos};

pub const KIND: CompareChart = CompareChart {
    name: "pareto",
    about: "mean score against cost per move, with the Pareto front",
    caption: "Mean score against cost per move{games}. The dashed line joins the agents that no other agent beats in \
              both. Thin lines join agents that differ in one number only, in the order of that number. Where points of \
              several lines lie close together, a common name is written once. Bars are 95 % confidence intervals.",
    by_default: |agents| agents.have_tiles(),
    is_measured: true,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// Measures of cost, the best one first. Work is the same on every machine; time is not.
const COSTS: [&str; 2] = ["work_per_move", "microseconds_per_move"];
/// A chart with fewer points says no more than a sentence.
const FEWEST_POINTS: usize = 3;

fn build(view: &View) -> Built {
    // The axis is logarithmic, so that a cost of 0 could not be shown.
    let measured = |cost: &&str| view.figure.all.iter().all(|agent| agent.number(cost).is_some_and(|cost| cost > 0.0));
    let cost = view.request.x.as_deref().or_else(|| COSTS.iter().copied().find(measured));
    let cost = cost.ok_or(NotDrawn::NotApplicable)?;
    let groups = groups(view, cost);
    let points: usize = groups.iter().map(|group| group.points.len()).sum();
    if points < FEWEST_POINTS {
        return Err(NotDrawn::few(points, FEWEST_POINTS));
    }
    let notes = notes(view, &groups);
    let scores = view.figure.all.iter().filter_map(|agent| agent.number("mean_score"));
    Ok(Box::new(Pareto {
        x_label: axis_label(cost),
        y_label: view.score_label("Mean score"),
        log_y: spans_factor(scores, LOG_Y_FROM),
        groups,
        notes,
    }))
}

/// The numeric option that varies within the groups, if it is the same one in all groups.
fn common_sweep<'a>(view: &'a View) -> Option<&'a str> {
    let mut sweeps: Vec<&str> = view.figure.all.iter().filter_map(|agent| view.figure.sweep(agent)).collect();
    sweeps.dedup();
    if let [only] = sweeps[..] { Some(only) } else { None }
}

/// What a reader must know besides the names of lines.
fn notes(view: &View, groups: &[ParetoGroup]) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(option) = common_sweep(view).filter(|_| groups.iter().any(|group| group.points.len() > 1)) {
        notes.extend(match common_labels(view, option) {
            Some(labels) => Some(format!("{}: {labels}", unit(option))),
            None => has_numbers(view).then(|| format!("numbers: {}", unit(option))),
        });
    }
    notes.extend(view.only_note());
    notes.push(BARS.into());
    notes
}

/// Whether points are labelled with numbers only, and the legend says what they count: where the same option varies along all
/// lines, and its words are too long for many points.
fn has_numbers(view: &View) -> bool {
    let is_long = |agent: &Agent| {
        varied(view, agent).is_some_and(|option| option_words(option, agent.text(option)).len() > LONGEST_WORDS)
    };
    common_sweep(view).is_some() && view.agents.all.len() > COLUMN_POINTS && view.figure.all.iter().any(is_long)
}

/// Longer words leave no room for those of other points.
const LONGEST_WORDS: usize = 9;

/// The numbers of an option where every line of the figure has the same ones. They tell the points whose own label finds no
/// place.
fn common_labels(view: &View, option: &str) -> Option<String> {
    let mut lines: Vec<Vec<f64>> = Vec::new();
    for (_, members) in view.figure.grouped_by(|agent| line_name(view, agent)) {
        let mut numbers: Vec<f64> = members.all.iter().filter_map(|agent| agent.number(option)).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        lines.extend((numbers.len() > 1).then_some(numbers));
    }
    lines.dedup();
    let [numbers] = &lines[..] else { return None };
    let list = numbers.iter().map(|number| written(*number)).collect::<Vec<_>>().join(", ");
    Some(list).filter(|list| list.len() <= LONGEST_LIST)
}

/// A longer list of numbers would leave no room for a second column of the legend.
const LONGEST_LIST: usize = 20;

/// The option that varies along the line of an agent. There is none if the agent has no number for it, such as one whose
/// depth is a range: it is a point by itself.
fn varied<'a>(view: &'a View, agent: &Agent) -> Option<&'a str> {
    view.figure.sweep(agent).filter(|option| agent.number(option).is_some())
}

/// What tells a line from others: everything but the number that varies along it, and the panel.
fn line_name(view: &View, agent: &Agent) -> String {
    let panel = view.request.panel.as_deref();
    let without: Vec<&str> = varied(view, agent).into_iter().chain(panel).collect();
    view.figure.name(agent, &without)
}

/// One group for each line of the figure, with the points of this panel.
fn groups(view: &View, cost: &str) -> Vec<ParetoGroup> {
    let numbers = has_numbers(view);
    let is_own = |agent: &Agent| view.agents.all.iter().any(|own| own.label() == agent.label());
    let point = |agent: &Agent| {
        let label = match (varied(view, agent), numbers) {
            (Some(option), true) => agent.number(option).map_or_else(String::new, written),
            (Some(option), false) => option_words(option, agent.text(option)),
            (None, _) => String::new(),
        };
        Some(ParetoPoint { label, cost: agent.number(cost)?, value: agent.estimate("mean_score")? })
    };
    let all = view.figure.grouped_by(|agent| line_name(view, agent)).into_iter();
    all.map(|(label, members)| {
        let mut own: Vec<&Agent> = members.all.iter().filter(|agent| is_own(agent)).collect();
        let number = |agent: &Agent| varied(view, agent).and_then(|option| agent.number(option)).unwrap_or(0.0);
        own.sort_by(|a, b| number(a).total_cmp(&number(b)));
        ParetoGroup { label, points: own.into_iter().filter_map(point).collect() }
    })
    .collect()
}

/// One agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Its label within its group.
    pub label: String,
    /// Less is better.
    pub cost: f64,
    /// More is better.
    pub value: Interval,
}

/// Agents that differ in one number only.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoGroup {
    pub label: String,
    pub points: Vec<ParetoPoint>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pareto {
    pub x_label: String,
    pub y_label: String,
    pub log_y: bool,
    pub groups: Vec<ParetoGroup>,
    /// What the labels of points count, what is left out, and what the bars are.
    pub notes: Vec<String>,
}

/// More points without a line, which all have their full name, have small names and need the width of a page.
const FEW: usize = 9;
/// More points than this need the width of a page.
const COLUMN_POINTS: usize = 12;
/// Panels narrower than this have no room for the labels of points.
const NARROWEST_PANEL: f64 = 150.0;

impl Chart for Pareto {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn natural_width(&self) -> Width {
        let points: usize = self.groups.iter().map(|group| group.points.len()).sum();
        let most = if self.has_lines() { COLUMN_POINTS } else { FEW };
        if points > most { Width::PAGE } else { Width::COLUMN }
    }

    fn narrowest_panel(&self) -> f64 {
        NARROWEST_PANEL
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let shown = || self.shown().map(|point| point.point);
        let x = Scale::covering(shown().map(|p| p.cost), true, 0.09)?;
        let y = Scale::covering(shown().flat_map(|p| reach(&p.value)), self.log_y, 0.09)?;
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        // Names take all free room in the frame, so the legend goes above it.
        let everything = Obstacle::Block((x.ends().0, y.ends().0), (x.ends().1, y.ends().1));
        Framed::new(layout.legend(self.keys(), vec![everything]), |plot| self.draw_data(plot))
    }
}

/// A point with the group it belongs to.
#[derive(Clone, Copy)]
struct Shown<'a> {
    group: usize,
    point: &'a ParetoPoint,
}

impl Pareto {
    fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        let usable = |value: f64| value.is_finite() && value > 0.0;
        let groups = self.groups.iter().enumerate();
        let all = groups.flat_map(|(group, line)| line.points.iter().map(move |point| Shown { group, point }));
        all.filter(move |shown| usable(shown.point.cost) && usable(shown.point.value.estimate))
    }

    /// Groups are in the legend where most have several points. Otherwise every point has its full name.
    fn has_lines(&self) -> bool {
        self.groups.iter().any(|group| group.points.len() > 1)
    }

    fn keys(&self) -> Vec<Key> {
        let lines = self.groups.iter().enumerate().filter(|(_, group)| group.points.len() > 1);
        let mut keys: Vec<Key> = lines.map(|(index, group)| Key::marked_line(&group.label, index)).collect();
        keys.push(Key::dashes("Pareto front", INK));
        keys.extend(self.notes.iter().map(|note| Key::note(note)));
        keys
    }

    fn draw_data(&self, plot: &Plot) {
        let points: Vec<Shown> = self.shown().collect();
        let on_front = front(&points.iter().map(|shown| shown.point).collect::<Vec<_>>());
        let places: Vec<Place> = points.iter().map(|s| plot.at(s.point.cost, s.point.value.estimate)).collect();
        let steps = staircase(plot, &places, &on_front);
        draw_front(plot, &steps);
        let links = self.draw_links(plot, &points, &places);
        for (index, shown) in points.iter().enumerate() {
            draw_point(plot, shown.point, places[index], self.marker(shown.group, on_front[index]));
        }
        self.draw_names(plot, &points, &places, &on_front, &steps, &links);
    }

    /// Thin lines between the points of a group, in the order of the number that varies.
    fn draw_links(&self, plot: &Plot, points: &[Shown], places: &[Place]) -> Vec<(Place, Place)> {
        let mut links = Vec::new();
        for (pair, ends) in points.windows(2).zip(places.windows(2)) {
            if pair[0].group == pair[1].group {
                plot.cell.line(ends, pen(tint(colour(pair[0].group), 0.6), 0.5 * CURVE));
                links.push((ends[0], ends[1]));
            }
        }
        links
    }

    fn marker(&self, group: usize, on_front: bool) -> Marker {
        if self.groups.get(group).is_some_and(|line| line.points.len() > 1) {
            return Marker::of(group);
        }
        match (self.has_lines(), on_front) {
            // A single point must not look like one of a line.
            (true, _) => Marker { shape: Shape::Diamond, colour: INK, open: true },
            (false, true) => Marker { shape: Shape::Disc, colour: BLUE, open: false },
            (false, false) => Marker { shape: Shape::Diamond, colour: MUTED, open: false },
        }
    }

    /// The name of a point, its size, and whether it must be shown. The name is the label within the group, or the name
    /// of the group if it has one point.
    fn name(&self, shown: &Shown) -> (String, f64, bool) {
        match self.groups.get(shown.group) {
            Some(group) if group.points.len() == 1 => {
                let parts: Vec<&str> =
                    [group.label.as_str(), &shown.point.label].into_iter().filter(|p| !p.is_empty()).collect();
                (parts.join(", "), NOTE, true)
            }
            _ => (shown.point.label.clone(), SMALL, false),
        }
    }

    fn draw_names(
        &self,
        plot: &Plot,
        points: &[Shown],
        places: &[Place],
        front: &[bool],
        steps: &[Place],
        links: &[(Place, Place)],
    ) {
        let room = 0.5 * plot.frame.width();
        let note = |(index, shown): (usize, &Shown)| {
            let (name, size, required) = self.name(shown);
            Note { at: places[index], text: fitted(&name, size, room), first: front[index], required }
        };
        let is_end = |shown: &Shown| self.groups.get(shown.group).is_some_and(|group| is_end(group, shown.point));
        // The ends of a line are named first, because the points between follow from their order.
        let (mut ends, between): (Vec<_>, Vec<_>) = points.iter().enumerate().partition(|(_, shown)| is_end(shown));
        if !self.has_lines() {
            // Names above a point are found before those of lower points take their room.
            ends.sort_by(|(a, _), (b, _)| places[*a].1.total_cmp(&places[*b].1));
        }
        let mut notes: Vec<Note> = Vec::new();
        for note in ends.into_iter().chain(between).map(note).filter(|note| !note.text.is_empty()) {
            if !notes.iter().any(|earlier| names_both(earlier, &note)) {
                notes.push(note);
            }
        }
        let marks: Vec<Area> = places.iter().map(|place| around(*place)).collect();
        let mut lines: Vec<(Place, Place)> = steps.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let bar = |p: &ParetoPoint| whisker_lines(plot.at(p.cost, p.value.low), plot.at(p.cost, p.value.high));
        lines.extend(points.iter().flat_map(|shown| bar(shown.point)));
        let size = if self.has_lines() || points.len() > FEW { SMALL } else { NOTE };
        let surroundings = Surroundings { frame: plot.frame, points: &marks, lines: &lines, soft_lines: links };
        for (note, area) in notes.iter().zip(place(&notes, size, &surroundings)) {
            if let Some(area) = area {
                draw_name(plot.cell, note, &area, size);
            }
        }
    }
}

/// Whether the name of a point also tells what another point is, because it lies close to it and has the same name.
fn names_both(named: &Note, other: &Note) -> bool {
    named.text == other.text && (named.at.0 - other.at.0).hypot(named.at.1 - other.at.1) <= CLOSE
}

/// Points closer together than this, in points of the page, share a name.
const CLOSE: f64 = 9.0;

fn is_end(group: &ParetoGroup, point: &ParetoPoint) -> bool {
    [group.points.first(), group.points.last()].contains(&Some(point))
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
    plot.cell.polygon(&reached, tint(BLUE, 0.06));
    plot.cell.dashes(steps, pen(INK, 0.6 * CURVE));
}

fn draw_point(plot: &Plot, point: &ParetoPoint, place: Place, marker: Marker) {
    if plot.y.shows(point.value.low) && point.value.high.is_finite() {
        let at = |value: f64| plot.at(point.cost, value);
        whisker(plot.cell, at(point.value.low), at(point.value.high), marker.colour);
    }
    marker.draw(plot.cell, place, MARKER);
}

fn draw_name(cell: &Cell, note: &Note, area: &Area, size: f64) {
    if let Some(end) = leader(note.at, area) {
        cell.line(&[note.at, end], pen(MUTED, HAIR));
    }
    let lettering = Lettering::new(size, HPos::Left, VPos::Bottom);
    cell.text(&note.text, (area.left, area.bottom), lettering);
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    /// An agent's name, then the label, time and score of each of its points.
    type Points<'a> = (&'a str, &'a [(&'a str, f64, f64)]);

    pub fn sample() -> Box<dyn Chart> {
        let agents: [Points; 6] = [
            ("Random", &[("", 4e-4, 1_100.0)]),
            ("Greedy", &[("", 1.1e-3, 3_050.0)]),
            ("Corner", &[("1", 2.5e-3, 6_800.0), ("3", 0.85, 22_500.0)]),
            ("Snake", &[("1", 2.7e-3, 9_400.0), ("2", 0.06, 21_500.0), ("3", 0.9, 34_000.0), ("4", 11.0, 47_500.0)]),
            ("n-tuple", &[("1", 4e-3, 97_800.0), ("2", 0.11, 142_000.0), ("3", 1.6, 171_000.0)]),
            ("MCTS", &[("100", 4.2, 16_500.0), ("1000", 41.0, 28_500.0)]),
        ];
        let point = |(label, cost, value): &(&str, f64, f64)| ParetoPoint {
            label: label.to_string(),
            cost: *cost,
            value: estimate(*value, 0.9 * value, 1.1 * value),
        };
        let group = |(label, points): (&str, &[(&str, f64, f64)])| ParetoGroup {
            label: label.to_string(),
            points: points.iter().map(point).collect(),
        };
        Box::new(Pareto {
            x_label: "Time per move (ms)".to_string(),
            y_label: "Mean score".to_string(),
            log_y: true,
            groups: agents.map(group).into(),
            notes: vec!["numbers: depth".to_string()],
        })
    }

    #[test]
    fn the_front_holds_exactly_the_points_that_nothing_beats() {
        let point =
            |cost: f64, value: f64| ParetoPoint { label: String::new(), cost, value: estimate(value, value, value) };
        let points = [point(1.0, 10.0), point(2.0, 9.0), point(2.0, 20.0), point(3.0, 20.0), point(0.5, 1.0)];
        let points: Vec<&ParetoPoint> = points.iter().collect();
        assert_eq!(front(&points), [true, false, true, false, true]);
    }

    #[test]
    fn close_points_with_the_same_name_are_named_once() {
        let note = |x: f64, text: &str| Note { at: (x, 5.0), text: text.into(), first: false, required: false };
        assert!(names_both(&note(10.0, "depth 1"), &note(14.0, "depth 1")));
        assert!(!names_both(&note(10.0, "depth 1"), &note(14.0, "depth 2")));
        assert!(!names_both(&note(10.0, "depth 1"), &note(80.0, "depth 1")));
    }
}
