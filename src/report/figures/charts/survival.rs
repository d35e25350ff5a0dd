//! The share of games that are not lost after a number of moves, for games that stop at a goal (Kaplan and Meier 1958).

use crate::report::figures::agents::{Agent, shown_note};
use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::colour;
use crate::report::figures::{Chart, Point, exact};
use crate::report::table::Table;
use plotters::style::Color;

pub const KIND: CompareChart = CompareChart {
    name: "survival",
    about: "share of games not lost against moves, where games stop at a goal",
    caption: "Share of games that are not lost yet against the number of moves{games}. A game that reaches the \
              goal leaves the count there.",
    by_default: |_| true,
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// More curves than this cannot be told apart, so only the best agents are shown.
const MOST_CURVES: usize = 7;
/// More bands than this hide each other.
const MOST_BANDS: usize = 2;

fn build(view: &View) -> Built {
    let table = view.survival.ok_or(NotDrawn::NotApplicable)?;
    let all = &view.agents.all;
    let shown = if all.len() > MOST_CURVES { view.agents.best(MOST_CURVES) } else { view.agents.clone() };
    let without: Vec<&str> = view.request.panel.as_deref().into_iter().collect();
    let curve = |agent: &Agent| Curve { label: view.figure.name(agent, &without), steps: steps(table, agent.label()) };
    let curves: Vec<Curve> = shown.all.iter().map(curve).collect();
    if curves.iter().all(|curve| curve.steps.len() < 2) {
        return Err(NotDrawn::TooLittle("no game was lost".into()));
    }
    let left_out = shown_note(shown.all.len(), all.len()).map(|note| format!("best {note}"));
    Ok(Box::new(Survival { curves, notes: left_out.into_iter().chain(view.only_note()).collect() }))
}

/// The steps of one agent's curve, from the first move on.
fn steps(table: &Table, agent: &str) -> Vec<Point> {
    let rows = table.rows().filter(|row| row.text("agent") == agent);
    let step = rows.filter_map(|row| Some(Point { x: row.number("moves")?, y: row.interval("survival")? }));
    [Point { x: 0.0, y: exact(1.0) }].into_iter().chain(step).collect()
}

struct Curve {
    label: String,
    steps: Vec<Point>,
}

struct Survival {
    curves: Vec<Curve>,
    notes: Vec<String>,
}

impl Chart for Survival {
    fn title(&self) -> String {
        "Share of games not lost against moves".into()
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let moves = self.curves.iter().flat_map(|curve| &curve.steps).map(|step| step.x);
        let x = Scale::covering(moves, false, 0.02)?;
        let y = Axis::new("Share of games not lost", Scale::linear(-0.01, 1.03));
        let corner = |place: (f64, f64)| place;
        let obstacles = self.curves.iter().map(|curve| Obstacle::Line(corners(curve, x, |p| p.y.estimate, corner)));
        let layout = Layout::new(Axis::new("Moves", x), y).legend(self.keys(), obstacles.collect());
        Framed::new(layout, |plot| self.draw_data(plot))
    }
}

impl Survival {
    fn has_bands(&self) -> bool {
        self.curves.len() <= MOST_BANDS
    }

    fn keys(&self) -> Vec<Key> {
        let curves = self.curves.iter().enumerate();
        let mut keys: Vec<Key> = match self.has_bands() {
            true => curves.map(|(index, curve)| Key::band(&curve.label, index)).collect(),
            false => curves.map(|(index, curve)| Key::line(&curve.label, index)).collect(),
        };
        keys.extend(self.has_bands().then(|| Key::note("bands: 95 % intervals")));
        keys.extend(self.notes.iter().map(|note| Key::note(note)));
        keys
    }

    fn draw_data(&self, plot: &Plot) {
        let path = |curve: &Curve, level: fn(&Point) -> f64| -> Vec<Place> {
            corners(curve, plot.x, level, |(x, y)| plot.at(x, y))
        };
        if self.has_bands() {
            for (index, curve) in self.curves.iter().enumerate() {
                let mut outline = path(curve, |p| p.y.low);
                outline.extend(path(curve, |p| p.y.high).into_iter().rev());
                plot.cell.polygon(&outline, colour(index).mix(0.2));
            }
        }
        for (index, curve) in self.curves.iter().enumerate() {
            plot.cell.curve(&path(curve, |p| p.y.estimate), index);
        }
    }
}

/// The corners of the staircase up to the right end of the axis.
fn corners<T>(curve: &Curve, x: Scale, level: fn(&Point) -> f64, place: impl Fn((f64, f64)) -> T) -> Vec<T> {
    let mut corners = Vec::new();
    let mut last = 1.0;
    for step in &curve.steps {
        corners.extend([(step.x, last), (step.x, level(step))]);
        last = level(step);
    }
    corners.push((x.ends().1, last));
    corners.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let curve = |(label, pace): (&str, f64)| {
            let step = |k: u32| {
                let (moves, share) = (50.0 * f64::from(k), (-f64::from(k) / pace).exp());
                Point { x: moves, y: estimate(share, (share - 0.05).max(0.0), (share + 0.05).min(1.0)) }
            };
            Curve { label: label.to_string(), steps: (0..20).map(step).collect() }
        };
        let curves = [("Minimax", 12.0), ("Expectimax", 40.0)].map(curve).into();
        Box::new(Survival { curves, notes: Vec::new() })
    }

    #[test]
    fn curves_begin_with_all_games_and_take_their_own_rows() {
        let mut table = Table::new(["agent", "moves", "survival", "survival_low", "survival_high"]);
        table.push(["a", "100", "0.9", "0.8", "0.95"]);
        table.push(["b", "120", "0.5", "0.4", "0.6"]);
        let steps = steps(&table, "a");
        assert_eq!(steps.iter().map(|step| (step.x, step.y.estimate)).collect::<Vec<_>>(), [(0.0, 1.0), (100.0, 0.9)]);
    }
}
