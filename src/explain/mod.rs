//! Explanations of decisions: search trees and estimates that people can follow.
//!
//! [`explain_decision`] explains any agent's decision at a position. For a tree search it runs [`TracedSearch`], which
//! records the search in a [`Tree`]: who chooses at each node, its value, the window of alpha and beta, and which
//! branches were cut and why. For Monte Carlo agents it has the estimate of each move. For Monte Carlo tree search it
//! also has the most visited nodes, and [`Tree::growth`] shows how they grew. [`Tree::sentences`] describes in words
//! what happens at a node. [`render`] writes a tree for a terminal, a program or a page.
//!
//! **To add a format**: write one file with a function of [`Tree`], and add one line to [`Format`].

mod backup;
mod decision;
mod dot;
mod growth;
mod json;
mod layout;
mod move_estimates;
mod recorder;
mod search;
mod sentences;
mod steps;
mod svg;
mod text;
mod tree;

#[cfg(test)]
mod tests;

pub use decision::explain_decision;
pub use move_estimates::{MoveEstimate, MoveEstimates};
pub use search::{Algorithm, MOST_VISITED, SearchState, TracedSearch};
pub use steps::{SearchStep, StepKind, steps};
pub use tree::{
    Bound, ChildStatistics, Cut, Node, NodeId, NodeKind, Sides, Snapshot, Status, Tree, TreeEntry, Window, show_value,
};

/// A format in which a tree can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Indented lines.
    Text,
    /// For programs.
    Json,
    /// For Graphviz.
    Dot,
    /// A picture with boards.
    Svg,
}

impl Format {
    /// All formats with their names.
    pub const ALL: [(&'static str, Format); 4] =
        [("text", Format::Text), ("json", Format::Json), ("dot", Format::Dot), ("svg", Format::Svg)];
}

/// Writes a tree. The text ends with a line break.
pub fn render(tree: &Tree, format: Format) -> String {
    match format {
        Format::Text => text::render(tree),
        Format::Json => json::render(tree),
        Format::Dot => dot::render(tree),
        Format::Svg => svg::render(tree),
    }
}
