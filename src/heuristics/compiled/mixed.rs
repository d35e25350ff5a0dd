//! Heuristics with features that are not sums over lines.

use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;

use super::line_sum::LineSum;
use super::reply_moves::{Leaf, MOST_MOVED, Moved, MovedValue, ReplyMoves, each_move, goal_in_reach};
use crate::games::twenty48::{Board, P2, P4, SHARE, Twenty48};
use crate::games::{Game, MOST_REPLIES};
use crate::heuristics::features::{BoardCost, BoardValue, CountTable, FeatureShape, times};
use crate::heuristics::heuristic::Heuristic;
use crate::heuristics::{
    Best, CallCost, Cost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues, best_of_steps, mean_reply, worst_reply,
};

/// Tables of lines, tables by empty cells and largest rank, and features that have no table.
#[derive(Clone)]
pub struct Mixed {
    lines: LineSum,
    rest: Arc<NonTableTerms>,
}

struct NonTableTerms {
    plain: CountTable,
    /// The values of this table are multiplied by ln(score).
    with_score: Option<CountTable>,
    /// Whether the values of a table depend on the largest rank.
    uses_max: bool,
    boards: Vec<(f64, Arc<dyn BoardValue>)>,
    /// Used for a score of 0, whose logarithm is infinite.
    heuristic: Heuristic,
}

/// Boards to be valued together, each with the sum of its line tables and the sum of its other terms so far.
#[derive(Default)]
struct Batch {
    boards: ArrayVec<Board, MOST_MOVED>,
    tables: ArrayVec<f64, MOST_MOVED>,
    rest: ArrayVec<f64, MOST_MOVED>,
}

impl Batch {
    #[inline(always)]
    fn push(&mut self, mixed: &Mixed, board: Board, score: u32) {
        let rest = &mixed.rest;
        self.boards.push(board);
        self.tables.push(mixed.lines.sum(board, score));
        self.rest.push(rest.counts(board.empty_count() as usize, rest.max(board), rest.ln_score(score)));
    }

    /// The values, added up in the order of [`Mixed::value`], so that they are the same to the last bit.
    #[inline(always)]
    fn values(&mut self, rest: &NonTableTerms) -> impl Iterator<Item = f64> {
        for (coefficient, value) in &rest.boards {
            value.add_to(&self.boards, *coefficient, &mut self.rest);
        }
        self.tables.iter().zip(&self.rest).map(|(tables, rest)| (tables + rest).max(Twenty48::FLOOR))
    }
}

impl Mixed {
    pub(super) fn new(heuristic: &Heuristic) -> Self {
        let (mut plain, mut with_score, mut boards) = ([[0.0; 16]; 17], None, Vec::new());
        for term in heuristic.terms() {
            match term.shape() {
                FeatureShape::Counts { times_ln_score: false, table } => add(&mut plain, table, term.coefficient()),
                FeatureShape::Counts { times_ln_score: true, table } => {
                    add(with_score.get_or_insert([[0.0; 16]; 17]), table, term.coefficient());
                }
                FeatureShape::Board(value) => boards.push((term.coefficient(), value.clone())),
                FeatureShape::Score | FeatureShape::Cells(_) | FeatureShape::EachLine(_) => {}
            }
        }
        let uses_max = tells_ranks_apart(&plain) || with_score.as_ref().is_some_and(tells_ranks_apart);
        let rest = NonTableTerms { plain, with_score, uses_max, boards, heuristic: heuristic.clone() };
        Mixed { lines: LineSum::new(heuristic.terms()), rest: Arc::new(rest) }
    }
}

fn add(sums: &mut CountTable, table: &CountTable, coefficient: f64) {
    for (sum, value) in sums.as_flattened_mut().iter_mut().zip(table.as_flattened()) {
        *sum += coefficient * value;
    }
}

/// Whether the values depend on the largest rank. The rank 0 is ignored, because a board without tiles is never
/// evaluated.
fn tells_ranks_apart(table: &CountTable) -> bool {
    table.iter().any(|by_rank| by_rank[1..].iter().any(|value| *value != by_rank[1]))
}

/// Logarithms of scores below this are looked up in a table. Scores are multiples of 4, and a game to 2048 stays below
/// this.
const LOGARITHMS: u32 = 1 << 16;

#[inline(always)]
fn ln(score: u32) -> f64 {
    static TABLE: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..LOGARITHMS / 4).map(|k| libm::log(f64::from(4 * k))).collect());
    if score < LOGARITHMS && score.is_multiple_of(4) { TABLE[score as usize / 4] } else { libm::log(f64::from(score)) }
}

