//! Named parameters with forms, ranges and defaults, for everything that a user configures by `key = value`: agents,
//! features, optimizers.
//!
//! A thing declares its parameters once, as data. Reading `kind:key=value` text or a TOML table, checking ranges,
//! suggesting the nearest name and printing `lab2048 list` all follow from that declaration.

pub mod document;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use toml::Value;

/// One parameter as declared.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: ParamType,
    /// As the user would write it; empty if the parameter may be left out and then has no value.
    pub default: &'static str,
    pub help: &'static str,
}

/// What a parameter may hold.
#[derive(Clone, Copy, Debug)]
pub enum ParamType {
    Integer {
        min: i64,
        max: i64,
    },
    Number {
        min: f64,
        max: f64,
    },
    /// A whole number, or `"a..b"` for a range of them.
    Span {
        min: i64,
        max: i64,
    },
    Flag,
    Choice(&'static [&'static str]),
    /// The name of a heuristic or the path of its file.
    Heuristic,
    /// The name of a built-in mask, or 4 rows of 4 numbers.
    Mask,
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ParamType::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            ParamType::Number { min, max } => match (min.is_finite(), max.is_finite()) {
                (true, true) => write!(f, "a number from {min} to {max}"),
                (true, false) => write!(f, "a number from {min} up"),
                (false, true) => write!(f, "a number up to {max}"),
                (false, false) => write!(f, "a number"),
            },
            ParamType::Span { min, max } => {
                write!(f, "a whole number from {min} to {max}, or a range \"a..b\" of them")
            }
            ParamType::Flag => write!(f, "true or false"),
            ParamType::Choice(options) => write!(f, "one of {}", options.join(", ")),
            ParamType::Heuristic => write!(f, "the name of a heuristic or the path of its file"),
            ParamType::Mask => write!(f, "the name of a mask, or 4 rows of 4 numbers"),
        }
    }
}

/// A problem with what the user wrote. `key` names the part at fault so that a file reader can point at it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    pub key: Option<String>,
    pub message: String,
}

impl InputError {
    pub fn new(message: impl Into<String>) -> Self {
        InputError { key: None, message: message.into() }
    }

    pub fn at(key: &str, message: impl Into<String>) -> Self {
        InputError { key: Some(key.to_string()), message: message.into() }
    }

    /// The same problem seen from outside: `depth` under `agents[2]` is `agents[2].depth`.
    pub fn under(self, outer: &str) -> Self {
        let key = match self.key {
            Some(key) => format!("{outer}.{key}"),
            None => outer.to_string(),
        };
        InputError { key: Some(key), message: self.message }
    }
}

/// Checked values of declared parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Values {
    values: BTreeMap<&'static str, Value>,
}

