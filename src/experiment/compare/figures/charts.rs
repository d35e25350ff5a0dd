//! From the agents of a comparison to charts: one function for each kind of figure.

use super::subjects::{Subject, Subjects};
use crate::report::figures::{
    Chart, Cost, Ecdf, Group, OutcomeRow, Outcomes, Pair, Pareto, ParetoPoint, Point, Published, Reach, ReachRow,
    ScoreSample, Series, Violin, WinRate, exact,
};
use crate::report::scene::markup::plain;
use crate::report::table::Table;
use crate::spec::{FigureChoice, FigureKind};
use crate::stats::Interval;
use crate::stats::proportions::wilson;

/// More curves than this in one frame cannot be told apart: the best are shown.
const MOST_CURVES: usize = 7;
const MOST_VIOLINS: usize = 10;
const MOST_BARS: usize = 5;
/// From here on a span of values is better read in factors.
const LOG_FROM: f64 = 30.0;

/// The chart of this kind, or `None` where the data have nothing to show in it. A panel is known by its name.
pub fn chart(
    choice: &FigureChoice,
    subjects: &Subjects,
    published: Option<&Table>,
    panel: &str,
) -> Option<Box<dyn Chart>> {
    let titled = |label: &str| if panel.is_empty() { label.to_string() } else { format!("{label}, {}", plain(panel)) };
    let lines = |column| Lines::new(choice, subjects, column);
    match choice.kind {
        FigureKind::WinRate => Some(Box::new(win_rate(lines("win_rate")?, titled("Win rate")))),
        FigureKind::Score => Some(Box::new(cost(lines("mean_score")?, titled("Mean score")))),
        FigureKind::Cost => Some(Box::new(cost(lines("seconds_per_game")?, titled("Seconds per game")))),
        FigureKind::Ecdf => Some(Box::new(ecdf(subjects, titled("Score")))),
        FigureKind::Violin => Some(Box::new(violin(subjects, titled("Score")))),
        FigureKind::Reach => Some(Box::new(reach(subjects, titled("Games that reach it (%)"))?)),
        FigureKind::Pareto => Some(Box::new(pareto(subjects, titled("Mean score")))),
        FigureKind::Outcomes => Some(Box::new(outcomes(subjects, titled("Share of games (%)")))),
        FigureKind::Published => {
            Some(Box::new(published_rates(choice, subjects, published?, titled("Measured win rate"))))
        }
    }
}

/// An estimate against an axis, one line for each group of agents.
struct Lines {
    x_label: String,
    log_x: bool,
    series: Vec<Series>,
}

impl Lines {
    fn new(choice: &FigureChoice, subjects: &Subjects, column: &str) -> Option<Self> {
        let x = choice.x.as_deref().or(subjects.natural_x())?;
        let groups = match &choice.series {
            Some(axis) => subjects.grouped(axis),
            None => subjects.grouped_by(|subject| subjects.line_name(subject, x)),
        };
        let series = groups.into_iter().map(|(label, group)| line(&label, &group, x, column));
        let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
        let log_x = choice.log_x || spans_factors(&series);
        (!series.is_empty()).then(|| Lines { x_label: axis_label(x), log_x, series })
    }
}

fn line(label: &str, group: &Subjects, x: &str, column: &str) -> Series {
    let point = |subject: &Subject| {
        let estimate = subject.summary.interval(column).or(subject.timing.interval(column));
        Some(Point { x: subject.number(x)?, y: estimate? })
    };
    let mut points: Vec<Point> = group.all.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Series { label: label.to_string(), points }
}

fn spans_factors(series: &[Series]) -> bool {
    let xs = || series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(0.0, f64::max));
    low > 0.0 && high / low >= LOG_FROM
}

/// What an axis is called in print.
fn axis_label(axis: &str) -> String {
    match axis {
        "depth" => "Search depth (plies)".into(),
        "runs" => "Playouts per move".into(),
        "iterations" => "Iterations per move".into(),
        "moves" => "Length of sequences (moves)".into(),
        "work" => "Budget (work per move)".into(),
        "ms" => "Budget (ms per move)".into(),
        "nodes_per_move" => "Nodes per move".into(),
        "microseconds_per_move" => "Time per move (µs)".into(),
        "seconds_per_game" => "Seconds per game".into(),
        other => plain(other),
    }
}