impl NonTableTerms {
    /// The largest rank, if any table depends on it.
    #[inline(always)]
    fn max(&self, board: Board) -> usize {
        if self.uses_max { usize::from(board.max_rank()) } else { 1 }
    }

    /// The sum of the terms that depend on counts.
    #[inline(always)]
    fn counts(&self, empty: usize, max: usize, ln_score: f64) -> f64 {
        match &self.with_score {
            Some(with_score) => self.plain[empty][max] + times(with_score[empty][max], ln_score),
            None => self.plain[empty][max],
        }
    }

    /// The logarithm of the score, if any term uses it.
    #[inline(always)]
    fn ln_score(&self, score: u32) -> f64 {
        if self.with_score.is_some() { ln(score) } else { 0.0 }
    }

    #[inline(always)]
    fn value(&self, board: Board, ln_score: f64) -> f64 {
        let counts = self.counts(board.empty_count() as usize, self.max(board), ln_score);
        self.boards_value(counts, board)
    }

    /// Adds the terms that have no table.
    #[inline(always)]
    fn boards_value(&self, sum: f64, board: Board) -> f64 {
        self.boards.iter().fold(sum, |sum, (coefficient, value)| sum + coefficient * value.of(board))
    }

    /// The mean and the minimum over the replies of the terms that have no table.
    #[inline(always)]
    fn boards_over_replies(&self, after: Board) -> (f64, f64) {
        if self.boards.is_empty() {
            return (0.0, 0.0);
        }
        let mut values = [0.0; MOST_REPLIES];
        let values = &mut values[..2 * after.empty_count() as usize];
        self.add_boards_to(after, values);
        let (mut mean, mut least) = (0.0, f64::INFINITY);
        for cell in values.chunks_exact(2) {
            mean += P2 * cell[0] + P4 * cell[1];
            least = least.min(cell[0]).min(cell[1]);
        }
        (mean * SHARE[after.empty_count() as usize], least)
    }

    /// Adds the terms that have no table to the sums of the replies.
    #[inline(always)]
    fn add_boards_to(&self, after: Board, sums: &mut [f64]) {
        for (coefficient, value) in &self.boards {
            value.add_to_replies(after, *coefficient, sums);
        }
    }

    /// Whether a term has the logarithm of 0, which is minus infinity. Then the terms must be computed one by one.
    fn is_unbounded(&self, score: u32) -> bool {
        score == 0 && self.with_score.is_some()
    }
}

impl Evaluator<Twenty48> for Mixed {
    fn value(&self, board: Board, score: u32) -> f64 {
        if self.rest.is_unbounded(score) {
            return self.rest.heuristic.value(board, score);
        }
        self.lines.sum(board, score) + self.rest.value(board, self.rest.ln_score(score))
    }

    fn costs(&self) -> LeafCosts {
        let tables = if self.lines.lines_only().is_some() { COUNTS_AND_LINES } else { COUNTS_AND_CELLS };
        self.rest.boards.iter().fold(tables, |sum, (_, value)| with_board(sum, value.cost()))
    }

    /// Computes the part of the tables in closed form: a reply leaves one empty cell fewer, and its largest rank is
    /// known. Terms that have no table are computed for all replies together.
    fn expected(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        let empty = after.empty_count() as usize;
        if empty < 2 || self.rest.is_unbounded(score) {
            return mean_reply(self, game, after, score);
        }
        let lines = self.lines.entry(after, score);
        let (max, ln_score) = (self.rest.max(after), self.rest.ln_score(score));
        let counts = |rank| self.rest.counts(empty - 1, max.max(rank), ln_score);
        let (two, four) = (counts(1), counts(2));
        let (mean, least) = self.rest.boards_over_replies(after);
        // No reply has a lower value than the sum of the minima of all parts.
        if lines.value - self.lines.fall + two.min(four) + least >= Twenty48::FLOOR {
            lines.value + lines.drift * SHARE[empty] + P2 * two + P4 * four + mean
        } else {
            mean_reply(self, game, after, score)
        }
    }

    fn worst(&self, game: &Twenty48, after: Board, score: u32) -> f64 {
        if after.empty_count() < 2 || self.rest.is_unbounded(score) {
            return worst_reply(self, game, after, score);
        }
        let (empty, ln_score) = (after.empty_count() as usize - 1, self.rest.ln_score(score));
        let (mut tables, mut rest) = (ArrayVec::<f64, MOST_REPLIES>::new(), ArrayVec::<f64, MOST_REPLIES>::new());
        self.lines.each_reply(after, score, |reply, _, sum| {
            tables.push(sum);
            rest.push(self.rest.counts(empty, self.rest.max(reply), ln_score));
        });
        self.rest.add_boards_to(after, &mut rest);
        let values = tables.iter().zip(&rest).map(|(tables, rest)| tables + rest);
        values.fold(f64::INFINITY, f64::min).max(Twenty48::FLOOR)
    }

