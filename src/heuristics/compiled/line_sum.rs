//! Heuristics that are sums over rows, columns and cells. A board needs at most sixteen table lookups.
//!
//! The mean over all replies needs no loop. A new tile changes one row, one column and one pair of cells. Besides its
//! value, each table entry stores the sum of the mean changes over its empty cells. The mean over all replies is then
//! the sum of the values plus the sum of those changes divided by the number of empty cells.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::line_sum_moves::{Expected, Static, fill};
use super::parts::{Lines, Pairs, rows};
use super::reply_moves::{each_move, goal_in_reach};
use super::tables::{Entry, LineTables, PairTables, Range, Tables};
#[cfg(target_arch = "x86_64")]
use super::vectors::VectorLines;
use crate::games::Game;
use crate::games::simd::Avx2;
use crate::games::twenty48::{Board, Cells, P2, P4, SHARE, Twenty48};
use crate::heuristics::features::FeatureShape;
use crate::heuristics::heuristic::Term;
use crate::heuristics::{
    Best, CallCost, Cost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues, best_of_steps, worst_reply,
};

/// Tables of lines and of pairs of cells, and the coefficient of the score.
#[derive(Clone)]
pub struct LineSum {
    pub(super) lines: Option<Arc<LineTables>>,
    pub(super) pairs: Option<Arc<PairTables>>,
    score: f64,
    /// The most by which a reply can lower the sum.
    pub(super) fall: f64,
    /// If a sum is below this, the sum after every reply is below the floor.
    pub(super) floor_certain_below: f64,
    pub(super) avx2: Option<Avx2>,
}

impl LineSum {
    /// Compiles the terms that are sums over lines or cells, and the score. Other terms are ignored.
    pub(super) fn new(terms: &[Term]) -> Self {
        let Tables { lines, pairs, range: Range { fall, rise, size } } = Tables::new(terms);
        let score: f64 =
            terms.iter().filter(|term| matches!(term.shape(), FeatureShape::Score)).map(Term::coefficient).sum();
        // Much more than the rounding errors of a sum.
        let margin = 1e-6 * size + 1e-9 * score.abs() * f64::from(u32::MAX);
        let floor_certain_below = Twenty48::FLOOR - rise - margin;
        LineSum {
            lines: lines.map(Arc::new),
            pairs: pairs.map(Arc::from),
            score,
            fall,
            floor_certain_below,
            avx2: Avx2::detect(),
        }
    }

    #[inline(always)]
    fn parts(&self, board: Board) -> (Option<Lines<'_>>, Option<Pairs<'_>>) {
        let lines = self.lines.as_deref().map(|tables| Lines::new(tables, board));
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

    /// The sum of a board, and the sum of its mean changes.
    #[inline(always)]
    pub(super) fn entry(&self, after: Board, score: u32) -> Entry {
        let (lines, pairs) = self.parts(after);
        let drift = lines.as_ref().map_or(0.0, Lines::drift) + pairs.as_ref().map_or(0.0, Pairs::drift);
        Entry { value: self.total(score, lines.map(|lines| lines.sum()), pairs.map(|pairs| pairs.sum())), drift }
    }

    /// The mean over the replies to a board with this sum. If every reply falls below the floor, the mean is the floor,
    /// which is also the value of a lost game. `None` if only some replies could end the game or fall below the floor.
    #[inline(always)]
    pub(super) fn mean_of(&self, sum: Entry, board: Board) -> Option<f64> {
        if sum.value < self.floor_certain_below {
            return Some(Twenty48::FLOOR);
        }
        let empty = board.empty_count();
        let is_safe = (empty > 1) & (sum.value - self.fall >= Twenty48::FLOOR);
        is_safe.then_some(sum.value + sum.drift * SHARE[empty as usize])
    }

    /// Calls `visit` for each reply with its board, the probability of its tile, and its sum. Each sum is equal to
    /// [`LineSum::sum`] of that board to the last bit.
    #[inline(always)]
    pub(super) fn each_reply(&self, after: Board, score: u32, mut visit: impl FnMut(Board, f64, f64)) {
        let (lines, pairs) = self.parts(after);
        for cell in Cells(after.empty_mask()) {
            let place = cell.trailing_zeros() as usize / 4;
            for (rank, weight) in [(1, P2), (2, P4)] {
                let lines = lines.as_ref().map(|lines| lines.sum_with(place, rank));
                let pairs = pairs.as_ref().map(|pairs| pairs.sum_with(place, rank as u8));
                visit(after.with(cell, u32::from(rank)), weight, self.total(score, lines, pairs));
            }
        }
    }

    /// The four moves with their sums. Illegal moves are valued too, which avoids unpredictable branches.
    #[inline(always)]
    fn moves(&self, game: &Twenty48, board: Board, score: u32) -> [(bool, f64); 4] {
        let transposed = board.transposed();
        let ((left, right), (up, down)) = (board.slid(game.tables()), transposed.slid(game.tables()));
        let points = |lines: Board| self.points(score, || lines.points(game.tables()));
        let (across, along) = (points(board), points(transposed));
        let sum = |after: Board, transposed: Board, points: f64| {
            let lines =
                self.lines.as_deref().map(|tables| rows::<f64>(tables, after) + rows::<f64>(tables, transposed));
            let pairs = self.pairs.as_deref().map(|tables| Pairs::new(tables, after).sum());
            (lines.unwrap_or(0.0) + pairs.unwrap_or(0.0)) + points
        };
        [
            (left != board, sum(left, left.transposed(), across)),
            (right != board, sum(right, right.transposed(), across)),
            (up != transposed, sum(up.transposed(), up, along)),
            (down != transposed, sum(down.transposed(), down, along)),
        ]
    }

    /// The part of the value that comes from the score after a move. Points are looked up only if the score counts.
    #[inline(always)]
    pub(super) fn points(&self, score: u32, earned: impl FnOnce() -> u32) -> f64 {
        if self.score == 0.0 { 0.0 } else { self.score * f64::from(score + earned()) }
    }

    /// The tables of lines, if the heuristic has no other terms.
    #[inline(always)]
    pub(super) fn lines_only(&self) -> Option<&LineTables> {
        self.lines.as_deref().filter(|_| self.pairs.is_none() && self.score == 0.0)
    }

    /// The mean by the definition, for boards without a closed form. These have mostly one empty cell. It is a separate
    /// function so that the fast path stays small.
    #[inline(never)]
    pub(super) fn expected_one_by_one(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        let share = SHARE[after.empty_count() as usize];
        let mut mean = 0.0;
        self.each_reply(after, score, |board, weight, sum| {
            let value = if game.is_stuck(board) { game.utility(Twenty48::STUCK) } else { sum.max(Twenty48::FLOOR) };
            mean += weight * share * value;
        });
        mean
    }

    /// [`Evaluator::best_after_replies`] without vector instructions.
    #[inline(never)]
    fn best_after_replies_one_by_one(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        let game = last.game;
        match last.horizon {
            Horizon::Worst => each_move(last, found, |after, score| self.worst(game, after, score)),
            Horizon::Step if goal_in_reach(game, last.after) => {
                last.each_reply(found, |board| self.best_step(game, board, last.score))
            }
            Horizon::Mean if goal_in_reach(game, last.after) => {
                last.each_move(found, |after, score| self.expected(game, after, score))
            }
            Horizon::Step => fill(self, last, &Static, found),
            Horizon::Mean => fill(self, last, &Expected { line_sum: self, game }, found),
        }
    }

    #[cold]
    #[inline(never)]
    fn best_step_one_by_one(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        best_of_steps(game, board, score, |after, score| self.sum(after, score).max(Twenty48::FLOOR))
    }
}

impl Evaluator<Twenty48> for LineSum {
    #[inline(always)]
    fn value(&self, board: Board, score: u32) -> f64 {
        self.sum(board, score)
    }

