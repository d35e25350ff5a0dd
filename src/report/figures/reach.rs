//! The share of games that reached each tile: grouped bars with 95 % intervals.

use super::axis::Axis;
use super::bars::whisker;
use super::canvas::Area;
use super::plot::{Layout, Obstacle, Plot};
use super::scale::Scale;
use super::style::{HAIR, INK, area_colour, pen};
use super::{Cell, Chart, Key, estimate};
use crate::stats::Interval;

/// One agent's rates, between 0 and 1, in the order of the tiles.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReachRow {
    pub label: String,
    pub rates: Vec<Interval>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    pub x_label: String,
    pub y_label: String,
    pub tiles: Vec<String>,
    pub agents: Vec<ReachRow>,
}

/// The part of a tile's place that its bars fill.
const FILLED: f64 = 0.82;

impl Chart for Reach {
    fn title(&self) -> String {
        format!("{} by {}", self.y_label, self.x_label)
    }

    fn keys(&self) -> Vec<Key> {
        self.agents.iter().enumerate().map(|(index, agent)| Key::swatch(&agent.label, area_colour(index))).collect()
    }

    fn draw(&self, cell: &Cell) {
        if self.bars().next().is_none() {
            return cell.no_data();
        }
        let x = Axis::names(&self.x_label, self.tiles.clone());
        let y = Axis::new(&self.y_label, Scale::linear(0.0, 104.0));
        let obstacles = self.bars().map(|bar| Obstacle::Block((bar.left, 0.0), (bar.right, 100.0 * bar.rate.high)));
        let layout = Layout::new(x, y).legend(self.keys(), obstacles.collect());
        cell.plot(Layout { grid: true, ..layout }, |plot| self.bars().for_each(|bar| bar.draw(plot)));
    }
}

struct Bar {
    left: f64,
    right: f64,
    rate: Interval,
    agent: usize,
}

impl Reach {
    fn bars(&self) -> impl Iterator<Item = Bar> + '_ {
        let step = FILLED / self.agents.len().max(1) as f64;
        let places = move |tile: usize, agent: usize| tile as f64 - FILLED / 2.0 + agent as f64 * step;
        self.agents.iter().enumerate().flat_map(move |(agent, row)| {
            let rates =
                row.rates.iter().take(self.tiles.len()).enumerate().filter(|(_, rate)| rate.estimate.is_finite());
            rates.map(move |(tile, rate)| {
                let left = places(tile, agent);
                Bar { left: left + 0.04 * step, right: left + 0.96 * step, rate: *rate, agent }
            })
        })
    }
}

impl Bar {
    fn draw(&self, plot: &Plot) {
        let (left, top) = plot.at(self.left, 100.0 * self.rate.estimate);
        let (right, bottom) = plot.at(self.right, 0.0);
        plot.cell.fill(&Area { left, top, right, bottom }, area_colour(self.agent));
        if self.rate.low.is_finite() && self.rate.high.is_finite() {
            let [low, high] = [self.rate.low, self.rate.high].map(|rate| plot.at(self.middle(), 100.0 * rate));
            // On a bar thinner than its caps, whiskers would run into each other.
            if right - left > 3.0 {
                whisker(plot.cell, low, high, INK);
            } else {
                plot.cell.line(&[low, high], pen(INK, HAIR));
            }
        }
    }

    fn middle(&self) -> f64 {
        (self.left + self.right) / 2.0
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let tiles = ["256", "512", "1024", "2048", "4096", "8192", "16384"].map(str::to_string);
    let agents = [
        ("n-tuple TD", [1.0, 1.0, 0.995, 0.985, 0.93, 0.72, 0.31]),
        ("Snake weights", [1.0, 0.985, 0.93, 0.8, 0.46, 0.08, 0.0]),
        ("Corner gradient", [0.99, 0.96, 0.86, 0.64, 0.22, 0.015, 0.0]),
        ("Monotonicity only", [0.97, 0.86, 0.62, 0.27, 0.03, 0.0, 0.0]),
    ];
    let interval = |rate: f64| {
        let margin = 0.006 + 0.13 * (rate * (1.0 - rate)).sqrt();
        estimate(rate, (rate - margin).max(0.0), (rate + margin).min(1.0))
    };
    let row =
        |(label, rates): (&str, [f64; 7])| ReachRow { label: label.to_string(), rates: rates.map(interval).into() };
    Box::new(Reach {
        x_label: "Tile reached at least once".to_string(),
        y_label: "Share of games (%)".to_string(),
        tiles: tiles.into(),
        agents: agents.map(row).into(),
    })
}
