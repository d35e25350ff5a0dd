//! `[[parameters]]`: the coefficients to tune, with their ranges.

use crate::params::{Table, Value};

use crate::heuristics::Heuristic;
use crate::optimize::{Dimension, Scale, Space};
use crate::params::{InputError, number, show};
use crate::spec::table_reader::TableReader;

/// Reads all parameters, and sets the heuristic's coefficients to their start values.
pub(super) fn read(keys: &TableReader, heuristic: &mut Heuristic) -> Result<Space, InputError> {
    let mut dimensions = Vec::new();
    for (index, table) in keys.tables("parameters")?.into_iter().enumerate() {
        let dimension =
            dimension(table, heuristic).map_err(|problem| problem.under(&format!("parameters[{index}]")))?;
        dimensions.push(dimension);
    }
    Space::new(dimensions).map_err(|problem| InputError::at("parameters", problem.message))
}

fn dimension(table: &Table, heuristic: &mut Heuristic) -> Result<Dimension, InputError> {
    let keys = TableReader::new("parameter", table, &["name", "start", "range", "scale"])?;
    let name = keys.text("name")?.ok_or_else(|| InputError::new("a parameter needs a `name`"))?;
    let at = |key: &'static str| move |problem: InputError| InputError::at(key, problem.message);
    let own = heuristic.get(name).map_err(at("name"))?;
    let start = keys.get("start").map_or(Ok(own), |value| {
        number(value)
            .ok_or_else(|| InputError::at("start", format!("`start` is {}, but must be a number", show(value))))
    })?;
    let (low, high) = range(&keys, name)?;
    let dimension = Dimension { name: name.to_string(), start, low, high, scale: scale(&keys)? };
    Space::new(vec![dimension.clone()]).map_err(at("range"))?;
    for end in [low, high] {
        heuristic.set(name, end).map_err(at("range"))?;
    }
    heuristic.set(name, start).map_err(at("start"))?;
    Ok(dimension)
}

fn range(keys: &TableReader, name: &str) -> Result<(f64, f64), InputError> {
    let wrong =
        || InputError::at("range", format!("parameter `{name}` needs a `range` of two numbers, [lower, upper]"));
    let ends = keys.get("range").and_then(Value::as_array).ok_or_else(wrong)?;
    match ends.iter().map(number).collect::<Option<Vec<f64>>>().as_deref() {
        Some(&[low, high]) => Ok((low, high)),
        _ => Err(wrong()),
    }
}

fn scale(keys: &TableReader) -> Result<Scale, InputError> {
    match keys.text("scale")? {
        None | Some("linear") => Ok(Scale::Linear),
        Some("log") => Ok(Scale::Log),
        Some(other) => Err(InputError::at("scale", format!("`scale` is {other}, but must be linear or log"))),
    }
}
