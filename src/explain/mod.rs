//! The search tree of a position, for people who want to follow it.
//!
//! [`of_agent()`] asks any agent about a position. Behind it, [`Search::trace`] runs a search and keeps what it did in a
//! [`Tree`]: who moves at each node, its value, the window of alpha and beta, and which branches were cut and why.
//! [`render`] writes the tree for a terminal, a program or a page.
//!
//! **To add a format**: one file with a function of [`Tree`], and one line in [`Format`].

mod dot;
mod fold;
mod json;
mod judgement;
mod layout;
mod of_agent;
mod recorder;
mod search;
mod svg;
mod text;
mod tree;

#[cfg(test)]
mod tests;

pub use judgement::{Judged, Judgement};
pub use of_agent::of_agent;
pub use search::{Here, MOST_VISITED, Rule, TracedSearch};
pub use tree::{Bound, Entry, Node, NodeId, NodeKind, Status, Tree, Window, show_value};

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An indented outline.
    Text,
    Json,
    /// For Graphviz.
    Dot,
    /// A picture, boards included.
    Svg,
}

impl Format {
    pub const ALL: [(&'static str, Format); 4] =
        [("text", Format::Text), ("json", Format::Json), ("dot", Format::Dot), ("svg", Format::Svg)];
}

/// Writes a tree; the text ends with a line break.
pub fn render(tree: &Tree, format: Format) -> String {
    match format {
        Format::Text => text::render(tree),
        Format::Json => json::render(tree),
        Format::Dot => dot::render(tree),
        Format::Svg => svg::render(tree),
    }
}
