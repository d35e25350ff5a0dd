//! The results of a comparison as text and tables for people.

use comfy_table::{CellAlignment, Table as Grid, presets};

use super::ComparisonResult;
use crate::report::markdown::plain;
use crate::report::table::{Row, Table};
use crate::spec::Comparison;
use crate::stats::Interval;
use crate::stats::quantiles::median;

/// Makes a cell from an agent's rows in both summaries.
type Show = fn(&Row, &Row) -> String;

/// The columns of the printed table. Scores of games that stop at a goal are marked, and the moves to the goal take the
/// place of the median score.
fn columns(until_goal: bool) -> [(&'static str, Show); 9] {
    let score: Show = |summary, _| interval(summary.interval("mean_score"), digits(summary));
    let (score_name, middle): (_, (_, Show)) = match until_goal {
        true => ("score until goal", ("moves to goal", |summary, _| spread(summary.interval("moves_to_goal")))),
        false => ("mean score", ("median", |summary, _| spread(summary.interval("median_score")))),
    };
    [
        ("agent", |summary, _| summary.text("agent").to_string()),
        ("games", |summary, _| summary.text("games").to_string()),
        ("won, %", |summary, _| interval(summary.interval("win_rate").map(|rate| rate.scaled(100.0)), 1)),
        (score_name, score),
        middle,
        ("moves", |summary, _| spread(summary.interval("moves_per_game"))),
        ("nodes/move", |summary, _| spread(summary.interval("nodes_per_move"))),
        ("µs/move", |_, timing| spread(timing.interval("microseconds_per_move"))),
        ("s/game", |_, timing| spread(timing.interval("seconds_per_game"))),
    ]
}

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

/// A number with this many digits after the decimal point. Minus zero is shown as zero.
pub(super) fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.parse() == Ok(0.0) => rest.to_string(),
        _ => text,
    }
}

/// An interval whose sides differ by more than this share is given by its ends.
const SKEWED: f64 = 0.3;

/// `164 ± 3`: three digits of the estimate and half the width of its interval. A skewed interval is `164 (150 to 199)`.
fn spread(interval: Option<Interval>) -> String {
    let Some(interval) = interval else { return String::new() };
    let places = decimals(interval.estimate);
    let (below, above) = (interval.estimate - interval.low, interval.high - interval.estimate);
    if (above - below).abs() > SKEWED * below.max(above) {
        let [estimate, low, high] = [interval.estimate, interval.low, interval.high].map(|end| fixed(end, places));
        return format!("{estimate} ({low} to {high})");
    }
    let half = (interval.high - interval.low) / 2.0;
    // One digit at least, so that a narrow interval is not printed as no interval.
    let half_places = places.max(decimals(half).saturating_sub(2));
    match half > 0.0 {
        true => format!("{} ± {}", fixed(interval.estimate, places), fixed(half, half_places)),
        false => fixed(interval.estimate, places),
    }
}

/// The digits after the decimal point if three digits are shown in all. Times range from a millionth of a second to
/// minutes.
fn decimals(number: f64) -> usize {
    match number == 0.0 {
        true => 0,
        false => (2 - number.abs().log10().floor().clamp(-9.0, 2.0) as i32).clamp(0, 9) as usize,
    }
}