fn win_rate(Lines { x_label, log_x, series }: Lines, y_label: String) -> WinRate {
    WinRate { x_label, y_label, log_x, series }
}

fn cost(Lines { x_label, log_x, series }: Lines, y_label: String) -> Cost {
    Cost { x_label, y_label, log_x, series }
}

fn samples(subjects: &Subjects, most: usize) -> Vec<ScoreSample> {
    let shown = if subjects.all.len() > most { subjects.best(most) } else { subjects.clone() };
    let sample =
        |subject: &Subject| ScoreSample { label: shown.short_name(subject), values: subject.sample.scores.clone() };
    shown.all.iter().map(sample).collect()
}

fn ecdf(subjects: &Subjects, x_label: String) -> Ecdf {
    Ecdf { x_label, log_x: false, samples: samples(subjects, MOST_CURVES) }
}

fn violin(subjects: &Subjects, y_label: String) -> Violin {
    Violin { y_label, log_y: false, samples: samples(subjects, MOST_VIOLINS) }
}

/// Only games with tiles have reach columns.
fn reach(subjects: &Subjects, y_label: String) -> Option<Reach> {
    let shown = if subjects.all.len() > MOST_BARS { subjects.best(MOST_BARS) } else { subjects.clone() };
    let columns = shown.all.first()?.summary.columns();
    let tiles: Vec<String> = columns.filter_map(|name| name.strip_prefix("reach_")).map(str::to_string).collect();
    let tiles: Vec<String> = tiles.into_iter().filter(|tile| tile.chars().all(|c| c.is_ascii_digit())).collect();
    let rates = |subject: &Subject| {
        let rate = |tile: &String| subject.summary.interval(&format!("reach_{tile}")).unwrap_or(exact(0.0));
        ReachRow { label: shown.short_name(subject), rates: tiles.iter().map(rate).collect() }
    };
    let agents = shown.all.iter().map(rates).collect();
    (!tiles.is_empty()).then(|| Reach { x_label: "Tile".into(), y_label, tiles, agents })
}

fn pareto(subjects: &Subjects, y_label: String) -> Pareto {
    let point = |subject: &Subject| {
        Some(ParetoPoint {
            label: subjects.short_name(subject),
            cost: subject.number("microseconds_per_move")?,
            value: subject.summary.interval("mean_score")?,
        })
    };
    let points = subjects.all.iter().filter_map(point).collect();
    Pareto { x_label: axis_label("microseconds_per_move"), y_label, points }
}

fn outcomes(subjects: &Subjects, x_label: String) -> Outcomes {
    let share = |subject: &Subject, outcome: fn(&f64) -> bool| {
        let scores = &subject.sample.scores;
        let count = scores.iter().filter(|score| outcome(score)).count();
        wilson(count as u64, scores.len() as u64).unwrap_or(exact(0.0))
    };
    let row = |subject: &Subject| OutcomeRow {
        label: subjects.short_name(subject),
        won: share(subject, |score| *score > 0.0),
        lost: share(subject, |score| *score < 0.0),
    };
    Outcomes { x_label, rows: subjects.all.iter().map(row).collect() }
}

fn published_rates(choice: &FigureChoice, subjects: &Subjects, published: &Table, y_label: String) -> Published {
    let groups = subjects.grouped(choice.series.as_deref().unwrap_or("kind"));
    let groups = groups.into_iter().map(|(label, group)| Group { label, pairs: pairs(&group, published) });
    Published {
        x_label: "Published win rate".into(),
        y_label,
        log: false,
        groups: groups.filter(|group| !group.pairs.is_empty()).collect(),
    }
}

fn pairs(group: &Subjects, published: &Table) -> Vec<Pair> {
    let member = |agent: &str| group.all.iter().any(|subject| subject.label() == agent);
    let rows = published.rows().filter(|row| member(row.text("agent")));
    let pair = |(published, measured): (Interval, Interval)| Pair { published, measured };
    rows.filter_map(|row| row.interval("published").zip(row.interval("measured")).map(pair)).collect()
}
