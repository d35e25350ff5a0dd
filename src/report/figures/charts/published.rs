//! Published win rates against measured ones{games}. Points near the diagonal agree; those that differ are open and named.

use crate::report::figures::Chart;
use crate::report::figures::agents::Agents;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{BARS, reach, whisker, whisker_lines};
use crate::report::figures::canvas::{Area, Place, fitted};
use crate::report::figures::labels::{Note, Surroundings, leader, place};
use crate::report::figures::legend::{self, Key};
use crate::report::figures::marker::Marker;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{HAIR, INK, Lettering, MARKER, MUTED, PAPER, SMALL, colour, pen, tint};
use crate::report::table::{Row, Table};
use crate::stats::Interval;
use plotters::style::text_anchor::{HPos, VPos};

pub const KIND: CompareChart = CompareChart {
    name: "published",
    about: "published win rates against measured ones",
    caption: "Published win rates against measured ones. Points on the diagonal agree. Bars are 95 % intervals \
              of both.",
    by_default: |_| true,
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// With more pairs than this, only those that differ have names.
const MOST_NAMES: usize = 12;
/// A chart with fewer points says no more than a sentence.
const FEWEST_POINTS: usize = 3;

fn build(view: &View) -> Built {
    let table = view.published.ok_or(NotDrawn::NotApplicable)?;
    let series = view.request.series.as_deref().unwrap_or("kind");
    let group = |(label, members): (String, Agents)| Group { label, pairs: pairs(view, &members, table, series) };
    let groups: Vec<Group> = view.agents.grouped(series).into_iter().map(group).collect();
    let all: Vec<&Pair> = groups.iter().flat_map(|group| &group.pairs).collect();
    let (compared, told) = (all.len(), all.iter().filter(|pair| pair.informative).count());
    if told < FEWEST_POINTS {
        return Err(NotDrawn::few(told, FEWEST_POINTS));
    }
    let all_zero = all.iter().filter(|pair| !pair.informative).all(|pair| pair.measured.estimate == 0.0);
    let what = if all_zero { "both rates 0" } else { "both rates 0 or both 1" };
    let left_out = match compared - told {
        0 => None,
        count => Some(format!("{count} left out: {what}")),
    };
    let notes = left_out.into_iter().chain(view.only_note()).chain([BARS.to_string()]).collect();
    Ok(Box::new(Published { groups, notes }))
}

/// The published rates of these agents. A name leaves out what the legend says.
fn pairs(view: &View, members: &Agents, published: &Table, series: &str) -> Vec<Pair> {
    let pair = |row: Row| {
        let agent = members.all.iter().find(|agent| agent.label() == row.text("agent"))?;
        let (published, measured) = row.interval("published").zip(row.interval("measured"))?;
        let panel = view.request.panel.as_deref();
        let legend = if series == "kind" { "group" } else { series };
        let without: Vec<&str> = [series, legend].into_iter().chain(panel).collect();
        let agrees = match row.text("misfit") {
            "" => row.text("verdict") == "agrees",
            misfit => misfit == "false",
        };
        // Two rates of 0, or two of 1, always agree, so they show nothing.
        let is_extreme = published.estimate == measured.estimate && [0.0, 1.0].contains(&measured.estimate);
        let informative = match row.text("informative") {
            "" => !is_extreme,
            text => text == "true" || text == "yes",
        };
        Some(Pair { name: view.figure.name(agent, &without), published, measured, agrees, informative })
    };
    published.rows().filter_map(pair).collect()
}

/// A published win rate and the rate that was measured here.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub name: String,
    pub published: Interval,
    pub measured: Interval,
    /// Whether the difference of the two rates has zero in its 95 % interval.
    pub agrees: bool,
    /// Whether the two rates could have differed at all.
    pub informative: bool,
}

/// Pairs of one source, agent or heuristic.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Group {
    pub label: String,
    pub pairs: Vec<Pair>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    pub groups: Vec<Group>,
    pub notes: Vec<String>,
}

impl Chart for Published {
    fn title(&self) -> String {
        "Measured win rate against published win rate".into()
    }

    /// Nearly square, because both axes show the same quantity.
    fn height(&self, width: f64) -> f64 {
        (0.9 * width).min(310.0) + legend::overflow(&self.keys(), width)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let values = self.pairs().flat_map(|(_, pair)| [reach(&pair.published), reach(&pair.measured)].concat());
        let scale = Scale::covering(values, false, 0.03)?;
        let (low, high) = scale.ends();
        let scale = Scale::linear(low.max(-0.05), high.min(1.05));
        let (x, y) = (Axis::new("Published win rate", scale), Axis::new("Measured win rate", scale));
        let layout = Layout::new(x, y).legend(self.keys(), self.obstacles(scale));
        Framed::new(layout, |plot| self.draw_data(plot))
    }
}

impl Published {
    fn pairs(&self) -> impl Iterator<Item = (usize, &Pair)> {
        let groups = self.groups.iter().enumerate();
        let all = groups.flat_map(|(index, group)| group.pairs.iter().map(move |pair| (index, pair)));
        all.filter(|(_, pair)| {
            pair.informative && pair.published.estimate.is_finite() && pair.measured.estimate.is_finite()
        })
    }

