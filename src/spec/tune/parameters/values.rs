//! The values that a parameter may take: a range of numbers, or a list of choices.

use super::ValueKind;
use crate::optimize::{Dimension, Scale, Space};
use crate::params::{InputError, Param, ParamType, Value, number, show};
use crate::spec::table_reader::TableReader;

/// The values that a parameter may take.
pub(super) struct PossibleValues {
    pub dimension: Dimension,
    pub kind: ValueKind,
    /// The key that says which values are possible, for errors.
    pub key: &'static str,
}

/// Reads the possible values of a parameter, which starts from this value.
pub(super) fn read(
    keys: &TableReader,
    name: &str,
    declared: &Param,
    start: Option<Value>,
) -> Result<PossibleValues, InputError> {
    match choices(keys, name, declared)? {
        Some(list) => choice(keys, name, list, start),
        None => in_range(keys, name, declared, start),
    }
}

/// The choices of a parameter; `None` if it is a number and the file lists no choices.
fn choices(keys: &TableReader, name: &str, declared: &Param) -> Result<Option<Vec<Value>>, InputError> {
    let offered = match declared.kind {
        ParamType::Flag => vec![Value::Boolean(false), Value::Boolean(true)],
        ParamType::Choice(options) => options.iter().map(|option| Value::from(*option)).collect(),
        _ => Vec::new(),
    };
    let is_number =
        matches!(declared.kind, ParamType::Number { .. } | ParamType::Integer { .. } | ParamType::Span { .. });
    let given = match keys.get("choices") {
        None if is_number => return Ok(None),
        None => offered,
        Some(Value::Array(list)) => list.clone(),
        Some(other) => return Err(InputError::at("choices", format!("`choices` is {other}, but must be a list"))),
    };
    if let Some(key) = ["range", "scale", "type"].into_iter().find(|key| keys.get(key).is_some()) {
        let why =
            format!("`{name}` is a choice ({}), so it has no `{key}`: list the values in `choices`", declared.kind);
        return Err(InputError::at(key, why));
    }
    if given.is_empty() {
        return Err(InputError::at("name", format!("`{name}` is {}: give it `choices`", declared.kind)));
    }
    let twice = given.iter().enumerate().find(|(place, value)| given[..*place].contains(value));
    match twice {
        Some((_, value)) => Err(InputError::at("choices", format!("the choice {} is given twice", show(value)))),
        None if given.len() < 2 => Err(InputError::at("choices", "there must be at least two choices")),
        None => Ok(Some(given)),
    }
}

fn choice(
    keys: &TableReader,
    name: &str,
    list: Vec<Value>,
    start: Option<Value>,
) -> Result<PossibleValues, InputError> {
    let known = || list.iter().map(show).collect::<Vec<_>>().join(", ");
    let key = if keys.get("start").is_some() { "start" } else { "choices" };
    let start = start.ok_or_else(|| InputError::at("name", format!("`{name}` needs a `start`, one of {}", known())))?;
    let same = |value: &&Value| **value == start || number(value).is_some() && number(value) == number(&start);
    let place = list.iter().position(|value| same(&value));
    let wrong =
        || InputError::at(key, format!("`{name}` starts from {}, but the choices are {}", show(&start), known()));
    let dimension = Dimension {
        name: name.to_string(),
        start: place.ok_or_else(wrong)? as f64,
        low: 0.0,
        high: (list.len() - 1) as f64,
        scale: Scale::Choice,
    };
    Ok(PossibleValues { dimension, kind: ValueKind::Choice(list), key: "choices" })
}

fn in_range(
    keys: &TableReader,
    name: &str,
    declared: &Param,
    own: Option<Value>,
) -> Result<PossibleValues, InputError> {
    let start = match (own.as_ref().and_then(number), own) {
        (Some(start), _) => start,
        (None, Some(other)) => {
            return Err(InputError::at("start", format!("`start` is {}, but must be a number", show(&other))));
        }
        (None, None) => return Err(InputError::at("name", format!("`{name}` has no value yet: give it a `start`"))),
    };
    let (low, high) = range(keys, name)?;
    let whole = matches!(declared.kind, ParamType::Integer { .. } | ParamType::Span { .. });
    let scale = match (is_integer(keys, name, whole)?, scale(keys)?) {
        (true, Scale::Log) => Scale::LogInteger,
        (true, _) => Scale::Integer,
        (false, scale) => scale,
    };
    let dimension = Dimension { name: name.to_string(), start, low, high, scale };
    Space::new(vec![dimension.clone()]).map_err(|problem| InputError::at("range", problem.message))?;
    Ok(PossibleValues { dimension, kind: if whole { ValueKind::Integer } else { ValueKind::Number }, key: "range" })
}

/// Whether only whole numbers are tried. This is the default for keys that take only whole numbers.
fn is_integer(keys: &TableReader, name: &str, whole: bool) -> Result<bool, InputError> {
    match keys.text("type")? {
        None => Ok(whole),
        Some("integer") => Ok(true),
        Some("real") if !whole => Ok(false),
        Some("real") => Err(InputError::at("type", format!("`{name}` takes whole numbers only"))),
        Some(other) => Err(InputError::at("type", format!("`type` is {other}, but must be real or integer"))),
    }
}

pub(super) fn range(keys: &TableReader, name: &str) -> Result<(f64, f64), InputError> {
    let wrong =
        || InputError::at("range", format!("parameter `{name}` needs a `range` of two numbers, [lower, upper]"));
    let ends = keys.get("range").and_then(Value::as_array).ok_or_else(wrong)?;
    match ends.iter().map(number).collect::<Option<Vec<f64>>>().as_deref() {
        Some(&[low, high]) => Ok((low, high)),
        _ => Err(wrong()),
    }
}

pub(super) fn scale(keys: &TableReader) -> Result<Scale, InputError> {
    match keys.text("scale")? {
        None | Some("linear") => Ok(Scale::Linear),
        Some("log") => Ok(Scale::Log),
        Some(other) => Err(InputError::at("scale", format!("`scale` is {other}, but must be linear or log"))),
    }
}
