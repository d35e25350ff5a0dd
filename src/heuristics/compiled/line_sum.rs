//! Sums over rows and columns: eight look-ups a board.
//!
//! The mean over all replies needs no loop: a new tile changes one row and one column, so beside its value each line
//! stores the sum of the mean changes over its empty cells, and the mean over the board is the sum of the values plus
//! the sum of those changes divided by the number of empty cells.

use std::sync::Arc;

use super::line_table::{LineTable, LineTables};
use crate::games::Game;
use crate::games::twenty48::{Board, Cells, Line, Twenty48};
use crate::heuristics::features::Form;
use crate::heuristics::heuristic::Term;
use crate::heuristics::{Evaluator, mean_reply, worst_reply};

/// Tables of rows and columns, and what the score counts.
#[derive(Clone)]
pub struct LineSum {
    lines: [Arc<LineTable>; 8],
    score: f64,
    fall: f64,
}

/// A sum over lines kept in parts, so that a changed row and column can be put in.
struct Parts {
    rows: [f64; 4],
    columns: [f64; 4],
    score: f64,
}

impl LineSum {
    /// Of those terms that are sums over lines or cells, and of the score.
    pub(super) fn new(terms: &[Term]) -> Self {
        let LineTables { lines, fall } = LineTables::new(terms);
        let score = terms.iter().filter(|term| matches!(term.form(), Form::Score)).map(Term::coefficient).sum();
        LineSum { lines, score, fall }
    }

    #[inline(always)]
    fn value_of(&self, line: usize, ranks: Line) -> f64 {
        self.lines[line][usize::from(ranks)].value
    }

    #[inline(always)]
    pub(super) fn sum(&self, board: Board, score: u32) -> f64 {
        self.parts(board, score).sum()
    }

    #[inline(always)]
    fn parts(&self, board: Board, score: u32) -> Parts {
        let (rows, columns) = (board.rows(), board.transposed().rows());
        Parts {
            rows: std::array::from_fn(|i| self.value_of(i, rows[i])),
            columns: std::array::from_fn(|i| self.value_of(4 + i, columns[i])),
            score: self.score * f64::from(score),
        }
    }

    /// The sum, and the mean change of a reply; there must be an empty cell.
    #[inline(always)]
    pub(super) fn sum_and_drift(&self, after: Board, score: u32) -> (f64, f64) {
        let (rows, columns) = (after.rows(), after.transposed().rows());
        let (mut sum, mut drift) = (self.score * f64::from(score), 0.0);
        for i in 0..4 {
            let row = self.lines[i][usize::from(rows[i])];
            let column = self.lines[4 + i][usize::from(columns[i])];
            sum += row.value + column.value;
            drift += row.drift + column.drift;
        }
        (sum, drift / f64::from(after.empty_count()))
    }

    /// The most by which a reply can lower the sum.
    pub(super) fn fall(&self) -> f64 {
        self.fall
    }

    /// The least sum over the replies.
    #[inline(always)]
    pub(super) fn least(&self, after: Board, score: u32) -> f64 {
        let parts = self.parts(after, score);
        let (rows, columns) = (after.rows(), after.transposed().rows());
        Cells(after.empty_mask()).fold(f64::INFINITY, |least, cell| {
            let place = cell.trailing_zeros() as usize / 4;
            let (r, c) = (place / 4, place % 4);
            [1, 2].into_iter().fold(least, |least, rank| {
                let row = self.value_of(r, rows[r] | rank << (4 * c));
                let column = self.value_of(4 + c, columns[c] | rank << (4 * r));
                least.min(parts.sum_with((r, row), (c, column)))
            })
        })
    }
}

impl Parts {
    #[inline(always)]
    fn sum(&self) -> f64 {
        let ([a, b, c, d], [e, f, g, h]) = (self.rows, self.columns);
        ((a + b) + (c + d)) + ((e + f) + (g + h)) + self.score
    }

    /// With one row and one column replaced: added in the order of [`Parts::sum`], so that the result is the same to
    /// the last bit.
    #[inline(always)]
    fn sum_with(&self, row: (usize, f64), column: (usize, f64)) -> f64 {
        with(&self.rows, row) + with(&self.columns, column) + self.score
    }
}

/// The sum of four with one of them replaced.
#[inline(always)]
fn with(values: &[f64; 4], (index, value): (usize, f64)) -> f64 {
    let other = index & 2 ^ 2;
    (value + values[index ^ 1]) + (values[other] + values[other + 1])
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

    #[inline(always)]
    fn worst(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        if after.empty_count() > 1 {
            self.least(after, score).max(Twenty48::FLOOR)
        } else {
            worst_reply(self, game, after, score)
        }
    }
}
