//! The tables of lines that a heuristic's terms make.

use std::sync::Arc;

use crate::games::twenty48::{P2, P4, boxed_table};
use crate::heuristics::features::{CellTable, Form};
use crate::heuristics::heuristic::Term;

/// What a line adds, and what replies do to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(16))]
pub struct Entry {
    pub value: f64,
    /// Over the empty cells of the line, the sum of the mean change that a new tile there makes.
    pub drift: f64,
}

/// An entry for each line.
pub type LineTable = [Entry; 1 << 16];

/// The tables of rows and columns, each made once wherever it is used.
pub struct LineTables {
    /// Of the four rows, then of the four columns.
    pub lines: [Arc<LineTable>; 8],
    /// The most by which a reply can lower the sum.
    pub fall: f64,
}

impl LineTables {
    /// Of those terms that are sums over lines or cells.
    pub fn new(terms: &[Term]) -> Self {
        let mut everywhere = boxed_table();
        let mut cells: CellTable = [[0.0; 16]; 16];
        for term in terms {
            match term.form() {
                Form::EachLine(value) => value.add_to(&mut everywhere, term.coefficient()),
                Form::Cells(table) => add_cells(&mut cells, table, term.coefficient()),
                _ => {}
            }
        }
        // Cells that are all alike go half to their rows and half to their columns, which keeps lines alike.
        if cells.iter().all(|ranks| *ranks == cells[0]) {
            let half = cells[0].map(|value| value / 2.0);
            add_row(&mut everywhere, &[half; 4]);
            let (shared, fall) = finish(&everywhere);
            return LineTables { lines: std::array::from_fn(|_| shared.clone()), fall: 2.0 * fall };
        }
        let (column, column_fall) = finish(&everywhere);
        let rows = [0, 4, 8, 12].map(|first| {
            let mut row = everywhere.clone();
            add_row(&mut row, &cells[first..first + 4]);
            finish(&row)
        });
        let fall = column_fall + rows.iter().fold(0.0, |most, (_, fall)| f64::max(most, *fall));
        let [(a, _), (b, _), (c, _), (d, _)] = rows;
        LineTables { lines: [a, b, c, d, column.clone(), column.clone(), column.clone(), column], fall }
    }
}

fn add_cells(sums: &mut CellTable, table: &CellTable, coefficient: f64) {
    for (sum, value) in sums.as_flattened_mut().iter_mut().zip(table.as_flattened()) {
        *sum += coefficient * value;
    }
}

/// Adds what each cell of a row holds, two cells at a time.
fn add_row(table: &mut [f64; 1 << 16], cells: &[[f64; 16]]) {
    let pairs = |first: usize| -> [f64; 256] {
        std::array::from_fn(|ranks| cells[first][ranks & 15] + cells[first + 1][ranks >> 4])
    };
    let (low, high) = (pairs(0), pairs(2));
    for (line, sum) in table.iter_mut().enumerate() {
        *sum += low[line & 255] + high[line >> 8];
    }
}

/// Adds what replies do, and the most by which one of them lowers a line.
fn finish(values: &[f64; 1 << 16]) -> (Arc<LineTable>, f64) {
    let (mut table, mut fall) = (boxed_table::<Entry>(), 0f64);
    for (line, entry) in table.iter_mut().enumerate() {
        entry.value = values[line];
        for shift in [0, 4, 8, 12].into_iter().filter(|shift| line >> shift & 15 == 0) {
            let [two, four] = [1, 2].map(|rank| values[line | rank << shift] - values[line]);
            entry.drift += P2 * two + P4 * four;
            fall = fall.max(-two).max(-four);
        }
    }
    (table.into(), fall)
}
