//! From start to tuned, one coefficient at a time: a waterfall with 95 % intervals.

use super::axis::Axis;
use super::bars::{reach, whisker};
use super::canvas::Area;
use super::plot::{Layout, Plot};
use super::scale::Scale;
use super::style::{BLUE, GREEN, HAIR, INK, Lettering, MUTED, NOTE, VERMILION, pen};
use super::ticks::compact;
use super::{Cell, Chart, estimate};
use crate::report::scene::text_width;
use crate::stats::Interval;
use plotters::style::text_anchor::{HPos, VPos};

/// The objective after this step; the first is the start, every other takes over one more tuned coefficient.
#[derive(Clone, Debug, PartialEq)]
pub struct AblationStep {
    pub label: String,
    pub value: Interval,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ablation {
    pub x_label: String,
    pub steps: Vec<AblationStep>,
}

/// Height of one step, in points.
const ROW: f64 = 17.0;

impl Chart for Ablation {
    fn title(&self) -> String {
        format!("{} from start to tuned", self.x_label)
    }

    fn height(&self, _width: f64) -> f64 {
        self.steps.len().max(3) as f64 * ROW + 40.0
    }

    fn draw(&self, cell: &Cell) {
        let steps: Vec<&AblationStep> = self.steps.iter().filter(|step| step.value.estimate.is_finite()).collect();
        let covered = Scale::covering(steps.iter().flat_map(|step| reach(&step.value)), false, 0.05);
        let Some(scale) = covered else { return cell.no_data() };
        // Room on the right for the change that is written behind the last bars.
        let (low, high) = scale.ends();
        let scale = Scale::linear(low, high + 0.16 * (high - low));
        // The first step is at the top, and so the highest number.
        let names = steps.iter().rev().map(|step| step.label.clone()).collect();
        let layout = Layout::new(Axis::new(&self.x_label, scale), Axis::names("", names));
        cell.plot(layout, |plot| draw_steps(plot, &steps));
    }
}

fn draw_steps(plot: &Plot, steps: &[&AblationStep]) {
    let mut before = None;
    for (index, step) in steps.iter().enumerate() {
        let row = (steps.len() - 1 - index) as f64;
        match before {
            None => draw_start(plot, step.value, row),
            Some(from) => draw_step(plot, from, step.value, row),
        }
        before = Some(step.value.estimate);
    }
}

fn draw_start(plot: &Plot, value: Interval, row: f64) {
    draw_interval(plot, value, row);
    plot.cell.disc(plot.at(value.estimate, row), 2.4, BLUE);
}

fn draw_step(plot: &Plot, from: f64, value: Interval, row: f64) {
    let change = value.estimate - from;
    let colour = if change < 0.0 { VERMILION } else { GREEN };
    let (ax, top) = plot.at(from, row + 0.3);
    let (bx, bottom) = plot.at(value.estimate, row - 0.3);
    plot.cell.line(&[plot.at(from, row + 0.7), (ax, bottom)], pen(MUTED, HAIR));
    plot.cell.fill(&Area { left: ax.min(bx), top, right: ax.max(bx), bottom }, colour);
    draw_interval(plot, value, row);
    write_change(plot, change, [ax, bx, plot.at(value.high, row).0], plot.at(from, row).1);
}

fn draw_interval(plot: &Plot, value: Interval, row: f64) {
    if value.low.is_finite() && value.high.is_finite() {
        whisker(plot.cell, plot.at(value.low, row), plot.at(value.high, row), INK);
    }
}

/// Right of everything drawn in this row, as far as the frame allows.
fn write_change(plot: &Plot, change: f64, drawn: [f64; 3], y: f64) {
    let text = format!("{}{}", if change > 0.0 { "+" } else { "" }, compact(change));
    let end = plot.frame.right - text_width(&text, NOTE) - 3.0;
    let x = (drawn.into_iter().fold(f64::MIN, f64::max) + 4.0).min(end);
    plot.cell.text(&text, (x, y), Lettering::new(NOTE, HPos::Left, VPos::Center).colour(MUTED));
}

pub(super) fn sample() -> Box<dyn Chart> {
    let steps = [
        ("Start", 4_700.0),
        ("monotonicity", 11_900.0),
        ("empty cells", 15_200.0),
        ("smoothness", 14_700.0),
        ("merges", 17_800.0),
        ("mask ratio", 18_600.0),
        ("corner", 19_900.0),
    ];
    let step = |(label, value): (&str, f64)| AblationStep {
        label: label.to_string(),
        value: estimate(value, value - 450.0, value + 450.0),
    };
    Box::new(Ablation { x_label: "Mean score".to_string(), steps: steps.map(step).into() })
}
