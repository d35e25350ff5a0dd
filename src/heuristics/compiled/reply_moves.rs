//! The four moves after each reply. Work that several replies have in common is done once.
//!
//! A new tile changes one row and one column. Under a move to the left or right the other three rows slide as they did
//! before, and each column of the moved board can differ in one cell only. So no board is slid or transposed again. A
//! *gap* is a run of empty cells in a row. From every cell of a gap the tile slides to the same cell, so the moved
//! board is valued once for each gap.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;

use crate::games::twenty48::{Board, Cells, Goal, Line, Tables, Twenty48};
use crate::heuristics::{Best, Horizon, LastMoves, ReplyValues};

/// The maximum number of gaps in the rows of a board: two in each row.
pub const MOST_GAPS: usize = 8;
/// The maximum number of moved boards: gaps in rows and in columns, two tiles, two directions.
pub const MOST_MOVED: usize = 2 * MOST_GAPS * 4;

/// A board before its replies, with its four moves as if no tile were added.
pub struct ReplyMoves<'a> {
    tables: &'a Tables,
    /// The rows, for moves to the left and right; the columns, for moves up and down.
    axes: [Axis; 2],
}

/// A board whose rows slide: the board itself, or its transpose for moves up and down.
struct Axis {
    lines: Board,
    slides: [Slide; 2],
}

/// All rows slid one way.
struct Slide {
    slid: Board,
    columns: Board,
    /// One bit for each row that sliding changes.
    changed: u32,
}

/// A board that a reply and a move lead to.
pub struct Moved<'a> {
    /// The move, in the order of [`Direction`](crate::games::twenty48::Direction).
    pub direction: usize,
    /// The row (for moves up and down, the column) into which the tile was put.
    pub row: usize,
    pub line: Line,
    before: Line,
    moves: &'a ReplyMoves<'a>,
}

/// Values moved boards. This is a trait and not a closure because the compiler does not inline such a closure.
pub trait MovedValue {
    type Value: Copy;
    /// The value of an illegal move.
    const ILLEGAL: Self::Value;
    /// Whether valuing a board costs more than the branch that avoids it for illegal moves.
    const SKIP_ILLEGAL: bool;

    fn of(&mut self, moved: &Moved) -> Self::Value;
}

/// The value of a moved board, and the number of replies to it if the search ends after those replies.
#[derive(Clone, Copy)]
pub struct Leaf {
    pub value: f64,
    pub replies: u32,
}

impl Leaf {
    pub const ILLEGAL: Leaf = Leaf { value: f64::NEG_INFINITY, replies: 0 };

    /// Counts the replies if the search ends after them.
    #[inline(always)]
    pub fn new(value: f64, horizon: Horizon, board: Board) -> Self {
        Leaf { value, replies: if horizon == Horizon::Step { 0 } else { 2 * board.empty_count() } }
    }
}

/// The values of the moves after a tile was put into a gap, by tile and direction. A tile at the edge of the gap toward
/// which it slides may not move. So a move can be legal for a tile in the middle (0) and illegal for one at the edge
/// (1).
struct Gap<T> {
    values: [[[T; 2]; 2]; 2],
    is_legal: [[[u8; 2]; 2]; 2],
}

impl<'a> ReplyMoves<'a> {
    #[inline(always)]
    pub fn new(game: &Twenty48, after: Board) -> Self {
        let tables = game.tables();
        ReplyMoves { tables, axes: [Axis::new(tables, after), Axis::new(tables, after.transposed())] }
    }

    /// The four moves with no tile put anywhere. The boards of moves up and down are transposed.
    #[inline(always)]
    pub fn slid(&self) -> [Board; 4] {
        let [[left, right], [up, down]] = [&self.axes[0].slides, &self.axes[1].slides];
        [left.slid, right.slid, up.slid, down.slid]
    }

    /// Values the boards that all replies and moves lead to.
    #[inline(always)]
    pub fn choices<V: MovedValue>(&self, value: &mut V) -> Choices<V::Value> {
        let mut choices = Choices {
            after: self.axes[0].lines,
            axes: [
                ByGap { gaps: ArrayVec::new(), numbers: [0; 16] },
                ByGap { gaps: ArrayVec::new(), numbers: [0; 16] },
            ],
        };
        self.fill::<V, 0>(&mut choices.axes[0], value);
        self.fill::<V, 1>(&mut choices.axes[1], value);
        choices
    }

