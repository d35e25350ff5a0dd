//! The question of a run and its answer, in two sentences.

use super::format::{interval, percent};
use super::source::{RunFolder, RunKind};
use crate::report::table::{Row, Table};
use crate::stats::Interval;

/// The answer of a run. It holds for the games of this run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub question: String,
    /// At most two sentences.
    pub sentences: Vec<String>,
}

/// What the run asked, and what its tables answer.
pub fn answer(run: &RunFolder) -> Answer {
    let sentences = match run.kind {
        RunKind::Comparison => comparison(run),
        RunKind::Tuning => tuning(run),
        RunKind::Contest => contest(run),
        RunKind::Transfer => transfer(run),
        RunKind::Other => None,
    };
    let unfinished = || vec!["The tables of this run do not answer it yet.".to_string()];
    Answer { question: question(run), sentences: sentences.unwrap_or_else(unfinished) }
}

/// The first sentence of the comment that the experiment file begins with, if it asks something.
fn question(run: &RunFolder) -> String {
    let comment: Vec<&str> = run.experiment.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let comment = comment.join(" ").replace('`', "");
    let asked = comment.split_inclusive(['?', '.']).find(|sentence| sentence.trim_end().ends_with('?'));
    match (asked, run.kind) {
        (Some(asked), _) => asked.trim().to_string(),
        (None, RunKind::Comparison) => "Which of these agents plays best, and by how much?".into(),
        (None, RunKind::Tuning) => "How much better does the heuristic become when its coefficients are tuned?".into(),
        (None, RunKind::Contest) => "Which optimizer finds the best coefficients?".into(),
        (None, RunKind::Transfer) => "Do coefficients tuned at one depth serve at another?".into(),
        (None, RunKind::Other) => "What came out of this run?".into(),
    }
}

/// The rows of a summary from best to worst: by win rate, then by mean score, as the terminal has them.
pub fn ranked(summary: &Table) -> Vec<Row<'_>> {
    let merit = |row: &Row| (row.number("win_rate").unwrap_or(0.0), row.number("mean_score").unwrap_or(f64::MIN));
    let mut rows: Vec<Row> = summary.rows().collect();
    rows.sort_by(|a, b| {
        let ((rate_a, score_a), (rate_b, score_b)) = (merit(a), merit(b));
        rate_b.total_cmp(&rate_a).then(score_b.total_cmp(&score_a))
    });
    rows
}

fn comparison(run: &RunFolder) -> Option<Vec<String>> {
    let rows = ranked(run.table("summary.csv")?);
    let best = rows.first()?;
    let name = best.text("agent");
    let rate = best.interval("win_rate").map(percent).unwrap_or_default();
    let score = best.interval("mean_score").map(interval).unwrap_or_default();
    let first = format!(
        "The best of {} agents is {name}: it won {rate} of {} games, mean score {score}.",
        rows.len(),
        best.text("games")
    );
    let second = rows.get(1).and_then(|second| lead(run, best, second));
    Some([Some(first), second].into_iter().flatten().collect())
}

/// The comparison of two agents, with the first as the first.
pub struct Pair<'a> {
    row: Row<'a>,
    forwards: bool,
}

impl<'a> Pair<'a> {
    pub fn find(comparisons: &'a Table, first: &str, second: &str) -> Option<Self> {
        let is = |row: &Row, a: &str, b: &str| row.text("first") == a && row.text("second") == b;
        let row = comparisons.rows().find(|row| is(row, first, second) || is(row, second, first))?;
        Some(Pair { row, forwards: row.text("first") == first })
    }

    pub fn games(&self) -> Option<f64> {
        self.row.number("games")
    }

    /// The difference of mean scores, first less second; games that stop at a goal have none.
    pub fn score_difference(&self) -> Option<Interval> {
        self.difference("score_difference")
    }

    fn difference(&self, column: &str) -> Option<Interval> {
        let difference = self.row.interval(column)?;
        let turned = || Interval { estimate: -difference.estimate, low: -difference.high, high: -difference.low };
        Some(if self.forwards { difference } else { turned() })
    }

    /// The difference in words, of scores or else of win rates.
    fn in_words(&self) -> Option<String> {
        let scores = self.score_difference().map(|difference| format!("{} points of mean score", interval(difference)));
        let rates = || self.difference("win_rate_difference").map(|d| format!("{} of the games", percent(d)));
        scores.or_else(rates)
    }

