//! The objective around the recommendation: one parameter varies, the others stay. With 95 % intervals.

use crate::report::figures::axis::Axis;
use crate::report::figures::bars;
use crate::report::figures::canvas::Cell;
use crate::report::figures::facets::{self, Facet, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, Values};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, VERMILION, pen};
use crate::report::figures::{Chart, Point, Width};
use crate::report::table::{Row, Table};

pub const KIND: RunChart = RunChart {
    name: "slices",
    about: "the objective around the recommendation, one parameter at a time",
    caption: "The objective around the recommendation: one parameter changes, the others stay{games:slices.csv}. Bars are 95 % \
              confidence intervals. No line joins the values of choices and of whole numbers, because there is nothing \
              between them.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let (slices, parameters) = (tables.table("slices.csv")?, tables.table("parameters.csv")?);
    Ok(Box::new(Slices {
        x_label: "Value of the parameter".into(),
        y_label: tables.objective.into(),
        slices: parameters.rows().map(|row| slice(&row, &slices)).collect(),
    }))
}

fn slice(row: &Row, slices: &Table) -> Slice {
    let parameter = Parameter::new(row);
    let own = slices.rows().filter(|slice| slice.text("parameter") == parameter.column);
    let point = |slice: Row| Some(Point { x: parameter.value(&slice, "value")?, y: slice.interval("objective")? });
    let points = own.filter_map(point).collect();
    let recommended = parameter.value(row, "tuned").unwrap_or(f64::NAN);
    Slice { name: parameter.name, values: parameter.values, recommended, points }
}

/// The objective along one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    pub name: String,
    pub values: Values,
    /// The recommended value of this parameter.
    pub recommended: f64,
    pub points: Vec<Point>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    pub x_label: String,
    pub y_label: String,
    pub slices: Vec<Slice>,
}

impl Chart for Slices {
    fn title(&self) -> String {
        format!("{} around the recommendation", self.y_label)
    }

    fn height(&self, width: f64) -> f64 {
        facets::height(self.slices.len(), false, self.narrowest(), &keys(), width)
    }

    fn natural_width(&self) -> Width {
        if self.slices.len() > 2 { Width::PAGE } else { Width::COLUMN }
    }

    /// All slices share the y axis, so that steep and flat parameters can be told apart.
    fn draw(&self, cell: &Cell) {
        let points = self.slices.iter().flat_map(|slice| &slice.points);
        let Some(y) = Scale::covering(points.flat_map(|p| bars::reach(&p.y)), false, 0.08) else {
            return cell.no_data();
        };
        let facets = self.slices.iter().filter_map(|slice| slice.facet(y)).collect();
        let (x_label, y_label) = (self.x_label.clone(), self.y_label.clone());
        facets::draw(cell, &Surround { x_label, y_label, keys: keys(), narrowest: self.narrowest() }, facets);
    }
}

impl Slices {
    /// The least width of a chart that has room for all values of a choice side by side.
    fn narrowest(&self) -> f64 {
        self.slices.iter().map(|slice| slice.values.width() + BESIDE).fold(facets::NARROWEST, f64::max)
    }
}

/// Room beside the frame of a chart, in points.
const BESIDE: f64 = 45.0;

fn keys() -> Vec<Key> {
    vec![Key::marked_line("objective, 95 % interval", 0), Key::dashes("recommended value", VERMILION)]
}

impl Slice {
    fn facet(&self, y: Scale) -> Option<Facet<'_>> {
        let places = self.points.iter().map(|p| p.x).chain([self.recommended]);
        let layout = Layout::new(self.values.axis("", places, 0.06)?, Axis::new("", y));
        Some(Facet { name: self.name.clone(), letter: None, frame: Framed::new(layout, |plot| self.draw(plot))? })
    }

    fn draw(&self, plot: &Plot) {
        if plot.x.shows(self.recommended) {
            let x = plot.at(self.recommended, plot.y.ends().0).0;
            plot.cell.dashes(&[(x, plot.frame.bottom), (x, plot.frame.top)], pen(VERMILION, 0.8));
        }
        let points = bars::shown(plot, &self.points);
        let path: Vec<_> = points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect();
        if !self.values.is_discrete() {
            plot.cell.line(&path, pen(BLUE, CURVE));
        }
        points.iter().for_each(|point| bars::vertical(plot, point, 0.0, BLUE));
        path.iter().for_each(|place| plot.cell.disc(*place, 1.6, BLUE));
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let parameters = [
            ("empty cells", 2.7, 2e3, false),
            ("monotonicity", 1.1, 9e3, false),
            ("merges", 0.35, 6e3, false),
            ("corner weight", 900.0, 3e3, true),
        ];
        let slice = |(name, best, drop, log): (&str, f64, f64, bool)| {
            let point = |k: i32| {
                let step = f64::from(k) / 4.0;
                let x: f64 = if log { best * 10f64.powf(step) } else { best * (1.0 + 0.8 * step) };
                let value = 21_000.0 - drop * step * step - 400.0 * step;
                Point { x, y: estimate(value, value - 600.0, value + 600.0) }
            };
            Slice {
                name: name.to_string(),
                values: Values::Number { log },
                recommended: best,
                points: (-4..=4).map(point).collect(),
            }
        };
        Box::new(Slices {
            x_label: "Value of the parameter".to_string(),
            y_label: "Mean score".to_string(),
            slices: parameters.map(slice).into(),
        })
    }

    #[test]
    fn negative_parameters_on_a_logarithmic_axis_are_shown_by_magnitude() {
        let mut parameters = Table::new(["parameter", "start", "tuned", "low", "high", "scale"]);
        parameters.push(["cost", "-1", "-2", "-10", "-0.1", "log"]);
        parameters.push(["gain", "-1", "2", "-10", "10", "linear"]);
        let mut table = Table::new(["parameter", "value", "objective"]);
        table.push(["cost", "-3", "5"]);
        let slices: Vec<Slice> = parameters.rows().map(|row| slice(&row, &table)).collect();
        assert_eq!(
            (slices[0].name.as_str(), slices[0].values.is_log(), slices[0].recommended),
            ("\u{2212}cost", true, 2.0)
        );
        assert_eq!((slices[0].points[0].x, slices[1].name.as_str(), slices[1].recommended), (3.0, "gain", 2.0));
    }
}
