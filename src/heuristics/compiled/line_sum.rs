//! LeafValue over rows, columns and cells: at most sixteen look-ups a board.
//!
//! The mean over all replies needs no loop. A new tile changes one row, one column and one pair of cells; beside its
//! value each entry stores the sum of the mean changes over its empty cells, and the mean over the board is the sum of
//! the values plus the sum of those changes divided by the number of empty cells.

use std::hint::select_unpredictable;
use std::sync::Arc;

use super::parts::{Lines, Pairs, SlidLines, rows};
use super::shared::{Moved, Shared, Worth, fold_by, goal_in_reach};
use super::tables::{Entry, LineTables, PairTables, Part, Tables};
#[cfg(target_arch = "x86_64")]
use super::vectors::{self, VectorLines};
use crate::games::twenty48::{Board, Cells, Twenty48};
use crate::games::{Game, Reply};
use crate::heuristics::features::FeatureShape;
use crate::heuristics::heuristic::Term;
use crate::heuristics::{Best, Evaluator, Horizon, LastMoves, best_of_steps, mean_reply, worst_reply};

/// Tables of lines and of pairs of cells, and what the score counts.
#[derive(Clone)]
pub struct LineSum {
    lines: Option<Arc<LineTables>>,
    pairs: Option<Arc<PairTables>>,
    score: f64,
    fall: f64,
}

impl LineSum {
    /// Of those terms that are sums over lines or cells, and of the score.
    pub(super) fn new(terms: &[Term]) -> Self {
        let Tables { lines, pairs, fall } = Tables::new(terms);
        let score =
            terms.iter().filter(|term| matches!(term.shape(), FeatureShape::Score)).map(Term::coefficient).sum();
        LineSum { lines: lines.map(Arc::new), pairs: pairs.map(Arc::from), score, fall }
    }

    /// The most by which a reply can lower the sum.
    pub(super) fn fall(&self) -> f64 {
        self.fall
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

    /// The sum, and the sum of mean changes.
    #[inline(always)]
    pub(super) fn entry(&self, after: Board, score: u32) -> Entry {
        let (lines, pairs) = self.parts(after);
        let drift = lines.as_ref().map_or(0.0, Lines::drift) + pairs.as_ref().map_or(0.0, Pairs::drift);
        Entry { value: self.total(score, lines.map(|lines| lines.sum()), pairs.map(|pairs| pairs.sum())), drift }
    }

    /// The mean over the replies to a board of this sum, where none can kill the board or fall below the floor.
    #[inline(always)]
    fn mean_of(&self, sum: Entry, board: Board) -> Option<f64> {
        let empty = board.empty_count();
        let is_safe = (empty > 1) & (sum.value - self.fall >= Twenty48::FLOOR);
        is_safe.then_some(sum.value + sum.drift * SHARE[empty as usize])
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
    /// The four moves with their sums. Illegal ones are valued too, which spares branches that nothing predicts.
    #[inline(always)]
    fn moves(&self, game: &Twenty48, board: Board, score: u32) -> [(bool, f64); 4] {
        let transposed = board.transposed();
        let ((left, right), (up, down)) = (board.slid(game.tables()), transposed.slid(game.tables()));
        let [across, along] = [board, transposed].map(|lines| self.points(score, || lines.points(game.tables())));
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

    /// What the score counts after a move; points are looked up only where they count.
    #[inline(always)]
    fn points(&self, score: u32, earned: impl FnOnce() -> u32) -> f64 {
        if self.score == 0.0 { 0.0 } else { self.score * f64::from(score + earned()) }
    }

    /// Folds the replies with the best of their moves; no goal may be in reach.
    #[inline(always)]
    fn fold_sums<H: LeafValue, A>(
        &self,
        last: LastMoves<Twenty48>,
        sums: &H,
        start: A,
        fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        #[cfg(target_arch = "x86_64")]
        if let Some(tables) = self.lines_only().filter(|_| vectors::are_there()) {
            let lines = VectorLines::new(tables, last.game.tables(), self.fall);
            return lines.fold_best(H::IS_MEAN, last.after, start, fold);
        }
        self.fold_sums_one_by_one(last, sums, start, fold)
    }

    /// The same, board by board.
    #[inline(always)]
    fn fold_sums_one_by_one<H: LeafValue, A>(
        &self,
        last: LastMoves<Twenty48>,
        sums: &H,
        start: A,
        fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        let shared = Shared::new(last.game, last.after);
        match self.lines_only() {
            Some(tables) => {
                let mut worth = OfLines { slid: SlidLines::new(tables, &shared), sums };
                shared.choices(&mut worth).fold_best(|worth| worth, start, fold)
            }
            None => {
                let mut worth = OfSum { sum: self, score: last.score, sums };
                shared.choices(&mut worth).fold_best(|worth| worth, start, fold)
            }
        }
    }

    /// Where means are taken in closed form, but for the replies that need more.
    #[inline(always)]
    fn fold_means<A>(
        &self,
        last: LastMoves<Twenty48>,
        start: A,
        mut fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        let (game, score) = (last.game, last.score);
        self.fold_sums(last, &Expected { line_sum: self }, start, |so_far, reply, best| {
            let is_known = best.value != f64::INFINITY;
            let best = if is_known { best } else { self.best_expected_one_by_one(game, reply.position, score) };
            fold(so_far, reply, best)
        })
    }

    /// The tables of lines, if they are all there is.
    #[inline(always)]
    fn lines_only(&self) -> Option<&LineTables> {
        self.lines.as_deref().filter(|_| self.pairs.is_none() && self.score == 0.0)
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

/// What is made of the sums of moved boards, and with it what of a sum is needed.
trait LeafValue {
    type Part: Part;
    /// Whether it takes means over replies.
    #[cfg(target_arch = "x86_64")]
    const IS_MEAN: bool;

    fn part(entry: Entry) -> Self::Part;

    /// What a board of this sum is worth; it may be turned.
    fn worth(&self, sum: Self::Part, board: Board) -> f64;
}

/// The search stops there.
struct Static;

impl LeafValue for Static {
    type Part = f64;
    #[cfg(target_arch = "x86_64")]
    const IS_MEAN: bool = false;

    #[inline(always)]
    fn part(entry: Entry) -> f64 {
        entry.value
    }

    #[inline(always)]
    fn worth(&self, sum: f64, _: Board) -> f64 {
        sum.max(Twenty48::FLOOR)
    }
}

/// It stops after the replies: their mean, or infinity if they must be looked at one by one.
struct Expected<'a> {
    line_sum: &'a LineSum,
}

impl LeafValue for Expected<'_> {
    type Part = Entry;
    #[cfg(target_arch = "x86_64")]
    const IS_MEAN: bool = true;

    #[inline(always)]
    fn part(entry: Entry) -> Entry {
        entry
    }

    #[inline(always)]
    fn worth(&self, sum: Entry, board: Board) -> f64 {
        self.line_sum.mean_of(sum, board).unwrap_or(f64::INFINITY)
    }
}

/// The worth of a moved board where lines are all there is.
struct OfLines<'a, H: LeafValue> {
    slid: SlidLines<'a, H::Part>,
    sums: &'a H,
}

impl<H: LeafValue> Worth for OfLines<'_, H> {
    type Value = f64;
    const ILLEGAL: f64 = f64::NEG_INFINITY;
    const SKIP_ILLEGAL: bool = false;

    #[inline(always)]
    fn of(&mut self, moved: &Moved) -> f64 {
        let columns = moved.columns();
        self.sums.worth(self.slid.with(moved, columns), columns)
    }
}

/// The worth of any moved board.
struct OfSum<'a, H> {
    sum: &'a LineSum,
    score: u32,
    sums: &'a H,
}

