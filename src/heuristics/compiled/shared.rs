//! The four moves after each reply, with the work that replies have in common done once.
//!
//! A new tile changes one row and one column. Of a move to the left or right the other three rows slide as they did
//! before, and of the columns of the moved board only one cell each can differ: no board has to be slid or turned anew.
//! And into whichever cell of a gap (empty cells side by side in a row) the tile is put, it slides to the same place:
//! the moved board is valued once for each gap.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;

use crate::games::Reply;
use crate::games::twenty48::{Board, Cells, Goal, Line, P2, P4, Tables, Twenty48};
use crate::heuristics::{Best, LastMoves};

/// Gaps in the rows of a board, and the boards that a tile in one of them can lead to: two tiles, two ways to slide.
pub const MOST_GAPS: usize = 8;
pub const MOST_MOVED: usize = 2 * MOST_GAPS * 4;

/// A board before its replies.
pub struct Shared<'a> {
    tables: &'a Tables,
    /// For moves to the left and right; for moves up and down.
    sides: [Side; 2],
}

/// A board whose rows slide: itself, or its transpose for moves up and down.
struct Side {
    lines: Board,
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

/// Says what a moved board is worth. A trait and not a closure, which the compiler would not copy into its callers.
pub trait Worth {
    type Value: Copy;
    /// For moves that are illegal.
    const ILLEGAL: Self::Value;

    /// Whether to ask is so dear that it is worth a branch not to ask in vain.
    const SKIP_ILLEGAL: bool;

    fn of(&mut self, moved: &Moved) -> Self::Value;
}

/// What comes of a tile put into a gap, by tile and by way of sliding. At one edge of the gap, the one it slides to, the
/// tile may change nothing: in the middle (0) and at the edge (1) the move may differ in being legal.
struct Gap<T> {
    worth: [[[T; 2]; 2]; 2],
    is_legal: [[[u8; 2]; 2]; 2],
}

impl<'a> Shared<'a> {
    #[inline(always)]
    pub fn new(game: &Twenty48, after: Board) -> Self {
        let tables = game.tables();
        Shared { tables, sides: [Side::new(tables, after), Side::new(tables, after.transposed())] }
    }

    /// The four moves with no tile put anywhere, those up and down as columns.
    #[inline(always)]
    pub fn slid(&self) -> [Board; 4] {
        let [[left, right], [up, down]] = [&self.sides[0].ways, &self.sides[1].ways];
        [left.slid, right.slid, up.slid, down.slid]
    }

    /// The choices after all replies, where each board that they lead to is worth what `worth` says.
    #[inline(always)]
    pub fn choices<W: Worth>(&self, worth: &mut W) -> Choices<W::Value> {
        let mut choices = Choices {
            after: self.sides[0].lines,
            sides: [
                ByGap { gaps: ArrayVec::new(), numbers: [0; 16] },
                ByGap { gaps: ArrayVec::new(), numbers: [0; 16] },
            ],
        };
        self.fill::<W, 0>(&mut choices.sides[0], worth);
        self.fill::<W, 1>(&mut choices.sides[1], worth);
        choices
    }

    #[inline(always)]
    fn fill<W: Worth, const SIDE: usize>(&self, side: &mut ByGap<W::Value>, worth: &mut W) {
        let lines = self.sides[SIDE].lines;
        let edges = Cells(gap_starts(lines.empty_mask())).zip(Cells(gap_ends(lines.empty_mask())));
        edges.for_each(|(first, last)| {
            let place = first.trailing_zeros() as usize / 4;
            side.numbers[place & 15] = side.gaps.len() as u8;
            side.gaps.push(self.gap::<W, SIDE>(place / 4, first, last, worth));
        });
    }

    #[inline(always)]
    fn gap<W: Worth, const SIDE: usize>(&self, row: usize, first: u64, last: u64, worth: &mut W) -> Gap<W::Value> {
        let two = self.tile::<W, SIDE>(row, first, last, 1, worth);
        let four = self.tile::<W, SIDE>(row, first, last, 2, worth);
        Gap { worth: [two.0, four.0], is_legal: [two.1, four.1] }
    }

