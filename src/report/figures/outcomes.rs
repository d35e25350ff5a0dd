//! Wins, draws and losses as stacked bars, for games that can be drawn.

use super::axis::Axis;
use super::bars::whisker;
use super::canvas::Area;
use super::legend;
use super::plot::{Layout, Obstacle, Plot};
use super::scale::Scale;
use super::style::{BLUE, INK, Lettering, NOTE, PAPER, VERMILION};
use super::{Cell, Chart, Key, estimate};
use crate::report::scene::text_width;
use crate::stats::Interval;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

/// The shares of one pairing, each between 0 and 1; draws are what is left.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeRow {
    pub label: String,
    pub won: Interval,
    pub lost: Interval,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    pub x_label: String,
    pub rows: Vec<OutcomeRow>,
}

const ROW: f64 = 21.0;
const DRAWN: RGBColor = RGBColor(205, 205, 205);
/// Half the height of a bar, in rows.
const HALF: f64 = 0.36;

impl Chart for Outcomes {
    fn title(&self) -> String {
        "Wins, draws and losses".to_string()
    }

    fn keys(&self) -> Vec<Key> {
        vec![Key::swatch("won", BLUE), Key::swatch("drawn", DRAWN), Key::swatch("lost", VERMILION)]
    }

    fn height(&self, width: f64) -> f64 {
        self.rows.len().max(2) as f64 * ROW + 55.0 + legend::overflow(&self.keys(), width)
    }

    fn draw(&self, cell: &Cell) {
        let usable = |row: &&OutcomeRow| row.won.estimate.is_finite() && row.lost.estimate.is_finite();
        let rows: Vec<&OutcomeRow> = self.rows.iter().filter(usable).collect();
        if rows.is_empty() {
            return cell.no_data();
        }
        let names: Vec<String> = rows.iter().rev().map(|row| row.label.clone()).collect();
        let top = names.len() as f64 - 0.5;
        let x = Axis::new(&self.x_label, Scale::linear(0.0, 100.0));
        // The bars fill the frame: the legend has to go above.
        let everything = vec![Obstacle::Block((0.0, -0.5), (100.0, top))];
        let layout = Layout::new(x, Axis::names("", names)).legend(self.keys(), everything);
        cell.plot(layout, |plot| {
            for (index, row) in rows.iter().enumerate() {
                draw_row(plot, row, (rows.len() - 1 - index) as f64);
            }
        });
    }
}

fn draw_row(plot: &Plot, row: &OutcomeRow, level: f64) {
    let (won, lost) = (100.0 * row.won.estimate, 100.0 - 100.0 * row.lost.estimate);
    let parts = [(0.0, won, BLUE, PAPER), (won, lost, DRAWN, INK), (lost, 100.0, VERMILION, PAPER)];
    for (from, to, colour, ink) in parts {
        let ((left, top), (right, bottom)) = (plot.at(from, level + HALF), plot.at(to, level - HALF));
        plot.cell.fill(&Area { left, top, right, bottom }, colour);
        write_share(plot, (to - from).max(0.0), (left, right), (top + bottom) / 2.0 - 2.0, ink);
    }
    let ends = |interval: &Interval| [interval.low, interval.high].map(|share| 100.0 * share);
    for [low, high] in [ends(&row.won), ends(&row.lost).map(|share| 100.0 - share)] {
        if low.is_finite() && high.is_finite() {
            // Near the lower edge of the bar, clear of the numbers.
            let at = |share: f64| (plot.at(share, level).0, plot.at(share, level - HALF).1 - 3.0);
            whisker(plot.cell, at(low), at(high), INK);
        }
    }
}

/// In the middle of its part, if that is wide enough.
fn write_share(plot: &Plot, share: f64, (left, right): (f64, f64), y: f64, ink: RGBColor) {
    let text = format!("{share:.0}");
    if text_width(&text, NOTE) + 8.0 <= right - left {
        let lettering = Lettering::new(NOTE, HPos::Center, VPos::Center).colour(ink);
        plot.cell.text(&text, ((left + right) / 2.0, y), lettering);
    }
}

pub(super) fn sample() -> Box<dyn Chart> {
    let pairings = [
        ("Minimax", 0.91, 0.0),
        ("MCTS 10,000", 0.9, 0.0),
        ("MCTS 1000", 0.87, 0.02),
        ("MCTS 100", 0.8, 0.07),
        ("Random", 0.43, 0.43),
    ];
    let share = |rate: f64| estimate(rate, (rate - 0.03).max(0.0), (rate + 0.03).min(1.0));
    let row = |(label, won, lost): (&str, f64, f64)| OutcomeRow {
        label: label.to_string(),
        won: share(won),
        lost: share(lost),
    };
    Box::new(Outcomes { x_label: "Share of games (%)".to_string(), rows: pairings.map(row).into() })
}