impl<H: LeafValue> Worth for OfSum<'_, H> {
    type Value = f64;
    const ILLEGAL: f64 = f64::NEG_INFINITY;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> f64 {
        let (sum, board) = (self.sum, moved.board());
        let lines = sum.lines.as_deref().map_or(Entry::default(), |tables| {
            rows::<Entry>(tables, board) + rows::<Entry>(tables, board.transposed())
        });
        let pairs = sum.pairs.as_deref().map_or(Entry::default(), |tables| Pairs::new(tables, board).entry());
        let points = Entry { value: sum.points(self.score, || moved.points()), drift: 0.0 };
        self.sums.worth(H::part((lines + pairs) + points), board)
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
        let sum = self.entry(after, score);
        self.mean_of(sum, after).unwrap_or_else(|| self.expected_one_by_one(game, after, score))
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
        let none = Best { value: f64::NEG_INFINITY, steps: 0 };
        self.moves(game, board, score).into_iter().fold(none, |best, (is_legal, sum)| {
            let value = select_unpredictable(is_legal, sum.max(Twenty48::FLOOR), best.value);
            Best { value: best.value.max(value), steps: best.steps + u32::from(is_legal) }
        })
    }

    #[inline(always)]
    fn fold_best<A>(&self, last: LastMoves<Twenty48>, start: A, fold: impl FnMut(A, &Reply<Board>, Best) -> A) -> A {
        let LastMoves { game, after, score, horizon } = last;
        match horizon {
            Horizon::Worst => fold_by(last, |after, score| self.worst(game, after, score), start, fold),
            Horizon::Step if goal_in_reach(game, after) => {
                last.fold_replies(|board| self.best_step(game, board, score), start, fold)
            }
            Horizon::Mean if goal_in_reach(game, after) => {
                last.fold_replies(|board| self.best_expected_one_by_one(game, board, score), start, fold)
            }
            Horizon::Step => self.fold_sums(last, &Static, start, fold),
            Horizon::Mean => self.fold_means(last, start, fold),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::Goal;
    use crate::games::twenty48::tests::random_board;
    use crate::heuristics::preset;
    use crate::rng::seeded;

    #[test]
    fn vectors_change_no_bit() {
        let line_sum = LineSum::new(preset("line-sum").unwrap().terms());
        let (game, mut rng) = (Twenty48::new(Goal::None), seeded(6));
        let collect = |mut all: Vec<_>, reply: &Reply<Board>, best: Best| {
            all.push((*reply, best));
            all
        };
        for _ in 0..20_000 {
            let after = random_board(&mut rng);
            let last = || LastMoves { game: &game, after, score: 0, horizon: Horizon::Step };
            let fast = line_sum.fold_sums(last(), &Static, vec![], collect);
            assert_eq!(fast, line_sum.fold_sums_one_by_one(last(), &Static, vec![], collect), "{after}");
            let mean = Expected { line_sum: &line_sum };
            let fast = line_sum.fold_sums(last(), &mean, vec![], collect);
            assert_eq!(fast, line_sum.fold_sums_one_by_one(last(), &mean, vec![], collect), "{after}");
        }
    }
}
