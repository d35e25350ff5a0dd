//! The values of parameters: numbers, flags, texts, lists and tables.
//!
//! Files have them as TOML and the command line as `key=value`. The engine depends on neither format: it uses only this
//! type.

use std::fmt;
use std::ops::Index;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A value that a user gave, before its meaning is checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A number with a decimal point or an exponent.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A list.
    Array(Vec<Value>),
    /// Values with names.
    Table(Table),
}

impl Value {
    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text) } else { None }
    }

    /// The whole number, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        if let Value::Integer(number) = self { Some(*number) } else { None }
    }

    /// The number with a decimal point, if it is one.
    pub fn as_float(&self) -> Option<f64> {
        if let Value::Float(number) = self { Some(*number) } else { None }
    }

    /// The flag, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Boolean(flag) = self { Some(*flag) } else { None }
    }

    /// The list, if it is one.
    pub fn as_array(&self) -> Option<&Vec<Value>> {
        if let Value::Array(list) = self { Some(list) } else { None }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        if let Value::Table(table) = self { Some(table) } else { None }
    }

    /// Whether it is a text.
    pub fn is_str(&self) -> bool {
        self.as_str().is_some()
    }

    /// Whether it is a flag.
    pub fn is_bool(&self) -> bool {
        self.as_bool().is_some()
    }

    /// Whether it is a list.
    pub fn is_array(&self) -> bool {
        self.as_array().is_some()
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        self.as_table().is_some()
    }
}

/// Writes the value as TOML does, on one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::String(text) => write!(f, "\"{}\"", escaped(text)),
            Value::Integer(number) => write!(f, "{number}"),
            Value::Float(number) if number.is_finite() && number.fract() == 0.0 => write!(f, "{number}.0"),
            Value::Float(number) => write!(f, "{number}"),
            Value::Boolean(flag) => write!(f, "{flag}"),
            Value::Array(list) => {
                let items: Vec<String> = list.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Value::Table(table) => write!(f, "{table}"),
        }
    }
}

fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            '\n' => vec!['\\', 'n'],
            '\t' => vec!['\\', 't'],
            c if c.is_control() => format!("\\u{:04X}", u32::from(c)).chars().collect(),
            c => vec![c],
        })
        .collect()
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Float(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Boolean(flag)
    }
}

impl From<Table> for Value {
    fn from(table: Table) -> Self {
        Value::Table(table)
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(list: Vec<V>) -> Self {
        Value::Array(list.into_iter().map(Into::into).collect())
    }
}

/// Values with names, in the order in which they were given.
///
/// ```
/// use lab2048::params::{Table, Value};
///
/// let table = Table::from_iter([("depth", Value::from(3)), ("heuristic", "snake".into())]);
/// assert_eq!(table.get("depth"), Some(&Value::Integer(3)));
/// assert_eq!(table.to_string(), "{ depth = 3, heuristic = \"snake\" }");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    // Tables are small, so a search through the list is faster than a map.
    entries: Vec<(String, Value)>,
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        Table::default()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Whether there is a value with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets the value of a name, and returns its old value. A new name comes last.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.entries.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => Some(std::mem::replace(old, value)),
            None => {
                self.entries.push((name, value));
                None
            }
        }
    }

    /// Removes a value. The others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let index = self.entries.iter().position(|(key, _)| key == name)?;
        Some(self.entries.remove(index).1)
    }

    /// The names, in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// The names with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

/// The value with this name. A missing name gives an empty list and does not panic.
impl Index<&str> for Table {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        static ABSENT: Value = Value::Array(Vec::new());
        self.get(name).unwrap_or(&ABSENT)
    }
}

impl<K: Into<String>> FromIterator<(K, Value)> for Table {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        let mut table = Table::new();
        for (key, value) in entries {
            table.insert(key.into(), value);
        }
        table
    }
}

impl IntoIterator for Table {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a> IntoIterator for &'a Table {
    type Item = (&'a String, &'a Value);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (String, Value)>, fn(&'a (String, Value)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter().map(|(key, value)| (key, value))
    }
}