    fn costs(&self) -> LeafCosts {
        match self.lines_only() {
            Some(_) => LINES,
            None => LINES_AND_CELLS,
        }
    }

    /// Uses the closed form if no reply can end the game or fall below the floor.
    #[inline(always)]
    fn expected(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        let sum = self.entry(after, score);
        self.mean_of(sum, after).unwrap_or_else(|| self.expected_one_by_one(game, after, score))
    }

    /// Computes each reply from its changes to the board, if no reply can end the game.
    #[inline]
    fn worst(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        if after.empty_count() < 2 {
            return worst_reply(self, game, after, score);
        }
        let mut worst = f64::INFINITY;
        self.each_reply(after, score, |_, _, sum| worst = worst.min(sum));
        worst.max(Twenty48::FLOOR)
    }

    /// Values the four moves together, without branches.
    #[inline]
    fn best_step(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        if goal_in_reach(game, board) {
            return self.best_step_one_by_one(game, board, score);
        }
        self.moves(game, board, score).into_iter().fold(Best::NONE, |best, (is_legal, sum)| {
            let value = select_unpredictable(is_legal, sum.max(Twenty48::FLOOR), best.value);
            Best { value: best.value.max(value), steps: best.steps + u32::from(is_legal), leaves: 0 }
        })
    }

    /// The case of vector instructions is here, so that it is inlined into the search. The others are in a function of
    /// their own.
    #[inline]
    fn best_after_replies(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        #[cfg(target_arch = "x86_64")]
        if let (Some(avx2), Some(tables)) = (self.avx2, self.lines_only())
            && last.horizon != Horizon::Worst
            && !goal_in_reach(last.game, last.after)
        {
            return VectorLines::new(avx2, self, tables, last.game).best_after_replies(last.horizon, last.after, found);
        }
        self.best_after_replies_one_by_one(last, found);
    }
}

/// The costs of a heuristic of lines only. All costs are calibrated with `lab2048 bench --work`.
const LINES: LeafCosts = LeafCosts {
    value: Cost::picoseconds(12_000),
    best_step: Cost::picoseconds(32_000),
    expected: CallCost::new(24_000, 0),
    worst: CallCost::new(24_000, 5_000),
    last_steps: CallCost::new(72_000, 6_000),
    last_means: CallCost::new(130_000, 7_500),
    last_worsts: CallCost::new(0, 130_000),
};

/// The costs with tables of cells, or with the score.
const LINES_AND_CELLS: LeafCosts = LeafCosts {
    value: Cost::picoseconds(25_000),
    best_step: Cost::picoseconds(90_000),
    expected: CallCost::new(38_000, 0),
    worst: CallCost::new(35_000, 7_400),
    last_steps: CallCost::new(255_000, 38_000),
    last_means: CallCost::new(330_000, 36_000),
    last_worsts: CallCost::new(0, 315_000),
};
