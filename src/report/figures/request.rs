//! What a figure of a comparison should show.

use super::agents::{Agent, Agents};
use super::wording::option_words;
use crate::report::table::Table;
use std::io;

/// One figure of a comparison: its kind, its axes, and which agents it shows. An axis is `kind`, an option of the agents
/// or a measured column.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureRequest {
    /// The name of a kind in [`COMPARE`](super::COMPARE).
    pub kind: &'static str,
    /// The name of its files, without extension.
    pub name: String,
    /// What the x axis shows; by default the number in which the agents differ most.
    pub x: Option<String>,
    /// Makes one line for each value.
    pub series: Option<String>,
    /// Makes one panel for each value.
    pub panel: Option<String>,
    /// Whether the x axis is logarithmic in any case.
    pub log_x: bool,
    /// Shows only agents that have one of these values under each of these keys.
    pub only: Vec<(String, Vec<String>)>,
}

impl FigureRequest {
    /// A figure of this kind with everything else left to the program.
    pub fn of(kind: &'static str) -> Self {
        let name = kind.to_string();
        FigureRequest { kind, name, x: None, series: None, panel: None, log_x: false, only: Vec::new() }
    }
}

/// Why a figure was not drawn.
#[derive(Debug)]
pub enum NotDrawn {
    /// The results have no such data, so the figure does not apply to them.
    NotApplicable,
    /// There are too few data to show.
    TooLittle(String),
    /// A table is missing from the folder.
    Missing(&'static str),
    /// A table cannot be read.
    Unreadable(io::Error),
}

impl NotDrawn {
    /// The reason for a chart that needs `needed` points and has fewer.
    pub(super) fn few(points: usize, needed: usize) -> Self {
        NotDrawn::TooLittle(format!("it would show {points} points, and a chart needs at least {needed}"))
    }
}

/// The agents of one panel of a figure, with all that a chart may need to know about the figure.
pub struct View<'a> {
    /// What the user asks for.
    pub request: &'a FigureRequest,
    /// All agents of the figure. They decide about names and styles, so that panels agree.
    pub figure: &'a Agents<'a>,
    /// The agents of this panel.
    pub agents: &'a Agents<'a>,
    /// `published.csv`, if there are published results to compare with.
    pub published: Option<&'a Table>,
    /// `survival.csv`, if games stop at a goal.
    pub survival: Option<&'a Table>,
    /// The tile at which games stop, if they do.
    pub goal: Option<&'a str>,
    /// Whom the agents play against, in games for two.
    pub opponent: Option<&'a str>,
}

impl View<'_> {
    /// The label of an axis of scores. Scores of games that stop at a goal are cut off there, and the label says so.
    pub(super) fn score_label(&self, label: &str) -> String {
        self.goal.map_or_else(|| label.to_string(), |goal| format!("{label} (play stops at {goal})"))
    }

    /// What all agents of the figure have in common because the figure shows only them. Names leave it out, so the
    /// legend has to say it.
    pub(super) fn only_note(&self) -> Option<String> {
        let single = self.request.only.iter().filter_map(|(axis, values)| match &values[..] {
            [only] if !["kind", "group"].contains(&axis.as_str()) => Some(option_words(axis, only)),
            _ => None,
        });
        let words: Vec<String> = single.collect();
        (!words.is_empty()).then(|| format!("only {}", words.join(", ")))
    }

    /// The panel of an agent, as text.
    pub(super) fn panel_of<'r>(&self, agent: &Agent<'r>) -> &'r str {
        self.request.panel.as_deref().map_or("", |axis| agent.text(axis))
    }
}
