//! Published against measured: points on the diagonal agree.

use super::axis::Axis;
use super::bars::{reach, whisker};
use super::marker::Marker;
use super::plot::{Layout, Obstacle, Plot};
use super::scale::Scale;
use super::style::{INK, MARKER, MUTED, colour, pen};
use super::{Cell, Chart, Key, estimate, exact};
use crate::stats::Interval;

/// One quantity, as somebody published it and as it was measured here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub published: Interval,
    pub measured: Interval,
}

impl Pair {
    /// Whether the two intervals have a value in common.
    pub fn agrees(&self) -> bool {
        self.measured.low <= self.published.high && self.published.low <= self.measured.high
    }
}

/// Pairs of one source, agent or heuristic.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Group {
    pub label: String,
    pub pairs: Vec<Pair>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    pub x_label: String,
    pub y_label: String,
    pub log: bool,
    pub groups: Vec<Group>,
}

impl Chart for Published {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        let groups = self.groups.iter().enumerate().filter(|(_, group)| !group.label.is_empty());
        let mut keys: Vec<Key> = groups.map(|(index, group)| Key::marker(&group.label, marker(index, true))).collect();
        if self.groups.iter().flat_map(|group| &group.pairs).any(|pair| !pair.agrees()) {
            let open = Marker { colour: MUTED, ..marker(0, false) };
            keys.push(Key::marker("open: intervals apart", open));
        }
        keys
    }

    /// Nearly square, as both axes show the same quantity.
    fn height(&self, width: f64) -> f64 {
        (0.9 * width).min(300.0) + super::legend::overflow(&self.keys(), width)
    }

    fn draw(&self, cell: &Cell) {
        let values = self.pairs().flat_map(|(_, pair)| reach(&pair.published).into_iter().chain(reach(&pair.measured)));
        let Some(scale) = Scale::covering(values, self.log, 0.06) else { return cell.no_data() };
        let (low, high) = scale.ends();
        let mut obstacles = vec![Obstacle::Line(vec![(low, low), (high, high)])];
        for (_, Pair { published, measured }) in self.pairs() {
            obstacles
                .push(Obstacle::Line(vec![(published.estimate, measured.low), (published.estimate, measured.high)]));
            obstacles
                .push(Obstacle::Line(vec![(published.low, measured.estimate), (published.high, measured.estimate)]));
        }
        let layout = Layout::new(Axis::new(&self.x_label, scale), Axis::new(&self.y_label, scale));
        cell.plot(layout.legend(self.keys(), obstacles), |plot| self.draw_data(plot));
    }
}

impl Published {
    fn pairs(&self) -> impl Iterator<Item = (usize, Pair)> + '_ {
        let usable = |value: f64| value.is_finite() && (!self.log || value > 0.0);
        let groups = self.groups.iter().enumerate();
        let all = groups.flat_map(|(index, group)| group.pairs.iter().map(move |pair| (index, *pair)));
        all.filter(move |(_, pair)| usable(pair.published.estimate) && usable(pair.measured.estimate))
    }

    fn draw_data(&self, plot: &Plot) {
        let (low, high) = plot.x.ends();
        plot.cell.dashes(&[plot.at(low, low), plot.at(high, high)], pen(INK, 0.6));
        for (group, Pair { published, measured }) in self.pairs() {
            let at = |x: f64, y: f64| plot.at(x, y);
            if measured.low.is_finite() && measured.high.is_finite() {
                let (x, ends) = (published.estimate, (measured.low, measured.high));
                whisker(plot.cell, at(x, ends.0), at(x, ends.1), colour(group));
            }
            if published.low.is_finite() && published.high.is_finite() {
                let (y, ends) = (measured.estimate, (published.low, published.high));
                whisker(plot.cell, at(ends.0, y), at(ends.1, y), colour(group));
            }
        }
        for (group, pair) in self.pairs() {
            let place = plot.at(pair.published.estimate, pair.measured.estimate);
            marker(group, pair.agrees()).draw(plot.cell, place, MARKER);
        }
    }
}

/// Open where published and measured are apart.
fn marker(group: usize, agrees: bool) -> Marker {
    Marker { open: !agrees, ..Marker::of(group) }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let group = |label: &str, shift: f64, bias: f64| {
        let pair = |k: u32| {
            let rate = (f64::from(k) / 8.0 + shift).clamp(0.02, 0.98);
            let measured = (rate + bias * f64::from(k % 3)).min(1.0);
            let margin = 0.09 * (rate * (1.0 - rate)).sqrt() + 0.01;
            Pair {
                published: exact(rate),
                measured: estimate(measured, measured - margin, (measured + margin).min(1.0)),
            }
        };
        Group { label: label.to_string(), pairs: (0..8).map(pair).collect() }
    };
    Box::new(Published {
        x_label: "Published win rate".to_string(),
        y_label: "Measured win rate".to_string(),
        log: false,
        groups: vec![group("Minimax", 0.03, 0.02), group("Alpha-beta", 0.0, -0.01), group("Expectimax", 0.08, 0.05)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_touch_agree() {
        let measured = estimate(0.5, 0.4, 0.6);
        assert!(Pair { published: exact(0.6), measured }.agrees());
        assert!(Pair { published: estimate(0.7, 0.55, 0.8), measured }.agrees());
        assert!(!Pair { published: exact(0.61), measured }.agrees());
    }
}
