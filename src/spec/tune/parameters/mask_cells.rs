//! `mask.cells`: every weight of a mask is a separate parameter.
//!
//! ```toml
//! [[parameters]]
//! name = "mask.cells"            # the label of a term with a mask, then `cells`
//! range = [0.001, 10]
//! scale = "log"
//! start = "gradient"             # a mask; the heuristic's own if left out
//! symmetry = "diagonal"          # 10 weights instead of 16: the mask equals its mirror image at the diagonal
//! monotone = true                # no weight exceeds those of its neighbours nearer the top left corner
//! ```
//!
//! The parameters are called `mask.cells.r1c1` to `mask.cells.r4c4`, by row and column. Under a symmetry the start of a
//! parameter is the mean over its cells.

use super::values::{range, scale};
use super::{Entry, Parameter, Target, Tunable, ValueKind};
use crate::heuristics::Heuristic;
use crate::heuristics::features::read_mask;
use crate::optimize::{Dimension, Order, Space};
use crate::params::{InputError, ParamType, Value};
use crate::spec::table_reader::TableReader;

/// The parameter that holds the mask, if this name stands for its cells.
pub(super) fn mask_of(name: &str, heuristic: &Heuristic) -> Option<String> {
    let mask = format!("{}.mask", name.strip_suffix(".cells")?);
    let declared = heuristic.declaration(&mask).ok()?;
    matches!(declared.kind, ParamType::Mask).then_some(mask)
}

pub(super) fn read(keys: &TableReader, mask: &str, player: &mut Tunable) -> Result<Entry, InputError> {
    let name = keys.text("name")?.unwrap_or_default();
    if let Some(key) = ["type", "choices"].into_iter().find(|key| keys.get(key).is_some()) {
        return Err(InputError::at(key, format!("the weights of `{name}` are real numbers, so it has no `{key}`")));
    }
    let warm = player.warm.as_ref().map(|warm| warm.value(mask)).transpose();
    let warm = warm.map_err(|problem| InputError::at("name", problem.message))?;
    let heuristic = player.heuristic()?;
    if let Some(start) = warm.as_ref().or(keys.get("start")) {
        heuristic.set_value(mask, start.clone()).map_err(|problem| InputError::at("start", problem.message))?;
    }
    let (weights, groups) = (weights(heuristic, mask)?, groups(keys)?);
    let ((low, high), scale) = (range(keys, name)?, scale(keys)?);
    let mut dimensions = Vec::new();
    for cells in &groups {
        let start = cells.iter().map(|cell| weights[*cell]).sum::<f64>() / cells.len() as f64;
        let (row, column) = cells.first().map_or((0, 0), |cell| (cell / SIDE + 1, cell % SIDE + 1));
        let dimension = Dimension { name: format!("{name}.r{row}c{column}"), start, low, high, scale };
        Space::new(vec![dimension.clone()]).map_err(|problem| InputError::at("range", problem.message))?;
        for weight in [low, high, start] {
            set(heuristic, mask, cells, weight).map_err(|problem| InputError::at("range", problem.message))?;
        }
        let target = Target::Cells { mask: mask.to_string(), cells: cells.clone() };
        dimensions.push((dimension, Parameter { target, kind: ValueKind::Number }));
    }
    let orders = if keys.flag("monotone")? { monotone_orders(&groups) } else { Vec::new() };
    let space = Space::new(dimensions.iter().map(|(dimension, _)| dimension.clone()).collect())?;
    space.with_orders(orders.clone()).map_err(|problem| InputError::at("monotone", problem.message))?;
    Ok(Entry { dimensions, orders })
}

/// Cells in a row or a column.
const SIDE: usize = 4;

/// The cells of each parameter.
fn groups(keys: &TableReader) -> Result<Vec<Vec<usize>>, InputError> {
    let cells = 0..SIDE * SIDE;
    match keys.text("symmetry")? {
        None | Some("none") => Ok(cells.map(|cell| vec![cell]).collect()),
        Some("diagonal") => {
            let mirrored = |cell: usize| cell % SIDE * SIDE + cell / SIDE;
            let group = |cell: usize| match mirrored(cell) {
                image if image > cell => Some(vec![cell, image]),
                image if image == cell => Some(vec![cell]),
                _ => None,
            };
            Ok(cells.filter_map(group).collect())
        }
        Some(other) => Err(InputError::at("symmetry", format!("`symmetry` is {other}, but must be none or diagonal"))),
    }
}

/// The constraints of a monotone mask: each weight is at most those of the cells above it and to its left.
fn monotone_orders(groups: &[Vec<usize>]) -> Vec<Order> {
    let group_of = |cell: usize| groups.iter().position(|cells| cells.contains(&cell));
    let mut orders = Vec::new();
    for (below, cells) in groups.iter().enumerate() {
        for cell in cells {
            let up = cell.checked_sub(SIDE);
            let left = (cell % SIDE > 0).then(|| cell - 1);
            let nearer = up.into_iter().chain(left).filter_map(group_of);
            orders.extend(nearer.map(|above| Order { above, below }));
        }
    }
    orders.dedup();
    orders
}

fn weights(heuristic: &Heuristic, mask: &str) -> Result<[f64; SIDE * SIDE], InputError> {
    let label = mask.split('.').next().unwrap_or_default();
    let term = heuristic.terms().iter().find(|term| term.label() == label);
    read_mask(term.ok_or_else(|| InputError::new(format!("there is no mask `{mask}`")))?.values())
}

/// Sets the weight of these cells of a mask.
pub(super) fn set(heuristic: &mut Heuristic, mask: &str, cells: &[usize], weight: f64) -> Result<(), InputError> {
    let mut weights = weights(heuristic, mask)?;
    for cell in cells {
        weights[*cell] = weight;
    }
    let rows: Vec<Vec<f64>> = weights.chunks(SIDE).map(<[f64]>::to_vec).collect();
    heuristic.set_value(mask, Value::from(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_symmetry_has_ten_weights_and_the_corner_is_above_all() {
        let table = crate::params::Table::from_iter([("symmetry", Value::from("diagonal"))]);
        let groups = groups(&TableReader::unchecked(&table)).unwrap();
        assert_eq!(groups.len(), 10);
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 16);
        let orders = monotone_orders(&groups);
        assert!(orders.iter().all(|order| order.above < order.below));
        let below = |group: usize| orders.iter().any(|order| order.below == group);
        assert!(!below(0) && (1..10).all(below));
    }
}
