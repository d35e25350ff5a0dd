//! Named parameters with types, ranges and defaults, for everything that a user configures by `key = value`: agents,
//! features and optimizers.
//!
//! Each of them declares its parameters once, as data. The code that reads `kind:key=value` texts and TOML tables,
//! checks ranges, suggests the nearest name and prints `lab2048 list` works from these declarations.
//!
//! ```
//! use lab2048::params::{Param, ParamType, Values, parse_assignments};
//!
//! let depth = Param { name: "depth", kind: ParamType::Integer { min: 1, max: 9 }, default: "3", help: "plies" };
//! let values = Values::check("search", &[depth], &parse_assignments("depth=5").unwrap()).unwrap();
//! assert_eq!(values.integer("depth"), Some(5));
//!
//! let error = Values::check("search", &[depth], &parse_assignments("dpeth=5").unwrap()).unwrap_err();
//! assert!(error.message.contains("did you mean `depth`?"));
//! ```

#[cfg(feature = "files")]
pub mod document;
mod value;

pub use value::{Table, Value, parse_bare};

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use value::split_outside_brackets;

/// The declaration of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key that users write.
    pub name: &'static str,
    /// Which values are allowed.
    pub kind: ParamType,
    /// The default value, as a user would write it. If it is empty, the parameter has no value unless the user gives
    /// one.
    pub default: &'static str,
    /// A short description for `lab2048 list`.
    pub help: &'static str,
}

/// Which values a parameter may have.
#[derive(Clone, Copy, Debug)]
pub enum ParamType {
    /// A whole number.
    Integer {
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// A number, with or without a fraction.
    Number {
        /// The smallest allowed value.
        min: f64,
        /// The largest allowed value.
        max: f64,
    },
    /// A whole number, or `"a..b"` for a range of them.
    Span {
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// `true` or `false`.
    Flag,
    /// One of these words.
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

/// An error in the user's input.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    /// The key that is wrong, if it is known. The reader of a file uses it to show the line.
    pub key: Option<String>,
    /// What is wrong, in words.
    pub message: String,
}

impl InputError {
    /// An error that no single key causes.
    pub fn new(message: impl Into<String>) -> Self {
        InputError { key: None, message: message.into() }
    }

    /// An error in the value of this key.
    pub fn at(key: &str, message: impl Into<String>) -> Self {
        InputError { key: Some(key.to_string()), message: message.into() }
    }

    /// The same error with a longer key path: `depth` under `agents[2]` becomes `agents[2].depth`.
    pub fn under(self, outer: &str) -> Self {
        let key = match self.key {
            Some(key) => format!("{outer}.{key}"),
            None => outer.to_string(),
        };
        InputError { key: Some(key), message: self.message }
    }
}

/// The values of declared parameters, all checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Values {
    values: BTreeMap<&'static str, Value>,
}

impl Values {
    /// Checks a table against the declarations and fills in the defaults. Errors name the `owner` of the parameters.
    pub fn check(owner: &str, declared: &[Param], table: &Table) -> Result<Self, InputError> {
        for key in table.keys() {
            if !declared.iter().any(|param| param.name == key) {
                let names = declared.iter().map(|param| param.name);
                return Err(InputError::at(key, unknown(&format!("{owner} key"), key, names)));
            }
        }
        let mut values = BTreeMap::new();
        for param in declared {
            let value = match table.get(param.name) {
                Some(value) => Some(param.validate(owner, value)?),
                None if param.default.is_empty() => None,
                None => Some(param.validate(owner, &parse_bare(param.default))?),
            };
            if let Some(value) = value {
                values.insert(param.name, value);
            }
        }
        Ok(Values { values })
    }

    /// The value of a parameter, whatever its type.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// The same values with one of them replaced and checked.
    pub fn with(&self, owner: &str, declared: &[Param], name: &str, value: Value) -> Result<Self, InputError> {
        let mut table = self.to_table();
        table.insert(name.to_string(), value);
        Values::check(owner, declared, &table)
    }

    /// The values as a table, which [`Values::check`] can read again.
    pub fn to_table(&self) -> Table {
        self.values.iter().map(|(&name, value)| (name.to_string(), value.clone())).collect()
    }

    /// The value of a [`ParamType::Integer`].
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(Value::as_integer)
    }

    /// The value of a [`ParamType::Number`].
    pub fn number(&self, name: &str) -> Option<f64> {
        self.get(name).and_then(number)
    }

    /// The value of a [`ParamType::Choice`], or of any other parameter that holds a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    /// The value of a [`ParamType::Flag`]; `false` if it has none.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Both ends of a [`ParamType::Span`].
    pub fn span(&self, name: &str) -> Option<(i64, i64)> {
        self.get(name).and_then(span)
    }
}

impl Param {
    fn validate(&self, owner: &str, value: &Value) -> Result<Value, InputError> {
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

/// The message for a name that does not exist: ``unknown heuristic `snak`; did you mean `snake`? (known: ...)``.
pub fn unknown<'a>(what: &str, found: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let hint = nearest(found, known.clone()).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let known: Vec<&str> = known.collect();
    format!(
        "unknown {what} `{found}`{hint} (known: {})",
        if known.is_empty() { "none".into() } else { known.join(", ") }
    )
}

/// The known name that is most similar to what the user wrote; `None` if none is similar.
///
/// ```
/// use lab2048::params::nearest;
///
/// assert_eq!(nearest("expectimx", ["minimax", "expectimax"].into_iter()), Some("expectimax"));
/// assert_eq!(nearest("zzz", ["minimax", "expectimax"].into_iter()), None);
/// ```
pub fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (strsim::jaro_winkler(found, name), name))
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Reads `key=value,key=value` as a table. A comma inside brackets does not separate two assignments.
pub fn parse_assignments(text: &str) -> Result<Table, InputError> {
    let mut table = Table::new();
    for part in split_outside_brackets(text) {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| InputError::at(part, format!("`{part}` is not of the form key=value")))?;
        if table.insert(key.trim().to_string(), parse_bare(value.trim())).is_some() {
            return Err(InputError::at(key, format!("`{key}` is given twice")));
        }
    }
    Ok(table)
}

/// A finite number, written with or without a decimal point.
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

/// A value as it is written in a file, but a text without its quotes.
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
    fn missing_values_get_their_defaults() {
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
    fn errors_name_the_key_and_the_nearest_name() {
        let error = check("dpeth=3").unwrap_err();
        assert_eq!(error.key.as_deref(), Some("dpeth"));
        assert!(error.message.contains("did you mean `depth`"), "{error}");
        assert!(check("depth=0").unwrap_err().message.contains("from 1 to 9"));
        assert!(check("table=of").unwrap_err().message.contains("did you mean `off`"));
        assert!(check("depth").unwrap_err().message.contains("key=value"));
        assert!(check("depth=1,depth=2").unwrap_err().message.contains("twice"));
    }
}
