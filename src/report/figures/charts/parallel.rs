//! Parallel coordinates: one axis for each parameter and one for the objective; every line is an evaluation.

use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::{Area, Place, fitted};
use crate::report::figures::legend::{self, Key};
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, Values, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{self, CURVE, INK, Lettering, PAPER, SMALL, pen};
use crate::report::figures::ticks::{compact, written};
use crate::report::figures::viridis::viridis;
use crate::report::figures::{Chart, Width};
use crate::report::scene::{cap_height, text_width};
use crate::report::table::Row;
use plotters::style::text_anchor::{HPos, VPos};

pub const KIND: RunChart = RunChart {
    name: "parallel",
    about: "parallel coordinates of the evaluations",
    caption: "Evaluations as lines across the ranges of all parameters, coloured by their objective{training}. Each objective is \
              the mean of few games, so the best of them were also lucky. At most 150 are drawn, \
              spread evenly over the search. The numbers at the ends of each axis are its range; that of the objective is \
              the range of the lines.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// The room beside the frame, in points.
const BESIDE: f64 = 25.0;
/// Evaluations that are drawn; more of them would hide each other.
const MOST_LINES: usize = 150;
/// Distances from an axis to the value of a choice, and from its end to the next axis, in points. The second leaves room
/// for the white border of the text.
const TO_CHOICE: f64 = 3.0;
const TO_NEXT: f64 = 2.0;
/// The distance from the end of an axis to its number, in points.
const TO_END: f64 = 3.0;
/// With more axes than this, the numbers at their ends are turned, because they would touch.
const MOST_UPRIGHT: usize = 8;
/// The room above and below the axes as a share of their length, for upright and for turned numbers.
const UPRIGHT_ROOM: f64 = 0.09;
const TURNED_ROOM: f64 = 0.24;

fn build(tables: &RunTables) -> Built {
    let (parameters, evaluations) = (tables.table("parameters.csv")?, tables.table("evaluations.csv")?);
    let axes: Vec<(Parameter, Scale)> = parameters.rows().filter_map(|row| axis(&row)).collect();
    let share = |row: &Row, (parameter, scale): &(Parameter, Scale), column: &str| {
        Some(scale.fraction(parameter.value(row, column)?))
    };
    let line = |row: Row| {
        let shares: Option<Vec<f64>> = axes.iter().map(|axis| share(&row, axis, axis.0.column)).collect();
        Some(Evaluation { shares: shares?, value: row.number("mean").filter(|mean| mean.is_finite())? })
    };
    let lines: Vec<Evaluation> = spread(evaluations.rows().filter_map(line).collect(), MOST_LINES);
    if lines.len() < 2 {
        return Err(NotDrawn::few(lines.len(), 2));
    }
    let recommended = parameters.rows().zip(&axes).filter_map(|(row, axis)| share(&row, axis, "tuned")).collect();
    let axes = axes.into_iter().map(|(parameter, scale)| ParallelAxis::new(parameter, scale)).collect();
    Ok(Box::new(Parallel { objective: tables.objective.into(), axes, lines, recommended }))
}

/// A parameter with the scale of its whole range.
fn axis<'a>(row: &Row<'a>) -> Option<(Parameter<'a>, Scale)> {
    let parameter = Parameter::new(row);
    let ends = [parameter.value(row, "low")?, parameter.value(row, "high")?];
    let scale = Scale::covering(ends, parameter.values.is_log(), 0.0)?;
    Some((parameter, scale))
}

/// One evaluation: where each parameter lies in its range, from 0 to 1, and the objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub shares: Vec<f64>,
    pub value: f64,
}

/// The axis of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelAxis {
    pub name: String,
    /// What is written below and above the axis; nothing if all values are written beside it.
    pub ends: [String; 2],
    /// What is written beside the axis at equal steps, from its bottom to its top.
    pub beside: Vec<String>,
}

