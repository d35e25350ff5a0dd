//! Which searches an experiment runs.
//!
//! By default there is one search. If `[optimizer]` has a list of kinds, each of these optimizers runs `repeats` times
//! on the same problem. Their options are then in one table per kind, such as `[optimizer.spsa]`. Any other name is a
//! variant of an optimizer: `kind = ["cma-es", "raced"]` needs a table `[optimizer.raced]`, for example with `kind =
//! "cma-es"` and `rounds = 4`. If there is a table `[transfer]` with the lists `tune` and `test` of depths, the
//! heuristic is tuned at each depth of the first list and tested at each depth of the second.

use super::front::FrontMethod;
use super::parameters::SPREAD;
use crate::params::{Table, Value};

use crate::agents::AgentSpec;
use crate::optimize::{OptimizerKind, find};
use crate::params::{InputError, Values, show};
use crate::spec::MOST_GAMES;
use crate::spec::table_reader::TableReader;

/// An optimizer with its options and its budget.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name in tables and figures: the name of the optimizer or of the variant.
    pub label: String,
    /// The optimizer.
    pub kind: &'static OptimizerKind,
    /// Its options.
    pub options: Values,
    /// The budget in training games.
    pub budget: u64,
    /// How often the search may restart when validation stalls.
    pub restarts: u64,
}

/// The agent with one of several search depths.
#[derive(Clone, Debug)]
pub struct AgentAtDepth {
    /// The depth as the user wrote it.
    pub depth: String,
    /// The agent.
    pub agent: AgentSpec,
}

/// Which searches an experiment runs.
#[derive(Clone, Debug)]
pub enum Plan {
    /// One search.
    One(Method),
    /// Several optimizers on the same problem, each several times.
    Contest {
        /// The optimizers.
        methods: Vec<Method>,
        /// How often each of them runs.
        repeats: u64,
    },
    /// A search for the front of two objectives.
    Front(FrontMethod),
    /// One search per depth; each result is tested at several depths.
    Transfer {
        /// The optimizer.
        method: Method,
        /// The depths to tune at.
        tuned: Vec<AgentAtDepth>,
        /// The depths to test at.
        tested: Vec<AgentAtDepth>,
    },
}

const OWN_KEYS: [&str; 4] = ["kind", "budget", "repeats", "restarts"];
/// A restart doubles the population, so more of them would not fit into any budget.
const MOST_RESTARTS: u64 = 20;
const MOST_REPEATS: u64 = 1000;
/// The smallest spread of a warm start. An earlier search may have converged so closely that a search with its spread
/// could not move on.
const LEAST_SPREAD: f64 = 0.01;

impl Plan {
    /// Reads the plan. `repeats` comes from the command line and replaces the value of the file. `spread` is that of an
    /// earlier run.
    pub(super) fn read(
        keys: &TableReader,
        agent: &AgentSpec,
        repeats: Option<u64>,
        spread: Option<f64>,
    ) -> Result<Self, InputError> {
        if let Some(front) = FrontMethod::read(keys)? {
            return match repeats {
                None => Ok(Plan::Front(front)),
                Some(_) => Err(InputError::new("several objectives have one search: leave out --repeats")),
            };
        }
        let missing = || InputError::new("the budget is missing: add a table [optimizer] with a `budget` of games");
        let optimizer = keys.table("optimizer")?.ok_or_else(missing)?;
        let plan = read_optimizer(optimizer, repeats, spread).map_err(|problem| problem.under("optimizer"))?;
        match (keys.table("transfer")?, plan) {
            (None, plan) => Ok(plan),
            (Some(transfer), Plan::One(method)) => {
                transfer_of(transfer, method, agent).map_err(|problem| problem.under("transfer"))
            }
            _ => Err(InputError::at("transfer", "[transfer] needs exactly one optimizer, without `repeats`")),
        }
    }

    /// The optimizers in use.
    pub fn methods(&self) -> &[Method] {
        match self {
            Plan::One(method) | Plan::Transfer { method, .. } => std::slice::from_ref(method),
            Plan::Contest { methods, .. } => methods,
            Plan::Front(_) => &[],
        }
    }

    /// The training games of all searches, each counted once.
    pub fn budget(&self) -> u64 {
        match self {
            Plan::Front(method) => method.budget,
            _ => self.methods().iter().map(|method| method.budget).sum(),
        }
    }

    /// Everything that the searches depend on, except budgets and repeats: these may grow within one experiment.
    pub(super) fn configuration(&self) -> String {
        let restarts = |method: &Method| match method.restarts {
            0 => String::new(),
            restarts => format!(" restarts {restarts}"),
        };
        let variant = |m: &Method| if m.label == m.kind.name { String::new() } else { format!("{}: ", m.label) };
        let method = |m: &Method| format!("{}{} {:?}{}", variant(m), m.kind.name, m.options, restarts(m));
        let methods: Vec<String> = self.methods().iter().map(method).collect();
        let depth = |at: &AgentAtDepth| at.depth.clone();
        let depths = |agents: &[AgentAtDepth]| agents.iter().map(depth).collect::<Vec<_>>().join(",");
        let form = match self {
            Plan::One(_) => "one".to_string(),
            Plan::Contest { .. } => "contest".to_string(),
            Plan::Front(FrontMethod { objectives, options, .. }) => format!("front {objectives:?} {options:?}"),
            Plan::Transfer { tuned, .. } => format!("transfer from {}", depths(tuned)),
        };
        format!("{form}\n{}", methods.join("\n"))
    }
}

