//! All evaluations of a search in the order in which they were made, with their running mean.

use super::convergence::band;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars;
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::marker::{Marker, Shape};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{RunKind, RunTables, spread};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, CURVE, MUTED, pen, tint};
use crate::report::figures::{Chart, Point};
use crate::report::table::Table;
use crate::stats::Moments;
use plotters::style::Color;

pub const KIND: RunChart = RunChart {
    name: "evaluations",
    about: "all evaluations against training games, with their running mean",
    caption: "The objective of evaluations in the order of the search{training}: at most 1,000 of them, spread evenly, with the \
              lowest and the highest. The band is the 95 % confidence interval of the \
              running mean.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// The most evaluations that are drawn, and the most means along the search.
const MOST_DOTS: usize = 1_000;
const MEANS: usize = 40;
/// A mean over fewer evaluations is too noisy to show.
const FEWEST: usize = 5;

fn build(tables: &RunTables) -> Built {
    let dots = dots(&tables.table("evaluations.csv")?);
    if dots.len() < 2 {
        return Err(NotDrawn::few(dots.len(), 2));
    }
    let means = running_means(&dots);
    Ok(Box::new(Evaluations { y_label: tables.objective.into(), dots: thinned(dots), means }))
}

/// Some of the evaluations, always with the lowest and the highest.
fn thinned(dots: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
    let ends = [dots.iter().min_by(by_value), dots.iter().max_by(by_value)].map(Option::<&_>::copied);
    let mut shown = spread(dots, MOST_DOTS);
    let missing: Vec<_> = ends.into_iter().flatten().filter(|end| !shown.contains(end)).collect();
    shown.extend(missing);
    shown
}

/// Each evaluation with the training games that were played when it ended.
fn dots(evaluations: &Table) -> Vec<(f64, f64)> {
    let mut games = 0.0;
    let dots = evaluations.rows().filter_map(|row| {
        games += row.number("games")?;
        Some((games, row.number("mean").filter(|mean| mean.is_finite())?))
    });
    dots.collect()
}

fn running_means(dots: &[(f64, f64)]) -> Vec<Point> {
    let parts = (dots.len() / FEWEST).clamp(1, MEANS);
    let mean = |part: usize| {
        let part = &dots[part * dots.len() / parts..(part + 1) * dots.len() / parts];
        let values: Vec<f64> = part.iter().map(|(_, value)| *value).collect();
        let x = part.iter().map(|(games, _)| games).sum::<f64>() / part.len() as f64;
        Some(Point { x, y: Moments::of(&values).mean_interval()? })
    };
    (0..parts).filter_map(mean).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Evaluations {
    pub y_label: String,
    /// Training games and the objective of an evaluation.
    pub dots: Vec<(f64, f64)>,
    /// Means of evaluations in a row.
    pub means: Vec<Point>,
}

impl Chart for Evaluations {
    fn title(&self) -> String {
        format!("{} of each evaluation", self.y_label)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let x = Scale::covering(self.dots.iter().map(|dot| dot.0).chain([0.0]), false, 0.02)?;
        let values = self.dots.iter().map(|dot| dot.1).chain(self.means.iter().flat_map(|mean| bars::reach(&mean.y)));
        let y = Scale::covering(values, false, 0.05)?;
        let (low, high) = (x.ends(), y.ends());
        let everything = vec![Obstacle::Block((low.0, high.0), (low.1, high.1))];
        let dot = Marker { shape: Shape::Disc, colour: tint(MUTED, 0.7), open: false };
        let keys = vec![Key::marker("evaluations", dot), Key::band("running mean, 95 % interval", 0)];
        let axes = (Axis::new("Training games", x), Axis::new(&self.y_label, y));
        Framed::new(Layout::new(axes.0, axes.1).legend(keys, everything), |plot| self.draw_data(plot))
    }
}

impl Evaluations {
    fn draw_data(&self, plot: &Plot) {
        let shown = self.dots.iter().filter(|(x, y)| plot.shows(*x, *y));
        shown.for_each(|(x, y)| plot.cell.disc(plot.at(*x, *y), 0.7, tint(MUTED, 0.55)));
        let means = bars::shown(plot, &self.means);
        plot.cell.polygon(&band(plot, &means), BLUE.mix(0.25));
        let path: Vec<Place> = means.iter().map(|mean| plot.at(mean.x, mean.y.estimate)).collect();
        plot.cell.line(&path, pen(BLUE, CURVE));
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn sample() -> Box<dyn Chart> {
        let dot = |k: u32| {
            let (t, noise) = (f64::from(k) / 150.0, f64::from((k * 7919) % 1000) / 1000.0 - 0.5);
            (5.0 * f64::from(k + 1), (18_000.0 - 13_000.0 * (-t).exp()) * (1.0 + 0.6 * noise))
        };
        let dots: Vec<(f64, f64)> = (0..900).map(dot).collect();
        Box::new(Evaluations { y_label: "Mean score".to_string(), means: running_means(&dots), dots })
    }

    #[test]
    fn evaluations_are_placed_by_the_games_before_them() {
        let mut table = Table::new(["first_game", "games", "mean"]);
        table.push(["0", "5", "10"]);
        table.push(["1099511627776", "20", "30"]);
        assert_eq!(dots(&table), [(5.0, 10.0), (25.0, 30.0)]);
        let means = running_means(&[(1.0, 2.0), (3.0, 4.0), (5.0, 6.0)]);
        assert_eq!((means.len(), means[0].x, means[0].y.estimate), (1, 3.0, 4.0));
    }
}
