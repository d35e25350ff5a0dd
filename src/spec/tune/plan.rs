//! How many searches there are, and of what kinds.
//!
//! One search, unless the file says otherwise. `[optimizer]` with a list of kinds sets optimizers against each other on
//! the same problem, each `repeats` times; options then go into a table for each kind, `[optimizer.spsa]`. A table
//! `[transfer]` with lists `tune` and `test` of depths tunes at each of the first and tests at each of the second.

use toml::{Table, Value};

use crate::agents::AgentSpec;
use crate::optimize::{OptimizerKind, find};
use crate::params::{InputError, Values, show};
use crate::spec::keys::Keys;

/// An optimizer with its options and its budget.
#[derive(Clone, Debug)]
pub struct Method {
    pub kind: &'static OptimizerKind,
    pub options: Values,
    /// In training games.
    pub budget: u64,
}

/// The agent at one of several depths.
#[derive(Clone, Debug)]
pub struct Level {
    /// The depth as the user wrote it.
    pub depth: String,
    pub agent: AgentSpec,
}

#[derive(Clone, Debug)]
pub enum Plan {
    One(Method),
    /// Several optimizers, each several times.
    Contest {
        methods: Vec<Method>,
        repeats: u64,
    },
    /// Tuned at some depths, tested at others.
    Transfer {
        method: Method,
        tuned: Vec<Level>,
        tested: Vec<Level>,
    },
}

const OWN_KEYS: [&str; 3] = ["kind", "budget", "repeats"];
const MOST_REPEATS: u64 = 1000;

impl Plan {
    pub(super) fn read(keys: &Keys, agent: &AgentSpec, repeats: Option<u64>) -> Result<Self, InputError> {
        let missing = || InputError::new("how long to search? Add a table [optimizer] with a `budget` of games");
        let optimizer = keys.table("optimizer")?.ok_or_else(missing)?;
        let plan = read_optimizer(optimizer, repeats).map_err(|problem| problem.under("optimizer"))?;
        match (keys.table("transfer")?, plan) {
            (None, plan) => Ok(plan),
            (Some(transfer), Plan::One(method)) => {
                transfer_of(transfer, method, agent).map_err(|problem| problem.under("transfer"))
            }
            _ => Err(InputError::at("transfer", "a transfer is tuned by one optimizer, once")),
        }
    }

    pub fn methods(&self) -> &[Method] {
        match self {
            Plan::One(method) | Plan::Transfer { method, .. } => std::slice::from_ref(method),
            Plan::Contest { methods, .. } => methods,
        }
    }

    /// What decides the searches, budgets and repeats apart: more of the same is the same experiment.
    pub(super) fn configuration(&self) -> String {
        let methods: Vec<String> = self.methods().iter().map(|m| format!("{} {:?}", m.kind.name, m.options)).collect();
        let depths = |levels: &[Level]| levels.iter().map(|level| level.depth.clone()).collect::<Vec<_>>().join(",");
        let form = match self {
            Plan::One(_) => "one".to_string(),
            Plan::Contest { .. } => "contest".to_string(),
            Plan::Transfer { tuned, .. } => format!("transfer from {}", depths(tuned)),
        };
        format!("{form}\n{}", methods.join("\n"))
    }
}

/// `repeats` is what the command line says instead of the table.
fn read_optimizer(table: &Table, repeats: Option<u64>) -> Result<Plan, InputError> {
    let keys = Keys::any(table);
    let budget = keys.count("budget", 1)?.ok_or_else(|| InputError::new("an optimizer needs a `budget` of games"))?;
    if budget > crate::spec::MOST_GAMES {
        return Err(InputError::at(
            "budget",
            format!("`budget` is {budget}, at most {} is possible", crate::spec::MOST_GAMES),
        ));
    }
    let repeats = repeats.or(keys.count("repeats", 1)?);
    if let Some(repeats) = repeats.filter(|repeats| !(1..=MOST_REPEATS).contains(repeats)) {
        let why = format!("`repeats` is {repeats}, but must be from 1 to {MOST_REPEATS}");
        return Err(InputError::at("repeats", why));
    }
    let kind = table.get("kind").map_or(Some(default_kind()), Value::as_str);
    // The options of a single optimizer may stand in the table itself.
    let single = kind.filter(|kind| !table.contains_key(*kind));
    let single = single.map(|kind| method(kind, &without(table, &OWN_KEYS), budget)).transpose()?;
    match (single, repeats) {
        (Some(method), None) => Ok(Plan::One(method)),
        (Some(method), Some(repeats)) => Ok(Plan::Contest { methods: vec![method], repeats }),
        (None, repeats) => Ok(Plan::Contest { methods: methods(table, budget)?, repeats: repeats.unwrap_or(1) }),
    }
}

