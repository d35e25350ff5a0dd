//! The four moves after each reply, with the work that replies have in common done once.
//!
//! A new tile changes one row and one column. Of a move to the left or right, the other three rows slide as they did
//! before; of the columns of the moved board only one cell each can differ. So each reply costs two look-ups for sliding
//! and twenty for values, and no board has to be transposed.

use super::tables::{Entry, LineTable};
use crate::games::Reply;
use crate::games::twenty48::{Board, Cells, Line, P2, P4, Tables, Twenty48};

/// One of the four moves: what it leads to is valued before it is known whether the move is legal, which spares
/// branches that nothing predicts.
#[derive(Clone, Copy)]
pub struct Moved {
    pub total: Entry,
    /// Empty cells after it.
    pub empty: u32,
    pub is_legal: bool,
}

/// What a board's rows add.
#[inline(always)]
pub fn rows(table: &LineTable, board: Board) -> Entry {
    let [a, b, c, d] = board.rows().map(|line| table[usize::from(line)]);
    (a + b) + (c + d)
}

/// A board before its replies.
pub struct Shared<'a> {
    after: Board,
    across: Side<'a>,
    along: Side<'a>,
}

impl<'a> Shared<'a> {
    #[inline(always)]
    pub fn new(table: &'a LineTable, game: &Twenty48, after: Board) -> Self {
        let side = |lines: Board| Side::new(table, game.tables(), lines);
        Shared { after, across: side(after), along: side(after.transposed()) }
    }

    /// Visits the replies with their moves, in the order of the game.
    #[inline(always)]
    pub fn each_reply(&self, mut visit: impl FnMut(&Reply<Board>, &[Moved; 4])) {
        let share = 1.0 / f64::from(self.after.empty_count());
        Cells(self.after.empty_mask()).for_each(|cell| {
            let place = cell.trailing_zeros() as usize / 4;
            for (weight, rank) in [(P2, 1), (P4, 2)] {
                let [left, right] = self.across.with(place / 4, place % 4, rank);
                let [up, down] = self.along.with(place % 4, place / 4, rank);
                let position = self.after.with(cell, u32::from(rank));
                let reply = Reply { probability: weight * share, weight, position };
                visit(&reply, &[left, right, up, down]);
            }
        });
    }
}

/// A board whose rows slide: itself, or its transpose for moves up and down.
struct Side<'a> {
    table: &'a LineTable,
    tables: &'a Tables,
    lines: [Line; 4],
    ways: [Way; 2],
}

/// Sliding one way.
struct Way {
    /// What each slid row adds, and the upper and the lower two together.
    entries: [Entry; 4],
    halves: [Entry; 2],
    /// The columns of the slid board.
    columns: Board,
    /// One bit for each row that sliding changes.
    changed: u32,
}

impl Way {
    #[inline(always)]
    fn new(table: &LineTable, before: [Line; 4], slid: Board) -> Self {
        let rows = slid.rows();
        let entries = rows.map(|line| table[usize::from(line)]);
        let changed = (0..4).fold(0, |bits, row| bits | u32::from(rows[row] != before[row]) << row);
        let [a, b, c, d] = entries;
        Way { entries, halves: [a + b, c + d], columns: slid.transposed(), changed }
    }

    /// With `row`, which was `before` sliding, now slid to `line`.
    #[inline(always)]
    fn with(&self, table: &LineTable, row: usize, before: Line, line: Line) -> Moved {
        let cells = COLUMN << (4 * row);
        let columns = Board((self.columns.0 & !cells) | spread(line) << (4 * row));
        // In the order of `rows`, so that the result is the same to the last bit.
        let own = (table[usize::from(line)] + self.entries[row ^ 1]) + self.halves[1 - row / 2];
        Moved {
            total: own + rows(table, columns),
            empty: columns.empty_count(),
            is_legal: (self.changed & !(1 << row) != 0) | (line != before),
        }
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

impl<'a> Side<'a> {
    #[inline(always)]
    fn new(table: &'a LineTable, tables: &'a Tables, board: Board) -> Self {
        let (lines, (left, right)) = (board.rows(), board.slid(tables));
        Side { table, tables, lines, ways: [Way::new(table, lines, left), Way::new(table, lines, right)] }
    }

    /// Both ways, with a tile put into an empty cell of a row.
    #[inline(always)]
    fn with(&self, row: usize, cell: usize, rank: u16) -> [Moved; 2] {
        let line = self.lines[row] | rank << (4 * cell);
        let slid = self.tables.slid(line);
        [self.ways[0].with(self.table, row, line, slid.left), self.ways[1].with(self.table, row, line, slid.right)]
    }
}
