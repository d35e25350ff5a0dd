//! The objective over each pair of parameters, with the evaluations that it was learned from: as contours, or as cells where
//! a parameter is a choice or a whole number, because there is nothing between two of its values.

use crate::report::figures::canvas::{Area, Cell, Place, fitted};
use crate::report::figures::contours::Grid;
use crate::report::figures::facets::{self, Facet, Surround};
use crate::report::figures::legend::Key;
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{Parameter, RunKind, RunTables, Values, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{LABEL, MUTED, VERMILION, pen, tint};
use crate::report::figures::ticks::Ticks;
use crate::report::figures::viridis::viridis;
use crate::report::figures::{Chart, Width};
use crate::report::table::{Row, Table};
use plotters::style::RGBColor;

pub const KIND: RunChart = RunChart {
    name: "landscape",
    about: "the objective over each pair of parameters, with the evaluations",
    caption: "The objective over pairs of parameters as random forests have learned it from the evaluations{training}, \
              with all other parameters as recommended. Dots are evaluations, at most 300, spread evenly over the \
              search. The pairs are those of the five most important parameters. Lines join equal values of the objective. \
              Choices and whole numbers have cells in the colour of the objective instead, with the evaluations beside them.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// Evaluations in each panel; more of them would only cover the lines.
const MOST_DOTS: usize = 300;

fn build(tables: &RunTables) -> Built {
    let (landscape, parameters) = (tables.optional("landscape.csv")?, tables.table("parameters.csv")?);
    let evaluations = tables.table("evaluations.csv")?;
    let dots: Vec<Row> = spread(evaluations.rows().collect(), MOST_DOTS);
    let mut pairs: Vec<(&str, &str)> = landscape.rows().map(|row| (row.text("parameter"), row.text("other"))).collect();
    pairs.dedup();
    let panel = |(first, second): (&str, &str)| {
        let rows = [first, second].map(|name| parameters.find("parameter", name));
        let [Some(x), Some(y)] = rows else { return None };
        Some(panel(&landscape, &dots, &x, &y))
    };
    let panels: Vec<Panel> = pairs.into_iter().filter_map(panel).collect();
    if panels.is_empty() {
        return Err(NotDrawn::TooLittle("it needs two parameters and enough evaluations to learn from".into()));
    }
    Ok(Box::new(Landscape { objective: tables.objective.into(), panels }))
}

fn panel(landscape: &Table, dots: &[Row], x: &Row, y: &Row) -> Panel {
    let [across, along] = [x, y].map(Parameter::new);
    let own =
        landscape.rows().filter(|row| row.text("parameter") == across.column && row.text("other") == along.column);
    let own: Vec<Row> = own.collect();
    let columns = own.iter().take_while(|row| row.text("y") == own[0].text("y")).count();
    let places = |parameter: &Parameter, column: &str, step: usize| -> Vec<f64> {
        own.iter().step_by(step.max(1)).filter_map(|row| parameter.value(row, column)).collect()
    };
    Panel {
        xs: places(&across, "x", 1).into_iter().take(columns).collect(),
        ys: places(&along, "y", columns),
        values: own.iter().map(|row| row.number("objective").unwrap_or(f64::NAN)).collect(),
        dots: dots
            .iter()
            .filter_map(|row| Some((across.value(row, across.column)?, along.value(row, along.column)?)))
            .collect(),
        recommended: across.value(x, "tuned").zip(along.value(y, "tuned")),
        kinds: (across.values, along.values),
        names: (across.name, along.name),
    }
    .with_each_value_once()
}

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

#[derive(Clone, Debug, PartialEq)]
pub struct Landscape {
    pub objective: String,
    pub panels: Vec<Panel>,
}

/// Levels of the contours, in all panels the same.
const LEVELS: usize = 7;
/// What the names of the axes must leave free of the width and of the height of a panel, in points.
const BESIDE: f64 = 20.0;
const BELOW: f64 = 8.0;
/// The part of its place that a cell of a choice or whole number takes, and where the evaluations are beside it.
const CELL: (f64, f64) = (-0.27, 0.27);
const DOTS: (f64, f64) = (-0.47, -0.33);
/// Cells overlap by this much, in points, so that no white lines are between them.
const OVERLAP: f64 = 0.3;
/// The light end of the colours cannot be seen on white.
const LIGHTEST: f64 = 0.86;
const RECOMMENDED: Marker = Marker { shape: Shape::Diamond, colour: VERMILION, open: false };

impl Chart for Landscape {
    fn title(&self) -> String {
        format!("{} over pairs of parameters", self.objective)
    }

    fn height(&self, width: f64) -> f64 {
        // Every panel has its own axis labels.
        facets::height(self.panels.len(), false, facets::NARROWEST, &self.keys(), width) + 20.0 * self.rows(width)
    }

    fn natural_width(&self) -> Width {
        if self.panels.len() > 1 { Width::PAGE } else { Width::COLUMN }
    }

    fn draw(&self, cell: &Cell) {
        let (levels, width) = (self.levels(), cell.area.width());
        let columns = facets::columns(self.panels.len(), false, width) as f64;
        let height = cell.area.height() - facets::head(&self.keys(), width);
        let room = (width / columns - BESIDE, height / self.rows(width) - BELOW);
        let Some(levels) = levels else { return cell.no_data() };
        let facets = self.panels.iter().filter_map(|panel| panel.facet(&levels, room)).collect();
        facets::draw(cell, &Surround { keys: self.keys(), ..Surround::default() }, facets);
    }
}

impl Landscape {
    fn rows(&self, width: f64) -> f64 {
        self.panels.len().div_ceil(facets::columns(self.panels.len(), false, width)) as f64
    }

    /// The range of the objective and round values in it; `None` without values.
    fn levels(&self) -> Option<Levels> {
        let values = self.panels.iter().flat_map(|panel| panel.values.iter().copied());
        let scale = Scale::covering(values, false, 0.0)?;
        Some(Levels { scale, round: Ticks::of(scale, LEVELS).major })
    }

    fn keys(&self) -> Vec<Key> {
        let evaluations = Marker { shape: Shape::Disc, colour: MUTED, open: false };
        let signs = [Key::marker("evaluations", evaluations), Key::marker("recommended", RECOMMENDED)];
        let key = |levels: &Levels, (value, text): &(f64, String)| Key::stroke(text, levels.colour(*value));
        let keys = self.levels().map(|levels| levels.round.iter().map(|round| key(&levels, round)).collect::<Vec<_>>());
        let title = Key::note(&format!("{}:", self.objective));
        signs.into_iter().chain([title]).chain(keys.unwrap_or_default()).collect()
    }
}

/// The values of the objective that have a contour, with their texts, and the range that the colours cover.
#[derive(Clone)]
struct Levels {
    scale: Scale,
    round: Vec<(f64, String)>,
}

impl Levels {
    fn colour(&self, value: f64) -> RGBColor {
        viridis(LIGHTEST * self.scale.fraction(value))
    }
}

impl Panel {
    /// `room` is how wide and how high the names of parameters may be.
    fn facet(&self, levels: &Levels, room: (f64, f64)) -> Option<Facet<'_>> {
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

    /// Whether there is nothing between the values of one of the parameters, so that contours would mean nothing.
    fn has_cells(&self) -> bool {
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
    fn with_each_value_once(self) -> Panel {
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

/// The index of the value that each place has, and the values. Neighbouring places with the same value are one if there is
/// nothing between two values.
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
pub mod tests {
    use super::*;

    pub fn panel(names: (&str, &str), log: bool, turn: f64) -> Panel {
        let xs: Vec<f64> =
            (0..25).map(|k| if log { 10f64.powf(f64::from(k) / 8.0 - 2.0) } else { f64::from(k) / 4.0 }).collect();
        let ys: Vec<f64> = (0..25).map(|k| f64::from(k) - 12.0).collect();
        let value = |index: usize| {
            let (x, y) = ((index % 25) as f64 / 12.0 - 1.0, (index / 25) as f64 / 12.0 - 1.0);
            20_000.0 - 9_000.0 * ((x - 0.3).powi(2) + (y + turn * x).powi(2))
        };
        let dot = |k: usize| (xs[(k * 7) % 25], ys[12 + (k * k) % 7 - 3] + 0.1 * (k % 5) as f64);
        Panel {
            names: (names.0.to_string(), names.1.to_string()),
            kinds: (Values::Number { log }, Values::default()),
            values: (0..625).map(value).collect(),
            dots: (0..120).map(dot).collect(),
            recommended: Some((xs[16], ys[11])),
            xs,
            ys,
        }
    }

    pub fn sample() -> Box<dyn Chart> {
        let panels = vec![
            panel(("merges", "monotonicity.power"), false, 0.5),
            panel(("monotonicity", "monotonicity.power"), true, -0.8),
            panel(("rank-powers", "merges"), false, 0.0),
            with_cells(),
        ];
        Box::new(Landscape { objective: "Mean score".to_string(), panels })
    }

    /// A choice against a number, with several columns for each value of the choice.
    fn with_cells() -> Panel {
        let plain = panel(("backup", "merges"), false, 0.2);
        let xs = (0..25).map(|k| f64::from(k / 9)).collect();
        let words = ["mean", "max", "median"].map(str::to_string).to_vec();
        let dots = plain.dots.iter().map(|(x, y)| ((x / 2.0).floor().min(2.0), *y)).collect();
        let kinds = (Values::Choice(words), Values::default());
        Panel { kinds, xs, dots, recommended: Some((1.0, -1.0)), ..plain }.with_each_value_once()
    }

    #[test]
    fn a_choice_has_one_cell_for_each_value() {
        let panel = with_cells();
        assert_eq!((panel.xs.len(), panel.ys.len(), panel.values.len()), (3, 25, 75));
        assert!(panel.has_cells());
        let two = Panel {
            kinds: (Values::Whole, Values::default()),
            xs: vec![0.0, -0.0, 1.0],
            ys: vec![5.0],
            values: vec![1.0, 3.0, 8.0],
            ..panel
        };
        let two = two.with_each_value_once();
        assert_eq!((two.xs, two.values), (vec![0.0, 1.0], vec![2.0, 8.0]));
    }

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