    fn keys(&self) -> Vec<Key> {
        let drawn = |index: usize| self.pairs().any(|(group, _)| group == index);
        let groups = self.groups.iter().enumerate().filter(|(index, _)| drawn(*index));
        let mut keys: Vec<Key> = groups.map(|(index, group)| Key::marker(&group.label, marker(index, true))).collect();
        let (all, apart) = (self.pairs().count(), self.pairs().filter(|(_, pair)| !pair.agrees).count());
        if apart > 0 {
            let open = Marker { colour: MUTED, ..marker(0, false) };
            keys.push(Key::marker(&format!("rates differ ({apart} of {all})"), open));
        }
        keys.push(Key::dashes("equal rates", INK));
        keys.extend(self.notes.iter().map(|note| Key::note(note)));
        keys
    }

    fn obstacles(&self, scale: Scale) -> Vec<Obstacle> {
        let (low, high) = scale.ends();
        let mut obstacles = vec![Obstacle::Line(vec![(low, low), (high, high)])];
        for (_, Pair { published, measured, .. }) in self.pairs() {
            let (x, y) = (published.estimate, measured.estimate);
            obstacles.push(Obstacle::Line(vec![(x, measured.low), (x, measured.high)]));
            obstacles.push(Obstacle::Line(vec![(published.low, y), (published.high, y)]));
        }
        obstacles
    }

    fn draw_data(&self, plot: &Plot) {
        let (low, high) = plot.x.ends();
        plot.cell.dashes(&[plot.at(low, low), plot.at(high, high)], pen(INK, 0.6));
        let bars: Vec<(usize, [(Place, Place); 2])> =
            self.pairs().map(|(group, pair)| (group, bars(plot, pair))).collect();
        for (group, ends) in &bars {
            // Pale, because many of them cross.
            ends.iter().for_each(|(from, to)| whisker(plot.cell, *from, *to, tint(colour(*group), 0.5)));
        }
        for (group, pair) in self.pairs() {
            let place = plot.at(pair.published.estimate, pair.measured.estimate);
            marker(group, pair.agrees).draw(plot.cell, place, MARKER);
        }
        let whiskers = bars.into_iter().flat_map(|(_, ends)| ends);
        let mut lines: Vec<(Place, Place)> = whiskers.flat_map(|(from, to)| whisker_lines(from, to)).collect();
        lines.push((plot.at(low, low), plot.at(high, high)));
        self.name_points(plot, &lines);
    }

    /// Names the pairs that differ, and all others that have room where the pairs are few.
    fn name_points(&self, plot: &Plot, lines: &[(Place, Place)]) {
        let at = |pair: &Pair| plot.at(pair.published.estimate, pair.measured.estimate);
        let marks: Vec<Area> = self.pairs().map(|(_, pair)| at(pair)).map(around).collect();
        let few = self.pairs().count() <= MOST_NAMES;
        let named = self.pairs().filter(|(_, pair)| (few || !pair.agrees) && !pair.name.is_empty());
        let room = 0.4 * plot.frame.width();
        let note = |(_, pair): (usize, &Pair)| {
            let first = pair.measured.estimate > pair.published.estimate;
            Note { at: at(pair), text: fitted(&pair.name, SMALL, room), first, required: !pair.agrees }
        };
        let notes: Vec<Note> = named.map(note).collect();
        let around = Surroundings { frame: plot.frame, points: &marks, lines, soft_lines: &[] };
        for (note, area) in notes.iter().zip(place(&notes, SMALL, &around)) {
            let Some(area) = area else { continue };
            if let Some(end) = leader(note.at, &area) {
                plot.cell.line(&[note.at, end], pen(MUTED, HAIR));
            }
            // Where a name has to cross bars, these stay behind it.
            plot.cell.fill(&area.grown(0.6), PAPER);
            let lettering = Lettering::new(SMALL, HPos::Left, VPos::Bottom);
            plot.cell.text(&note.text, (area.left, area.bottom), lettering);
        }
    }
}

fn around((x, y): Place) -> Area {
    Area { left: x, top: y, right: x, bottom: y }.grown(MARKER + 0.6)
}

/// The intervals of both rates, up and across.
fn bars(plot: &Plot, Pair { published, measured, .. }: &Pair) -> [(Place, Place); 2] {
    let (x, y) = (published.estimate, measured.estimate);
    let [_, measured_low, measured_high] = reach(measured).map(|value| if value.is_finite() { value } else { y });
    let [_, published_low, published_high] = reach(published).map(|value| if value.is_finite() { value } else { x });
    [(plot.at(x, measured_low), plot.at(x, measured_high)), (plot.at(published_low, y), plot.at(published_high, y))]
}

fn marker(group: usize, agrees: bool) -> Marker {
    Marker { open: !agrees, ..Marker::of(group) }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::exact;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let group = |label: &str, shift: f64, bias: f64| {
            let pair = |k: u32| {
                let rate = (f64::from(k) / 8.0 + shift).clamp(0.02, 0.98);
                let measured = (rate + bias * f64::from(k % 3)).min(1.0);
                let margin = 0.09 * (rate * (1.0 - rate)).sqrt() + 0.01;
                Pair {
                    name: format!("depth {k}"),
                    published: exact(rate),
                    measured: estimate(measured, measured - margin, (measured + margin).min(1.0)),
                    agrees: (rate - measured).abs() <= margin,
                    informative: true,
                }
            };
            Group { label: label.to_string(), pairs: (0..8).map(pair).collect() }
        };
        let groups =
            vec![group("Minimax", 0.03, 0.02), group("Alpha-beta", 0.0, -0.01), group("Expectimax", 0.08, 0.05)];
        Box::new(Published { groups, notes: Vec::new() })
    }
}
