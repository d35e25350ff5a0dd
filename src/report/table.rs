//! Tables of text with named columns, as in CSV files.
//!
//! Figures are drawn from such tables alone, so that a figure can be redrawn from the CSV files.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::params::document::open_plain;
use crate::stats::Interval;

/// The significant digits of numbers in files. No estimate is that precise, and the numbers are still short enough to
/// read.
const DIGITS: usize = 7;

/// Rows of cells under named columns; an empty cell is a value that does not exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One row, by the names of its columns.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    columns: &'a [String],
    cells: &'a [String],
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Table { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row with a cell for each column. Missing cells are empty.
    pub fn push(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether there is a column of this name.
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// The rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { columns: &self.columns, cells })
    }

    /// The first row with this text in this column.
    pub fn find(&self, column: &str, text: &str) -> Option<Row<'_>> {
        self.rows().find(|row| row.text(column) == text)
    }

    /// The text of a CSV file.
    pub fn to_csv(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            writer.write_record(row.iter().map(|cell| guarded(cell).into_owned()))?;
        }
        writer.into_inner().map_err(|error| error.into_error())
    }

    /// Reads a CSV file. An error names the file and the line.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut reader = open(path)?;
        let wrong = unreadable(path);
        let mut table = Table::new(reader.headers().map_err(&wrong)?.iter().map(unguarded));
        for record in reader.records() {
            table.push(record.map_err(&wrong)?.iter().map(unguarded));
        }
        Ok(table)
    }

    /// The columns of a file, without its rows.
    pub fn read_header(path: &Path) -> io::Result<Self> {
        let mut reader = open(path)?;
        Ok(Table::new(reader.headers().map_err(unreadable(path))?))
    }

    /// One object for each row: numbers as numbers, empty cells as null.
    pub fn to_json(&self) -> serde_json::Value {
        self.rows().map(|row| row.to_json()).collect()
    }
}

impl<'a> Row<'a> {
    /// The names of the columns.
    pub fn columns(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.columns.iter().map(String::as_str)
    }

    /// The cell's text; empty also where there is no such column.
    pub fn text(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.map_or("", |place| &self.cells[place])
    }

    /// The cell as a finite number, if it is one.
    pub fn number(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The cell as a whole number, if it is one.
    pub fn count(&self, column: &str) -> Option<u64> {
        self.text(column).parse().ok()
    }

    /// The estimate of `column` with its ends from `column_low` and `column_high`.
    pub fn interval(&self, column: &str) -> Option<Interval> {
        let estimate = self.number(column)?;
        let end = |suffix| self.number(&format!("{column}_{suffix}")).unwrap_or(estimate);
        Some(Interval { estimate, low: end("low"), high: end("high") })
    }

    fn to_json(self) -> serde_json::Value {
        let value = |text: &String| match text.parse::<serde_json::Number>() {
            Ok(number) => number.into(),
            Err(_) if text.is_empty() => serde_json::Value::Null,
            Err(_) => text.as_str().into(),
        };
        self.columns.iter().zip(self.cells).map(|(column, text)| (column.clone(), value(text))).collect()
    }
}

fn open(path: &Path) -> io::Result<csv::Reader<File>> {
    let file = open_plain(path).map_err(csv::Error::from).map_err(unreadable(path))?;
    Ok(csv::Reader::from_reader(file))
}

/// Names the file in an error of the CSV reader.
fn unreadable(path: &Path) -> impl Fn(csv::Error) -> io::Error + '_ {
    move |why| io::Error::other(format!("cannot read `{}`: {why}", path.display()))
}

/// Whether a spreadsheet would take a text for a formula and compute it.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err()
}

/// A cell as it is written to a CSV file. A text that looks like a formula gets an apostrophe in front, which makes it
/// text.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    if is_formula(cell.trim_start_matches('\'')) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// The text of a cell that [`guarded`] has written.
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text.trim_start_matches('\'')) => text,
        _ => cell,
    }
}

/// A number as it is written to a file, rounded to `DIGITS`.
pub fn number(value: f64) -> String {
    let rounded = format!("{value:.0$e}", DIGITS - 1).parse::<f64>().unwrap_or(value);
    // Minus zero would be printed as `-0`.
    if rounded == 0.0 { "0".into() } else { rounded.to_string() }
}

/// A whole number with a comma between thousands, for texts.
pub fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let sign = if value <= -0.5 { "-" } else { "" };
    let grouped = digits.bytes().enumerate().fold(String::new(), |mut text, (index, digit)| {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(char::from(digit));
        text
    });
    format!("{sign}{grouped}")
}

/// As [`number`]; empty for a value that does not exist.
pub fn optional(value: Option<f64>) -> String {
    value.map(number).unwrap_or_default()
}

/// The names of an estimate's three columns.
pub fn interval_columns(name: &str) -> [String; 3] {
    [name.to_string(), format!("{name}_low"), format!("{name}_high")]
}

/// The cells of an estimate's three columns.
pub fn interval_cells(interval: Option<Interval>) -> [String; 3] {
    [interval.map(|i| i.estimate), interval.map(|i| i.low), interval.map(|i| i.high)].map(optional)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_read_back_as_written() {
        let mut table = Table::new(["agent", "rate", "rate_low", "rate_high"]);
        table.push(["a, \"quoted\"", "0.5", "0.25", "0.75"]);
        table.push(["b"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, table.to_csv().unwrap()).unwrap();
        assert_eq!(Table::read(&path).unwrap(), table);
        let row = table.find("agent", "a, \"quoted\"").unwrap();
        assert_eq!(row.interval("rate"), Some(Interval { estimate: 0.5, low: 0.25, high: 0.75 }));
        assert_eq!(table.find("agent", "b").unwrap().interval("rate"), None);
        assert_eq!(row.text("absent"), "");
        assert_eq!(table.to_json()[1]["rate"], serde_json::Value::Null);
    }

    #[test]
    fn no_cell_is_a_formula_and_all_read_back() {
        let texts = ["=1+1", "+ mask", "-x", "@sum", "'=1+1", "''=x", "-1.5", "+3", "a=b", "'plain", "\tx", ""];
        let mut table = Table::new(["=head", "b"]);
        texts.iter().for_each(|text| table.push([*text, "x"]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, table.to_csv().unwrap()).unwrap();
        assert_eq!(Table::read(&path).unwrap(), table);
        let written = String::from_utf8(table.to_csv().unwrap()).unwrap();
        assert!(written.contains("'=1+1,x") && written.contains("\n-1.5,x") && !written.contains("\n="), "{written}");
    }

    #[test]
    fn numbers_are_rounded_to_seven_digits() {
        let cases = [0.1 + 0.2, 12345.678, 1e-20 / 3.0, -0.0, 100.0, f64::from(u32::MAX)];
        assert_eq!(cases.map(number), ["0.3", "12345.68", "0.000000000000000000003333333", "0", "100", "4294967000"]);
    }

    #[test]
    fn a_damaged_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "a,b\n1\n").unwrap();
        assert!(Table::read(&path).unwrap_err().to_string().contains("t.csv"));
        assert!(Table::read(&folder.path().join("none.csv")).unwrap_err().to_string().contains("none.csv"));
    }
}