    fn best_step(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        if goal_in_reach(game, board) || self.rest.is_unbounded(score) {
            return best_of_steps(game, board, score, |after, score| self.value(after, score).max(Twenty48::FLOOR));
        }
        let mut batch = Batch::default();
        for step in game.steps(board) {
            batch.push(self, step.after, score + step.reward);
        }
        let steps = batch.boards.len() as u32;
        Best { value: batch.values(&self.rest).fold(f64::NEG_INFINITY, f64::max), steps, leaves: 0 }
    }

    fn best_after_replies(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        let LastMoves { game, after, score, horizon } = last;
        match horizon {
            Horizon::Mean => each_move(last, found, |after, score| self.expected(game, after, score)),
            Horizon::Worst => each_move(last, found, |after, score| self.worst(game, after, score)),
            Horizon::Step if goal_in_reach(game, after) || self.rest.is_unbounded(score) => {
                last.each_reply(found, |board| self.best_step(game, board, score))
            }
            Horizon::Step => self.fill_in_batch(last, found),
        }
    }
}

/// The costs with tables by counts and tables of lines. They are calibrated with `lab2048 bench --work`.
const COUNTS_AND_LINES: LeafCosts = LeafCosts {
    value: Cost::picoseconds(16_000),
    best_step: Cost::picoseconds(59_000),
    expected: CallCost::new(26_000, 0),
    worst: CallCost::new(26_000, 6_600),
    last_steps: CallCost::new(160_000, 34_000),
    last_means: CallCost::new(300_000, 41_000),
    last_worsts: CallCost::new(0, 240_000),
};

/// The costs with tables of cells, or with the score.
const COUNTS_AND_CELLS: LeafCosts = LeafCosts {
    value: Cost::picoseconds(31_000),
    best_step: Cost::picoseconds(88_000),
    expected: CallCost::new(38_000, 0),
    worst: CallCost::new(37_000, 8_000),
    last_steps: CallCost::new(250_000, 45_000),
    last_means: CallCost::new(370_000, 60_000),
    last_worsts: CallCost::new(0, 290_000),
};

/// The costs with one more feature that has no table. A position has three legal moves on average. Several replies lead
/// to the same moved board, so there are about two moved boards for each reply, and each of these has about ten
/// replies.
fn with_board(tables: LeafCosts, feature: BoardCost) -> LeafCosts {
    let replies = feature.replies.of(10);
    let plus = |cost: CallCost, call: Cost, reply: Cost| CallCost { call: cost.call + call, reply: cost.reply + reply };
    LeafCosts {
        value: tables.value + feature.alone,
        best_step: tables.best_step + feature.alone * 3,
        expected: plus(tables.expected, feature.replies.call, feature.replies.reply),
        worst: plus(tables.worst, feature.replies.call, feature.replies.reply),
        last_steps: plus(tables.last_steps, Cost::ZERO, feature.in_batch * 2),
        last_means: plus(tables.last_means, Cost::ZERO, replies * 2),
        last_worsts: plus(tables.last_worsts, Cost::ZERO, replies * 2),
    }
}

impl Mixed {
    /// A board that several replies lead to is valued once, and all boards are valued together.
    fn fill_in_batch(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        let mut moves = MovedBatch { mixed: self, score: last.score, batch: Batch::default() };
        let choices = ReplyMoves::new(last.game, last.after).choices(&mut moves);
        let mut values = ArrayVec::<f64, { MOST_MOVED + 1 }>::from_iter([f64::NEG_INFINITY]);
        values.extend(moves.batch.values(&self.rest));
        choices.best(found, |number| Leaf { value: values[usize::from(number)], replies: 0 });
    }
}

/// Puts moved boards into a batch. A board is represented by its number in the batch, counted from 1, and an illegal
/// move by 0.
struct MovedBatch<'a> {
    mixed: &'a Mixed,
    score: u32,
    batch: Batch,
}

impl MovedValue for MovedBatch<'_> {
    type Value = u8;
    const ILLEGAL: u8 = 0;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> u8 {
        self.batch.push(self.mixed, moved.board(), self.score + moved.points());
        self.batch.boards.len() as u8
    }
}
