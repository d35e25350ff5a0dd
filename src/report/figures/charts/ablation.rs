//! From the start to the tuned weights, one parameter at a time: each step with the 95 % interval of its change.

use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{reach, whisker};
use crate::report::figures::canvas::Area;
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, GREEN, HAIR, INK, Lettering, MUTED, NOTE, VERMILION, pen, tint};
use crate::report::figures::ticks::{alike, compact};
use crate::report::figures::{Chart, exact};
use crate::report::scene::text_width;
use crate::report::table::Row;
use crate::stats::Interval;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

pub const KIND: RunChart = RunChart {
    name: "ablation",
    about: "from the start to the tuned weights, one parameter at a time",
    caption: "From the start to the tuned parameters, one at a time: each step is the one that gained most on other \
              games{games:ablation.csv}. The start has the values from which the search began; parameters.csv lists them. A \
              parameter that has the same value at the end has no step. Bars show the change by each step, and lines \
              its 95 % confidence interval, which belongs to that step alone; for the start it is that of its value.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let ablation = tables.table("ablation.csv")?;
    let step = |row: Row| {
        let (label, value) = (row.text("step").to_string(), row.interval("objective")?);
        Some(AblationStep { label, value, change: row.interval("change") })
    };
    Ok(Box::new(Ablation { x_label: tables.objective.into(), steps: ablation.rows().filter_map(step).collect() }))
}

/// The objective after this step. The first is the start; every other takes over one more tuned parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct AblationStep {
    pub label: String,
    pub value: Interval,
    /// The change by this step, if the table has it.
    pub change: Option<Interval>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ablation {
    pub x_label: String,
    pub steps: Vec<AblationStep>,
}

/// The height of one step, in points.
const ROW: f64 = 18.0;

impl Chart for Ablation {
    fn title(&self) -> String {
        format!("{} from start to tuned", self.x_label)
    }

    fn height(&self, _width: f64) -> f64 {
        self.steps.len().max(3) as f64 * ROW + 58.0
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let bars: Vec<Bar> = self.bars();
        let ends = bars.iter().flat_map(|bar| bar.change_ends().into_iter().chain([bar.from, bar.to]));
        let (low, high) = Scale::covering(ends, false, 0.05)?.ends();
        // Room on the right for the changes in numbers.
        let scale = Scale::linear(low, high + 0.5 * (high - low));
        // The first step is at the top, which is the highest place of the axis.
        let names: Vec<String> = bars.iter().rev().map(|bar| bar.label.clone()).collect();
        let (low, high) = scale.ends();
        let everything = Obstacle::Block((low, -0.5), (high, names.len() as f64 - 0.5));
        let layout = Layout::new(Axis::new(&self.x_label, scale), Axis::names("", names));
        Framed::new(layout.legend(keys(&bars), vec![everything]), move |plot| draw_bars(plot, &bars))
    }
}

/// A gain has a full colour and a loss a pale one, so that they differ in a grey print.
fn bar_colour(is_loss: bool) -> RGBColor {
    if is_loss { tint(VERMILION, 0.7) } else { GREEN }
}

fn keys(bars: &[Bar]) -> Vec<Key> {
    let has = |loss: bool| bars.iter().any(|bar| !bar.is_start && bar.is_loss() == loss);
    let shown = [("gain", false), ("loss", true)].into_iter().filter(|(_, loss)| has(*loss));
    let swatches = shown.map(|(label, loss)| Key::swatch(label, bar_colour(loss)));
    swatches.chain([Key::note("lines: 95 % intervals of the change")]).collect()
}

/// One step as it is drawn.
struct Bar {
    label: String,
    from: f64,
    to: f64,
    /// The interval of the change; of the value itself for the start.
    change: Interval,
    is_start: bool,
}

impl Bar {
    fn is_loss(&self) -> bool {
        self.change.estimate < 0.0
    }

    /// The ends of the interval, at the place of the new value.
    fn change_ends(&self) -> [f64; 2] {
        [self.from + self.change.low, self.from + self.change.high]
    }
}

