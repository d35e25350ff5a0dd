//! One panel of the landscape: the objective over two parameters.

use crate::report::figures::canvas::{Area, Place, fitted};
use crate::report::figures::contours::Grid;
use crate::report::figures::facets::Facet;
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::run_tables::Values;
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{LABEL, MUTED, VERMILION, pen, tint};
use crate::report::figures::viridis::viridis;
use plotters::style::RGBColor;

/// The ends of the cell of a choice or whole number, and of the strip beside it for evaluations. They are relative to
/// the value, and neighbouring values are 1 apart.
const CELL: (f64, f64) = (-0.27, 0.27);
const DOTS: (f64, f64) = (-0.47, -0.33);
/// Cells overlap by this much, in points, so that no white lines are between them.
const OVERLAP: f64 = 0.3;
/// The light end of the colours cannot be seen on white.
const LIGHTEST: f64 = 0.86;
pub(super) const RECOMMENDED: Marker = Marker { shape: Shape::Diamond, colour: VERMILION, open: false };

/// The objective over two parameters; the others have their recommended values.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    pub names: (String, String),
    /// What values both parameters can have.
    pub kinds: (Values, Values),
    pub xs: Vec<f64>,
    pub ys: Vec<f64>,
    /// Row by row, one for each y and in it each x.
    pub values: Vec<f64>,
    pub dots: Vec<(f64, f64)>,
    pub recommended: Option<(f64, f64)>,
}

/// The values of the objective that have a contour, with their texts, and the range that the colours cover.
#[derive(Clone)]
pub(super) struct Levels {
    pub scale: Scale,
    pub round: Vec<(f64, String)>,
}

impl Levels {
    pub fn colour(&self, value: f64) -> RGBColor {
        viridis(LIGHTEST * self.scale.fraction(value))
    }
}

impl Panel {
    /// `room` is how wide and how high the names of parameters may be.
    pub(super) fn facet(&self, levels: &Levels, room: (f64, f64)) -> Option<Facet<'_>> {
        let names = (fitted(&self.names.0, LABEL, room.0), fitted(&self.names.1, LABEL, room.1));
        let x = self.kinds.0.axis(&names.0, self.xs.iter().copied(), 0.0)?;
        let y = self.kinds.1.axis(&names.1, self.ys.iter().copied(), 0.0)?;
        let layout = Layout::new(x, y);
        let levels = levels.clone();
        Some(Facet {
            name: String::new(),
            letter: None,
            frame: Framed::new(layout, move |plot| self.draw(plot, &levels))?,
        })
    }

    fn draw(&self, plot: &Plot, levels: &Levels) {
        let shown = self.dots.iter().filter(|(x, y)| plot.shows(*x, *y)).enumerate();
        shown.for_each(|(index, dot)| plot.cell.disc(self.dot(plot, index, *dot), 0.6, tint(MUTED, 0.6)));
        if self.has_cells() {
            self.draw_cells(plot, levels);
        } else {
            self.draw_contours(plot, levels);
        }
        if let Some((x, y)) = self.recommended.filter(|(x, y)| plot.shows(*x, *y)) {
            RECOMMENDED.draw(plot.cell, plot.at(x, y), 2.4);
        }
    }

    /// Whether one of the parameters is discrete. Contours between its values would mean nothing, so cells are drawn.
    pub(super) fn has_cells(&self) -> bool {
        self.kinds.0.is_discrete() || self.kinds.1.is_discrete()
    }

    /// Where an evaluation is drawn: beside the cells of a choice or whole number, spread so that dots do not hide each other.
    /// If both parameters have cells, it is below its cell.
    fn dot(&self, plot: &Plot, index: usize, (x, y): (f64, f64)) -> Place {
        // Multiples of irrational numbers spread dots evenly, and the same way each time.
        let spread = |(from, to): (f64, f64), turn: f64| from + (to - from) * (index as f64 * turn).fract();
        let (across, along) = match (self.kinds.0.is_discrete(), self.kinds.1.is_discrete()) {
            (false, false) => (0.0, 0.0),
            (true, false) => (spread(DOTS, 0.754_877_666), 0.0),
            (false, true) => (0.0, spread(DOTS, 0.754_877_666)),
            (true, true) => (spread(CELL, 0.754_877_666), spread(DOTS, 0.569_840_291)),
        };
        plot.at(x + across, y + along)
    }

    fn draw_contours(&self, plot: &Plot, levels: &Levels) {
        let grid = Grid { columns: self.xs.len(), values: self.values.clone() };
        for (level, _) in &levels.round {
            for line in grid.lines(*level) {
                let line: Vec<Place> = line.into_iter().map(|at| self.place(plot, at)).collect();
                plot.cell.line(&line, pen(levels.colour(*level), 0.9));
            }
        }
    }

    fn draw_cells(&self, plot: &Plot, levels: &Levels) {
        let across = edges(&self.xs, &self.kinds.0, |x| plot.at(x, self.ys[0]).0);
        let along = edges(&self.ys, &self.kinds.1, |y| plot.at(self.xs[0], y).1);
        for (row, (top, bottom)) in along.iter().enumerate() {
            for (column, (left, right)) in across.iter().enumerate() {
                let value = self.values.get(row * self.xs.len() + column).filter(|value| value.is_finite());
                if let Some(value) = value {
                    let right = (right + OVERLAP).min(plot.frame.right);
                    let top = (top - OVERLAP).max(plot.frame.top);
                    let area = Area { left: *left, top, right, bottom: *bottom };
                    plot.cell.fill(&area, levels.colour(*value));
                }
            }
        }
    }

    /// The panel with one row or column for each value of a choice or whole number. The table has several, because its grid
    /// is even in the range of the parameter; the objective is their mean.
    pub(super) fn with_each_value_once(self) -> Panel {
        let (columns, xs) = merged(&self.xs, &self.kinds.0);
        let (rows, ys) = merged(&self.ys, &self.kinds.1);
        let mut sums = vec![(0.0, 0.0); xs.len() * ys.len()];
        for (index, value) in self.values.iter().enumerate() {
            let place = (rows.get(index / columns.len().max(1)), columns.get(index % columns.len().max(1)));
            let (Some(row), Some(column)) = place else { continue };
            if let Some((sum, count)) = sums.get_mut(row * xs.len() + column) {
                (*sum, *count) = (*sum + value, *count + 1.0);
            }
        }
        let values = sums.into_iter().map(|(sum, count)| sum / count).collect();
        Panel { xs, ys, values, ..self }
    }

    /// Where a place of the grid is on the page. Between two values it is interpolated on the page, because the grid is even
    /// there on any scale.
    fn place(&self, plot: &Plot, (column, row): (f64, f64)) -> Place {
        let between = |values: &[f64], at: f64, to_page: &dyn Fn(f64) -> f64| {
            let last = values.len().saturating_sub(1);
            let (low, high) = ((at.floor() as usize).min(last), (at.ceil() as usize).min(last));
            let (low, high) = (to_page(values[low]), to_page(values[high]));
            low + (high - low) * at.fract()
        };
        let x = between(&self.xs, column, &|x| plot.at(x, self.ys[0]).0);
        (x, between(&self.ys, row, &|y| plot.at(self.xs[0], y).1))
    }
}

