//! Published win rates and measured ones: few as rows, many as points. Points near the diagonal agree; those that differ are
//! open and named.

use super::published_rows::PublishedRows;
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
    caption: "Published win rates and measured ones. Up to twelve pairs have a row each. More are points: those on the dashed \
              line agree, and those that differ are open and named. Bars are 95 % intervals of both; a published rate \
              without a number of games has none.",
    by_default: |_| true,
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// Up to this many pairs have a row each. More make the figure too tall, so they are points.
const MOST_ROWS: usize = 12;
/// More groups than this make a long legend.
const MOST_GROUPS: usize = 7;
/// A chart with fewer points says no more than a sentence.
const FEWEST_POINTS: usize = 3;

fn build(view: &View) -> Built {
    let table = view.published.ok_or(NotDrawn::NotApplicable)?;
    let panel: Vec<&str> = view.request.panel.as_deref().into_iter().collect();
    let all = pairs(view, view.agents, table, &panel);
    let told: Vec<Pair> = all.iter().filter(|pair| pair.informative).cloned().collect();
    if told.len() < FEWEST_POINTS {
        return Err(NotDrawn::few(told.len(), FEWEST_POINTS));
    }
    let notes = left_out(&all).into_iter().chain(view.only_note()).chain([BARS.to_string()]).collect();
    if told.len() <= MOST_ROWS {
        return Ok(Box::new(PublishedRows { pairs: told, notes }));
    }
    let series = view.request.series.as_deref().unwrap_or(legend_axis(view.agents));
    // A group says more than its kind where the experiment gives it a name.
    let is_kind = view.agents.all.iter().all(|agent| agent.text("group") == agent.text("kind"));
    let groups = (series == "kind" && is_kind).then_some("group");
    let without: Vec<&str> = [series].into_iter().chain(groups).chain(panel).collect();
    let group = |(label, members): (String, Agents)| Group { label, pairs: pairs(view, &members, table, &without) };
    Ok(Box::new(Published { groups: view.agents.grouped(series).into_iter().map(group).collect(), notes }))
}

/// Where a published rate comes from: a source, or one of several tables of the same source.
fn source(row: &Row) -> String {
    match (row.text("source"), row.text("table")) {
        ("", "") => String::new(),
        ("", table) => format!("{table} table"),
        (source, _) => source.to_string(),
    }
}

/// How many pairs are not shown, and why.
fn left_out(all: &[Pair]) -> Option<String> {
    let hidden: Vec<&Pair> = all.iter().filter(|pair| !pair.informative).collect();
    let all_zero = hidden.iter().all(|pair| pair.measured.estimate == 0.0);
    let what = if all_zero { "both rates 0" } else { "both rates 0 or both 1" };
    (!hidden.is_empty()).then(|| format!("{} left out: {what}", hidden.len()))
}

/// What the legend tells apart if the user does not choose: groups, which the experiment names, or kinds if groups are many.
fn legend_axis(agents: &Agents) -> &'static str {
    if agents.grouped("group").len() <= MOST_GROUPS { "group" } else { "kind" }
}

/// The published rates of these agents. A name leaves out what is in `without`.
fn pairs(view: &View, members: &Agents, published: &Table, without: &[&str]) -> Vec<Pair> {
    let pair = |row: Row| {
        let agent = members.all.iter().find(|agent| agent.label() == row.text("agent"))?;
        let (rate, measured) = row.interval("published").zip(row.interval("measured"))?;
        let agrees = match row.text("misfit") {
            "" => row.text("verdict") == "agrees",
            misfit => misfit == "false",
        };
        // Two rates of 0, or two of 1, always agree, so they show nothing.
        let is_extreme = rate.estimate == measured.estimate && [0.0, 1.0].contains(&measured.estimate);
        let informative = match row.text("informative") {
            "" => !is_extreme,
            text => text == "true" || text == "yes",
        };
        // Several published rates of one agent differ in their source.
        let of_agent = published.rows().filter(|other| other.text("agent") == row.text("agent")).count();
        let source = if of_agent > 1 { source(&row) } else { String::new() };
        let name = view.figure.name(agent, without);
        let name = if source.is_empty() { name } else { format!("{name}, {source}") };
        Some(Pair { name, published: rate, measured, agrees, informative })
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

    /// Names the pairs that differ.
    fn name_points(&self, plot: &Plot, lines: &[(Place, Place)]) {
        let at = |pair: &Pair| plot.at(pair.published.estimate, pair.measured.estimate);
        let marks: Vec<Area> = self.pairs().map(|(_, pair)| at(pair)).map(around).collect();
        let named = self.pairs().filter(|(_, pair)| !pair.agrees && !pair.name.is_empty());
        let room = 0.5 * plot.frame.width();
        let note = |(_, pair): (usize, &Pair)| {
            let first = pair.measured.estimate > pair.published.estimate;
            let (x, y) = at(pair);
            Note { at: (x, y), bar: (y, y), text: fitted(&pair.name, SMALL, room), first, required: true }
        };
        let notes: Vec<Note> = named.map(note).collect();
        let around = Surroundings { frame: plot.frame, points: &marks, lines, soft_lines: &[] };
        for (note, area) in notes.iter().zip(place(&notes, SMALL, &around)) {
            let Some(area) = area else { continue };
            if let Some((from, to)) = leader(note, &area) {
                plot.cell.line(&[from, to], pen(MUTED, HAIR));
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

/// The vertical interval of the measured rate and the horizontal one of the published rate.
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

    #[test]
    fn several_rates_of_one_agent_are_told_apart_by_their_source() {
        let mut table = Table::new(["source", "table"]);
        table.push(["ronzil", "x"]);
        table.push(["", "depth"]);
        table.push(["", ""]);
        assert_eq!(table.rows().map(|row| source(&row)).collect::<Vec<_>>(), ["ronzil", "depth table", ""]);
    }
}
