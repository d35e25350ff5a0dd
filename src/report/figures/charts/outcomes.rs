//! Wins, draws and losses as stacked bars, for games that can be drawn.

use crate::report::figures::agents::Agent;
use crate::report::figures::axis::Axis;
use crate::report::figures::bars::{BARS, whisker};
use crate::report::figures::canvas::Area;
use crate::report::figures::legend::{self, Key};
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::{NotDrawn, View};
use crate::report::figures::scale::Scale;
use crate::report::figures::style::{BLUE, INK, Lettering, NOTE, ORANGE, PAPER};
use crate::report::figures::ticks::percent;
use crate::report::figures::wording::agent_words;
use crate::report::figures::{Chart, exact};
use crate::report::scene::text_width;
use crate::stats::Interval;
use crate::stats::proportions::wilson;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

pub const KIND: CompareChart = CompareChart {
    name: "outcomes",
    about: "wins, draws and losses in games for two",
    caption: "Wins, draws and losses{games}, against the opponent that the legend names. Bars are 95 % confidence intervals \
              of the shares won and lost.",
    by_default: |agents| !agents.have_tiles(),
    is_measured: false,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(view: &View) -> Built {
    let without: Vec<&str> = view.request.panel.as_deref().into_iter().collect();
    let row = |agent: &Agent| {
        let scores = agent.scores.ok_or(NotDrawn::Missing("games.csv"))?;
        let share = |outcome: fn(&&f64) -> bool| {
            let count = scores.iter().filter(outcome).count();
            wilson(count as u64, scores.len() as u64).unwrap_or(exact(0.0))
        };
        let (won, lost) = (share(|score| **score > 0.0), share(|score| **score < 0.0));
        Ok(OutcomeRow { label: view.figure.name(agent, &without), won, lost })
    };
    let rows = view.agents.all.iter().map(row).collect::<Result<_, _>>()?;
    let opponent = view.opponent.map(|opponent| format!("opponent: {}", agent_words(opponent)));
    Ok(Box::new(Outcomes { x_label: "Share of games (%)".into(), rows, opponent }))
}

/// The shares of one agent, each between 0 and 1. The rest are draws.
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
    /// Whom the agents play against, if the experiment says so.
    pub opponent: Option<String>,
}

const ROW: f64 = 21.0;
/// Light and dark colours alternate, so that the parts differ in a grey print.
const DRAWN: RGBColor = RGBColor(222, 222, 222);
/// Half the height of a bar, in rows.
const HALF: f64 = 0.36;

impl Chart for Outcomes {
    fn title(&self) -> String {
        "Wins, draws and losses".to_string()
    }

    fn height(&self, width: f64) -> f64 {
        self.rows.len().max(2) as f64 * ROW + 55.0 + legend::overflow(&self.keys(), width)
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let usable = |row: &&OutcomeRow| row.won.estimate.is_finite() && row.lost.estimate.is_finite();
        let rows: Vec<&OutcomeRow> = self.rows.iter().filter(usable).collect();
        let names: Vec<String> = rows.iter().rev().map(|row| row.label.clone()).collect();
        let top = names.len().checked_sub(1)? as f64 + 0.5;
        let x = Axis::new(&self.x_label, Scale::linear(0.0, 100.0));
        // The bars fill the frame, so the legend goes above it.
        let everything = vec![Obstacle::Block((0.0, -0.5), (100.0, top))];
        let layout = Layout::new(x, Axis::names("", names)).legend(self.keys(), everything);
        Framed::new(layout, move |plot| {
            for (index, row) in rows.iter().enumerate() {
                draw_row(plot, row, (rows.len() - 1 - index) as f64);
            }
        })
    }
}

impl Outcomes {
    fn keys(&self) -> Vec<Key> {
        let shares = [("won", BLUE), ("drawn", DRAWN), ("lost", ORANGE)];
        let notes = [BARS].into_iter().chain(self.opponent.as_deref());
        shares.map(|(label, colour)| Key::swatch(label, colour)).into_iter().chain(notes.map(Key::note)).collect()
    }
}

fn draw_row(plot: &Plot, row: &OutcomeRow, level: f64) {
    let (won, lost) = (row.won.estimate, row.lost.estimate);
    let drawn = (1.0 - won - lost).max(0.0);
    let parts = [(0.0, won, BLUE, PAPER), (won, drawn, DRAWN, INK), (won + drawn, lost, ORANGE, INK)];
    for (from, share, colour, ink) in parts {
        let (left, top) = plot.at(100.0 * from, level + HALF);
        let (right, bottom) = plot.at(100.0 * (from + share), level - HALF);
        plot.cell.fill(&Area { left, top, right, bottom }, colour);
        write_share(plot, share, (left, right), (top + bottom) / 2.0 - 1.5, ink);
    }
    let ends = |interval: &Interval| [interval.low, interval.high].map(|share| 100.0 * share);
    for [low, high] in [ends(&row.won), ends(&row.lost).map(|share| 100.0 - share)] {
        if low.is_finite() && high.is_finite() {
            // Near the lower edge of the bar, away from the numbers.
            let at = |share: f64| (plot.at(share, level).0, plot.at(share, level - HALF).1 - 2.4);
            whisker(plot.cell, at(low), at(high), INK);
        }
    }
}

/// In the middle of its part, if that is wide enough.
fn write_share(plot: &Plot, share: f64, (left, right): (f64, f64), y: f64, ink: RGBColor) {
    let text = percent((1e9 * share).round() / 1e9);
    if text_width(&text, NOTE) + 8.0 <= right - left {
        let lettering = Lettering::new(NOTE, HPos::Center, VPos::Center).colour(ink);
        plot.cell.text(&text, ((left + right) / 2.0, y), lettering);
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let pairings = [
            ("Minimax", 0.91, 0.0),
            ("MCTS 10,000", 0.995, 0.0),
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
        let opponent = Some("opponent: random".to_string());
        Box::new(Outcomes { x_label: "Share of games (%)".to_string(), rows: pairings.map(row).into(), opponent })
    }
}
