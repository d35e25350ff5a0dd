//! The tables of a tuning run or a training as charts read them.

use super::NotDrawn;
use crate::report::table::{Row, Table};
use std::path::Path;

/// What a run did. This decides which tables and figures it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// One search for better weights.
    Search,
    /// Several optimizers on the same problem.
    Contest,
    /// Weights tuned in one setting and tested in others.
    Transfer,
    /// The front of two objectives.
    Front,
    /// The training of a network.
    Learning,
}

/// Where the tables of a run are, and what its experiment says about them.
pub struct RunTables<'a> {
    /// The results folder.
    pub folder: &'a Path,
    /// The label of the objective on an axis.
    pub objective: &'a str,
    /// Training games between two validations.
    pub every: u64,
    /// Training games of one search.
    pub budget: u64,
}

impl RunTables<'_> {
    /// Reads a table that every run of this kind has, unless it was not kept.
    pub(super) fn table(&self, file: &'static str) -> Result<Table, NotDrawn> {
        let path = self.folder.join(file);
        if !path.is_file() {
            return Err(NotDrawn::Missing(file));
        }
        Table::read(&path).map_err(NotDrawn::Unreadable)
    }

    /// Reads a table that only some runs have.
    pub(super) fn optional(&self, file: &'static str) -> Result<Table, NotDrawn> {
        self.table(file).map_err(|error| match error {
            NotDrawn::Missing(_) => NotDrawn::NotApplicable,
            other => other,
        })
    }
}

/// How a parameter is drawn. A logarithmic axis shows negative parameters by their magnitude.
pub(super) struct Parameter<'a> {
    pub column: &'a str,
    pub name: String,
    pub log: bool,
    /// The values of a choice, whose numbers are 0, 1, 2, ...; none for a number.
    pub choices: Vec<String>,
    sign: f64,
}

impl<'a> Parameter<'a> {
    pub(super) fn new(parameter: &Row<'a>) -> Self {
        let column = parameter.text("parameter");
        let log = parameter.text("scale").starts_with("log");
        let is_negative = log && parameter.number("high").is_some_and(|high| high < 0.0);
        let name = if is_negative { format!("\u{2212}{column}") } else { column.to_string() };
        let value = |text: &str| text.split_once(' ').map(|(_, value)| value.to_string());
        let choices = parameter.text("choices").split(", ").filter_map(value).collect();
        Parameter { column, name, log, choices, sign: if is_negative { -1.0 } else { 1.0 } }
    }

    pub(super) fn value(&self, row: &Row, column: &str) -> Option<f64> {
        row.number(column).map(|value| self.sign * value)
    }
}

/// The different texts of a column, in order of appearance.
pub(super) fn distinct(table: &Table, column: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in table.rows().map(|row| row.text(column)) {
        if !found.iter().any(|known| known == text) {
            found.push(text.to_string());
        }
    }
    found
}

/// At most this many items of a list, evenly spaced.
pub(super) fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    let kept = |index: &usize| count <= most || (index * most) / count != ((index + 1) * most) / count;
    all.into_iter().enumerate().filter(|(index, _)| kept(index)).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_thinned_evenly() {
        assert_eq!(spread((0..5).collect(), 9), [0, 1, 2, 3, 4]);
        assert_eq!(spread((0..9).collect(), 3), [2, 5, 8]);
        assert_eq!(spread((0..1000).collect::<Vec<u32>>(), 300).len(), 300);
    }
}
