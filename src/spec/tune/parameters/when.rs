//! `when`: the values of earlier parameters for which a parameter has an effect.

use std::ops::Range;

use super::Parameter;
use crate::optimize::{Condition, Dimension};
use crate::params::{InputError, Table, Value, number, show, unknown};

/// Reads the conditions of a parameter that has these dimensions.
pub(super) fn read(
    table: &Table,
    earlier: (&[Dimension], &[Parameter]),
    dimensions: Range<usize>,
) -> Result<Vec<Condition>, InputError> {
    let at_when = |problem: InputError| InputError::at("when", problem.message);
    let mut conditions = Vec::new();
    match table.get("when") {
        None => {}
        Some(Value::Table(when)) => {
            for (name, value) in flattened(when) {
                let (parent, values) = condition(&name, value, earlier).map_err(at_when)?;
                let of_dimension = |dimension| Condition { dimension, parent, values: values.clone() };
                conditions.extend(dimensions.clone().map(of_dimension));
            }
        }
        Some(other) => {
            let message = format!("`when` is {other}, but must be a table, such as {{ \"mask.tile\" = \"power\" }}");
            return Err(InputError::at("when", message));
        }
    }
    Ok(conditions)
}

/// Turns nested tables into names with dots. TOML reads `mask.tile` without quotes as a nested table.
fn flattened(when: &Table) -> Vec<(String, &Value)> {
    let mut flat = Vec::new();
    for (name, value) in when {
        match value {
            Value::Table(inner) => flat.extend(inner.iter().map(|(key, value)| (format!("{name}.{key}"), value))),
            _ => flat.push((name.clone(), value)),
        }
    }
    flat
}

/// The index of the earlier parameter, and its values for which the condition holds.
fn condition(
    name: &str,
    value: &Value,
    (dimensions, parameters): (&[Dimension], &[Parameter]),
) -> Result<(usize, Vec<f64>), InputError> {
    let discrete = |dimension: &&Dimension| dimension.scale.is_discrete();
    let known = dimensions.iter().filter(discrete).map(|dimension| dimension.name.as_str());
    let place = dimensions.iter().position(|dimension| dimension.name == name);
    let wrong = || InputError::new(unknown("condition: an earlier choice or whole number is needed, not", name, known));
    let place = place.filter(|place| dimensions[*place].scale.is_discrete()).ok_or_else(wrong)?;
    let values = match value {
        Value::Array(list) => list.as_slice(),
        single => std::slice::from_ref(single),
    };
    let places: Result<Vec<f64>, InputError> =
        values.iter().map(|value| number_of(value, &dimensions[place], &parameters[place])).collect();
    Ok((place, places?))
}

/// The number that stands for a value of a discrete parameter.
fn number_of(value: &Value, dimension: &Dimension, parameter: &Parameter) -> Result<f64, InputError> {
    let name = &dimension.name;
    if let Some(choices) = parameter.choices() {
        let place = choices.iter().position(|choice| choice == value);
        let known: Vec<String> = choices.iter().map(show).collect();
        let none = || unknown(&format!("choice of `{name}`:"), &show(value), known.iter().map(String::as_str));
        return place.map(|place| place as f64).ok_or_else(|| InputError::new(none()));
    }
    let Dimension { low, high, .. } = dimension;
    let fits = |number: &f64| number.fract() == 0.0 && (*low..=*high).contains(number);
    let none = || format!("`{name}` is never {}: it is a whole number from {low} to {high}", show(value));
    number(value).filter(fits).ok_or_else(|| InputError::new(none()))
}
