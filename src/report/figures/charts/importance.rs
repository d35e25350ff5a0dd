//! How much of the objective's variance each parameter explains, and each pair beyond its two parameters.

use crate::report::figures::Chart;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::whisker;
use crate::report::figures::canvas::Area;
use crate::report::figures::legend::{self, Key};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::request::NotDrawn;
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, INK, ORANGE};
use crate::report::table::Row;
use crate::stats::Interval;

pub const KIND: RunChart = RunChart {
    name: "importance",
    about: "the share of the variance that each parameter and pair of parameters explains",
    caption: "How much of the objective's variance over the whole space each parameter explains, and each pair beyond its \
              two parameters, by random forests fitted to all evaluations{training}. Thin lines are the middle 95 % of forests fitted to \
              resampled evaluations. The twelve largest parameters and the six largest pairs are drawn.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

/// The table is sorted, so the first rows are the most important ones.
const MOST_SINGLE: usize = 12;
const MOST_PAIRS: usize = 6;

fn build(tables: &RunTables) -> Built {
    let table = tables.optional("importance.csv")?;
    let share = |row: Row| {
        let (parameter, other) = (row.text("parameter"), row.text("other"));
        let is_pair = !other.is_empty();
        let label = if is_pair { format!("{parameter} \u{d7} {other}") } else { parameter.to_string() };
        Some(ImportanceRow { label, is_pair, share: row.interval("share")?.scaled(100.0) })
    };
    let rows: Vec<ImportanceRow> = table.rows().filter_map(share).collect();
    let (pairs, single): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.is_pair);
    if single.is_empty() {
        return Err(NotDrawn::TooLittle("there are too few evaluations to learn from".into()));
    }
    let rows = single.into_iter().take(MOST_SINGLE).chain(pairs.into_iter().take(MOST_PAIRS)).collect();
    Ok(Box::new(Importance { rows }))
}

/// The share of a parameter or of a pair, in percent.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportanceRow {
    pub label: String,
    pub is_pair: bool,
    pub share: Interval,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    pub rows: Vec<ImportanceRow>,
}

/// The height of one row in points: of a short name, and of a name that may need two lines.
const ROW: f64 = 15.0;
const TWO_LINES: f64 = 20.0;
/// Names with more characters may need two lines.
const SHORT: usize = 20;
/// Half the height of a bar, in rows.
const HALF: f64 = 0.33;

impl Chart for Importance {
    fn title(&self) -> String {
        "Share of the explained variance by parameter".to_string()
    }

    fn height(&self, width: f64) -> f64 {
        let is_short = self.rows.iter().all(|row| row.label.chars().count() <= SHORT);
        let row = if is_short { ROW } else { TWO_LINES };
        self.rows.len().max(3) as f64 * row + 50.0 + legend::overflow(&keys(), width)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let rows: Vec<&ImportanceRow> = self.rows.iter().filter(|row| row.share.estimate.is_finite()).collect();
        let ends = rows.iter().flat_map(|row| [row.share.estimate, row.share.high]);
        let high = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
        // The largest share is at the top, which is the highest place of the axis.
        let names: Vec<String> = rows.iter().rev().map(|row| row.label.clone()).collect();
        let top = names.len().checked_sub(1)? as f64 + 0.5;
        let x = Axis::new("Explained variance (%)", Scale::linear(0.0, high * 1.04));
        let everything = vec![Obstacle::Block((0.0, -0.5), (high, top))];
        let layout = Layout::new(x, Axis::names("", names)).legend(keys(), everything);
        Framed::new(layout, move |plot| {
            for (index, row) in rows.iter().enumerate() {
                draw_row(plot, row, (rows.len() - 1 - index) as f64);
            }
        })
    }
}

fn keys() -> Vec<Key> {
    vec![Key::swatch("one parameter", BLUE), Key::swatch("two together, beyond each alone", ORANGE)]
}

fn draw_row(plot: &Plot, row: &ImportanceRow, level: f64) {
    let (left, top) = plot.at(0.0, level + HALF);
    let (right, bottom) = plot.at(row.share.estimate, level - HALF);
    plot.cell.fill(&Area { left, top, right, bottom }, if row.is_pair { ORANGE } else { BLUE });
    if row.share.low.is_finite() && row.share.high.is_finite() {
        whisker(plot.cell, plot.at(row.share.low, level), plot.at(row.share.high, level), INK);
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let row = |(label, share): (&str, f64)| ImportanceRow {
            label: label.to_string(),
            is_pair: label.contains('\u{d7}'),
            share: estimate(share, 0.7 * share, 1.2 * share + 1.0),
        };
        let rows = [
            ("monotonicity.power", 41.0),
            ("monotonicity", 22.5),
            ("rank-powers", 6.1),
            ("merges", 1.2),
            ("rank-powers.power", 0.7),
            ("monotonicity \u{d7} monotonicity.power", 12.0),
            ("merges \u{d7} rank-powers", 1.9),
        ];
        Box::new(Importance { rows: rows.map(row).into() })
    }
}
