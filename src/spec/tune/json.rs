//! The search space and its points as JSON, for optimizers outside this program.

use serde_json::{Map, Value, json};

use super::{Parameter, Tuning};
use crate::heuristics::Heuristic;
use crate::optimize::Dimension;
use crate::params::{InputError, show, unknown};

impl Tuning {
    /// Describes the problem to an outside optimizer: the parameters with their ranges, and the objective to maximise.
    pub fn describe(&self) -> Value {
        let dimensions = self.space.dimensions().iter().zip(&self.parameters).enumerate();
        let describe = |(place, (dimension, parameter))| self.describe_parameter(place, dimension, parameter);
        let parameters: Vec<Value> = dimensions.map(describe).collect();
        json!({
            "name": self.name,
            "seed": self.seed,
            "objective": self.objective.name(),
            "direction": "maximize",
            "goal": self.game.goal().to_string(),
            "agent": self.agent.to_string(),
            "heuristic": self.heuristic.as_ref().map(Heuristic::name),
            "parameters": parameters,
        })
    }

    /// The point with these values. All parameters must be given, within their ranges.
    pub fn point(&self, values: &Map<String, Value>) -> Result<Vec<f64>, InputError> {
        let dimensions = self.space.dimensions();
        if let Some(name) = values.keys().find(|name| dimensions.iter().all(|dimension| dimension.name != **name)) {
            let known = dimensions.iter().map(|dimension| dimension.name.as_str());
            return Err(InputError::at(name, unknown("parameter", name, known)));
        }
        let known = dimensions.iter().zip(&self.parameters);
        let point: Result<Vec<f64>, InputError> =
            known.map(|(dimension, parameter)| read(dimension, parameter, values.get(&dimension.name))).collect();
        Ok(self.space.settled(point?))
    }

    fn describe_parameter(&self, place: usize, dimension: &Dimension, parameter: &Parameter) -> Value {
        let Dimension { name, start, low, high, scale } = dimension;
        let mut described = match parameter.choices() {
            Some(choices) => {
                json!({ "name": name, "type": "choice", "start": parameter.value(*start), "choices": choices })
            }
            None => {
                let kind = if scale.is_discrete() { "integer" } else { "real" };
                let scale = if scale.name().starts_with("log") { "log" } else { "linear" };
                json!({ "name": name, "type": kind, "start": start, "low": low, "high": high, "scale": scale })
            }
        };
        let mut when = Map::new();
        for condition in self.space.conditions().iter().filter(|condition| condition.dimension == place) {
            let parent = &self.parameters[condition.parent];
            let values: Vec<_> = condition.values.iter().map(|value| json!(parent.value(*value))).collect();
            when.insert(self.space.dimensions()[condition.parent].name.clone(), values.into());
        }
        if !when.is_empty() {
            described["when"] = when.into();
        }
        described
    }
}

fn read(dimension: &Dimension, parameter: &Parameter, value: Option<&Value>) -> Result<f64, InputError> {
    let Dimension { name, low, high, scale, .. } = dimension;
    let Some(value) = value else {
        return Err(InputError::at(name, format!("parameter `{name}` is missing: every request gives all parameters")));
    };
    if let Some(choices) = parameter.choices() {
        let place = choices.iter().position(|choice| json!(choice) == *value);
        let known = || choices.iter().map(show).collect::<Vec<_>>().join(", ");
        let wrong = || InputError::at(name, format!("parameter `{name}` is {value}, but must be one of {}", known()));
        return place.map(|place| place as f64).ok_or_else(wrong);
    }
    let fits = |value: &f64| (*low..=*high).contains(value) && (value.fract() == 0.0 || !scale.is_discrete());
    let what = if scale.is_discrete() { "whole number" } else { "number" };
    value.as_f64().filter(fits).ok_or_else(|| {
        InputError::at(name, format!("parameter `{name}` is {value}, but must be a {what} from {low} to {high}"))
    })
}
