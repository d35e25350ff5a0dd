//! Sums over rows, columns and cells: at most sixteen look-ups a board.
//!
//! The mean over all replies needs no loop. A new tile changes one row, one column and one pair of cells; beside its
//! value each entry stores the sum of the mean changes over its empty cells, and the mean over the board is the sum of
//! the values plus the sum of those changes divided by the number of empty cells.

use std::sync::Arc;

use super::parts::{Lines, Pairs};
use super::tables::{LineTable, PairTables, Tables};
use crate::games::Game;
use crate::games::twenty48::{Board, Cells, Twenty48};
use crate::heuristics::features::Form;
use crate::heuristics::heuristic::Term;
use crate::heuristics::{Evaluator, mean_reply, worst_reply};

/// Tables of lines and of pairs of cells, and what the score counts.
#[derive(Clone)]
pub struct LineSum {
    lines: Option<Arc<LineTable>>,
    pairs: Option<Arc<PairTables>>,
    score: f64,
    fall: f64,
}

impl LineSum {
    /// Of those terms that are sums over lines or cells, and of the score.
    pub(super) fn new(terms: &[Term]) -> Self {
        let Tables { lines, pairs, fall } = Tables::new(terms);
        let score = terms.iter().filter(|term| matches!(term.form(), Form::Score)).map(Term::coefficient).sum();
        LineSum { lines: lines.map(Arc::from), pairs: pairs.map(Arc::from), score, fall }
    }

    /// The most by which a reply can lower the sum.
    pub(super) fn fall(&self) -> f64 {
        self.fall
    }

    #[inline(always)]
    fn parts(&self, board: Board) -> (Option<Lines<'_>>, Option<Pairs<'_>>) {
        let lines = self.lines.as_deref().map(|table| Lines::new(table, board));
        (lines, self.pairs.as_deref().map(|tables| Pairs::new(tables, board)))
    }

    #[inline(always)]
    pub(super) fn sum(&self, board: Board, score: u32) -> f64 {
        let (lines, pairs) = self.parts(board);
        self.total(score, lines.map(|lines| lines.sum()), pairs.map(|pairs| pairs.sum()))
    }

    #[inline(always)]
    fn total(&self, score: u32, lines: Option<f64>, pairs: Option<f64>) -> f64 {
        (lines.unwrap_or(0.0) + pairs.unwrap_or(0.0)) + self.score * f64::from(score)
    }

    /// The sum, and the mean change of a reply; there must be an empty cell.
    #[inline(always)]
    pub(super) fn sum_and_drift(&self, after: Board, score: u32) -> (f64, f64) {
        let (lines, pairs) = self.parts(after);
        let drift = lines.as_ref().map_or(0.0, Lines::drift) + pairs.as_ref().map_or(0.0, Pairs::drift);
        let sum = self.total(score, lines.map(|lines| lines.sum()), pairs.map(|pairs| pairs.sum()));
        (sum, drift / f64::from(after.empty_count()))
    }

    /// Visits the replies with their sums, each to the last bit what [`LineSum::sum`] would say.
    #[inline(always)]
    pub(super) fn each_reply(&self, after: Board, score: u32, mut visit: impl FnMut(Board, f64)) {
        let (lines, pairs) = self.parts(after);
        Cells(after.empty_mask()).for_each(|cell| {
            let place = cell.trailing_zeros() as usize / 4;
            for rank in [1, 2] {
                let lines = lines.as_ref().map(|lines| lines.sum_with(place, rank));
                let pairs = pairs.as_ref().map(|pairs| pairs.sum_with(place, rank as u8));
                visit(after.with(cell, u32::from(rank)), self.total(score, lines, pairs));
            }
        });
    }
}

impl Evaluator<Twenty48> for LineSum {
    #[inline(always)]
    fn value(&self, board: Board, score: u32) -> f64 {
        self.sum(board, score)
    }

    /// In closed form where no reply can kill the board or fall below the floor.
    #[inline(always)]
    fn expected(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        let (sum, drift) = self.sum_and_drift(after, score);
        if after.empty_count() > 1 && sum - self.fall >= Twenty48::FLOOR {
            sum + drift
        } else {
            mean_reply(self, game, after, score)
        }
    }

    /// By what each reply changes, where none can kill the board.
    #[inline(always)]
    fn worst(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        if after.empty_count() < 2 {
            return worst_reply(self, game, after, score);
        }
        let mut worst = f64::INFINITY;
        self.each_reply(after, score, |_, sum| worst = worst.min(sum));
        worst.max(Twenty48::FLOOR)
    }
}
