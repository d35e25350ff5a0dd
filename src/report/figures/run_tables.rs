//! The tables of a tuning run or a training as charts read them.

use super::NotDrawn;
use super::axis::Axis;
use super::facets;
use super::scale::Scale;
use super::style::TICK;
use crate::report::scene::text_width;
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

/// What values a parameter can have, which decides how its axis is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// All numbers of a range.
    Number {
        /// Whether the axis is logarithmic.
        log: bool,
    },
    /// Few whole numbers.
    Whole,
    /// These words, whose numbers are 0, 1, 2, ...
    Choice(Vec<String>),
}

/// With more whole numbers than this, a parameter is drawn like one that has all numbers.
const MOST_WHOLE: f64 = 12.0;

/// The width of ordinary numbers beside a panel, in points.
const NUMBERS: f64 = 20.0;

impl Default for Values {
    fn default() -> Self {
        Values::Number { log: false }
    }
}

impl Values {
    fn of(parameter: &Row) -> Self {
        let value = |text: &str| text.split_once(' ').map(|(_, value)| value.to_string());
        let choices: Vec<String> = parameter.text("choices").split(", ").filter_map(value).collect();
        let span = parameter.number("high").zip(parameter.number("low")).map(|(high, low)| high - low);
        match parameter.text("scale") {
            _ if !choices.is_empty() => Values::Choice(choices),
            "integer" if span.is_some_and(|span| span < MOST_WHOLE) => Values::Whole,
            scale => Values::Number { log: scale.starts_with("log") },
        }
    }

    pub(super) fn is_log(&self) -> bool {
        *self == Values::Number { log: true }
    }

    /// Whether there is nothing between two neighbouring values, so that no line may join them.
    pub(super) fn is_discrete(&self) -> bool {
        !matches!(self, Values::Number { .. })
    }

    /// The words of a choice, and the width of the widest one.
    fn words(&self) -> (&[String], f64) {
        let words: &[String] = if let Values::Choice(words) = self { words } else { &[] };
        (words, words.iter().map(|word| text_width(word, TICK)).fold(0.0, f64::max))
    }

    /// The width that all words of a choice take side by side.
    pub(super) fn width(&self) -> f64 {
        let (words, widest) = self.words();
        words.len() as f64 * (widest + TICK / 2.0)
    }

    /// The least width of a panel that has these values on its y axis.
    pub(super) fn narrowest_panel(&self) -> f64 {
        facets::NARROWEST + (self.words().1 - NUMBERS).max(0.0)
    }

    /// The axis that shows these numbers, with a margin where the parameter has all numbers of a range.
    pub(super) fn axis(&self, label: &str, shown: impl IntoIterator<Item = f64>, margin: f64) -> Option<Axis> {
        match self {
            Values::Choice(names) => Some(Axis::names(label, names.clone())),
            Values::Number { log } => Some(Axis::new(label, Scale::covering(shown, *log, margin)?)),
            Values::Whole => {
                let shown: Vec<f64> = shown.into_iter().flat_map(|value| [value - 0.5, value + 0.5]).collect();
                Some(Axis::whole(label, Scale::covering(shown, false, 0.0)?))
            }
        }
    }
}

/// How a parameter is drawn. A logarithmic axis shows negative parameters by their magnitude.
pub(super) struct Parameter<'a> {
    pub column: &'a str,
    pub name: String,
    pub values: Values,
    sign: f64,
}

impl<'a> Parameter<'a> {
    pub(super) fn new(parameter: &Row<'a>) -> Self {
        let column = parameter.text("parameter");
        let values = Values::of(parameter);
        let is_negative = values.is_log() && parameter.number("high").is_some_and(|high| high < 0.0);
        let name = if is_negative { format!("\u{2212}{column}") } else { column.to_string() };
        Parameter { column, name, values, sign: if is_negative { -1.0 } else { 1.0 } }
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
    fn the_scale_and_the_choices_of_a_parameter_decide_about_its_axis() {
        let mut table = Table::new(["parameter", "low", "high", "scale", "choices"]);
        table.push(["a", "0.1", "9", "log", ""]);
        table.push(["b", "0", "3", "integer", ""]);
        table.push(["c", "0", "500", "integer", ""]);
        table.push(["d", "0", "1", "choice", "0 value, 1 log2"]);
        let values: Vec<Values> = table.rows().map(|row| Parameter::new(&row).values).collect();
        let words = Values::Choice(vec!["value".into(), "log2".into()]);
        assert_eq!(values, [Values::Number { log: true }, Values::Whole, Values::Number { log: false }, words]);
        assert_eq!(values.iter().map(Values::is_discrete).collect::<Vec<_>>(), [false, true, false, true]);
        let texts = |values: &Values| {
            let ticked = values.axis("", [2.0, 3.0], 0.1).unwrap().across(200.0);
            ticked.ticks.major.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!([texts(&values[1]), texts(&values[3])], [["2", "3"], ["value", "log2"]]);
    }

    #[test]
    fn a_long_list_is_thinned_evenly() {
        assert_eq!(spread((0..5).collect(), 9), [0, 1, 2, 3, 4]);
        assert_eq!(spread((0..9).collect(), 3), [2, 5, 8]);
        assert_eq!(spread((0..1000).collect::<Vec<u32>>(), 300).len(), 300);
    }
}
