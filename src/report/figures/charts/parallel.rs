//! Parallel coordinates: one axis for each parameter and one for the objective; every line is an evaluation.

use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::{Area, Place, fitted};
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{CURVE, INK, Lettering, PAPER, SMALL, VERMILION, pen};
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
              spread evenly over the search.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// Evaluations that are drawn; more of them would hide each other.
const MOST_LINES: usize = 150;
/// Distances from an axis to the value of a choice, and from its end to the next axis, in points. The second leaves room
/// for the white border of the text.
const TO_CHOICE: f64 = 3.0;
const TO_NEXT: f64 = 2.0;

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
    let (names, choices) = axes.into_iter().map(|(parameter, _)| (parameter.name, parameter.choices)).unzip();
    Ok(Box::new(Parallel { objective: tables.objective.into(), names, choices, lines, recommended }))
}

/// A parameter with the scale of its whole range.
fn axis<'a>(row: &Row<'a>) -> Option<(Parameter<'a>, Scale)> {
    let parameter = Parameter::new(row);
    let ends = [parameter.value(row, "low")?, parameter.value(row, "high")?];
    let scale = Scale::covering(ends, parameter.log, 0.0)?;
    Some((parameter, scale))
}

/// One evaluation: where each parameter lies in its range, from 0 to 1, and the objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub shares: Vec<f64>,
    pub value: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    pub objective: String,
    pub names: Vec<String>,
    /// The values of each choice, from the bottom of its axis to the top; none for a number.
    pub choices: Vec<Vec<String>>,
    pub lines: Vec<Evaluation>,
    /// Where each recommended value lies in its range.
    pub recommended: Vec<f64>,
}

impl Chart for Parallel {
    fn title(&self) -> String {
        format!("{} and parameters of the evaluations", self.objective)
    }

    fn natural_width(&self) -> Width {
        if self.names.len() > 3 { Width::PAGE } else { Width::COLUMN }
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let scale = Scale::covering(self.lines.iter().map(|line| line.value), false, 0.0)?;
        let mut order: Vec<&Evaluation> = self.lines.iter().filter(|line| line.value.is_finite()).collect();
        order.sort_by(|a, b| a.value.total_cmp(&b.value));
        let names: Vec<String> = self.names.iter().chain([&self.objective]).cloned().collect();
        let last = names.len() as f64 - 0.5;
        let everything = vec![Obstacle::Block((-0.5, 0.0), (last, 1.0))];
        let y = Axis::new("Place in the range", Scale::linear(0.0, 1.0));
        let keys = vec![
            Key::stroke("lowest objective", viridis(0.0)),
            Key::stroke("highest", viridis(1.0)),
            Key::stroke("recommended", VERMILION),
        ];
        let layout = Layout::new(Axis::names("", names), y).legend(keys, everything);
        Framed::new(layout, move |plot| self.draw_lines(plot, &order, scale))
    }
}

impl Parallel {
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
        for place in 0..=self.names.len() {
            plot.cell.line(&[plot.at(place as f64, 0.0), plot.at(place as f64, 1.0)], pen(INK, 0.6));
        }
        self.draw_choices(plot);
        let recommended = path(&mut self.recommended.iter().copied());
        plot.cell.line(&recommended, pen(VERMILION, CURVE));
        recommended.iter().for_each(|place| plot.cell.disc(*place, 1.6, VERMILION));
    }

    /// Writes the values of choices beside their axes. A long value is cut, so that it ends before the next axis and inside
    /// the frame.
    fn draw_choices(&self, plot: &Plot) {
        for (place, choices) in self.choices.iter().enumerate() {
            let last = choices.len().saturating_sub(1).max(1) as f64;
            let next = plot.at(place as f64 + 1.0, 0.0).0.min(plot.frame.right);
            for (index, choice) in choices.iter().enumerate() {
                let (x, y) = plot.at(place as f64, index as f64 / last);
                let left = x + TO_CHOICE;
                let (text, height) = (fitted(choice, SMALL, next - TO_NEXT - left), cap_height(SMALL));
                // Inside the frame, also at its lower and upper edge.
                let bottom = (y + height / 2.0).clamp(plot.frame.top + height + 2.0, plot.frame.bottom - 2.0);
                let right = left + text_width(&text, SMALL);
                let area = Area { left, top: bottom - height, right, bottom };
                plot.cell.fill(&area.grown(1.0), PAPER);
                plot.cell.text(&text, (left, bottom), Lettering::new(SMALL, HPos::Left, VPos::Bottom));
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn sample() -> Box<dyn Chart> {
        let line = |k: usize| {
            let share = |p: usize| 0.5 + 0.45 * (k as f64 * (0.7 + 0.31 * p as f64)).sin() * (1.0 - k as f64 / 260.0);
            Evaluation { shares: (0..5).map(share).collect(), value: 4_000.0 + 60.0 * k as f64 }
        };
        let names = ["merges", "monotonicity", "monotonicity.power", "rank-powers", "rank-powers.power"];
        Box::new(Parallel {
            objective: "Mean score".to_string(),
            names: names.map(str::to_string).into(),
            choices: vec![Vec::new(), Vec::new(), vec!["value".into(), "log2".into()], Vec::new(), Vec::new()],
            lines: (0..250).map(line).collect(),
            recommended: vec![0.52, 0.47, 0.5, 0.44, 0.55],
        })
    }
}