impl Values {
    /// Checks a table against its declaration and fills in the defaults. `owner` is named in errors.
    pub fn check(owner: &str, declared: &[Param], table: &toml::Table) -> Result<Self, InputError> {
        for key in table.keys() {
            if !declared.iter().any(|param| param.name == key) {
                let names = declared.iter().map(|param| param.name);
                return Err(InputError::at(key, unknown(&format!("{owner} key"), key, names)));
            }
        }
        let mut values = BTreeMap::new();
        for param in declared {
            let value = match table.get(param.name) {
                Some(value) => Some(param.admit(owner, value)?),
                None if param.default.is_empty() => None,
                None => Some(param.admit(owner, &guess(param.default))?),
            };
            if let Some(value) = value {
                values.insert(param.name, value);
            }
        }
        Ok(Values { values })
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The same with one value replaced, checked again.
    pub fn with(&self, owner: &str, declared: &[Param], name: &str, value: Value) -> Result<Self, InputError> {
        let mut table = self.to_table();
        table.insert(name.to_string(), value);
        Values::check(owner, declared, &table)
    }

    /// As a table that [`Values::check`] would read back.
    pub fn to_table(&self) -> toml::Table {
        self.values.iter().map(|(&name, value)| (name.to_string(), value.clone())).collect()
    }

    pub fn integer(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(Value::as_integer)
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(number)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Both ends of a [`ParamType::Span`].
    pub fn span(&self, name: &str) -> Option<(i64, i64)> {
        self.get(name).and_then(span)
    }
}

impl Param {
    fn admit(&self, owner: &str, value: &Value) -> Result<Value, InputError> {
        let fits = match self.kind {
            ParamType::Integer { min, max } => value.as_integer().is_some_and(|v| (min..=max).contains(&v)),
            ParamType::Number { min, max } => number(value).is_some_and(|v| v >= min && v <= max),
            ParamType::Span { min, max } => span(value).is_some_and(|(a, b)| min <= a && a <= b && b <= max),
            ParamType::Flag => value.is_bool(),
            ParamType::Choice(options) => value.as_str().is_some_and(|v| options.contains(&v)),
            ParamType::Heuristic => value.is_str() || value.is_table(),
            ParamType::Mask => value.is_str() || value.is_array(),
        };
        if fits {
            return Ok(value.clone());
        }
        let nearest = match (self.kind, value.as_str()) {
            (ParamType::Choice(options), Some(text)) => nearest(text, options.iter().copied()),
            _ => None,
        };
        let hint = nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        let message = format!("{owner}: `{}` is {}, but must be {}{hint}", self.name, show(value), self.kind);
        Err(InputError::at(self.name, message))
    }
}

/// `unknown heuristic 'snak'; did you mean 'snake'? (known: ...)`
pub fn unknown<'a>(what: &str, found: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let hint = nearest(found, known.clone()).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let known: Vec<&str> = known.collect();
    format!(
        "unknown {what} `{found}`{hint} (known: {})",
        if known.is_empty() { "none".into() } else { known.join(", ") }
    )
}

/// The known name most like what was typed, if any is like it at all.
pub fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (strsim::jaro_winkler(found, name), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Reads `key=value,key=value` as a table. Commas inside brackets do not separate.
pub fn parse_assignments(text: &str) -> Result<toml::Table, InputError> {
    let mut table = toml::Table::new();
    for part in split_outside_brackets(text) {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| InputError::at(part, format!("`{part}` is not of the form key=value")))?;
        if table.insert(key.trim().to_string(), guess(value.trim())).is_some() {
            return Err(InputError::at(key, format!("`{key}` is given twice")));
        }
    }
    Ok(table)
}

fn split_outside_brackets(text: &str) -> Vec<&str> {
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

/// A bare word as a TOML value: a number, flag or array where it reads as one, text otherwise.
pub fn guess(text: &str) -> Value {
    format!("v = {text}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut table| table.remove("v"))
        .filter(|value| !value.is_datetime() && !value.is_table())
        .unwrap_or_else(|| Value::String(text.to_string()))
}

/// A finite number, written with or without a point.
pub fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|v| v as f64)).filter(|v| v.is_finite())
}

fn span(value: &Value) -> Option<(i64, i64)> {
    if let Some(single) = value.as_integer() {
        return Some((single, single));
    }
    let (low, high) = value.as_str()?.split_once("..")?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

/// A value as it would stand in a file, without the quotes of plain text.
pub fn show(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Param] = &[
        Param { name: "depth", kind: ParamType::Span { min: 1, max: 9 }, default: "3", help: "" },
        Param { name: "cut", kind: ParamType::Number { min: 0.0, max: 1.0 }, default: "", help: "" },
        Param { name: "table", kind: ParamType::Choice(&["on", "off"]), default: "on", help: "" },
    ];

    fn check(text: &str) -> Result<Values, InputError> {
        Values::check("toy", DECLARED, &parse_assignments(text)?)
    }

    #[test]
    fn defaults_fill_in() {
        let values = check("").unwrap();
        assert_eq!(values.span("depth"), Some((3, 3)));
        assert_eq!(values.number("cut"), None);
        assert_eq!(values.text("table"), Some("on"));
    }

    #[test]
    fn spans_and_numbers_are_read() {
        let values = check("depth=4..6, cut=0.5").unwrap();
        assert_eq!(values.span("depth"), Some((4, 6)));
        assert_eq!(values.number("cut"), Some(0.5));
    }

    #[test]
    fn problems_name_the_key_and_the_nearest_name() {
        let problem = check("dpeth=3").unwrap_err();
        assert_eq!(problem.key.as_deref(), Some("dpeth"));
        assert!(problem.message.contains("did you mean `depth`"), "{problem}");
        assert!(check("depth=0").unwrap_err().message.contains("from 1 to 9"));
        assert!(check("table=of").unwrap_err().message.contains("did you mean `off`"));
        assert!(check("depth").unwrap_err().message.contains("key=value"));
        assert!(check("depth=1,depth=2").unwrap_err().message.contains("twice"));
    }
}
