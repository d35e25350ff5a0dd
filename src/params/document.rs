//! TOML texts that remember where everything stands, so that a problem with a value can point at it.
//!
//! Keys are addressed by path: `games`, `agents[2].depth`, `terms[0].mask`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::InputError;

/// Far more than any experiment or heuristic needs.
const LARGEST: u64 = 16 << 20;

/// Reads a text file of at most `limit` bytes. What is read is limited and not what the system says about the file, which
/// is 0 for devices and pipes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(limit + 1).read_to_string(&mut text);
    if text.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
    }
    read.map(|_| text)
}

/// A TOML text, its values, and the place of each.
#[derive(Clone, Debug)]
pub struct Document {
    path: String,
    text: String,
    table: toml::Table,
    /// By key path: the bytes from the key to the end of its value, or the header of a table.
    places: BTreeMap<String, Range<usize>>,
}

impl Document {
    /// Reads a text; `path` is what errors call it. The error is ready to be shown.
    pub fn parse(path: &str, text: &str) -> Result<Self, InputError> {
        let wrong = |error: toml::de::Error| {
            let place = error.span().unwrap_or(0..0);
            InputError::new(pointed(path, text, Some(place), error.message()))
        };
        let spanned = DeTable::parse(text).map_err(wrong)?;
        let mut places = BTreeMap::new();
        note_table("", spanned.get_ref(), &mut places);
        let table = text.parse().map_err(wrong)?;
        Ok(Document { path: path.to_string(), text: text.to_string(), table, places })
    }

    /// Reads a file.
    pub fn open(path: &str) -> Result<Self, InputError> {
        let wrong = |error| InputError::new(format!("cannot read `{path}`: {error}"));
        Document::parse(path, &read_text(Path::new(path), LARGEST).map_err(wrong)?)
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn table(&self) -> &toml::Table {
        &self.table
    }

    /// The bytes of `key = value`, of a table's header or of an array's element.
    pub fn place(&self, key: &str) -> Option<Range<usize>> {
        self.places.get(key).cloned()
    }

    /// The problem with file, line and caret, at its key or at the nearest thing around it that is written down.
    pub fn render(&self, problem: &InputError) -> String {
        let place = problem.key.as_deref().and_then(|key| outward(key).find_map(|key| self.place(key)));
        pointed(&self.path, &self.text, place, &problem.message)
    }

    /// As [`Document::render`], to be passed on.
    pub fn locate(&self, problem: InputError) -> InputError {
        InputError::new(self.render(&problem))
    }
}

/// A key path and those around it: `a[1].b`, `a[1]`, `a`.
fn outward(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(key), |key| key.rfind(['.', '[']).map(|end| &key[..end]))
}

fn note_table(path: &str, table: &DeTable, places: &mut BTreeMap<String, Range<usize>>) {
    for (key, value) in table.iter() {
        let inner = if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
        let (start, end) = (key.span().start, value.span().end);
        // Of `[table]` and `[[tables]]` the value's place is the header, which encloses the key.
        let place = if value.span().start <= start { value.span() } else { start..end };
        places.insert(inner.clone(), place);
        note_value(&inner, value, places);
    }
}

fn note_value(path: &str, value: &Spanned<DeValue>, places: &mut BTreeMap<String, Range<usize>>) {
    match value.get_ref() {
        DeValue::Table(table) => note_table(path, table, places),
        DeValue::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let inner = format!("{path}[{index}]");
                places.insert(inner.clone(), element.span());
                note_value(&inner, element, places);
            }
        }
        _ => {}
    }
}

/// ```text
/// agents.toml:3:1: depth must be ...
///   |
/// 3 | depth = 0
///   | ^^^^^^^^^
/// ```
fn pointed(path: &str, text: &str, place: Option<Range<usize>>, message: &str) -> String {
    let Some(place) = place.filter(|place| text.is_char_boundary(place.start)) else {
        return format!("{path}: {message}");
    };
    let start = text[..place.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let number = text[..start].matches('\n').count() + 1;
    let before = text[start..place.start].chars().count();
    let width = line.chars().count().saturating_sub(before);
    let marked = text.get(place).map_or(1, |marked| marked.lines().next().unwrap_or_default().chars().count());
    let (margin, carets) = (" ".repeat(number.to_string().len()), "^".repeat(marked.min(width).max(1)));
    let indent: String = line.chars().take(before).map(|c| if c == '\t' { c } else { ' ' }).collect();
    format!("{path}:{number}:{}: {message}\n{margin} |\n{number} | {line}\n{margin} | {indent}{carets}", before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = \"x\"\n\n[[terms]]\nfeature = \"mask\"\nmask = [\n  [1, 2],\n]\n\n[[terms]]\n  ratio = 2\ninner = { a = 1, bc = 2 }\n\n[tail]\nend = 1\n";

    fn marked(key: &str) -> String {
        let document = Document::parse("x.toml", TEXT).unwrap();
        document.render(&InputError::at(key, "bad"))
    }

    #[test]
    fn places_are_found() {
        assert_eq!(marked("name"), "x.toml:1:1: bad\n  |\n1 | name = \"x\"\n  | ^^^^^^^^^^");
        assert_eq!(marked("terms[1].ratio"), "x.toml:10:3: bad\n   |\n10 |   ratio = 2\n   |   ^^^^^^^^^");
        assert_eq!(
            marked("terms[1].inner.bc"),
            "x.toml:11:18: bad\n   |\n11 | inner = { a = 1, bc = 2 }\n   |                  ^^^^^^"
        );
        assert_eq!(marked("terms[0].mask"), "x.toml:5:1: bad\n  |\n5 | mask = [\n  | ^^^^^^^^");
    }

    #[test]
    fn what_is_missing_points_at_what_surrounds_it() {
        assert_eq!(marked("terms[1].coefficient"), "x.toml:9:1: bad\n  |\n9 | [[terms]]\n  | ^^^^^^^^^");
        assert_eq!(marked("tail.begin"), "x.toml:13:1: bad\n   |\n13 | [tail]\n   | ^^^^^^");
        assert_eq!(marked("nothing"), "x.toml: bad");
    }

    #[test]
    fn text_that_is_not_toml_is_pointed_at() {
        let problem = Document::parse("x.toml", "a = 1\nb = = 2\n").unwrap_err();
        assert!(problem.message.starts_with("x.toml:2:"), "{problem}");
        assert!(problem.message.contains("2 | b = = 2"), "{problem}");
        assert!(Document::parse("x.toml", "é = \"ü\nx").unwrap_err().message.contains("x.toml:"));
        assert!(Document::open("no/such/file.toml").unwrap_err().message.contains("no/such/file.toml"));
    }
}
