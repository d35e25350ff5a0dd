//! The four moves after each reply, with the work that replies have in common done once.
//!
//! A new tile changes one row and one column. Of a move to the left or right the other three rows slide as they did
//! before, and of the columns of the moved board only one cell each can differ: no board has to be slid or turned anew.
//! And a tile put into one or another empty cell of a row mostly slides to the same place: then the moved board is the
//! same, and what it is worth is asked only once.

use crate::games::Reply;
use crate::games::twenty48::{Board, Cells, Goal, Line, P2, P4, Tables, Twenty48};
use crate::heuristics::{Best, best_of_steps, each_reply};

/// A board before its replies.
pub struct Shared<'a> {
    tables: &'a Tables,
    after: Board,
    /// For moves to the left and right; for moves up and down.
    sides: [Side; 2],
}

/// A board whose rows slide: itself, or its transpose for moves up and down.
struct Side {
    lines: [Line; 4],
    ways: [Way; 2],
}

/// Sliding one way.
struct Way {
    slid: Board,
    columns: Board,
    /// One bit for each row that sliding changes.
    changed: u32,
}

/// A board that a reply and a move lead to.
pub struct Moved<'a> {
    /// The move, in the order of [`Direction`](crate::games::twenty48::Direction).
    pub direction: usize,
    /// The row, or the column for moves up and down, into which the tile was put, and how it has slid.
    pub row: usize,
    pub line: Line,
    before: Line,
    shared: &'a Shared<'a>,
}

/// One of the four moves after a reply.
#[derive(Clone, Copy, Default)]
pub struct Choice<T> {
    pub is_legal: bool,
    /// Says nothing of an illegal move.
    pub worth: T,
}

impl<'a> Shared<'a> {
    #[inline(always)]
    pub fn new(game: &Twenty48, after: Board) -> Self {
        let tables = game.tables();
        Shared { tables, after, sides: [after, after.transposed()].map(|lines| Side::new(tables, lines)) }
    }

    /// The four moves with no tile put anywhere, those up and down as columns.
    #[inline(always)]
    pub fn slid(&self) -> [Board; 4] {
        let [[left, right], [up, down]] =
            [0, 1].map(|side: usize| [0, 1].map(|way: usize| self.sides[side].ways[way].slid));
        [left, right, up, down]
    }

    /// Visits the replies with their moves, in the order of the game; `worth` is asked once for each board that is
    /// found to differ from those before it.
    #[inline(always)]
    pub fn each_reply<T: Copy + Default>(
        &self,
        mut worth: impl FnMut(&Moved) -> T,
        mut visit: impl FnMut(&Reply<Board>, &[Choice<T>; 4]),
    ) {
        // The last line and its worth, by direction and by row and tile; no line with a tile in it is 0.
        let mut known = [[(0, T::default()); 8]; 4];
        let share = 1.0 / f64::from(self.after.empty_count());
        Cells(self.after.empty_mask()).for_each(|cell| {
            let place = cell.trailing_zeros() as usize / 4;
            for (weight, rank) in [(P2, 1), (P4, 2)] {
                let mut slide = |side: usize, row: usize, cell: usize| {
                    let Side { lines, ways } = &self.sides[side];
                    let before = lines[row] | rank << (4 * cell);
                    let slid = self.tables.slid(before);
                    [(0, slid.left), (1, slid.right)].map(|(way, line): (usize, Line)| {
                        let direction = 2 * side + way;
                        let is_legal = (ways[way].changed & !(1 << row) != 0) | (line != before);
                        let known = &mut known[direction][2 * row + usize::from(rank) - 1];
                        if is_legal & (known.0 != line) {
                            *known = (line, worth(&Moved { direction, row, line, before, shared: self }));
                        }
                        Choice { is_legal, worth: known.1 }
                    })
                };
                let [left, right] = slide(0, place / 4, place % 4);
                let [up, down] = slide(1, place % 4, place / 4);
                let position = self.after.with(cell, u32::from(rank));
                visit(&Reply { probability: weight * share, weight, position }, &[left, right, up, down]);
            }
        });
    }
}

impl Side {
    #[inline(always)]
    fn new(tables: &Tables, board: Board) -> Self {
        let (lines, (left, right)) = (board.rows(), board.slid(tables));
        Side { lines, ways: [left, right].map(|slid| Way::new(lines, slid)) }
    }
}

impl Way {
    #[inline(always)]
    fn new(before: [Line; 4], slid: Board) -> Self {
        let rows = slid.rows();
        let changed = (0..4).fold(0, |bits, row| bits | u32::from(rows[row] != before[row]) << row);
        Way { slid, columns: slid.transposed(), changed }
    }
}

/// The cells of the first column.
const COLUMN: u64 = 0x000F_000F_000F_000F;

/// A row's four cells as the first cells of four rows.
#[inline(always)]
fn spread(line: Line) -> u64 {
    let line = u64::from(line);
    (line | line << 12 | line << 24 | line << 36) & COLUMN
}

#[inline(always)]
fn with_row(board: Board, row: usize, line: Line) -> Board {
    Board(board.0 & !(0xFFFF << (16 * row)) | u64::from(line) << (16 * row))
}

impl Moved<'_> {
    #[inline(always)]
    fn side(&self) -> &Side {
        &self.shared.sides[self.direction / 2]
    }

    #[inline(always)]
    fn way(&self) -> &Way {
        &self.side().ways[self.direction % 2]
    }

    /// The lines across those that were slid.
    #[inline(always)]
    pub fn columns(&self) -> Board {
        Board(self.way().columns.0 & !(COLUMN << (4 * self.row)) | spread(self.line) << (4 * self.row))
    }

    #[inline(always)]
    pub fn board(&self) -> Board {
        if self.direction < 2 { with_row(self.way().slid, self.row, self.line) } else { self.columns() }
    }

    #[inline(always)]
    pub fn empty_count(&self) -> u32 {
        self.columns().empty_count()
    }

    /// What the move has earned.
    #[inline(always)]
    pub fn points(&self) -> u32 {
        with_row(Board::from_rows(self.side().lines), self.row, self.before).points(self.shared.tables)
    }
}

/// The best of the legal moves.
#[inline(always)]
pub fn best_of(choices: &[Choice<f64>; 4]) -> Best {
    choices.iter().fold(Best { value: f64::NEG_INFINITY, steps: 0 }, |best, choice| {
        let value = std::hint::select_unpredictable(choice.is_legal, choice.worth, f64::NEG_INFINITY);
        let value = if value > best.value { value } else { best.value };
        Best { value, steps: best.steps + u32::from(choice.is_legal) }
    })
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

/// Visits the replies with the best step at each, where a step is worth the `value` of the board and score after it.
#[inline(always)]
pub fn each_best(
    game: &Twenty48,
    after: Board,
    score: u32,
    value: impl Fn(Board, u32) -> f64,
    mut visit: impl FnMut(&Reply<Board>, Best),
) {
    if goal_in_reach(game, after) {
        return each_reply(game, after, |reply| visit(reply, best_of_steps(game, reply.position, score, &value)));
    }
    let worth = |moved: &Moved| value(moved.board(), score + moved.points());
    Shared::new(game, after).each_reply(worth, |reply, moves| visit(reply, best_of(moves)));
}
