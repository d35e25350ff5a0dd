//! The tables of a heuristic: one of lines, and one for each pair of cells.

use std::ops::Add;

use crate::games::twenty48::{Line, P2, P4, boxed_table};
use crate::heuristics::features::{CellTable, FeatureShape};
use crate::heuristics::heuristic::Term;

/// The value of some cells, and how a reply changes it on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Entry {
    pub value: f64,
    /// The sum over the empty cells of the mean change that a new tile makes. Divided by the number of empty cells of
    /// the board, it is the expected change by a reply.
    pub drift: f64,
}

impl Add for Entry {
    type Output = Entry;

    #[inline(always)]
    fn add(self, other: Entry) -> Entry {
        Entry { value: self.value + other.value, drift: self.drift + other.drift }
    }
}

/// A value for each line. One table is used for all rows and columns.
pub type LineTable = [f64; 1 << 16];

/// The values of all lines, and their whole entries. Searches that need only values use the table of values and half
/// the cache; in the table of entries both numbers of a line lie next to each other.
pub struct LineTables {
    pub values: Box<LineTable>,
    pub entries: Box<[Entry; 1 << 16]>,
}

/// The part of a line's entry that is looked up: only the value, or the whole entry.
pub trait Part: Copy + Add<Output = Self> {
    fn of(tables: &LineTables, line: Line) -> Self;
}

impl Part for f64 {
    #[inline(always)]
    fn of(tables: &LineTables, line: Line) -> f64 {
        tables.values[usize::from(line)]
    }
}

impl Part for Entry {
    #[inline(always)]
    fn of(tables: &LineTables, line: Line) -> Entry {
        tables.entries[usize::from(line)]
    }
}

/// An entry for each pair of ranks. A board is eight bytes, and each byte is a pair of cells with a table of its own.
/// Values that differ from cell to cell are kept here, in 32 KiB, and not in a line table for each row.
pub type PairTables = [[Entry; 256]; 8];

/// The tables of a heuristic, and how far a reply can change their sum.
pub struct Tables {
    pub lines: Option<LineTables>,
    pub pairs: Option<Box<PairTables>>,
    pub range: Range,
}

/// The largest amounts by which a reply lowers and raises a value, and the largest absolute value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range {
    pub fall: f64,
    pub rise: f64,
    pub size: f64,
}

impl Range {
    /// The range of the sum of two values, if a reply changes both.
    fn plus(self, other: Range) -> Range {
        Range { fall: self.fall + other.fall, rise: self.rise + other.rise, size: self.size + other.size }
    }

    /// The range of either of two values.
    fn or(self, other: Range) -> Range {
        Range { fall: self.fall.max(other.fall), rise: self.rise.max(other.rise), size: self.size.max(other.size) }
    }
}

impl Tables {
    /// The tables of the terms that are sums over lines or cells.
    pub fn new(terms: &[Term]) -> Self {
        let (mut lines, mut cells) = (None, None);
        for term in terms {
            match term.shape() {
                FeatureShape::EachLine(value) => {
                    value.add_to(lines.get_or_insert_with(boxed_table), term.coefficient())
                }
                FeatureShape::Cells(table) => {
                    add_cells(cells.get_or_insert([[0.0; 16]; 16]), table, term.coefficient())
                }
                _ => {}
            }
        }
        if let (Some(lines), Some(alike)) = (&mut lines, cells.filter(is_alike)) {
            spread(lines.as_mut_slice(), &alike[0]);
            cells = None;
        }
        let lines = lines.map(|values| {
            let (drifts, range) = drifts(values.as_slice(), 16);
            let mut entries = boxed_table();
            for ((entry, value), drift) in entries.iter_mut().zip(values.iter()).zip(drifts) {
                *entry = Entry { value: *value, drift };
            }
            (LineTables { values, entries }, range)
        });
        let pairs = cells.map(|cells| pair_tables(&cells));
        // A reply changes one row, one column and one pair.
        let of_lines = lines.as_ref().map_or(Range::default(), |(_, range)| range.plus(*range));
        let range = of_lines.plus(pairs.as_ref().map_or(Range::default(), |(_, range)| *range));
        Tables { lines: lines.map(|(tables, _)| tables), pairs: pairs.map(|(pairs, _)| pairs), range }
    }
}

fn add_cells(sums: &mut CellTable, table: &CellTable, coefficient: f64) {
    for (sum, value) in sums.as_flattened_mut().iter_mut().zip(table.as_flattened()) {
        *sum += coefficient * value;
    }
}

fn is_alike(cells: &CellTable) -> bool {
    cells.iter().all(|ranks| *ranks == cells[0])
}

/// Adds the value of every cell to its lines: half to its row and half to its column.
fn spread(lines: &mut [f64], by_rank: &[f64; 16]) {
    let pair: [f64; 256] = std::array::from_fn(|ranks| (by_rank[ranks & 15] + by_rank[ranks >> 4]) / 2.0);
    for (line, sum) in lines.iter_mut().enumerate() {
        *sum += pair[line & 255] + pair[line >> 8];
    }
}

fn pair_tables(cells: &CellTable) -> (Box<PairTables>, Range) {
    let (mut tables, mut most) = (Box::new([[Entry::default(); 256]; 8]), Range::default());
    for (table, pair) in tables.iter_mut().zip(cells.chunks_exact(2)) {
        let values: Vec<f64> = (0..256).map(|ranks| pair[0][ranks & 15] + pair[1][ranks >> 4]).collect();
        let (drifts, range) = drifts(&values, 8);
        for ((entry, value), drift) in table.iter_mut().zip(values).zip(drifts) {
            *entry = Entry { value, drift };
        }
        most = most.or(range);
    }
    (tables, most)
}

/// For a table indexed by ranks with `bits` bits in all, the drift of each entry, and how far a reply changes one.
fn drifts(values: &[f64], bits: u32) -> (Box<[f64]>, Range) {
    let mut drifts = vec![0.0; values.len()].into_boxed_slice();
    let mut range = Range { size: values.iter().fold(0.0, |size, value| size.max(value.abs())), ..Range::default() };
    for shift in (0..bits).step_by(4) {
        // The entries whose cell at `shift` is empty.
        for index in (0..values.len() >> 4).map(|others| with_empty(others, shift)) {
            let change = |rank: usize| values[index | rank << shift] - values[index];
            let (two, four) = (change(1), change(2));
            drifts[index] += P2 * two + P4 * four;
            range.fall = range.fall.max(-two).max(-four);
            range.rise = range.rise.max(two).max(four);
        }
    }
    (drifts, range)
}

/// The index with an empty cell inserted at `shift`.
fn with_empty(others: usize, shift: u32) -> usize {
    let low = others & ((1 << shift) - 1);
    (others ^ low) << 4 | low
}
