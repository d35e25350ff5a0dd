//! TOML texts with the position of every key, so that an error can point at the line that is wrong.
//!
//! Keys are written as paths: `games`, `agents[2].depth`, `terms[0].mask`.
//!
//! The toml crate can point at a value while it deserializes. Most of our errors come later: a value has the right type
//! but the wrong meaning, or a key is missing. So we keep the positions and write the caret ourselves.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{InputError, Table, Value};

/// The maximum size of a file: far more than any experiment or heuristic needs.
const MAX_BYTES: u64 = 16 << 20;

/// Fails if the path does not lead to a plain file. This is checked before a file is opened, because opening a pipe can
/// wait forever.
pub fn check_plain(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_file() { Ok(()) } else { Err(io::Error::other("it is not a plain file")) }
}

/// Opens a plain file, and nothing else.
pub fn open_plain(path: &Path) -> io::Result<File> {
    check_plain(path)?;
    File::open(path)
}

/// Reads a text file of at most `limit` bytes. The limit applies to the bytes that are read, because the size that the
/// system reports is 0 for devices and pipes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(limit + 1).read_to_string(&mut text);
    if text.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
    }
    read.map(|_| text)
}

/// A TOML text with its values and their positions.
///
/// ```
/// use lab2048::params::InputError;
/// use lab2048::params::document::Document;
///
/// let document = Document::parse("mine.toml", "games = 5\ndepth = 0\n").unwrap();
/// let message = document.render(&InputError::at("depth", "must be at least 1"));
/// assert!(message.starts_with("mine.toml:2:1: must be at least 1"));
/// ```
#[derive(Clone, Debug)]
pub struct Document {
    path: String,
    text: String,
    table: Table,
    /// For each key path, the bytes from the key to the end of its value, or the header of a table.
    spans: BTreeMap<String, Range<usize>>,
}

impl Document {
    /// Parses a text. `path` is its name in errors, which already show the line.
    pub fn parse(path: &str, text: &str) -> Result<Self, InputError> {
        let wrong = |error: toml::de::Error| {
            let span = error.span().unwrap_or(0..0);
            InputError::new(with_caret(path, text, Some(span), error.message()))
        };
        let spanned = DeTable::parse(text).map_err(wrong)?;
        let mut spans = BTreeMap::new();
        add_table("", spanned.get_ref(), &mut spans);
        let table = from_toml(text.parse().map_err(wrong)?);
        Ok(Document { path: path.to_string(), text: text.to_string(), table, spans })
    }

    /// Reads and parses a file.
    pub fn open(path: &str) -> Result<Self, InputError> {
        let wrong = |error| InputError::new(format!("cannot read `{path}`: {error}"));
        Document::parse(path, &read_text(Path::new(path), MAX_BYTES).map_err(wrong)?)
    }

    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The bytes of `key = value`, of a table's header or of an element of an array.
    pub fn span(&self, key: &str) -> Option<Range<usize>> {
        self.spans.get(key).cloned()
    }

    /// The error with file, line and caret. The caret points at the key, or at the innermost table around it that is in
    /// the file.
    pub fn render(&self, error: &InputError) -> String {
        let span = error.key.as_deref().and_then(|key| enclosing(key).find_map(|key| self.span(key)));
        with_caret(&self.path, &self.text, span, &error.message)
    }

    /// The error with the text of [`Document::render`] as its message.
    pub fn locate(&self, error: InputError) -> InputError {
        InputError::new(self.render(&error))
    }
}

fn from_toml(table: toml::Table) -> Table {
    table.into_iter().map(|(key, value)| (key, value_from_toml(value))).collect()
}

fn value_from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::Integer(number),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::Boolean(flag) => Value::Boolean(flag),
        toml::Value::Array(list) => Value::Array(list.into_iter().map(value_from_toml).collect()),
        toml::Value::Table(table) => Value::Table(from_toml(table)),
        // No parameter is a date. As a text, a date is refused later with a message about its key.
        toml::Value::Datetime(date) => Value::String(date.to_string()),
    }
}

/// The text of a TOML file with these values. Every table has its own header.
pub fn to_toml(table: &Table) -> String {
    into_toml(table).to_string()
}