/// Of a list of kinds, with a table of options for each that needs one.
fn methods(table: &Table, budget: u64) -> Result<Vec<Method>, InputError> {
    let kinds = kinds(table)?;
    let known: Vec<&str> = OWN_KEYS.into_iter().chain(kinds.iter().map(String::as_str)).collect();
    let keys = Keys::new("optimizer", table, &known)?;
    let mut methods: Vec<Method> = Vec::new();
    for kind in &kinds {
        let options = keys.table(kind)?.cloned().unwrap_or_default();
        let method = method(kind, &options, budget).map_err(|problem| match problem.key.as_deref() {
            Some("kind") => problem,
            _ => problem.under(kind),
        })?;
        if methods.iter().any(|earlier| earlier.kind.name == method.kind.name) {
            return Err(InputError::at("kind", format!("`{kind}` is given twice")));
        }
        methods.push(method);
    }
    Ok(methods)
}

fn kinds(table: &Table) -> Result<Vec<String>, InputError> {
    let wrong = || InputError::at("kind", "`kind` must be the name of an optimizer, or a list of such names");
    match table.get("kind") {
        None => Ok(vec![default_kind().to_string()]),
        Some(Value::Array(list)) if !list.is_empty() => {
            list.iter().map(|kind| kind.as_str().map(str::to_string).ok_or_else(wrong)).collect()
        }
        Some(Value::String(kind)) => Ok(vec![kind.clone()]),
        Some(_) => Err(wrong()),
    }
}

fn default_kind() -> &'static str {
    crate::optimize::KINDS.first().map_or("", |kind| kind.name)
}

fn method(kind: &str, options: &Table, budget: u64) -> Result<Method, InputError> {
    let kind = find(kind).map_err(|problem| InputError::at("kind", problem.message))?;
    Ok(Method { kind, options: Values::check(kind.name, kind.params, options)?, budget })
}

fn without(table: &Table, keys: &[&str]) -> Table {
    let others = table.iter().filter(|(key, _)| !keys.contains(&key.as_str()));
    others.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn transfer_of(table: &Table, method: Method, agent: &AgentSpec) -> Result<Plan, InputError> {
    let keys = Keys::new("transfer", table, &["tune", "test"])?;
    Ok(Plan::Transfer { method, tuned: levels(&keys, "tune", agent)?, tested: levels(&keys, "test", agent)? })
}

fn levels(keys: &Keys, key: &str, agent: &AgentSpec) -> Result<Vec<Level>, InputError> {
    let wrong = || InputError::at(key, format!("`{key}` must be a list of depths"));
    let list = keys.get(key).and_then(Value::as_array).filter(|list| !list.is_empty()).ok_or_else(wrong)?;
    let mut levels: Vec<Level> = Vec::new();
    for depth in list {
        let level = level(depth, agent).map_err(|problem| InputError::at(key, problem.message))?;
        if levels.iter().any(|earlier| earlier.depth == level.depth) {
            return Err(InputError::at(key, format!("depth {} is given twice", level.depth)));
        }
        levels.push(level);
    }
    Ok(levels)
}

fn level(depth: &Value, agent: &AgentSpec) -> Result<Level, InputError> {
    let mut given = agent.given.clone();
    given.insert("depth".into(), depth.clone());
    Ok(Level { depth: show(depth), agent: AgentSpec::new(agent.kind.name, given)? })
}