    #[inline(always)]
    fn fill<V: MovedValue, const AXIS: usize>(&self, by_gap: &mut ByGap<V::Value>, value: &mut V) {
        let empty = self.axes[AXIS].lines.empty_mask();
        // Not a `zip`, which is not always inlined.
        let (mut starts, mut ends) = (Cells(gap_starts(empty)), Cells(gap_ends(empty)));
        while let (Some(first), Some(last)) = (starts.next(), ends.next()) {
            let place = first.trailing_zeros() as usize / 4;
            by_gap.numbers[place & 15] = by_gap.gaps.len() as u8;
            by_gap.gaps.push(self.gap::<V, AXIS>(place / 4, first, last, value));
        }
    }

    #[inline(always)]
    fn gap<V: MovedValue, const AXIS: usize>(&self, row: usize, first: u64, last: u64, value: &mut V) -> Gap<V::Value> {
        let two = self.tile::<V, AXIS>(row, first, last, 1, value);
        let four = self.tile::<V, AXIS>(row, first, last, 2, value);
        Gap { values: [two.0, four.0], is_legal: [two.1, four.1] }
    }

    /// The values of the moves in both directions with a tile of `rank` in the gap, and whether they are legal: for a
    /// tile in the middle of the gap, and at its edge.
    #[inline(always)]
    fn tile<V: MovedValue, const AXIS: usize>(
        &self,
        row: usize,
        first: u64,
        last: u64,
        rank: u32,
        value: &mut V,
    ) -> ([[V::Value; 2]; 2], [[u8; 2]; 2]) {
        let Axis { lines, slides } = &self.axes[AXIS];
        let with_tile = |cell: u64| (lines.with(cell, rank).0 >> (16 * row)) as Line;
        let (at_first, at_last) = (with_tile(first), with_tile(last));
        let slid = self.tables.slid(at_first);
        let moved =
            |way: usize, line: Line| Moved { direction: 2 * AXIS + way, row, line, before: at_first, moves: self };
        let is_legal =
            |way: usize, line: Line, at_edge: Line| (slides[way].changed & !(1 << row) != 0) | (line != at_edge);
        let left = (moved(0, slid.left), is_legal(0, slid.left, at_first));
        let right = (moved(1, slid.right), is_legal(1, slid.right, at_last));
        let left = middle_and_edge(left.0, left.1, first == last, value);
        let right = middle_and_edge(right.0, right.1, first == last, value);
        ([left.0, right.0], [left.1, right.1])
    }
}

/// A move's value and whether it is legal, for a tile in the middle of a gap and at its edge.
#[inline(always)]
fn middle_and_edge<V: MovedValue>(
    moved: Moved,
    legal_at_edge: bool,
    has_no_middle: bool,
    value: &mut V,
) -> ([V::Value; 2], [u8; 2]) {
    if V::SKIP_ILLEGAL && has_no_middle && !legal_at_edge {
        return ([V::ILLEGAL; 2], [0; 2]);
    }
    let value = value.of(&moved);
    ([value, select_unpredictable(legal_at_edge, value, V::ILLEGAL)], [1, u8::from(legal_at_edge)])
}

/// The empty cells that have no empty cell before them in their row.
#[inline(always)]
pub fn gap_starts(empty: u64) -> u64 {
    empty & !(empty << 4 & 0xFFF0_FFF0_FFF0_FFF0)
}

/// The empty cells that have no empty cell after them in their row.
#[inline(always)]
pub fn gap_ends(empty: u64) -> u64 {
    empty & !(empty >> 4 & 0x0FFF_0FFF_0FFF_0FFF)
}

impl Axis {
    #[inline(always)]
    fn new(tables: &Tables, lines: Board) -> Self {
        let (left, right) = lines.slid(tables);
        Axis { lines, slides: [Slide::new(lines, left), Slide::new(lines, right)] }
    }
}

impl Slide {
    #[inline(always)]
    fn new(lines: Board, slid: Board) -> Self {
        let (before, after) = (lines.rows(), slid.rows());
        let changed = (0..4).fold(0, |bits, row| bits | u32::from(after[row] != before[row]) << row);
        Slide { slid, columns: slid.transposed(), changed }
    }
}

/// The cells of the first column.
pub const COLUMN: u64 = 0x000F_000F_000F_000F;