impl Ablation {
    fn bars(&self) -> Vec<Bar> {
        let steps = self.steps.iter().filter(|step| step.value.estimate.is_finite());
        let mut before: Option<Interval> = None;
        let bar = |step: &AblationStep| {
            let value = step.value;
            let (from, change) = match before {
                None => (0.0, value),
                Some(before) => {
                    (before.estimate, step.change.unwrap_or_else(|| exact(value.estimate - before.estimate)))
                }
            };
            let is_start = before.replace(value).is_none();
            Bar {
                label: step.label.clone(),
                from: if is_start { 0.0 } else { from },
                to: value.estimate,
                change,
                is_start,
            }
        };
        let mut bars: Vec<Bar> = steps.map(bar).collect();
        // The start is a point, not a bar from zero.
        if let Some(start) = bars.first_mut() {
            let [estimate, low, high] = reach(&start.change);
            start.from = start.to;
            start.change = Interval { estimate: 0.0, low: low - estimate, high: high - estimate };
        }
        bars
    }
}

fn draw_bars(plot: &Plot, bars: &[Bar]) {
    let largest = bars.iter().map(|bar| bar.change.estimate.abs()).fold(0.0, f64::max);
    for (index, bar) in bars.iter().enumerate() {
        let row = (bars.len() - 1 - index) as f64;
        if bar.is_start {
            draw_interval(plot, bar, row);
            plot.cell.disc(plot.at(bar.to, row), 2.4, BLUE);
            write(plot, &compact(bar.to), row);
        } else {
            draw_step(plot, bar, row);
            write(plot, &change_text(bar.change, largest), row);
        }
    }
}

fn draw_step(plot: &Plot, bar: &Bar, row: f64) {
    let colour = bar_colour(bar.is_loss());
    let (ax, top) = plot.at(bar.from, row + 0.3);
    let (bx, bottom) = plot.at(bar.to, row - 0.3);
    plot.cell.line(&[plot.at(bar.from, row + 0.7), (ax, bottom)], pen(MUTED, HAIR));
    plot.cell.fill(&Area { left: ax.min(bx), top, right: ax.max(bx), bottom }, colour);
    draw_interval(plot, bar, row);
}

fn draw_interval(plot: &Plot, bar: &Bar, row: f64) {
    let [low, high] = bar.change_ends();
    if low.is_finite() && high.is_finite() {
        whisker(plot.cell, plot.at(low, row), plot.at(high, row), INK);
    }
}

/// The change with half the length of its interval, such as "+7.8k ± 4.6k".
fn change_text(change: Interval, largest: f64) -> String {
    let number = alike(largest);
    let sign = if change.estimate > 0.0 { "+" } else { "" };
    let margin = (change.high - change.low) / 2.0;
    let margin = if margin.is_finite() && margin > 0.0 { format!(" ± {}", number(margin)) } else { String::new() };
    format!("{sign}{}{margin}", number(change.estimate))
}

/// At the right end of the row.
fn write(plot: &Plot, text: &str, row: f64) {
    let x = plot.frame.right - text_width(text, NOTE) - 4.0;
    let y = plot.at(plot.x.ends().0, row).1;
    plot.cell.text(text, (x, y), Lettering::new(NOTE, HPos::Left, VPos::Center));
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let steps = [
            ("start", 4_700.0),
            ("+ monotonicity", 11_900.0),
            ("+ empty cells", 15_200.0),
            ("+ smoothness", 14_700.0),
            ("+ merges", 17_800.0),
            ("+ mask ratio", 18_600.0),
            ("+ corner", 19_900.0),
        ];
        let mut before = 0.0;
        let step = |(label, value): (&str, f64)| {
            let change = value - std::mem::replace(&mut before, value);
            AblationStep {
                label: label.to_string(),
                value: estimate(value, value - 450.0, value + 450.0),
                change: Some(estimate(change, change - 600.0, change + 600.0)),
            }
        };
        Box::new(Ablation { x_label: "Mean score".to_string(), steps: steps.map(step).into() })
    }

    #[test]
    fn the_interval_of_a_step_is_that_of_its_change() {
        let step = |label: &str, value: f64, change| AblationStep {
            label: label.to_string(),
            value: estimate(value, value - 3.0, value + 3.0),
            change,
        };
        let steps = vec![step("start", 10.0, None), step("+ a", 30.0, Some(estimate(20.0, 15.0, 25.0)))];
        let bars = Ablation { x_label: String::new(), steps }.bars();
        assert_eq!((bars[0].is_start, bars[0].change_ends()), (true, [7.0, 13.0]));
        assert_eq!((bars[1].from, bars[1].to, bars[1].change_ends()), (10.0, 30.0, [25.0, 35.0]));
        assert_eq!(change_text(bars[1].change, 20.0), "+20.0 ± 5.0");
    }
}
