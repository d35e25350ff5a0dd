//! Sums over rows, columns and cells: at most sixteen look-ups a board.
//!
//! The mean over all replies needs no loop. A new tile changes one row, one column and one pair of cells; beside its
//! value each entry stores the sum of the mean changes over its empty cells, and the mean over the board is the sum of
//! the values plus the sum of those changes divided by the number of empty cells.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::parts::{Lines, Pairs};
use super::shared::{Moved, Shared, rows};
use super::tables::{Entry, LineTable, PairTables, Tables};
use crate::games::twenty48::{Board, Cells, Goal, Twenty48};
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
    /// The four moves with their sums.
    #[inline(always)]
    fn moves(&self, game: &Twenty48, board: Board, score: u32) -> [Moved; 4] {
        let transposed = board.transposed();
        let ((left, right), (up, down)) = (board.slid(game.tables()), transposed.slid(game.tables()));
        let [across, along] = [board, transposed].map(|lines| {
            // Points are looked up only where they count.
            if self.score == 0.0 { 0.0 } else { self.score * f64::from(score + lines.points(game.tables())) }
        });
        let moved = |after: Board, transposed: Board, is_legal: bool, points: f64| {
            let mut total = Entry { value: points, drift: 0.0 };
            if let Some(table) = &self.lines {
                total = total + (rows(table, after) + rows(table, transposed));
            }
            if let Some(tables) = &self.pairs {
                let pairs = Pairs::new(tables, after);
                total = total + Entry { value: pairs.sum(), drift: pairs.drift() };
            }
            Moved { total, empty: after.empty_count(), is_legal }
        };
        [
            moved(left, left.transposed(), left != board, across),
            moved(right, right.transposed(), right != board, across),
            moved(up.transposed(), up, up != transposed, along),
            moved(down.transposed(), down, down != transposed, along),
        ]
    }

    /// What a reply's moves come to if the horizon lies right after them.
    #[inline(always)]
    fn best_sum(moves: &[Moved; 4]) -> Best {
        let best = best_of(moves, |moved| moved.total.value);
        if best.steps == 0 { best } else { Best { value: best.value.max(Twenty48::FLOOR), ..best } }
    }

    /// What they come to if the horizon lies after the next replies; `None` if those must be looked at one by one.
    #[inline(always)]
    fn best_mean(&self, moves: &[Moved; 4]) -> Option<Best> {
        let is_safe =
            |moved: &Moved| !moved.is_legal | ((moved.empty > 1) & (moved.total.value - self.fall >= Twenty48::FLOOR));
        let all_safe = is_safe(&moves[0]) & is_safe(&moves[1]) & is_safe(&moves[2]) & is_safe(&moves[3]);
        all_safe.then(|| best_of(moves, |moved| moved.total.value + moved.total.drift * SHARE[moved.empty as usize]))
    }

    /// The table of lines, if it is all there is and no goal can be made next: then replies share most of their work.
    #[inline(always)]
    fn shared(&self, game: &Twenty48, after: Board) -> Option<&LineTable> {
        let is_alone = self.pairs.is_none() && self.score == 0.0;
        self.lines.as_deref().filter(|_| is_alone && !goal_in_reach(game, after))
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

/// Whether some step may make the goal: two tiles that would merge into it are there.
#[inline(always)]
pub(super) fn goal_in_reach(game: &Twenty48, board: Board) -> bool {
    match game.goal {
        Goal::None => false,
        // Of the tiles that replies add, only a 4 and a goal of 8 could change the count.
        Goal::Rank(rank) => rank == 3 || board.cells_of(rank - 1).count_ones() > 1,
    }
}

/// The best value, where only legal moves count.
#[inline(always)]
fn best_of(moves: &[Moved; 4], value: impl Fn(&Moved) -> f64) -> Best {
    moves.iter().fold(Best { value: f64::NEG_INFINITY, steps: 0 }, |best, moved| {
        let value = select_unpredictable(moved.is_legal, value(moved), f64::NEG_INFINITY);
        let value = if value > best.value { value } else { best.value };
        Best { value, steps: best.steps + u32::from(moved.is_legal) }
    })
}

/// One over the number of empty cells.
const SHARE: [f64; 17] = {
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
        LineSum::best_sum(&self.moves(game, board, score))
    }

    /// The four moves at once and without branches, unless one of them needs its replies looked at one by one.
    #[inline]
    fn best_expected(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        let best = if goal_in_reach(game, board) { None } else { self.best_mean(&self.moves(game, board, score)) };
        best.unwrap_or_else(|| self.best_expected_one_by_one(game, board, score))
    }

    fn each_best_step(&self, game: &Twenty48, after: Board, score: u32, mut visit: impl FnMut(&Reply<Board>, Best)) {
        match self.shared(game, after) {
            Some(table) => Shared::new(table, game, after).each_reply(|reply, moves| {
                visit(reply, LineSum::best_sum(moves));
            }),
            None => each_reply(game, after, |reply| visit(reply, self.best_step(game, reply.position, score))),
        }
    }

    fn each_best_expected(
        &self,
        game: &Twenty48,
        after: Board,
        score: u32,
        mut visit: impl FnMut(&Reply<Board>, Best),
    ) {
        let one_by_one = |board: Board| self.best_expected_one_by_one(game, board, score);
        match self.shared(game, after) {
            Some(table) => Shared::new(table, game, after).each_reply(|reply, moves| {
                visit(reply, self.best_mean(moves).unwrap_or_else(|| one_by_one(reply.position)));
            }),
            None => each_reply(game, after, |reply| visit(reply, self.best_expected(game, reply.position, score))),
        }
    }
}