/// The four cells of a row as the first cells of four rows.
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
    fn axis(&self) -> &Axis {
        &self.moves.axes[self.direction / 2]
    }

    #[inline(always)]
    fn slide(&self) -> &Slide {
        &self.axis().slides[self.direction % 2]
    }

    /// The lines perpendicular to those that were slid.
    #[inline(always)]
    pub fn columns(&self) -> Board {
        Board(self.slide().columns.0 & !(COLUMN << (4 * self.row)) | spread(self.line) << (4 * self.row))
    }

    #[inline(always)]
    pub fn board(&self) -> Board {
        if self.direction < 2 { with_row(self.slide().slid, self.row, self.line) } else { self.columns() }
    }

    /// The points that the move has earned.
    #[inline(always)]
    pub fn points(&self) -> u32 {
        with_row(self.axis().lines, self.row, self.before).points(self.moves.tables)
    }
}

/// For each reply, the values of the four moves after it.
pub struct Choices<T> {
    after: Board,
    axes: [ByGap<T>; 2],
}

struct ByGap<T> {
    gaps: ArrayVec<Gap<T>, MOST_GAPS>,
    /// The number of the gap that starts in a cell.
    numbers: [u8; 16],
}

impl<T: Copy> ByGap<T> {
    /// The values of the moves in both directions of a tile put into a cell, and the number of legal ones.
    #[inline(always)]
    fn moves(&self, cell: InGap, tile: usize) -> ([T; 2], u32) {
        let gap = &self.gaps[cell.number];
        let ([left, right], [is_left, is_right]) = (&gap.values[tile], &gap.is_legal[tile]);
        let steps = is_left[cell.is_first] + is_right[cell.is_last];
        ([left[cell.is_first], right[cell.is_last]], u32::from(steps))
    }
}

impl<T: Copy> Choices<T> {
    /// The best move after each reply, in the order of the game.
    #[inline(always)]
    pub fn best(&self, found: &mut ReplyValues, leaf: impl Fn(T) -> Leaf) {
        found.clear();
        let mut gaps = GapsOfCells::new(self.after);
        for cell in Cells(self.after.empty_mask()) {
            let [across, along] = gaps.next(cell, [&self.axes[0].numbers, &self.axes[1].numbers]);
            for tile in [0, 1] {
                let ([left, right], steps_across) = self.axes[0].moves(across, tile);
                let ([up, down], steps_along) = self.axes[1].moves(along, tile);
                let [a, b, c, d] = [leaf(left), leaf(right), leaf(up), leaf(down)];
                let value = greater(greater(a.value, b.value), greater(c.value, d.value));
                let leaves = (a.replies + b.replies) + (c.replies + d.replies);
                found.push(Best { value, steps: steps_across + steps_along, leaves });
            }
        }
    }
}

/// Finds the gaps of each empty cell, in reading order.
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

    /// The gap in its row and the gap in its column that hold the next cell. `numbers` are the numbers of the gaps by
    /// the cell in which each starts.
    #[inline(always)]
    pub fn next(&mut self, cell: u64, numbers: [&[u8; 16]; 2]) -> [InGap; 2] {
        let place = (cell.trailing_zeros() as usize / 4) & 15;
        let (row, column) = (place / 4, place % 4);
        let is_in = |cells: u64| usize::from(cells & cell != 0);
        let (first_across, first_along) = (is_in(self.starts[0]), is_in(self.starts[1]));
        let (last_across, last_along) = (is_in(self.ends[0]), is_in(self.ends[1]));
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

/// The greater of two numbers, neither of which is NaN. This compiles to one instruction.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Whether some step may reach the goal: the board has two tiles that would merge into it.
#[inline(always)]
pub fn goal_in_reach(game: &Twenty48, board: Board) -> bool {
    match game.goal {
        Goal::None => false,
        // A reply adds a 2 or a 4. Two 4s merge into 8, so with a goal of 8 a reply can add one of the two tiles.
        Goal::Rank(rank) => rank == 3 || board.cells_of(rank - 1).count_ones() > 1,
    }
}

/// As [`LastMoves::each_move`], but work that several replies have in common is done once.
#[inline(always)]
pub fn each_move(last: LastMoves<Twenty48>, found: &mut ReplyValues, value: impl Fn(Board, u32) -> f64) {
    if goal_in_reach(last.game, last.after) {
        return last.each_move(found, value);
    }
    let mut by_value = ByValue { score: last.score, horizon: last.horizon, value };
    ReplyMoves::new(last.game, last.after).choices(&mut by_value).best(found, |leaf| leaf);
}

struct ByValue<F> {
    score: u32,
    horizon: Horizon,
    value: F,
}

impl<F: Fn(Board, u32) -> f64> MovedValue for ByValue<F> {
    type Value = Leaf;
    const ILLEGAL: Leaf = Leaf::ILLEGAL;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> Leaf {
        let board = moved.board();
        Leaf::new((self.value)(board, self.score + moved.points()), self.horizon, board)
    }
}
