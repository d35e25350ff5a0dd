//! The share of games that reach each tile: a marked line with 95 % intervals for each agent.

use crate::report::figures::agents::{Agent, shown_note};
use crate::report::figures::lines::{Lines, Range};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::{Point, Series};
use crate::stats::Interval;

pub const KIND: CompareChart = CompareChart {
    name: "reach",
    about: "share of games that reach each tile",
    caption: "Share of games that reached each tile{games}. Bars are 95 % confidence intervals. Tiles that \
              nobody reached are left out.",
    by_default: |agents| agents.have_tiles(),
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// More lines than this hide each other, so only the best agents are shown.
const MOST_LINES: usize = 7;

fn build(view: &View) -> Built {
    let figure = &view.figure.all;
    let tiles = view.figure.tiles();
    if tiles.is_empty() {
        return Err(NotDrawn::NotApplicable);
    }
    let shown = if figure.len() > MOST_LINES { view.figure.best(MOST_LINES) } else { view.figure.clone() };
    let without: Vec<&str> = view.request.panel.as_deref().into_iter().collect();
    let line = |agent: &Agent| {
        let rates = tiles.iter().map(|tile| agent.summary.interval(&format!("reach_{tile}")));
        let points =
            rates.enumerate().filter_map(|(place, rate)| Some(Point { x: place as f64, y: in_percent(rate?) }));
        let is_own = view.agents.all.iter().any(|own| own.label() == agent.label());
        Series { label: view.figure.name(agent, &without), points: points.filter(|_| is_own).collect() }
    };
    let left_out = shown_note(shown.all.len(), figure.len()).map(|note| format!("best {note}"));
    Ok(Box::new(Lines {
        x_label: "Tile".into(),
        y_label: "Games that reach it (%)".into(),
        log_x: false,
        categories: tiles.iter().map(|tile| tile.to_string()).collect(),
        range: Range::Percent,
        series: shown.all.iter().map(line).collect(),
        joined: true,
        notes: left_out.into_iter().chain(view.only_note()).collect(),
    }))
}

pub fn in_percent(share: Interval) -> Interval {
    Interval { estimate: 100.0 * share.estimate, low: 100.0 * share.low, high: 100.0 * share.high }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::Chart;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let tiles = ["256", "512", "1024", "2048", "4096", "8192", "16384"].map(str::to_string);
        let agents = [
            ("n-tuple TD", [1.0, 1.0, 0.995, 0.985, 0.93, 0.72, 0.31]),
            ("Snake weights", [1.0, 0.985, 0.93, 0.8, 0.46, 0.08, 0.0]),
            ("Corner gradient", [0.99, 0.96, 0.86, 0.64, 0.22, 0.015, 0.0]),
            ("Monotonicity only", [0.97, 0.86, 0.62, 0.27, 0.03, 0.0, 0.0]),
        ];
        let point = |(place, rate): (usize, f64)| {
            let margin = 0.006 + 0.13 * (rate * (1.0 - rate)).sqrt();
            let share = estimate(rate, (rate - margin).max(0.0), (rate + margin).min(1.0));
            Point { x: place as f64, y: in_percent(share) }
        };
        let row = |(label, rates): (&str, [f64; 7])| Series {
            label: label.to_string(),
            points: rates.into_iter().enumerate().map(point).collect(),
        };
        Box::new(Lines {
            x_label: "Tile".to_string(),
            y_label: "Games that reach it (%)".to_string(),
            log_x: false,
            categories: tiles.into(),
            range: Range::Percent,
            series: agents.map(row).into(),
            joined: true,
            notes: vec!["best 4 of 9 agents shown".to_string()],
        })
    }
}
