//! The patterns (tuples) of a network: the cells that each of them reads.
//!
//! A pattern is a set of cells, written as hexadecimal digits. Cells are numbered by rows from the top left, so `0123`
//! is the top row and `048c` the left column. Every pattern is used in all eight orientations of the board, which share
//! one table of weights.

use std::fmt;

use arrayvec::ArrayVec;

use crate::params::{InputError, nearest};

/// The shortest and the longest pattern. A table has 16^n weights: 1 KiB for 2 cells and 1 GiB for 7.
const SHORTEST: usize = 2;
const LONGEST: usize = 7;

/// The maximum number of patterns. More would need more memory than any machine has.
const MAX_PATTERNS: usize = 64;

/// Sets of patterns that have a name.
pub const NAMED: &[(&str, &str)] = &[
    // All rows and columns: an outer and an inner row, in all orientations.
    ("rows", "0123 4567"),
    // Yeh et al., Multi-stage temporal difference learning for 2048-like games (2016).
    ("4x6", "012345 456789 012456 45689a"),
    // Matsuzaki, Systematic selection of n-tuple networks with consideration of interinfluence for game 2048 (2016).
    ("8x6", "012456 456789 012345 234569 01259a 345678 134567 01489a"),
];

/// Cells in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    cells: ArrayVec<u8, LONGEST>,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, InputError> {
        let count = text.chars().count();
        if !(SHORTEST..=LONGEST).contains(&count) {
            let message =
                format!("pattern `{text}` has {count} cells, but a pattern has from {SHORTEST} to {LONGEST} cells");
            return Err(InputError::at("patterns", message));
        }
        let mut cells: ArrayVec<u8, LONGEST> = text.chars().map(|digit| cell(text, digit)).collect::<Result<_, _>>()?;
        cells.sort_unstable();
        match cells.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(InputError::at("patterns", format!("pattern `{text}` has cell {:x} twice", pair[0]))),
            None => Ok(Pattern { cells }),
        }
    }

    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of weights in its table.
    pub fn weights(&self) -> usize {
        1 << (4 * self.cells.len())
    }
}

fn cell(text: &str, digit: char) -> Result<u8, InputError> {
    let cell = digit.to_digit(16).and_then(|cell| u8::try_from(cell).ok());
    cell.ok_or_else(|| {
        let message =
            format!("pattern `{text}` has `{digit}`, which is no cell: cells are 0 to 9 and a to f, numbered by rows");
        InputError::at("patterns", message)
    })
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.cells.iter().try_for_each(|cell| write!(f, "{cell:x}"))
    }
}

/// The patterns of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    patterns: Vec<Pattern>,
}

impl Patterns {
    /// A name from [`NAMED`], or patterns separated by spaces.
    pub fn parse(text: &str) -> Result<Self, InputError> {
        let named = NAMED.iter().find(|(name, _)| *name == text);
        let words = named.map_or(text, |(_, patterns)| patterns).split_whitespace();
        let patterns =
            words.map(Pattern::parse).collect::<Result<Vec<_>, _>>().map_err(|problem| hint(text, problem))?;
        Patterns::new(patterns)
    }

    fn new(patterns: Vec<Pattern>) -> Result<Self, InputError> {
        if patterns.is_empty() || patterns.len() > MAX_PATTERNS {
            let count = patterns.len();
            return Err(InputError::at(
                "patterns",
                format!("{count} patterns are given, but there must be 1 to {MAX_PATTERNS}"),
            ));
        }
        let twice = patterns.iter().enumerate().find(|(index, pattern)| patterns[..*index].contains(pattern));
        match twice {
            Some((_, pattern)) => Err(InputError::at("patterns", format!("pattern `{pattern}` is given twice"))),
            None => Ok(Patterns { patterns }),
        }
    }

    /// The patterns, in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Pattern> {
        self.patterns.iter()
    }

    /// The number of patterns, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always a pattern")]
    pub fn len(&self) -> usize {
        self.patterns.len()
    }

    /// The number of weights of all tables.
    pub fn weights(&self) -> usize {
        self.patterns.iter().map(Pattern::weights).sum()
    }
}

/// Adds the most similar name to the error, because a misspelt name is read as a pattern with wrong cells.
fn hint(text: &str, problem: InputError) -> InputError {
    let names = NAMED.iter().map(|(name, _)| *name);
    let known: Vec<&str> = names.clone().collect();
    let nearest = nearest(text, names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    InputError { message: format!("{}{nearest} (named patterns: {})", problem.message, known.join(", ")), ..problem }
}

impl fmt::Display for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let words: Vec<String> = self.patterns.iter().map(Pattern::to_string).collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_are_read() {
        for (name, text) in NAMED {
            assert_eq!(Patterns::parse(name).unwrap().to_string(), *text);
            assert_eq!(Patterns::parse(text), Patterns::parse(name));
        }
        assert_eq!(Patterns::parse("3210").unwrap().to_string(), "0123");
        assert_eq!(Patterns::parse("4x6").unwrap().weights(), 4 << 24);
    }

    #[test]
    fn wrong_patterns_are_refused() {
        let message = |text: &str| Patterns::parse(text).unwrap_err().message;
        assert!(message("01234567").contains("8 cells") && message("01234567").contains("2 to 7"));
        assert!(message("0123 0").contains("`0` has 1 cells"));
        assert!(message("012g").contains("`g`, which is no cell"));
        assert!(message("0122").contains("cell 2 twice"));
        assert!(message("0123 3210").contains("given twice"));
        assert!(message("").contains("0 patterns"));
        assert!(message("row").contains("did you mean `rows`"));
    }
}