impl ParallelAxis {
    fn new(parameter: Parameter, scale: Scale) -> Self {
        let (low, high) = scale.ends();
        let (ends, beside) = match parameter.values {
            Values::Number { .. } => ([low, high].map(written), Vec::new()),
            Values::Whole => {
                let numbers = (0..=(high - low) as u32).map(|step| written(low + f64::from(step)));
                (Default::default(), numbers.collect())
            }
            Values::Choice(words) => match <[String; 2]>::try_from(words) {
                Ok(two) => (two, Vec::new()),
                Err(words) => (Default::default(), words),
            },
        };
        ParallelAxis { name: parameter.name, ends, beside }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    pub objective: String,
    pub axes: Vec<ParallelAxis>,
    pub lines: Vec<Evaluation>,
    /// Where each recommended value lies in its range.
    pub recommended: Vec<f64>,
}

impl Chart for Parallel {
    fn title(&self) -> String {
        format!("{} and parameters of the evaluations", self.objective)
    }

    fn natural_width(&self) -> Width {
        if self.axes.len() > 3 { Width::PAGE } else { Width::COLUMN }
    }

    /// Turned names take much height, so the figure grows by them.
    fn height(&self, width: f64) -> f64 {
        let names = Axis::names("", self.names().map(str::to_string).collect()).across(width - BESIDE);
        let turned = if names.turned { names.breadth() } else { 0.0 };
        style::height(width) + legend::overflow(&keys(), width) + turned
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let scale = Scale::covering(self.lines.iter().map(|line| line.value), false, 0.0)?;
        let mut order: Vec<&Evaluation> = self.lines.iter().filter(|line| line.value.is_finite()).collect();
        order.sort_by(|a, b| a.value.total_cmp(&b.value));
        let names: Vec<String> = self.names().map(str::to_string).collect();
        let room = if self.is_turned() { TURNED_ROOM } else { UPRIGHT_ROOM };
        let last = names.len() as f64 - 0.5;
        let everything = vec![Obstacle::Block((-0.5, -room), (last, 1.0 + room))];
        let y = Axis::unmarked("Range of each parameter", Scale::linear(-room, 1.0 + room));
        let layout = Layout::new(Axis::names("", names), y).legend(keys(), everything);
        Framed::new(layout, move |plot| self.draw_lines(plot, &order, scale))
    }
}

/// The recommendation is black with a white border, so that it is seen on all colours and in a grey print.
fn keys() -> Vec<Key> {
    vec![
        Key::stroke("lowest objective", viridis(0.0)),
        Key::stroke("highest", viridis(1.0)),
        Key::line_with("recommended", RECOMMENDED),
    ]
}

const RECOMMENDED: Marker = Marker { shape: Shape::Disc, colour: INK, open: false };

impl Parallel {
    /// The names of all axes; the last is that of the objective.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(|axis| axis.name.as_str()).chain([self.objective.as_str()])
    }

    fn is_turned(&self) -> bool {
        self.axes.len() > MOST_UPRIGHT
    }

    /// Better evaluations are drawn over worse ones.
    fn draw_lines(&self, plot: &Plot, order: &[&Evaluation], scale: Scale) {
        let path = |shares: &mut dyn Iterator<Item = f64>| -> Vec<Place> {
            shares.enumerate().map(|(place, share)| plot.at(place as f64, share)).collect()
        };
        for line in order {
            let value = scale.fraction(line.value);
            let places = path(&mut line.shares.iter().copied().chain([value]));
            plot.cell.line(&places, pen(viridis(value), 0.4));
        }
        for place in 0..=self.axes.len() {
            plot.cell.line(&[plot.at(place as f64, 0.0), plot.at(place as f64, 1.0)], pen(INK, 0.6));
        }
        let (low, high) = scale.ends();
        let objective = [[low, high].map(compact)];
        let ends = self.axes.iter().map(|axis| &axis.ends).chain(&objective);
        ends.enumerate().for_each(|(place, ends)| self.draw_ends(plot, place, ends));
        self.axes.iter().enumerate().for_each(|(place, axis)| draw_beside(plot, place, &axis.beside));
        let recommended = path(&mut self.recommended.iter().copied());
        plot.cell.line(&recommended, pen(PAPER, CURVE + 1.4));
        plot.cell.line(&recommended, pen(INK, CURVE));
        recommended.iter().for_each(|place| RECOMMENDED.draw(plot.cell, *place, 1.8));
    }