/// For each place the index of its value, and the values. If the parameter is discrete, neighbouring places with the
/// same value share one index.
fn merged(places: &[f64], kind: &Values) -> (Vec<usize>, Vec<f64>) {
    let mut values: Vec<f64> = Vec::new();
    let mut indices = Vec::new();
    for place in places {
        if !kind.is_discrete() || values.last() != Some(place) {
            values.push(*place);
        }
        indices.push(values.len() - 1);
    }
    (indices, values)
}

/// Where the cell of each value is on the page, the smaller coordinate first. The cell of a choice or whole number is
/// around its value, with a gap to the next. Other cells reach halfway to their neighbours.
fn edges(values: &[f64], kind: &Values, to_page: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let places: Vec<f64> = values.iter().map(|value| to_page(*value)).collect();
    let edge = |(index, value): (usize, &f64)| {
        if kind.is_discrete() {
            return (to_page(value + CELL.0), to_page(value + CELL.1));
        }
        let halfway = |other: Option<&f64>| other.map_or(places[index], |other| (other + places[index]) / 2.0);
        (halfway(index.checked_sub(1).and_then(|before| places.get(before))), halfway(places.get(index + 1)))
    };
    let ordered = |(a, b): (f64, f64)| (a.min(b), a.max(b));
    values.iter().enumerate().map(edge).map(ordered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_choices_have_gaps_and_others_meet() {
        let apart = edges(&[0.0, 1.0], &Values::Whole, |value| 10.0 * value);
        assert!(apart[0].1 < apart[1].0);
        let meeting = edges(&[0.0, 1.0, 4.0], &Values::default(), |value| 10.0 * value);
        assert_eq!(meeting, [(0.0, 5.0), (5.0, 25.0), (25.0, 40.0)]);
        let falling = edges(&[4.0, 1.0], &Values::default(), |value| 10.0 * value);
        assert_eq!(falling, [(25.0, 40.0), (10.0, 25.0)]);
    }
}