fn into_toml(table: &Table) -> toml::Table {
    table.iter().map(|(key, value)| (key.clone(), value_into_toml(value))).collect()
}

fn value_into_toml(value: &Value) -> toml::Value {
    match value {
        Value::String(text) => toml::Value::String(text.clone()),
        Value::Integer(number) => toml::Value::Integer(*number),
        Value::Float(number) => toml::Value::Float(*number),
        Value::Boolean(flag) => toml::Value::Boolean(*flag),
        Value::Array(list) => toml::Value::Array(list.iter().map(value_into_toml).collect()),
        Value::Table(table) => toml::Value::Table(into_toml(table)),
    }
}

/// A key path and the paths around it: `a[1].b`, `a[1]`, `a`.
fn enclosing(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(key), |key| key.rfind(['.', '[']).map(|end| &key[..end]))
}

fn add_table(path: &str, table: &DeTable, spans: &mut BTreeMap<String, Range<usize>>) {
    for (key, value) in table.iter() {
        let inner = if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
        let (start, end) = (key.span().start, value.span().end);
        // The span of a `[table]` or `[[tables]]` value is its header, which contains the key.
        let span = if value.span().start <= start { value.span() } else { start..end };
        spans.insert(inner.clone(), span);
        add_value(&inner, value, spans);
    }
}

fn add_value(path: &str, value: &Spanned<DeValue>, spans: &mut BTreeMap<String, Range<usize>>) {
    match value.get_ref() {
        DeValue::Table(table) => add_table(path, table, spans),
        DeValue::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let inner = format!("{path}[{index}]");
                spans.insert(inner.clone(), element.span());
                add_value(&inner, element, spans);
            }
        }
        _ => {}
    }
}

/// Writes a message with the line that it is about:
///
/// ```text
/// agents.toml:3:1: depth must be ...
///   |
/// 3 | depth = 0
///   | ^^^^^^^^^
/// ```
fn with_caret(path: &str, text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let Some(span) = span.filter(|span| text.is_char_boundary(span.start)) else {
        return format!("{path}: {message}");
    };
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let number = text[..start].matches('\n').count() + 1;
    let before = text[start..span.start].chars().count();
    let width = line.chars().count().saturating_sub(before);
    let marked = text.get(span).map_or(1, |marked| marked.lines().next().unwrap_or_default().chars().count());
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
    fn the_caret_points_at_the_key() {
        assert_eq!(marked("name"), "x.toml:1:1: bad\n  |\n1 | name = \"x\"\n  | ^^^^^^^^^^");
        assert_eq!(marked("terms[1].ratio"), "x.toml:10:3: bad\n   |\n10 |   ratio = 2\n   |   ^^^^^^^^^");
        assert_eq!(
            marked("terms[1].inner.bc"),
            "x.toml:11:18: bad\n   |\n11 | inner = { a = 1, bc = 2 }\n   |                  ^^^^^^"
        );
        assert_eq!(marked("terms[0].mask"), "x.toml:5:1: bad\n  |\n5 | mask = [\n  | ^^^^^^^^");
    }

    #[test]
    fn a_missing_key_points_at_the_table_around_it() {
        assert_eq!(marked("terms[1].coefficient"), "x.toml:9:1: bad\n  |\n9 | [[terms]]\n  | ^^^^^^^^^");
        assert_eq!(marked("tail.begin"), "x.toml:13:1: bad\n   |\n13 | [tail]\n   | ^^^^^^");
        assert_eq!(marked("nothing"), "x.toml: bad");
    }

    #[test]
    fn syntax_errors_show_their_line() {
        let error = Document::parse("x.toml", "a = 1\nb = = 2\n").unwrap_err();
        assert!(error.message.starts_with("x.toml:2:"), "{error}");
        assert!(error.message.contains("2 | b = = 2"), "{error}");
        assert!(Document::parse("x.toml", "é = \"ü\nx").unwrap_err().message.contains("x.toml:"));
        assert!(Document::open("no/such/file.toml").unwrap_err().message.contains("no/such/file.toml"));
    }
}
