//! The last moves of a search whose heuristic is a [`LineSum`], with the boards valued one by one. This is used for
//! heuristics that do not have only lines, and on processors without the vector instructions.

use super::line_sum::LineSum;
use super::parts::{Pairs, SlidLines, rows};
use super::reply_moves::{Leaf, Moved, MovedValue, ReplyMoves};
use super::tables::{Entry, Part};
use crate::games::Game;
use crate::games::twenty48::{Board, Twenty48};
use crate::heuristics::{Horizon, LastMoves, ReplyValues};

/// Finds the best last move after each reply, without vector instructions. No move may reach the goal.
#[inline(always)]
pub fn fill<L: LeafValue>(line_sum: &LineSum, last: LastMoves<Twenty48>, leaf: &L, found: &mut ReplyValues) {
    let moves = ReplyMoves::new(last.game, last.after);
    match line_sum.lines_only() {
        Some(tables) => {
            let mut value = OfLines { slid: SlidLines::new(tables, &moves), leaf };
            moves.choices(&mut value).best(found, |leaf| leaf);
        }
        None => {
            let mut value = OfSum { sum: line_sum, score: last.score, leaf };
            moves.choices(&mut value).best(found, |leaf| leaf);
        }
    }
}

/// How the value of a board after the last move follows from its sum, and which part of the table entries it needs.
pub trait LeafValue {
    type Part: Part;
    const HORIZON: Horizon;

    fn part(entry: Entry) -> Self::Part;

    /// The value of a board with this sum and score. If the heuristic has only lines, the board may be transposed.
    fn value(&self, sum: Self::Part, board: Board, score: u32) -> f64;
}

/// The search ends with the move.
pub struct Static;

impl LeafValue for Static {
    type Part = f64;
    const HORIZON: Horizon = Horizon::Step;

    #[inline(always)]
    fn part(entry: Entry) -> f64 {
        entry.value
    }

    #[inline(always)]
    fn value(&self, sum: f64, _: Board, _: u32) -> f64 {
        sum.max(Twenty48::FLOOR)
    }
}

/// The search ends with the replies to the move, and takes their mean.
pub struct Expected<'a> {
    pub line_sum: &'a LineSum,
    pub game: &'a Twenty48,
}

impl LeafValue for Expected<'_> {
    type Part = Entry;
    const HORIZON: Horizon = Horizon::Mean;

    #[inline(always)]
    fn part(entry: Entry) -> Entry {
        entry
    }

    #[inline(always)]
    fn value(&self, sum: Entry, board: Board, score: u32) -> f64 {
        let mean = self.line_sum.mean_of(sum, board);
        mean.unwrap_or_else(|| self.line_sum.expected_one_by_one(self.game, board, score))
    }
}

/// Values moved boards if the heuristic has only lines.
struct OfLines<'a, L: LeafValue> {
    slid: SlidLines<'a, L::Part>,
    leaf: &'a L,
}

impl<L: LeafValue> MovedValue for OfLines<'_, L> {
    type Value = Leaf;
    const ILLEGAL: Leaf = Leaf::ILLEGAL;
    const SKIP_ILLEGAL: bool = matches!(L::HORIZON, Horizon::Mean);

    #[inline(always)]
    fn of(&mut self, moved: &Moved) -> Leaf {
        let columns = moved.columns();
        Leaf::new(self.leaf.value(self.slid.with(moved, columns), columns, 0), L::HORIZON, columns)
    }
}

/// Values moved boards for any [`LineSum`].
struct OfSum<'a, L> {
    sum: &'a LineSum,
    score: u32,
    leaf: &'a L,
}

impl<L: LeafValue> MovedValue for OfSum<'_, L> {
    type Value = Leaf;
    const ILLEGAL: Leaf = Leaf::ILLEGAL;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> Leaf {
        let (sum, board) = (self.sum, moved.board());
        let lines = sum.lines.as_deref().map_or(Entry::default(), |tables| {
            rows::<Entry>(tables, board) + rows::<Entry>(tables, board.transposed())
        });
        let pairs = sum.pairs.as_deref().map_or(Entry::default(), |tables| Pairs::new(tables, board).entry());
        let points = Entry { value: sum.points(self.score, || moved.points()), drift: 0.0 };
        let value = self.leaf.value(L::part((lines + pairs) + points), board, self.score + moved.points());
        Leaf::new(value, L::HORIZON, board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::Goal;
    use crate::games::twenty48::tests::random_board;
    use crate::heuristics::{Evaluator, preset};
    use crate::rng::seeded;

    fn same_with_and_without_vectors<L: LeafValue>(line_sum: &LineSum, game: &Twenty48, after: Board, leaf: &L) {
        let last = LastMoves { game, after, score: 0, horizon: L::HORIZON };
        let (mut fast, mut slow) = (ReplyValues::default(), ReplyValues::default());
        line_sum.best_after_replies(last, &mut fast);
        fill(line_sum, last, leaf, &mut slow);
        assert_eq!(fast.best(), slow.best(), "{after}");
        assert_eq!((fast.steps, fast.leaves), (slow.steps, slow.leaves), "{after}");
    }

    #[test]
    fn vectors_and_single_boards_agree_to_the_last_bit() {
        let line_sum = LineSum::new(preset("line-sum").unwrap().terms());
        let (game, mut rng) = (Twenty48::new(Goal::None), seeded(6));
        for _ in 0..20_000 {
            let after = random_board(&mut rng);
            same_with_and_without_vectors(&line_sum, &game, after, &Static);
            same_with_and_without_vectors(&line_sum, &game, after, &Expected { line_sum: &line_sum, game: &game });
        }
    }
}
