//! The win rate against depth, a budget or any other number, with 95 % intervals.

use crate::report::figures::lines::{Column, against_x};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::View;

pub const KIND: CompareChart = CompareChart {
    name: "win-rate",
    about: "win rate against depth or a budget, one line for each series",
    caption: "Share of games that reached the goal{games}. Bars are 95 % confidence intervals.",
    by_default: |_| true,
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// The tile that wins where the experiment has no other goal.
const CLASSIC: u32 = 2048;

fn build(view: &View) -> Built {
    let y_label = match view.goal {
        Some(goal) => format!("Win rate, *P*(tile ≥ {goal})"),
        // Games that are played to the end are won by the classic tile.
        None if view.figure.have_tiles() => format!("Win rate, *P*(tile ≥ {CLASSIC})"),
        None => "Win rate".into(),
    };
    let lines = against_x(view, Column { name: "win_rate", y_label, is_share: true, merge: true })?;
    Ok(Box::new(lines))
}

#[cfg(test)]
mod tests {
    use crate::report::figures::lines::{Lines, Range};
    use crate::report::figures::tests::estimate;
    use crate::report::figures::{Chart, Point, Series};

    pub fn sample() -> Box<dyn Chart> {
        let rates = [
            ("n-tuple TD", [0.68, 0.89, 0.94, 1.0, 0.975, 0.985]),
            ("Snake weights", [0.12, 0.36, 0.625, 0.82, 0.84, 0.93]),
            ("Corner gradient", [0.065, 0.2, 0.455, 0.695, 0.715, 0.86]),
            ("Monotonicity only", [0.01, 0.04, 0.095, 0.255, 0.4, 0.435]),
        ];
        let point = |(depth, rate): (usize, f64)| {
            let margin = 0.02 + 0.13 * (rate * (1.0 - rate)).sqrt();
            Point { x: depth as f64 + 1.0, y: estimate(rate, (rate - margin).max(0.0), (rate + margin).min(1.0)) }
        };
        let series = rates.map(|(label, rates)| Series {
            label: label.to_string(),
            points: rates.into_iter().enumerate().map(point).collect(),
        });
        Box::new(Lines {
            x_label: "Search depth (plies)".to_string(),
            y_label: "Win rate, *P*(tile ≥ 2048)".to_string(),
            log_x: false,
            categories: Vec::new(),
            range: Range::Share,
            series: series.into(),
            joined: true,
            notes: Vec::new(),
        })
    }
}