impl ComparisonResult {
    /// The rows of both summaries, best first.
    fn ranked<'a>(&'a self) -> impl Iterator<Item = (Row<'a>, Row<'a>)> {
        let (summary, timing): (Vec<Row>, Vec<Row>) = (self.summary.rows().collect(), self.timing.rows().collect());
        self.ranking.iter().map(move |&place| (summary[place], timing[place]))
    }

    fn columns(&self) -> [(&'static str, Show); 9] {
        columns(self.summary.has("moves_to_goal"))
    }

    /// The table for a terminal, best first.
    pub fn table(&self) -> String {
        let columns = self.columns();
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        grid.set_header(columns.iter().map(|(name, _)| *name));
        for (summary, timing) in self.ranked() {
            grid.add_row(columns.iter().map(|(_, cell)| cell(&summary, &timing)));
        }
        for column in grid.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        // The style pads every cell on both sides, also at the edges.
        grid.lines().map(|line| line.trim_end().strip_prefix(' ').unwrap_or(&line).to_string() + "\n").collect()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let columns = self.columns();
        let mut text = line(columns.iter().map(|(name, _)| name.to_string()).collect());
        text += &line(columns.iter().map(|(name, _)| if *name == "agent" { "---" } else { "---:" }.into()).collect());
        for (summary, timing) in self.ranked() {
            text += &line(columns.iter().map(|(_, cell)| plain(&cell(&summary, &timing))).collect());
        }
        text
    }

    /// Everything that a reader must know before using the numbers.
    pub fn caveats(&self) -> Vec<String> {
        let timed = (!self.timed.is_empty()).then(|| {
            let agents = self.timed.join(", ");
            format!("Play depends on the speed of the machine, and cannot be repeated exactly: {agents}.")
        });
        self.warnings.iter().cloned().chain(timed).collect()
    }

    /// How much the shared seeds help. Paired tests are no better than unpaired ones without a correlation.
    fn pairing(&self) -> Option<String> {
        let correlations: Vec<f64> = self.comparisons.rows().filter_map(|row| row.number("seed_correlation")).collect();
        let middle = fixed(median(&correlations)?, 2);
        Some(format!(
            "Game n of every agent has the same seed. The median correlation between two agents over these games is \
             {middle}; near 0, sharing seeds makes games repeatable but differences no more certain."
        ))
    }

    /// Everything that was found, as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        let picked = |table: &Table| -> Vec<serde_json::Value> {
            let rows = table.to_json();
            self.ranking.iter().map(|place| rows[*place].clone()).collect()
        };
        serde_json::json!({
            "folder": self.folder.display().to_string(),
            "summary": picked(&self.summary),
            "timing": picked(&self.timing),
            "pairs": self.comparisons.to_json(),
            "quotes": self.quotes,
            "warnings": self.warnings,
            "published": self.verdicts,
            "timed": self.timed,
        })
    }
}

/// `report.md`.
pub(super) fn report(comparison: &Comparison, result: &ComparisonResult) -> String {
    let Comparison { name, games, seed, game, .. } = comparison;
    let goal = if game.has_goal() { format!(", goal {}", game.goal()) } else { String::new() };
    let against = comparison.opponent.as_ref().map(|opponent| format!(" against {opponent}")).unwrap_or_default();
    let (game, agents) = (game.name(), comparison.entrants.len());
    let mut text = format!(
        "# {name}\n\n{games} games of {game} for each of {agents} agents{against}, seed {seed}{goal}. Intervals are \
         95 % unless they say otherwise; `columns.json` says how each was made.\n\n"
    );
    text += &result.markdown();
    text += &list("\n", &result.quotes);
    text += &result.pairing().map(|pairing| format!("\n{pairing}\n")).unwrap_or_default();
    text += &list("\n", &result.caveats());
    if let Some((first, rest)) = result.verdicts.split_first() {
        text += &format!("\n## Against the published figures\n\n{first}\n{}", list("\n", rest));
    }
    if !comparison.remark.is_empty() {
        text += &format!("\n## Remarks\n\n{}\n", comparison.remark);
    }
    text
}

fn list(before: &str, lines: &[String]) -> String {
    let items: String = lines.iter().map(|line| format!("- {}\n", plain(line))).collect();
    if items.is_empty() { items } else { before.to_string() + &items }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_three_digits() {
        let exactly = |time: f64| spread(Some(Interval::around(time, 0.0)));
        let cases = [0.0, 0.0000123456, 0.4567, 12.345, 98765.4].map(exactly);
        assert_eq!(cases, ["0", "0.0000123", "0.457", "12.3", "98765"]);
        assert_eq!(spread(Some(Interval::around(164.2, 3.4))), "164 ± 3");
        assert_eq!(spread(Some(Interval::around(164.2, 0.034))), "164 ± 0.03");
        // The upper side is twice the lower one. Half the width would hide that, so both ends are printed.
        let skewed = Interval { estimate: 0.457, low: 0.45, high: 0.47 };
        assert_eq!(spread(Some(skewed)), "0.457 (0.450 to 0.470)");
    }

    #[test]
    fn intervals_of_no_width_are_numbers() {
        assert_eq!(interval(Some(Interval { estimate: 5.0, low: 4.0, high: 6.0 }), 0), "5 (4 to 6)");
        assert_eq!(interval(Some(Interval { estimate: 5.0, low: 5.0, high: 5.0 }), 1), "5.0");
        assert_eq!(interval(Some(Interval { estimate: 0.0, low: -0.001, high: 0.25 }), 2), "0.00 (0.00 to 0.25)");
        assert_eq!(interval(None, 1), "");
    }
}