/// Writes the table as TOML's inline table.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let entries: Vec<String> = self.iter().map(|(key, value)| format!("{} = {value}", key_text(key))).collect();
        write!(f, "{{ {} }}", entries.join(", "))
    }
}

/// A name that is not a bare key of TOML is quoted.
fn key_text(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if is_bare { key.to_string() } else { format!("\"{}\"", escaped(key)) }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.entries.len()))?;
        for (key, value) in &self.entries {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Reads a value that is written without quotes, as on the command line: a number, a flag or a list if it is one, and a
/// text otherwise.
///
/// ```
/// use lab2048::params::parse_bare;
///
/// assert_eq!(parse_bare("3").as_integer(), Some(3));
/// assert_eq!(parse_bare("true").as_bool(), Some(true));
/// assert_eq!(parse_bare("snake").as_str(), Some("snake"));
/// assert_eq!(parse_bare("[1, 2.5]").to_string(), "[1, 2.5]");
/// ```
pub fn parse_bare(text: &str) -> Value {
    literal(text.trim()).unwrap_or_else(|| Value::String(text.to_string()))
}

/// A number, a flag, a list or a text in quotes; `None` for anything else.
fn literal(text: &str) -> Option<Value> {
    match text {
        "true" => return Some(Value::Boolean(true)),
        "false" => return Some(Value::Boolean(false)),
        _ => {}
    }
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return split_outside_brackets(inner).into_iter().map(literal).collect::<Option<_>>().map(Value::Array);
    }
    if let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return (!inner.contains(['"', '\\'])).then(|| inner.into());
    }
    let is_numeric = text.chars().all(|c| c.is_ascii_digit() || "+-._eE".contains(c));
    if !is_numeric || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = text.replace('_', "");
    digits.parse().map(Value::Integer).ok().or_else(|| digits.parse().map(Value::Float).ok())
}

/// The parts of a list. A comma inside brackets does not separate two parts.
pub(super) fn split_outside_brackets(text: &str) -> Vec<&str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_values_are_read_as_toml_reads_them() {
        let texts =
            ["3", "-7", "+2", "1_000", "0.5", "2.0", "1e-5", "-1.5e3", "true", "[1, [2, 3.0], \"x\"]", "\"a b\""];
        for text in texts {
            let parsed: toml::Table = format!("v = {text}").parse().unwrap();
            assert_eq!(parse_bare(text).to_string(), parsed["v"].to_string(), "{text}");
        }
    }

    #[test]
    fn everything_else_is_a_text() {
        for text in ["snake", "4..6", "", "-", "1x", "results/a.toml", "[1, snake]", "1.2.3", "nan", "[", "e"] {
            assert_eq!(parse_bare(text), Value::from(text), "{text}");
        }
    }

    #[test]
    fn values_are_written_as_toml_writes_them() {
        let values = [
            (Value::Float(1e-9), toml::Value::Float(1e-9)),
            (Value::Float(1e21), toml::Value::Float(1e21)),
            (Value::from("quote \" and \\ and \n"), toml::Value::from("quote \" and \\ and \n")),
            (Value::from(vec![1.0, 0.1]), toml::Value::from(vec![1.0, 0.1])),
        ];
        for (ours, theirs) in values {
            let reread: toml::Table = format!("v = {ours}").parse().unwrap();
            assert_eq!(reread["v"], theirs);
        }
    }

    #[test]
    fn a_table_keeps_its_order() {
        let mut table = Table::from_iter([("b", Value::from(1)), ("a", Value::from(2)), ("b", Value::from(3))]);
        assert_eq!(table.to_string(), "{ b = 3, a = 2 }");
        assert_eq!(table.insert("c.d".into(), true.into()), None);
        assert_eq!(table.remove("b"), Some(Value::from(3)));
        assert_eq!(table.to_string(), "{ a = 2, \"c.d\" = true }");
        assert_eq!(table["absent"], Value::Array(Vec::new()));
    }
}
