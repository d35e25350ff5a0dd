//! The time per game against depth or any other number, with 95 % intervals.

use crate::report::figures::lines::{Column, against_x};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::View;
use crate::report::figures::wording::axis_label;

pub const KIND: CompareChart = CompareChart {
    name: "cost",
    about: "time per game against depth or a budget, one line for each series",
    caption: "Time per game on the machine that played{games}. Bars are 95 % confidence intervals; one that \
              is not seen is shorter than its marker.",
    by_default: |_| true,
    is_measured: true,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(view: &View) -> Built {
    let name = "seconds_per_game";
    Ok(Box::new(against_x(view, Column { name, y_label: axis_label(name), is_share: false, merge: false })?))
}

#[cfg(test)]
pub mod tests {
    use crate::report::figures::lines::{Lines, Range};
    use crate::report::figures::tests::estimate;
    use crate::report::figures::{Chart, Point, Series};

    pub fn sample() -> Box<dyn Chart> {
        let agents = [
            ("Minimax", 0.004, 9.0),
            ("Alpha-beta", 0.003, 4.2),
            ("Expectimax", 0.002, 6.0),
            ("Monte Carlo", 0.9, 1.6),
        ];
        let series = agents.map(|(label, first, growth): (&str, f64, f64)| {
            let point = |depth: i32| {
                let seconds = first * growth.powi(depth - 1);
                Point { x: f64::from(depth), y: estimate(seconds, 0.85 * seconds, 1.2 * seconds) }
            };
            Series { label: label.to_string(), points: (1..=7).map(point).collect() }
        });
        Box::new(Lines {
            x_label: "Search depth (plies)".to_string(),
            y_label: "Time per game (s)".to_string(),
            log_x: false,
            categories: Vec::new(),
            range: Range::Values { log: true },
            series: series.into(),
            joined: true,
            notes: Vec::new(),
        })
    }
}
