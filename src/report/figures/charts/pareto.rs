//! Mean score against cost per move, with the front of agents that no other agent beats at both. Agents that differ in one
//! number only, such as depth, are one line.

use super::pareto_names::Drawn;
use crate::report::figures::agents::Agent;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{BARS, reach, whisker};
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::lines::{LOG_Y_FROM, spans_factor};
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, INK, MARKER, MUTED, colour, pen, tint};
use crate::report::figures::ticks::written;
use crate::report::figures::wording::{axis_label, option_words, unit};
use crate::report::figures::{Chart, Width};
use crate::stats::Interval;

pub const KIND: CompareChart = CompareChart {
    name: "pareto",
    about: "mean score against cost per move, with the Pareto front",
    caption: "Mean score against cost per move{games}. The dashed line joins the agents that no other agent beats in \
              both. Thin lines join agents that differ in one number only, in the order of that number. Where points of \
              several lines lie close together, a common name is written once. Where there is no room for all numbers, \
              only the ends of lines have them. Bars are 95 % confidence intervals.",
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
    // The axis is logarithmic, so a cost of 0 cannot be shown.
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
    let sweep = common_sweep(view).filter(|_| groups.iter().any(ParetoGroup::is_line));
    let mut notes: Vec<String> = sweep.map(|option| format!("numbers: {}", unit(option))).into_iter().collect();
    notes.extend(view.only_note());
    notes.push(BARS.into());
    notes
}

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
    let is_own = |agent: &Agent| view.agents.all.iter().any(|own| own.label() == agent.label());
    let number = |agent: &Agent| varied(view, agent).and_then(|option| agent.number(option));
    let all = view.figure.grouped_by(|agent| line_name(view, agent)).into_iter();
    all.map(|(name, members)| {
        let mut own: Vec<&Agent> = members.all.iter().filter(|agent| is_own(agent)).collect();
        own.sort_by(|a, b| number(a).unwrap_or(0.0).total_cmp(&number(b).unwrap_or(0.0)));
        let label = |agent: &Agent| match number(agent) {
            Some(number) if own.len() > 1 => written(number),
            _ => varied(view, agent).map_or_else(String::new, |option| option_words(option, agent.text(option))),
        };
        let point = |agent: &&Agent| {
            Some(ParetoPoint { label: label(agent), cost: agent.number(cost)?, value: agent.estimate("mean_score")? })
        };
        ParetoGroup { points: own.iter().filter_map(point).collect(), label: line_label(view, name, &own) }
    })
    .collect()
}

/// The name of a line in the legend. Where different options vary along the lines, it says what the numbers at its points
/// count.
fn line_label(view: &View, name: String, members: &[&Agent]) -> String {
    match members {
        [first, _, ..] if common_sweep(view).is_none() => {
            varied(view, first).map_or(name.clone(), |option| format!("{name} (numbers: {})", unit(option)))
        }
        _ => name,
    }
}

/// One agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Its label within its group: a number if the group is a line.
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

impl ParetoGroup {
    pub(super) fn is_line(&self) -> bool {
        self.points.len() > 1
    }
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

/// Without lines every point has its full name. If there are more points than this, their names are small and the chart
/// needs the width of a page.
pub(super) const FEW: usize = 9;
/// With lines, more points than this need the width of a page.
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
        // Numbers above the highest points need some room.
        let y = Scale::covering(shown().flat_map(|p| reach(&p.value)), self.log_y, 0.15)?;
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        // Names take all free room in the frame, so the legend goes above it.
        let everything = Obstacle::Block((x.ends().0, y.ends().0), (x.ends().1, y.ends().1));
        Framed::new(layout.legend(self.keys(), vec![everything]), |plot| self.draw_data(plot))
    }
}

/// The marker of a single point that another one beats in both.
const BEATEN: Marker = Marker { shape: Shape::Diamond, colour: MUTED, open: false };

/// A point with the group it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub group: usize,
    pub point: &'a ParetoPoint,
}

impl Pareto {
    fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        let usable = |value: f64| value.is_finite() && value > 0.0;
        let groups = self.groups.iter().enumerate();
        let all = groups.flat_map(|(group, line)| line.points.iter().map(move |point| Shown { group, point }));
        all.filter(move |shown| usable(shown.point.cost) && usable(shown.point.value.estimate))
    }

    /// Lines are in the legend, and a point of a line has its number beside it. Other points have their full name.
    pub(super) fn has_lines(&self) -> bool {
        self.groups.iter().any(ParetoGroup::is_line)
    }

    fn keys(&self) -> Vec<Key> {
        let lines = self.groups.iter().enumerate().filter(|(_, group)| group.is_line());
        let mut keys: Vec<Key> = lines.map(|(index, group)| Key::marked_line(&group.label, index)).collect();
        keys.push(Key::dashes("Pareto front", INK));
        let points: Vec<&ParetoPoint> = self.shown().map(|shown| shown.point).collect();
        if !self.has_lines() && front(&points).contains(&false) {
            keys.push(Key::marker("not on the front", BEATEN));
        }
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
        self.draw_names(
            plot,
            &Drawn { points: &points, places: &places, on_front: &on_front, steps: &steps, links: &links },
        );
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
        if self.groups.get(group).is_some_and(ParetoGroup::is_line) {
            return Marker::of(group);
        }
        match (self.has_lines(), on_front) {
            // A single point must not look like one of a line.
            (true, _) => Marker { shape: Shape::Diamond, colour: INK, open: true },
            (false, true) => Marker { shape: Shape::Disc, colour: BLUE, open: false },
            (false, false) => BEATEN,
        }
    }
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
}