    /// Whether more than chance is shown: the verdict of the run, or else its corrected tests.
    pub fn is_settled(&self) -> bool {
        match self.row.text("verdict") {
            "" => {
                ["p_mann_whitney_holm", "p_mcnemar_holm"].iter().any(|p| self.row.number(p).is_some_and(|p| p < 0.05))
            }
            verdict => verdict.contains("better"),
        }
    }
}

/// The comparisons that the correction counts.
pub fn family_size(comparisons: &Table) -> usize {
    let planned = comparisons.rows().filter(|row| !row.text("family").is_empty()).count();
    if comparisons.has("family") { planned } else { comparisons.rows().len() }
}

fn lead(run: &RunFolder, best: &Row, second: &Row) -> Option<String> {
    let other = second.text("agent");
    let comparisons = run.table("comparisons.csv")?;
    let pair = Pair::find(comparisons, best.text("agent"), other)?;
    let proof = if pair.is_settled() { "more than chance explains" } else { "which chance alone may explain" };
    Some(format!(
        "It is ahead of the second, {other}, by {}, {proof} (corrected for {} comparisons).",
        pair.in_words()?,
        family_size(comparisons)
    ))
}

fn tuning(run: &RunFolder) -> Option<Vec<String>> {
    let summary = run.table("summary.csv")?;
    let (start, tuned) = (summary.find("agent", "start")?, summary.find("agent", "tuned")?);
    let (before, after) = (start.interval("mean_score")?, tuned.interval("mean_score")?);
    let first = format!(
        "On {} test games that the search never saw, the mean score is {} after tuning, where it was {} before.",
        tuned.text("games"),
        interval(after),
        interval(before)
    );
    let pair = run.table("comparisons.csv").and_then(|table| Pair::find(table, "tuned", "start"));
    let second = pair.and_then(|pair| pair.score_difference()).map(|gain| {
        let proof = if gain.low > 0.0 { "so the gain is proven" } else { "so no gain is proven" };
        format!("The gain is {}, {proof}.", interval(gain))
    });
    Some([Some(first), second].into_iter().flatten().collect())
}

fn contest(run: &RunFolder) -> Option<Vec<String>> {
    let ranking = run.table("ranking.csv")?;
    let mut rows = ranking.rows();
    let (first, second) = (rows.next()?, rows.next());
    let words = |row: &Row| Some(format!("{} ({})", row.text("optimizer"), interval(row.interval("objective")?)));
    let mut sentences =
        vec![format!("The best mean over {} repeats is that of {}.", first.text("repeats"), words(&first)?)];
    if let (Some(second), Some(best)) = (second, first.interval("objective")) {
        let apart = second.interval("objective").is_some_and(|other| other.high < best.low);
        let proof = if apart {
            "their intervals do not overlap"
        } else {
            "their intervals overlap, so the order may be chance"
        };
        sentences.push(format!("The second is {}; {proof}.", words(&second)?));
    }
    Some(sentences)
}

fn transfer(run: &RunFolder) -> Option<Vec<String>> {
    let table = run.table("transfer.csv")?;
    let mut tested: Vec<&str> = table.rows().map(|row| row.text("tested_at")).collect();
    tested.dedup();
    tested.sort_unstable();
    tested.dedup();
    let best_at = |depth: &str| {
        let rows = table.rows().filter(|row| row.text("tested_at") == depth);
        let value = |row: &Row| row.number("objective").unwrap_or(f64::MIN);
        rows.max_by(|a, b| value(a).total_cmp(&value(b))).map(|row| row.text("tuned_at").to_string())
    };
    let own = tested.iter().filter(|depth| best_at(depth).as_deref() == Some(**depth)).count();
    let known = tested.iter().filter(|depth| table.rows().any(|row| row.text("tuned_at") == **depth)).count();
    let words = tested.iter().filter_map(|depth| Some(format!("at {depth} those tuned at {}", best_at(depth)?)));
    let words: Vec<String> = words.collect();
    Some(vec![
        format!("The best weights are {}.", words.join(", ")),
        format!("Weights tuned at a depth are the best ones at that depth in {own} of {known} cases."),
    ])
}