    /// Writes the lowest value below an axis and the highest above it.
    fn draw_ends(&self, plot: &Plot, place: usize, [low, high]: &[String; 2]) {
        let (x, bottom) = plot.at(place as f64, 0.0);
        let top = plot.at(place as f64, 1.0).1;
        let (below, above) = match self.is_turned() {
            true => ((HPos::Right, VPos::Center), (HPos::Left, VPos::Center)),
            false => ((HPos::Center, VPos::Top), (HPos::Center, VPos::Bottom)),
        };
        let texts = [(low, bottom + TO_END, below), (high, top - TO_END, above)];
        for (text, y, (across, upright)) in texts {
            let lettering = Lettering::new(SMALL, across, upright);
            let lettering = if self.is_turned() { lettering.upwards() } else { lettering };
            let room = if self.is_turned() { plot.frame.bottom - bottom } else { plot.frame.width() / 2.0 };
            plot.cell.text(&fitted(text, SMALL, room - TO_END), (x, y), lettering);
        }
    }
}

/// Writes values beside an axis. A long one is cut, so that it ends before the next axis and inside the frame.
fn draw_beside(plot: &Plot, place: usize, values: &[String]) {
    let last = values.len().saturating_sub(1).max(1) as f64;
    let next = plot.at(place as f64 + 1.0, 0.0).0.min(plot.frame.right);
    for (index, value) in values.iter().enumerate() {
        let (x, y) = plot.at(place as f64, index as f64 / last);
        let left = x + TO_CHOICE;
        let (text, height) = (fitted(value, SMALL, next - TO_NEXT - left), cap_height(SMALL));
        let bottom = y + height / 2.0;
        let right = left + text_width(&text, SMALL);
        let area = Area { left, top: bottom - height, right, bottom };
        plot.cell.fill(&area.grown(1.0), PAPER);
        plot.cell.text(&text, (left, bottom), Lettering::new(SMALL, HPos::Left, VPos::Bottom));
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::table::Table;

    pub fn sample() -> Box<dyn Chart> {
        let line = |k: usize| {
            let share = |p: usize| 0.5 + 0.45 * (k as f64 * (0.7 + 0.31 * p as f64)).sin() * (1.0 - k as f64 / 260.0);
            Evaluation { shares: (0..5).map(share).collect(), value: 4_000.0 + 60.0 * k as f64 }
        };
        let names = ["merges", "monotonicity", "monotonicity.power", "rank-powers", "rank-powers.power"];
        let axis = |name: &str| ParallelAxis {
            name: name.to_string(),
            ends: ["0.001".into(), "20M".into()],
            beside: Vec::new(),
        };
        let mut axes: Vec<ParallelAxis> = names.map(axis).into();
        axes[2].ends = Default::default();
        axes[2].beside = ["value", "log2", "rank"].map(str::to_string).into();
        Box::new(Parallel {
            objective: "Mean score".to_string(),
            axes,
            lines: (0..250).map(line).collect(),
            recommended: vec![0.52, 0.47, 0.5, 0.44, 0.55],
        })
    }

    #[test]
    fn every_axis_says_what_its_values_are() {
        let mut table = Table::new(["parameter", "low", "high", "scale", "choices"]);
        table.push(["a", "0.001", "100", "log", ""]);
        table.push(["b", "1", "3", "integer", ""]);
        table.push(["c", "0", "1", "choice", "0 value, 1 log2"]);
        table.push(["d", "0", "2", "choice", "0 x, 1 y, 2 z"]);
        let axes =
            table.rows().filter_map(|row| axis(&row)).map(|(parameter, scale)| ParallelAxis::new(parameter, scale));
        let texts: Vec<([String; 2], Vec<String>)> = axes.map(|axis| (axis.ends, axis.beside)).collect();
        let ends = |low: &str, high: &str| [low.to_string(), high.to_string()];
        assert_eq!(texts[0], (ends("0.001", "100"), Vec::new()));
        assert_eq!(texts[1], (ends("", ""), ["1", "2", "3"].map(str::to_string).to_vec()));
        assert_eq!(texts[2], (ends("value", "log2"), Vec::new()));
        assert_eq!(texts[3], (ends("", ""), ["x", "y", "z"].map(str::to_string).to_vec()));
    }
}
