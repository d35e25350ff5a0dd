//! Sums over rows, columns and cells: at most sixteen look-ups a board.
//!
//! The mean over all replies needs no loop. A new tile changes one row, one column and one pair of cells; beside its
//! value each entry stores the sum of the mean changes over its empty cells, and the mean over the board is the sum of
//! the values plus the sum of those changes divided by the number of empty cells.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::parts::{Lines, Pairs, SlidLines, rows};
use super::shared::{Choice, Moved, Shared, best_of, each_best, goal_in_reach};
use super::tables::{Entry, LineTable, PairTables, Tables};
use crate::games::twenty48::{Board, Cells, Twenty48};
use crate::games::{Game, Reply};
use crate::heuristics::features::Form;
use crate::heuristics::heuristic::Term;
use crate::heuristics::{Best, Evaluator, best_of_steps, each_reply, mean_reply, worst_reply};

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
        (sum, drift * SHARE[after.empty_count() as usize])
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

impl LineSum {
    /// The four moves, each worth what `worth` makes of its sum and its number of empty cells. Illegal ones are valued
    /// too, which spares branches that nothing predicts.
    #[inline(always)]
    fn moves(&self, game: &Twenty48, board: Board, score: u32, worth: impl Fn(Entry, u32) -> f64) -> [Choice<f64>; 4] {
        let transposed = board.transposed();
        let ((left, right), (up, down)) = (board.slid(game.tables()), transposed.slid(game.tables()));
        let [across, along] = [board, transposed].map(|lines| self.points(score, || lines.points(game.tables())));
        let choice = |after: Board, transposed: Board, is_legal: bool, points: f64| {
            let lines = self.lines.as_deref().map(|table| rows(table, after) + rows(table, transposed));
            Choice { is_legal, worth: worth(self.entry(lines, after, points), after.empty_count()) }
        };
        [
            choice(left, left.transposed(), left != board, across),
            choice(right, right.transposed(), right != board, across),
            choice(up.transposed(), up, up != transposed, along),
            choice(down.transposed(), down, down != transposed, along),
        ]
    }

    /// What the score counts after a move; points are looked up only where they count.
    #[inline(always)]
    fn points(&self, score: u32, earned: impl FnOnce() -> u32) -> f64 {
        if self.score == 0.0 { 0.0 } else { self.score * f64::from(score + earned()) }
    }

    /// The sum of a board whose lines are known, with its drift; in the order of [`LineSum::total`].
    #[inline(always)]
    fn entry(&self, lines: Option<Entry>, board: Board, points: f64) -> Entry {
        let pairs = self.pairs.as_deref().map(|tables| Pairs::new(tables, board).entry());
        (lines.unwrap_or_default() + pairs.unwrap_or_default()) + Entry { value: points, drift: 0.0 }
    }

    /// Visits the replies with their moves, each worth what `worth` makes of its sum and its number of empty cells.
    #[inline(always)]
    fn each_moves(
        &self,
        game: &Twenty48,
        after: Board,
        score: u32,
        worth: impl Fn(Entry, u32) -> f64,
        visit: impl FnMut(&Reply<Board>, &[Choice<f64>; 4]),
    ) {
        let shared = Shared::new(game, after);
        let slid = self.lines.as_deref().map(|table| SlidLines::new(table, &shared));
        let entry = |moved: &Moved| {
            let points = self.points(score, || moved.points());
            worth(self.entry(slid.as_ref().map(|slid| slid.with(moved)), moved.board(), points), moved.empty_count())
        };
        shared.each_reply(entry, visit);
    }

    /// The worth of a move if the horizon lies right after it.
    #[inline(always)]
    fn at_once(total: Entry, _: u32) -> f64 {
        total.value.max(Twenty48::FLOOR)
    }

    /// The worth if the horizon lies after the next replies; infinite if those must be looked at one by one.
    #[inline(always)]
    fn on_average(&self, total: Entry, empty: u32) -> f64 {
        let is_safe = (empty > 1) & (total.value - self.fall >= Twenty48::FLOOR);
        select_unpredictable(is_safe, total.value + total.drift * SHARE[empty as usize], f64::INFINITY)
    }

    /// The ways that are always right, for the few boards that need them; kept out of the fast ones.
    #[cold]
    #[inline(never)]
    fn expected_one_by_one(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        mean_reply(self, game, after, score)
    }

    #[cold]
    #[inline(never)]
    fn best_step_one_by_one(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        best_of_steps(game, board, score, |after, score| self.sum(after, score).max(Twenty48::FLOOR))
    }

    #[cold]
    #[inline(never)]
    fn best_expected_one_by_one(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        best_of_steps(game, board, score, |after, score| self.expected(game, after, score))
    }
}

/// One over the number of empty cells.
pub(super) const SHARE: [f64; 17] = {
    let mut share = [0.0; 17];
    let mut empty = 1;
    while empty < 17 {
        share[empty] = 1.0 / empty as f64;
        empty += 1;
    }
    share
};

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
            self.expected_one_by_one(game, after, score)
        }
    }

    /// By what each reply changes, where none can kill the board.
    #[inline]
    fn worst(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        if after.empty_count() < 2 {
            return worst_reply(self, game, after, score);
        }
        let mut worst = f64::INFINITY;
        self.each_reply(after, score, |_, sum| worst = worst.min(sum));
        worst.max(Twenty48::FLOOR)
    }

    /// The four moves at once and without branches.
    #[inline]
    fn best_step(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        if goal_in_reach(game, board) {
            return self.best_step_one_by_one(game, board, score);
        }
        best_of(&self.moves(game, board, score, LineSum::at_once))
    }

    fn each_best_step(&self, game: &Twenty48, after: Board, score: u32, mut visit: impl FnMut(&Reply<Board>, Best)) {
        if goal_in_reach(game, after) {
            return each_reply(game, after, |reply| visit(reply, self.best_step(game, reply.position, score)));
        }
        self.each_moves(game, after, score, LineSum::at_once, |reply, moves| visit(reply, best_of(moves)));
    }

    fn each_best_expected(
        &self,
        game: &Twenty48,
        after: Board,
        score: u32,
        mut visit: impl FnMut(&Reply<Board>, Best),
    ) {
        let one_by_one = |board: Board| self.best_expected_one_by_one(game, board, score);
        if goal_in_reach(game, after) {
            return each_reply(game, after, |reply| visit(reply, one_by_one(reply.position)));
        }
        let worth = |total: Entry, empty: u32| self.on_average(total, empty);
        self.each_moves(game, after, score, worth, |reply, moves| {
            let best = best_of(moves);
            visit(reply, if best.value == f64::INFINITY { one_by_one(reply.position) } else { best });
        });
    }

    fn each_best_worst(&self, game: &Twenty48, after: Board, score: u32, visit: impl FnMut(&Reply<Board>, Best)) {
        each_best(game, after, score, |after, score| self.worst(game, after, score), visit);
    }
}