    /// What comes of one tile, both ways.
    #[inline(always)]
    fn tile<W: Worth, const SIDE: usize>(
        &self,
        row: usize,
        first: u64,
        last: u64,
        rank: u32,
        worth: &mut W,
    ) -> ([[W::Value; 2]; 2], [[u8; 2]; 2]) {
        let Side { lines, ways } = &self.sides[SIDE];
        let with_tile = |cell: u64| (lines.with(cell, rank).0 >> (16 * row)) as Line;
        let (at_first, at_last) = (with_tile(first), with_tile(last));
        let slid = self.tables.slid(at_first);
        let moved =
            |way: usize, line: Line| Moved { direction: 2 * SIDE + way, row, line, before: at_first, shared: self };
        let is_legal =
            |way: usize, line: Line, at_edge: Line| (ways[way].changed & !(1 << row) != 0) | (line != at_edge);
        let left = (moved(0, slid.left), is_legal(0, slid.left, at_first));
        let right = (moved(1, slid.right), is_legal(1, slid.right, at_last));
        let left = middle_and_edge(left.0, left.1, first == last, worth);
        let right = middle_and_edge(right.0, right.1, first == last, worth);
        ([left.0, right.0], [left.1, right.1])
    }
}

/// A move's worth and whether it is legal, in the middle of a gap and at the edge.
#[inline(always)]
fn middle_and_edge<W: Worth>(
    moved: Moved,
    at_edge: bool,
    has_no_middle: bool,
    worth: &mut W,
) -> ([W::Value; 2], [u8; 2]) {
    if W::SKIP_ILLEGAL && has_no_middle && !at_edge {
        return ([W::ILLEGAL; 2], [0; 2]);
    }
    let worth = worth.of(&moved);
    ([worth, select_unpredictable(at_edge, worth, W::ILLEGAL)], [1, u8::from(at_edge)])
}

/// The empty cells that have none before them in their row.
#[inline(always)]
pub fn gap_starts(empty: u64) -> u64 {
    empty & !(empty << 4 & 0xFFF0_FFF0_FFF0_FFF0)
}

/// The empty cells that have none after them in their row.
#[inline(always)]
pub fn gap_ends(empty: u64) -> u64 {
    empty & !(empty >> 4 & 0x0FFF_0FFF_0FFF_0FFF)
}

impl Side {
    #[inline(always)]
    fn new(tables: &Tables, lines: Board) -> Self {
        let (left, right) = lines.slid(tables);
        Side { lines, ways: [Way::new(lines, left), Way::new(lines, right)] }
    }
}

impl Way {
    #[inline(always)]
    fn new(lines: Board, slid: Board) -> Self {
        let (before, after) = (lines.rows(), slid.rows());
        let changed = (0..4).fold(0, |bits, row| bits | u32::from(after[row] != before[row]) << row);
        Way { slid, columns: slid.transposed(), changed }
    }
}

/// The cells of the first column.
pub const COLUMN: u64 = 0x000F_000F_000F_000F;

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

    /// What the move has earned.
    #[inline(always)]
    pub fn points(&self) -> u32 {
        with_row(self.side().lines, self.row, self.before).points(self.shared.tables)
    }
}

/// After each reply, where the four moves lead.
pub struct Choices<T> {
    after: Board,
    sides: [ByGap<T>; 2],
}

struct ByGap<T> {
    gaps: ArrayVec<Gap<T>, MOST_GAPS>,
    /// By the cell in which a gap starts.
    numbers: [u8; 16],
}

impl<T: Copy> ByGap<T> {
    /// The moves both ways of a tile put into a cell.
    #[inline(always)]
    fn moves(&self, cell: InGap, tile: usize) -> ([T; 2], u32) {
        let gap = &self.gaps[cell.number];
        let ([left, right], [is_left, is_right]) = (&gap.worth[tile], &gap.is_legal[tile]);
        let steps = is_left[cell.is_first] + is_right[cell.is_last];
        ([left[cell.is_first], right[cell.is_last]], u32::from(steps))
    }
}

