//! What a comparison has found, in words and a table for people.

use comfy_table::{CellAlignment, Table as Grid, presets};

use super::ComparisonResult;
use crate::report::table::{Row, Table};
use crate::spec::Comparison;
use crate::stats::Interval;

/// How a cell comes about from an agent's rows in both summaries.
type Show = fn(&Row, &Row) -> String;

/// Columns of the printed table.
const COLUMNS: &[(&str, Show)] = &[
    ("agent", |summary, _| summary.text("agent").to_string()),
    ("games", |summary, _| summary.text("games").to_string()),
    ("won, %", |summary, _| interval(summary.interval("win_rate").map(|rate| rate.scaled(100.0)), 1)),
    ("mean score", |summary, _| interval(summary.interval("mean_score"), digits(summary))),
    ("median", |summary, _| plain(summary.number("median_score"), 0)),
    ("moves", |summary, _| plain(summary.number("moves_per_game"), 0)),
    ("nodes/move", |summary, _| plain(summary.number("nodes_per_move"), 0)),
    ("µs/move", |_, timing| measured(timing.number("microseconds_per_move"))),
    ("s/game", |_, timing| measured(timing.number("seconds_per_game"))),
];

/// Scores of two-player games lie between -1 and 1; those of 2048 are in the thousands.
fn digits(summary: &Row) -> usize {
    if summary.number("max_score").is_some_and(|best| best <= 1.0) { 2 } else { 0 }
}

fn interval(interval: Option<Interval>, digits: usize) -> String {
    match interval {
        Some(i) if i.low < i.high => {
            let [estimate, low, high] = [i.estimate, i.low, i.high].map(|value| fixed(value, digits));
            format!("{estimate} ({low} to {high})")
        }
        Some(i) => fixed(i.estimate, digits),
        None => String::new(),
    }
}

/// So many digits after the point, and no minus zero.
pub(super) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.parse() == Ok(0.0) => rest.to_string(),
        _ => text,
    }
}

fn plain(number: Option<f64>, digits: usize) -> String {
    number.map(|number| fixed(number, digits)).unwrap_or_default()
}

/// Three digits, wherever the point is: times range from a millionth of a second to minutes.
fn measured(number: Option<f64>) -> String {
    let places = |number: f64| (2 - number.abs().log10().floor().clamp(-9.0, 2.0) as i32).clamp(0, 9) as usize;
    number.map(|number| plain(Some(number), if number == 0.0 { 0 } else { places(number) })).unwrap_or_default()
}

impl ComparisonResult {
    /// The rows of both summaries, best first.
    fn ranked<'a>(&'a self) -> impl Iterator<Item = (Row<'a>, Row<'a>)> {
        let (summary, timing): (Vec<Row>, Vec<Row>) = (self.summary.rows().collect(), self.timing.rows().collect());
        self.ranking.iter().map(move |&place| (summary[place], timing[place]))
    }

    /// Best first, for a terminal.
    pub fn table(&self) -> String {
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        grid.set_header(COLUMNS.iter().map(|(name, _)| *name));
        for (summary, timing) in self.ranked() {
            grid.add_row(COLUMNS.iter().map(|(_, cell)| cell(&summary, &timing)));
        }
        for column in grid.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        // The style pads every cell on both sides, also at the edges.
        grid.lines().map(|line| line.trim_end().strip_prefix(' ').unwrap_or(&line).to_string() + "\n").collect()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(COLUMNS.iter().map(|(name, _)| name.to_string()).collect());
        text += &line(COLUMNS.iter().map(|(name, _)| if *name == "agent" { "---" } else { "---:" }.into()).collect());
        for (summary, timing) in self.ranked() {
            text += &line(COLUMNS.iter().map(|(_, cell)| cell(&summary, &timing).replace('|', "\\|")).collect());
        }
        text
    }

    /// What has to be said about the conditions of the run.
    pub fn caveat(&self) -> Option<String> {
        let agents = (!self.timed.is_empty()).then(|| self.timed.join(", "))?;
        Some(format!("Play depends on the speed of the machine, and cannot be repeated exactly: {agents}."))
    }

    pub fn to_json(&self) -> serde_json::Value {
        let picked = |table: &Table| -> Vec<serde_json::Value> {
            let rows = table.to_json();
            self.ranking.iter().map(|place| rows[*place].clone()).collect()
        };
        serde_json::json!({
            "folder": self.folder.display().to_string(),
            "summary": picked(&self.summary),
            "timing": picked(&self.timing),
            "quotes": self.quotes,
            "published": self.verdicts,
            "timed": self.timed,
        })
    }
}

/// `report.md`.
pub(super) fn report(comparison: &Comparison, findings: &ComparisonResult) -> String {
    let Comparison { name, games, seed, game, .. } = comparison;
    let goal = if game.has_goal() { format!(", goal {}", game.goal()) } else { String::new() };
    let against = comparison.opponent.as_ref().map(|opponent| format!(" against {opponent}")).unwrap_or_default();
    let (game, agents) = (game.name(), comparison.entrants.len());
    let mut text = format!(
        "# {name}\n\n{games} games of {game} for each of {agents} agents{against}, seed {seed}{goal}. Intervals are \
         95 %.\n\n"
    );
    text += &findings.markdown();
    text += &list("\n", &findings.quotes);
    text += &findings.caveat().map(|caveat| format!("\n{caveat}\n")).unwrap_or_default();
    if let Some((first, rest)) = findings.verdicts.split_first() {
        text += &format!("\n## Against the published figures\n\n{first}\n{}", list("\n", rest));
    }
    if !comparison.remark.is_empty() {
        text += &format!("\n## Remarks\n\n{}\n", comparison.remark);
    }
    text
}

fn list(before: &str, lines: &[String]) -> String {
    let items: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    if items.is_empty() { items } else { before.to_string() + &items }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_three_digits() {
        let cases = [0.0, 0.0000123456, 0.4567, 12.345, 98765.4].map(|time| measured(Some(time)));
        assert_eq!(cases, ["0", "0.0000123", "0.457", "12.3", "98765"]);
    }

    #[test]
    fn intervals_of_no_width_are_numbers() {
        assert_eq!(interval(Some(Interval { estimate: 5.0, low: 4.0, high: 6.0 }), 0), "5 (4 to 6)");
        assert_eq!(interval(Some(Interval { estimate: 5.0, low: 5.0, high: 5.0 }), 1), "5.0");
        assert_eq!(interval(Some(Interval { estimate: 0.0, low: -0.001, high: 0.25 }), 2), "0.00 (0.00 to 0.25)");
        assert_eq!(interval(None, 1), "");
    }
}
