//! Several optimizers with the same budget: the validated objective against training games, with 95 % intervals over the
//! repeats.

use super::convergence::band;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars;
use crate::report::figures::canvas::{Cell, Place};
use crate::report::figures::facets::{self, Facet, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::page::letter;
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables, distinct};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, pen};
use crate::report::figures::{Chart, Point, Series, Width};
use crate::report::table::{Row, Table};
use crate::stats::Moments;
use plotters::style::{Color, RGBColor};
use std::collections::{BTreeMap, BTreeSet};

pub const KIND: RunChart = RunChart {
    name: "optimizers",
    about: "the validated objective of several optimizers against training games",
    caption: "The validated objective against training games, mean over all repeats of each optimizer. Each \
              point is judged on validation games{games:validation.csv}. If a repeat has no validation there, its last one counts. \
              Bands are 95 % intervals over repeats.",
    of: RunKind::Contest,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let validation = tables.table("validation.csv")?;
    let curve = |name: &String| {
        let checkpoints = checkpoints(&validation, name, tables.every, tables.budget);
        let point = |(x, values): (u64, Vec<f64>)| {
            Some(Point { x: x as f64, y: Moments::of(&values).mean_interval_or_value()? })
        };
        Series { label: name.clone(), points: checkpoints.into_iter().filter_map(point).collect() }
    };
    Ok(Box::new(Optimizers {
        x_label: "Training games".into(),
        y_label: tables.objective.into(),
        curves: distinct(&validation, "optimizer").iter().map(curve).collect(),
    }))
}

/// One small chart for each optimizer: its curve with the band, and the others in grey to compare with.
struct Optimizers {
    x_label: String,
    y_label: String,
    curves: Vec<Series>,
}

impl Chart for Optimizers {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn height(&self, width: f64) -> f64 {
        facets::height(self.curves.len(), true, facets::NARROWEST, &keys(), width)
    }

    fn natural_width(&self) -> Width {
        Width::PAGE
    }

    /// All charts have the same axes.
    fn draw(&self, cell: &Cell) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = Scale::covering(points().map(|p| p.x), false, 0.04);
        let y = Scale::covering(points().flat_map(|p| bars::reach(&p.y)), false, 0.06);
        let Some((x, y)) = x.zip(y) else { return cell.no_data() };
        let facet = |(index, curve): (usize, &Series)| {
            let layout = Layout::new(Axis::new("", x), Axis::new("", y));
            let frame = Framed::new(layout, move |plot| self.draw_one(plot, index))?;
            Some(Facet { name: curve.label.clone(), letter: Some(letter(index)), frame })
        };
        let facets = self.curves.iter().enumerate().filter_map(facet).collect();
        let (x_label, y_label) = (self.x_label.clone(), self.y_label.clone());
        facets::draw(cell, &Surround { x_label, y_label, keys: keys(), ..Surround::default() }, facets);
    }
}

impl Optimizers {
    fn draw_one(&self, plot: &Plot, own: usize) {
        let path = |points: &[Point]| points.iter().map(|p| plot.at(p.x, p.y.estimate)).collect::<Vec<Place>>();
        for (_, other) in self.curves.iter().enumerate().filter(|(index, _)| *index != own) {
            plot.cell.line(&path(&bars::shown(plot, &other.points)), pen(OTHERS, 0.7));
        }
        let Some(curve) = self.curves.get(own) else { return };
        let points = bars::shown(plot, &curve.points);
        plot.cell.polygon(&band(plot, &points), BLUE.mix(0.2));
        plot.cell.line(&path(&points), pen(BLUE, CURVE));
        path(&points).into_iter().for_each(|place| plot.cell.disc(place, 1.5, BLUE));
    }
}

const OTHERS: RGBColor = RGBColor(185, 185, 185);

fn keys() -> Vec<Key> {
    vec![Key::band("mean of the repeats, 95 % interval", 0), Key::stroke("the other optimizers", OTHERS)]
}

/// The validated values of all repeats, by the number of training games at which they were due. The recommendation
/// itself is due when the budget is spent. A repeat without a validation there has its last value.
fn checkpoints(validation: &Table, optimizer: &str, every: u64, budget: u64) -> BTreeMap<u64, Vec<f64>> {
    let rows: Vec<Row> = validation.rows().filter(|row| row.text("optimizer") == optimizer).collect();
    let mut repeats: BTreeMap<&str, BTreeMap<u64, f64>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let is_last = rows.get(index + 1).is_none_or(|next| next.text("repeat") != row.text("repeat"));
        let games = row.count("training_games").unwrap_or(0);
        let due = if is_last { budget } else { games / every.max(1) * every.max(1) };
        if let Some(value) = row.number("objective") {
            repeats.entry(row.text("repeat")).or_default().insert(due, value);
        }
    }
    let all: BTreeSet<u64> = repeats.values().flat_map(BTreeMap::keys).copied().collect();
    let latest = |due: u64| repeats.values().filter_map(|values| Some(*values.range(..=due).next_back()?.1)).collect();
    all.iter().map(|&due| (due, latest(due))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::charts::convergence::tests::curve;

    pub fn sample() -> Box<dyn Chart> {
        Box::new(Optimizers {
            x_label: "Training games".to_string(),
            y_label: "Mean score".to_string(),
            curves: vec![
                curve("CMA-ES", 11, 36_500.0, 20.0, 700.0),
                curve("Particle swarm", 11, 33_000.0, 28.0, 2_100.0),
                curve("Nelder-Mead", 11, 28_200.0, 11.0, 1_900.0),
                curve("Random search", 11, 26_000.0, 45.0, 1_300.0),
            ],
        })
    }

    #[test]
    fn repeats_are_joined_where_their_checkpoints_were_due() {
        let mut validation = Table::new(["optimizer", "repeat", "training_games", "objective"]);
        for (optimizer, repeat, games, objective) in [
            ("a", 1, 0, 1),
            ("a", 1, 110, 2),
            ("a", 1, 290, 5),
            ("a", 2, 0, 3),
            ("a", 2, 100, 4),
            ("a", 2, 300, 9),
            ("a", 3, 0, 6),
            ("a", 3, 300, 8),
            ("b", 1, 0, 7),
        ] {
            let numbers = [repeat, games, objective].map(|number| number.to_string());
            validation.push([vec![optimizer.to_string()], numbers.to_vec()].concat());
        }
        let checkpoints = checkpoints(&validation, "a", 100, 300);
        let expected = [(0, vec![1.0, 3.0, 6.0]), (100, vec![2.0, 4.0, 6.0]), (300, vec![5.0, 9.0, 8.0])];
        assert_eq!(checkpoints, BTreeMap::from(expected));
    }
}
