//! The parts of a board's value. The value after a reply is computed by replacing the parts that the reply changes.
//!
//! Sums are always taken in the same order. So an updated sum equals a sum computed from scratch to the last bit.

use super::reply_moves::{Moved, ReplyMoves};
use super::tables::{Entry, LineTables, PairTables, Part};
use crate::games::twenty48::{Board, Line};

#[inline(always)]
fn sum([a, b, c, d]: [f64; 4]) -> f64 {
    (a + b) + (c + d)
}

/// The sum with one of the four replaced.
#[inline(always)]
fn sum_with(values: &[f64; 4], index: usize, value: f64) -> f64 {
    let others = index & 2 ^ 2;
    (value + values[index ^ 1]) + (values[others] + values[others + 1])
}

/// The part of the value that comes from rows and columns.
pub struct Lines<'a> {
    tables: &'a LineTables,
    lines: [[Line; 4]; 2],
    values: [[f64; 4]; 2],
}

impl<'a> Lines<'a> {
    #[inline(always)]
    pub fn new(tables: &'a LineTables, board: Board) -> Self {
        let (rows, columns) = (board.rows(), board.transposed().rows());
        let value = |line: Line| tables.values[usize::from(line)];
        let values = |[a, b, c, d]: [Line; 4]| [value(a), value(b), value(c), value(d)];
        Lines { tables, lines: [rows, columns], values: [values(rows), values(columns)] }
    }

    #[inline(always)]
    pub fn sum(&self) -> f64 {
        sum(self.values[0]) + sum(self.values[1])
    }

    /// The sum of the mean changes over all empty cells.
    #[inline(always)]
    pub fn drift(&self) -> f64 {
        let mut drift = 0.0;
        for lines in &self.lines {
            for &line in lines {
                drift += self.tables.entries[usize::from(line)].drift;
            }
        }
        drift
    }

    /// The sum with a tile put into the empty cell at `place`.
    #[inline(always)]
    pub fn sum_with(&self, place: usize, rank: u16) -> f64 {
        let (row, column) = (place / 4, place % 4);
        let with = |lines: &[Line; 4], values: &[f64; 4], line: usize, cell: usize| {
            sum_with(values, line, self.tables.values[usize::from(lines[line] | rank << (4 * cell))])
        };
        with(&self.lines[0], &self.values[0], row, column) + with(&self.lines[1], &self.values[1], column, row)
    }
}

/// The sum over a board's rows, of whole entries or of values only.
#[inline(always)]
pub fn rows<T: Part>(tables: &LineTables, board: Board) -> T {
    let [a, b, c, d] = board.rows();
    (T::of(tables, a) + T::of(tables, b)) + (T::of(tables, c) + T::of(tables, d))
}

/// The table entries of the rows after each of the four moves, as if no tile were added.
pub struct SlidLines<'a, T> {
    tables: &'a LineTables,
    rows: [[T; 4]; 4],
    /// The sum of the upper two rows, and the sum of the lower two.
    halves: [[T; 2]; 4],
}

impl<'a, T: Part> SlidLines<'a, T> {
    #[inline(always)]
    pub fn new(tables: &'a LineTables, moves: &ReplyMoves) -> Self {
        let [left, right, up, down] = moves.slid();
        let of = |slid: Board| {
            let [a, b, c, d] = slid.rows();
            [T::of(tables, a), T::of(tables, b), T::of(tables, c), T::of(tables, d)]
        };
        let rows = [of(left), of(right), of(up), of(down)];
        let halves = |way: usize| [rows[way][0] + rows[way][1], rows[way][2] + rows[way][3]];
        SlidLines { tables, rows, halves: [halves(0), halves(1), halves(2), halves(3)] }
    }

    /// The sum over rows and columns after a reply and a move.
    #[inline(always)]
    pub fn with(&self, moved: &Moved, columns: Board) -> T {
        let (others, halves, row) = (&self.rows[moved.direction], &self.halves[moved.direction], moved.row);
        let own = (T::of(self.tables, moved.line) + others[row ^ 1]) + halves[1 - row / 2];
        own + rows(self.tables, columns)
    }
}

/// The part of the value that comes from pairs of cells. Each of the eight bytes of a board is a pair.
pub struct Pairs<'a> {
    tables: &'a PairTables,
    bytes: [u8; 8],
    /// The values of the pairs: four in the upper half of the board, and four in the lower half.
    values: [[f64; 4]; 2],
}

impl<'a> Pairs<'a> {
    #[inline(always)]
    pub fn new(tables: &'a PairTables, board: Board) -> Self {
        let bytes = board.0.to_le_bytes();
        let value = |pair: usize| tables[pair][usize::from(bytes[pair])].value;
        let upper = [value(0), value(1), value(2), value(3)];
        let lower = [value(4), value(5), value(6), value(7)];
        Pairs { tables, bytes, values: [upper, lower] }
    }

    #[inline(always)]
    pub fn sum(&self) -> f64 {
        sum(self.values[0]) + sum(self.values[1])
    }

    #[inline(always)]
    pub fn entry(&self) -> Entry {
        Entry { value: self.sum(), drift: self.drift() }
    }

    /// The sum of the mean changes over all empty cells.
    #[inline(always)]
    pub fn drift(&self) -> f64 {
        self.bytes.iter().enumerate().map(|(pair, &byte)| self.tables[pair][usize::from(byte)].drift).sum()
    }

    /// The sum with a tile put into the empty cell at `place`.
    #[inline(always)]
    pub fn sum_with(&self, place: usize, rank: u8) -> f64 {
        let pair = place / 2;
        let value = self.tables[pair][usize::from(self.bytes[pair] | rank << (4 * (place % 2)))].value;
        let half = pair / 4;
        sum_with(&self.values[half], pair % 4, value) + sum(self.values[1 - half])
    }
}
