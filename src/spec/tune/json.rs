//! The search space and its points as JSON, for optimizers outside this program.

use serde_json::{Map, Value, json};

use super::Tuning;
use crate::optimize::{Dimension, Scale};
use crate::params::{InputError, unknown};

impl Tuning {
    /// What an outside optimizer needs to know: the parameters with their ranges, and what is to be maximised.
    pub fn describe(&self) -> Value {
        json!({
            "name": self.name,
            "seed": self.seed,
            "objective": self.objective.name(),
            "direction": "maximize",
            "goal": self.game.goal().to_string(),
            "agent": self.agent.to_string(),
            "heuristic": self.heuristic.name(),
            "parameters": self.space.dimensions().iter().map(describe).collect::<Vec<_>>(),
        })
    }

    /// The point with these values. Every parameter must be there, within its range.
    pub fn point(&self, values: &Map<String, Value>) -> Result<Vec<f64>, InputError> {
        let dimensions = self.space.dimensions();
        if let Some(name) = values.keys().find(|name| dimensions.iter().all(|dimension| dimension.name != **name)) {
            let known = dimensions.iter().map(|dimension| dimension.name.as_str());
            return Err(InputError::at(name, unknown("parameter", name, known)));
        }
        dimensions.iter().map(|dimension| read(dimension, values.get(&dimension.name))).collect()
    }
}

fn describe(dimension: &Dimension) -> Value {
    let Dimension { name, start, low, high, scale } = dimension;
    let scale = if *scale == Scale::Log { "log" } else { "linear" };
    json!({ "name": name, "type": "real", "start": start, "low": low, "high": high, "scale": scale })
}

fn read(dimension: &Dimension, value: Option<&Value>) -> Result<f64, InputError> {
    let Dimension { name, low, high, .. } = dimension;
    let Some(value) = value else {
        return Err(InputError::at(name, format!("parameter `{name}` is missing: every request gives all parameters")));
    };
    let in_range = |value: &f64| (*low..=*high).contains(value);
    value.as_f64().filter(in_range).ok_or_else(|| {
        InputError::at(name, format!("parameter `{name}` is {value}, but must be a number from {low} to {high}"))
    })
}
