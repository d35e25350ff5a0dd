//! Charts fit for a paper, drawn from the tables of a results folder.
//!
//! A chart is a struct of labels, numbers and intervals that implements [`Chart`]. [`draw`] turns it into a scene, and
//! [`panels`] puts several on one page. The folder `charts/` has one file for each kind. To add a kind, write such a file
//! and add one line to [`COMPARE`] or [`RUNS`] in `registry.rs`.
//!
//! Axis labels may use the [markup](super::scene::markup) for scripts and italics. Names of series, agents and
//! coefficients are shown as they are. Numbers that are not finite, or not positive on a logarithmic axis, are left
//! out; a chart with nothing left says so.

mod agents;
mod axis;
mod bars;
mod canvas;
mod charts;
mod contours;
mod facets;
mod heatmap;
mod labels;
mod legend;
mod lines;
mod marker;
mod page;
mod plot;
mod registry;
mod request;
mod run_tables;
mod scale;
mod style;
mod ticks;
mod viridis;
mod wording;

pub use super::scene::{Family, Format, Scene, with_family, write};
pub use agents::{Agents, Tables};
pub use canvas::Cell;
pub use charts::curves::Curves;
pub use page::{draw, panels};
pub use registry::{COMPARE, CompareChart, RUNS, RunChart, captions};
pub use request::{FigureRequest, NotDrawn, View};
pub use run_tables::{RunKind, RunTables};
pub use style::Width;

use crate::stats::Interval;
use plot::Framed;

/// A measured value at a place on the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it is.
    pub x: f64,
    /// The value with its interval.
    pub y: Interval,
}

/// Points that belong together under one name.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// The points, in any order.
    pub points: Vec<Point>,
}

/// A value without an interval: one that is known, not estimated.
fn exact(value: f64) -> Interval {
    Interval { estimate: value, low: value, high: value }
}

/// Something that can be drawn into a part of a page.
pub trait Chart {
    /// What the chart shows, for the metadata of the files. The caption belongs to the paper.
    fn title(&self) -> String;

    /// The axes, the legend and the data of a chart with one frame; `None` if there is nothing to show. Charts of this
    /// form can share a page as panels with common axes and one legend.
    fn frame(&self) -> Option<Framed<'_>> {
        None
    }

    /// The height that suits this width, both in points.
    fn height(&self, width: f64) -> f64 {
        let keys = self.frame().map_or(Vec::new(), |frame| frame.layout.keys);
        style::height(width) + legend::overflow(&keys, width)
    }

    /// Draws the chart into a part of a page.
    fn draw(&self, cell: &Cell) {
        match self.frame() {
            Some(Framed { layout, data }) => cell.plot(layout, |plot| data(plot)),
            None => cell.no_data(),
        }
    }

    /// The least width of a panel in which the chart can be read.
    fn narrowest_panel(&self) -> f64 {
        facets::NARROWEST
    }

    /// The width that suits the chart where the user asks for none.
    fn natural_width(&self) -> Width {
        Width::COLUMN
    }
}

#[cfg(test)]
mod tests;