/// Reads the `budget` of an optimizer.
pub(super) fn read_budget(keys: &TableReader) -> Result<u64, InputError> {
    let budget = keys.count("budget", 1)?.ok_or_else(|| InputError::new("an optimizer needs a `budget` of games"))?;
    if budget > MOST_GAMES {
        return Err(InputError::at("budget", format!("`budget` is {budget}, at most {MOST_GAMES} is possible")));
    }
    Ok(budget)
}

/// Reads the table of an optimizer. `repeats` comes from the command line and replaces the value of the table.
fn read_optimizer(table: &Table, repeats: Option<u64>, spread: Option<f64>) -> Result<Plan, InputError> {
    let keys = TableReader::unchecked(table);
    let budget = read_budget(&keys)?;
    let repeats = repeats.or(keys.count("repeats", 1)?);
    if let Some(repeats) = repeats.filter(|repeats| !(1..=MOST_REPEATS).contains(repeats)) {
        let why = format!("`repeats` is {repeats}, but must be from 1 to {MOST_REPEATS}");
        return Err(InputError::at("repeats", why));
    }
    let shared = SharedOptions { budget, restarts: restarts(&keys)?, spread };
    let kind = table.get("kind").map_or(Some(default_kind()), Value::as_str);
    // The options of a single optimizer may be in the table itself.
    let single = kind.filter(|kind| !table.contains_key(kind));
    let single = single.map(|kind| method(kind, &without(table, &OWN_KEYS), shared)).transpose()?;
    match (single, repeats) {
        (Some(method), None) => Ok(Plan::One(method)),
        (Some(method), Some(repeats)) => Ok(Plan::Contest { methods: vec![method], repeats }),
        (None, repeats) => Ok(Plan::Contest { methods: methods(table, shared)?, repeats: repeats.unwrap_or(1) }),
    }
}

/// Reads a list of kinds, each with an optional table of options.
fn methods(table: &Table, shared: SharedOptions) -> Result<Vec<Method>, InputError> {
    let kinds = kinds(table)?;
    let known: Vec<&str> = OWN_KEYS.into_iter().chain(kinds.iter().map(String::as_str)).collect();
    let keys = TableReader::new("optimizer", table, &known)?;
    let mut methods: Vec<Method> = Vec::new();
    for kind in &kinds {
        let mut options = keys.table(kind)?.cloned().unwrap_or_default();
        let variant = options.remove("kind").map(|kind| show(&kind));
        let method = method(variant.as_deref().unwrap_or(kind), &options, shared);
        let method = method.map_err(|problem| match (problem.key.as_deref(), &variant) {
            (Some("kind"), None) => problem,
            _ => problem.under(kind),
        })?;
        let method = Method { label: kind.clone(), ..method };
        if methods.iter().any(|earlier| earlier.label == method.label) {
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

/// The options that all optimizers of an experiment share.
#[derive(Clone, Copy)]
struct SharedOptions {
    budget: u64,
    restarts: u64,
    /// The spread of an earlier run. It is used if the file gives none.
    spread: Option<f64>,
}

fn restarts(keys: &TableReader) -> Result<u64, InputError> {
    match keys.count("restarts", 0)?.unwrap_or(0) {
        many if many > MOST_RESTARTS => {
            Err(InputError::at("restarts", format!("`restarts` is {many}, but at most {MOST_RESTARTS} is possible")))
        }
        restarts => Ok(restarts),
    }
}

fn method(kind: &str, options: &Table, shared: SharedOptions) -> Result<Method, InputError> {
    let kind = find(kind).map_err(|problem| InputError::at("kind", problem.message))?;
    let SharedOptions { budget, restarts, spread } = shared;
    if restarts > 0 && kind.name != "cma-es" {
        let why = format!("a restart doubles the population of cma-es; {} has none to double", kind.name);
        return Err(InputError::at("restarts", why));
    }
    let mut options = options.clone();
    let takes_spread = kind.params.iter().any(|param| param.name == SPREAD) && !options.contains_key(SPREAD);
    if let Some(spread) = spread.filter(|_| takes_spread) {
        options.insert(SPREAD.to_string(), Value::Float(spread.clamp(LEAST_SPREAD, 1.0)));
    }
    let options = Values::check(kind.name, kind.params, &options)?;
    Ok(Method { label: kind.name.to_string(), kind, options, budget, restarts })
}

fn without(table: &Table, keys: &[&str]) -> Table {
    let others = table.iter().filter(|(key, _)| !keys.contains(&key.as_str()));
    others.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn transfer_of(table: &Table, method: Method, agent: &AgentSpec) -> Result<Plan, InputError> {
    let keys = TableReader::new("transfer", table, &["tune", "test"])?;
    Ok(Plan::Transfer { method, tuned: at_depths(&keys, "tune", agent)?, tested: at_depths(&keys, "test", agent)? })
}

fn at_depths(keys: &TableReader, key: &str, agent: &AgentSpec) -> Result<Vec<AgentAtDepth>, InputError> {
    let wrong = || InputError::at(key, format!("`{key}` must be a list of depths"));
    let list = keys.get(key).and_then(Value::as_array).filter(|list| !list.is_empty()).ok_or_else(wrong)?;
    let mut agents: Vec<AgentAtDepth> = Vec::new();
    for depth in list {
        let next = at_depth(depth, agent).map_err(|problem| InputError::at(key, problem.message))?;
        if agents.iter().any(|earlier| earlier.depth == next.depth) {
            return Err(InputError::at(key, format!("depth {} is given twice", next.depth)));
        }
        agents.push(next);
    }
    Ok(agents)
}

fn at_depth(depth: &Value, agent: &AgentSpec) -> Result<AgentAtDepth, InputError> {
    let mut given = agent.given.clone();
    given.insert("depth".into(), depth.clone());
    Ok(AgentAtDepth { depth: show(depth), agent: AgentSpec::new(agent.kind.name, given)? })
}