impl<T: Copy> Choices<T> {
    /// Folds the replies with the best of their moves, in the order of the game.
    #[inline(always)]
    pub fn fold_best<A>(
        &self,
        value: impl Fn(T) -> f64,
        start: A,
        mut fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        let mut gaps = GapsOfCells::new(self.after);
        let share = 1.0 / f64::from(self.after.empty_count());
        Cells(self.after.empty_mask()).fold(start, |so_far, cell| {
            let [across, along] = gaps.next(cell, [&self.sides[0].numbers, &self.sides[1].numbers]);
            [(0, P2, 1), (1, P4, 2)].into_iter().fold(so_far, |so_far, (tile, weight, rank)| {
                let ([left, right], steps_across) = self.sides[0].moves(across, tile);
                let ([up, down], steps_along) = self.sides[1].moves(along, tile);
                let value = greater(greater(value(left), value(right)), greater(value(up), value(down)));
                let reply = Reply { probability: weight * share, weight, position: self.after.with(cell, rank) };
                fold(so_far, &reply, Best { value, steps: steps_across + steps_along })
            })
        })
    }
}

/// Tells for one empty cell after the other, in reading order, which gaps it lies in.
pub struct GapsOfCells {
    starts: [u64; 2],
    ends: [u64; 2],
    in_row: u8,
    in_column: [u8; 4],
}

/// A gap by its number, and whether a cell is its first and its last.
#[derive(Clone, Copy)]
pub struct InGap {
    pub number: usize,
    pub is_first: usize,
    pub is_last: usize,
}

impl GapsOfCells {
    #[inline(always)]
    pub fn new(after: Board) -> Self {
        let (empty, turned) = (after.empty_mask(), after.transposed().empty_mask());
        let turned = |cells: fn(u64) -> u64| Board(cells(turned)).transposed().0;
        GapsOfCells {
            starts: [gap_starts(empty), turned(gap_starts)],
            ends: [gap_ends(empty), turned(gap_ends)],
            in_row: 0,
            in_column: [0; 4],
        }
    }

    /// The gaps across and along that hold the next cell; `numbers` are those of the cells in which gaps start.
    #[inline(always)]
    pub fn next(&mut self, cell: u64, numbers: [&[u8; 16]; 2]) -> [InGap; 2] {
        let place = (cell.trailing_zeros() as usize / 4) & 15;
        let (row, column) = (place / 4, place % 4);
        let is_in = |cells: u64| usize::from(cells & cell != 0);
        let [first_across, first_along] = self.starts.map(is_in);
        let [last_across, last_along] = self.ends.map(is_in);
        if first_across == 1 {
            self.in_row = numbers[0][place];
        }
        if first_along == 1 {
            self.in_column[column] = numbers[1][4 * column + row];
        }
        let in_column = self.in_column[column];
        [
            InGap { number: usize::from(self.in_row), is_first: first_across, is_last: last_across },
            InGap { number: usize::from(in_column), is_first: first_along, is_last: last_along },
        ]
    }
}

/// The greater of two numbers of which none is undefined: one instruction.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
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

/// [`LastMoves::fold_by`], where replies share what they have in common.
#[inline(always)]
pub fn fold_by<A>(
    last: LastMoves<Twenty48>,
    value: impl Fn(Board, u32) -> f64,
    start: A,
    fold: impl FnMut(A, &Reply<Board>, Best) -> A,
) -> A {
    if goal_in_reach(last.game, last.after) {
        return last.fold_by(value, start, fold);
    }
    let mut worth = ByValue { score: last.score, value };
    Shared::new(last.game, last.after).choices(&mut worth).fold_best(|worth| worth, start, fold)
}

struct ByValue<F> {
    score: u32,
    value: F,
}

impl<F: Fn(Board, u32) -> f64> Worth for ByValue<F> {
    type Value = f64;
    const ILLEGAL: f64 = f64::NEG_INFINITY;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> f64 {
        (self.value)(moved.board(), self.score + moved.points())
    }
}
