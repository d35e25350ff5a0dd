//! The choices in the forms of the tutor page: games, agents with their declared parameters, heuristics.

use std::path::Path;

use serde_json::{Value, json};

use crate::agents::KINDS;
use crate::experiment::tune::BEST;
use crate::heuristics::Playable;
use crate::params::{Param, ParamType};
use crate::spec::{GAMES, GameSpec, GameTask};
use crate::web::runs;

/// A tuned heuristic is offered under this word and the name of its run.
pub const TUNED: &str = "tuned:";

/// Everything that can be chosen, from the same declarations as `lab2048 list`.
pub fn catalog(results: &Path) -> Value {
    let tuned: Vec<String> = runs::names(results)
        .unwrap_or_default()
        .into_iter()
        .filter(|name| results.join(name).join(BEST).is_file())
        .map(|name| format!("{TUNED}{name}"))
        .collect();
    let games: Vec<Value> = GAMES.iter().map(|game| game_to_json(game.name, game.notation, &tuned)).collect();
    let agents: Vec<Value> = KINDS
        .iter()
        .map(|kind| {
            let parameters: Vec<Value> = kind.params().iter().map(parameter).collect();
            json!({ "name": kind.name, "summary": kind.summary, "parameters": parameters })
        })
        .collect();
    json!({ "games": games, "agents": agents })
}

fn game_to_json(name: &'static str, notation: &str, tuned: &[String]) -> Value {
    let Ok(spec) = GameSpec::new(name, None) else { return Value::Null };
    let mut heuristics: Vec<Value> = spec.with(Heuristics);
    if spec.has_goal() {
        heuristics.extend(tuned.iter().map(|name| json!({ "name": name, "summary": "tuned here" })));
    }
    json!({ "name": name, "notation": notation, "goal": spec.has_goal(), "heuristics": heuristics })
}

struct Heuristics;

impl GameTask for Heuristics {
    type Output = Vec<Value>;

    fn run<G: Playable>(self, _: G) -> Vec<Value> {
        G::heuristics().iter().map(|named| json!({ "name": named.name, "summary": named.summary })).collect()
    }
}

fn parameter(param: &Param) -> Value {
    let (kind, min, max) = match param.kind {
        ParamType::Integer { min, max } => ("integer", Some(min as f64), Some(max as f64)),
        ParamType::Span { min, max } => ("span", Some(min as f64), Some(max as f64)),
        ParamType::Number { min, max } => ("number", Some(min), Some(max)),
        ParamType::Flag => ("flag", None, None),
        ParamType::Choice(_) => ("choice", None, None),
        ParamType::Heuristic => ("heuristic", None, None),
        ParamType::Mask => ("text", None, None),
    };
    let options = match param.kind {
        ParamType::Choice(options) => options,
        _ => &[],
    };
    json!({
        "name": param.name,
        "type": kind,
        "min": min.filter(|limit| limit.is_finite()),
        "max": max.filter(|limit| limit.is_finite()),
        "options": options,
        "default": param.default,
        "help": param.help,
        "allowed": param.kind.to_string(),
    })
}
