//! A board's value in parts, so that the value after a reply needs only what the reply has changed.
//!
//! Sums are always taken in the same order, so that a changed sum is the same to the last bit as a new one.

use super::shared::{Moved, Shared};
use super::tables::{Entry, LineTable, PairTables};
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

/// What rows and columns add.
pub struct Lines<'a> {
    table: &'a LineTable,
    lines: [[Line; 4]; 2],
    values: [[f64; 4]; 2],
}

impl<'a> Lines<'a> {
    #[inline(always)]
    pub fn new(table: &'a LineTable, board: Board) -> Self {
        let lines = [board.rows(), board.transposed().rows()];
        Lines { table, lines, values: lines.map(|lines| lines.map(|line| table[usize::from(line)].value)) }
    }

    #[inline(always)]
    pub fn sum(&self) -> f64 {
        sum(self.values[0]) + sum(self.values[1])
    }

    /// The sum of the mean changes over all empty cells.
    #[inline(always)]
    pub fn drift(&self) -> f64 {
        self.lines.as_flattened().iter().map(|&line| self.table[usize::from(line)].drift).sum()
    }

    /// The sum with a tile put into the empty cell at `place`.
    #[inline(always)]
    pub fn sum_with(&self, place: usize, rank: u16) -> f64 {
        let (row, column) = (place / 4, place % 4);
        let with = |lines: &[Line; 4], values: &[f64; 4], line: usize, cell: usize| {
            sum_with(values, line, self.table[usize::from(lines[line] | rank << (4 * cell))].value)
        };
        with(&self.lines[0], &self.values[0], row, column) + with(&self.lines[1], &self.values[1], column, row)
    }
}

/// What a board's rows add.
#[inline(always)]
pub fn rows(table: &LineTable, board: Board) -> Entry {
    let [a, b, c, d] = board.rows().map(|line| table[usize::from(line)]);
    (a + b) + (c + d)
}

/// What the rows of each of the four moves add, before a reply.
pub struct SlidLines<'a> {
    table: &'a LineTable,
    entries: [[Entry; 4]; 4],
    /// The upper and the lower two together.
    halves: [[Entry; 2]; 4],
}

impl<'a> SlidLines<'a> {
    #[inline(always)]
    pub fn new(table: &'a LineTable, shared: &Shared) -> Self {
        let entries = shared.slid().map(|slid| slid.rows().map(|line| table[usize::from(line)]));
        SlidLines { table, entries, halves: entries.map(|[a, b, c, d]| [a + b, c + d]) }
    }

    /// What rows and columns add after a reply and a move.
    #[inline(always)]
    pub fn with(&self, moved: &Moved) -> Entry {
        let (entries, halves, row) = (&self.entries[moved.direction], &self.halves[moved.direction], moved.row);
        let own = (self.table[usize::from(moved.line)] + entries[row ^ 1]) + halves[1 - row / 2];
        own + rows(self.table, moved.columns())
    }
}

/// What pairs of cells add: each of the eight bytes of a board is one.
pub struct Pairs<'a> {
    tables: &'a PairTables,
    bytes: [u8; 8],
    /// Of the upper and the lower half of the board.
    values: [[f64; 4]; 2],
}

impl<'a> Pairs<'a> {
    #[inline(always)]
    pub fn new(tables: &'a PairTables, board: Board) -> Self {
        let bytes = board.0.to_le_bytes();
        let value = |pair: usize| tables[pair][usize::from(bytes[pair])].value;
        Pairs { tables, bytes, values: [0, 4].map(|first| std::array::from_fn(|i| value(first + i))) }
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
        self.tables.iter().zip(self.bytes).map(|(table, byte)| table[usize::from(byte)].drift).sum()
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
