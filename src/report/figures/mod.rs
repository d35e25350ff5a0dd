//! Charts fit for a paper: one file per kind, drawn from plain records.
//!
//! A chart is a struct of labels, numbers and intervals that implements [`Chart`]; [`draw`] turns it into a scene and
//! [`panels`] puts several on one page. To add a kind: one file, and one line in [`KINDS`].
//!
//! Axis labels may use the [markup](super::scene::markup) for scripts and italics; names of series, agents and
//! coefficients are shown as they are. Numbers that are not finite, or not positive on a logarithmic axis, are left
//! out; a chart with nothing left says so.

mod axis;
mod bars;
mod canvas;
mod facets;
mod labels;
mod legend;
mod marker;
mod page;
mod plot;
mod scale;
mod style;
mod ticks;
mod viridis;

pub mod ablation;
pub mod convergence;
pub mod cost;
pub mod ecdf;
pub mod heatmap;
pub mod outcomes;
pub mod pareto;
pub mod paths;
pub mod published;
pub mod reach;
pub mod slices;
pub mod violin;
pub mod win_rate;

pub use super::scene::{Format, Scene, write};
pub use ablation::{Ablation, AblationStep};
pub use canvas::Cell;
pub use convergence::{Convergence, Reference};
pub use cost::Cost;
pub use ecdf::{Ecdf, ScoreSample};
pub use heatmap::Heatmap;
pub use legend::Key;
pub use outcomes::{OutcomeRow, Outcomes};
pub use page::{draw, panels};
pub use pareto::{Pareto, ParetoPoint};
pub use paths::{CoefficientPath, Paths};
pub use published::{Group, Pair, Published};
pub use reach::{Reach, ReachRow};
pub use slices::{Slice, Slices};
pub use style::Width;
pub use violin::Violin;
pub use win_rate::WinRate;

use crate::stats::Interval;

/// A picture and the name of its files, without extension.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub name: String,
    pub scene: Scene,
}

/// A measured value at a place on the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: Interval,
}

/// Points that belong together under one name.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Series {
    pub label: String,
    pub points: Vec<Point>,
}

/// A value without an interval, for what is known rather than estimated.
pub fn exact(value: f64) -> Interval {
    Interval { estimate: value, low: value, high: value }
}

/// A value with its interval.
pub fn estimate(value: f64, low: f64, high: f64) -> Interval {
    Interval { estimate: value, low, high }
}

/// Something that can be drawn into a part of a page.
pub trait Chart {
    /// What the picture is, for the metadata of the files; captions are the paper's.
    fn title(&self) -> String;

    /// The entries of the legend, if the chart has one.
    fn keys(&self) -> Vec<Key> {
        Vec::new()
    }

    /// The height that suits this width, both in points.
    fn height(&self, width: f64) -> f64 {
        style::height(width) + legend::overflow(&self.keys(), width)
    }

    fn draw(&self, cell: &Cell);
}

/// A kind of chart, with data made up to show it.
pub struct ChartKind {
    pub name: &'static str,
    pub about: &'static str,
    pub sample: fn() -> Box<dyn Chart>,
}

/// All kinds of charts.
pub const KINDS: &[ChartKind] = &[
    kind("win-rate", "rate against depth or budget, per series", win_rate::sample),
    kind("ecdf", "score distribution as empirical CDFs", ecdf::sample),
    kind("violin", "score distribution as violins", violin::sample),
    kind("reach", "share of games that reached each tile", reach::sample),
    kind("cost", "time per game against depth", cost::sample),
    kind("pareto", "score against time per move, with the front", pareto::sample),
    kind("published", "published figures against measured ones", published::sample),
    kind("convergence", "curves with bands over generations or budget", convergence::sample),
    kind("paths", "coefficients over generations", paths::sample),
    kind("slices", "the objective around the recommendation", slices::sample),
    kind("ablation", "from start to tuned, one coefficient at a time", ablation::sample),
    kind("mask", "weights of a board as a heat map", heatmap::sample),
    kind("matrix", "annotated matrix, such as transfer between depths", heatmap::matrix_sample),
    kind("outcomes", "wins, draws and losses", outcomes::sample),
];

const fn kind(name: &'static str, about: &'static str, sample: fn() -> Box<dyn Chart>) -> ChartKind {
    ChartKind { name, about, sample }
}

#[cfg(test)]
mod tests;
