//! The agent and the heuristic that are tuned, as an experiment file gives them.

use crate::agents::AgentSpec;
use crate::heuristics::Heuristic;
use crate::params::{InputError, Table, Value};
use crate::spec::table_reader::TableReader;

/// The agent with this heuristic.
pub fn with_heuristic(agent: &AgentSpec, heuristic: &Heuristic) -> Result<AgentSpec, InputError> {
    agent.with_heuristic(Value::Table(heuristic.to_table()))
}

pub(super) fn agent(keys: &TableReader) -> Result<AgentSpec, InputError> {
    let table = keys
        .table("agent")?
        .ok_or_else(|| InputError::new("the agent is missing: add a table [agent] with its `kind`"))?;
    read_agent(table, keys.get("heuristic").is_some()).map_err(|problem| problem.under("agent"))
}

fn read_agent(table: &Table, has_heuristic: bool) -> Result<AgentSpec, InputError> {
    let kind = TableReader::unchecked(table).text("kind")?.ok_or_else(|| InputError::new("an agent needs a `kind`"))?;
    let mut given = table.clone();
    given.remove("kind");
    let agent = AgentSpec::load(kind, given)?;
    if agent.is_timed() {
        return Err(InputError::at(
            "ms",
            "games with a time budget cannot be repeated, so tuning needs another budget: use `work`",
        ));
    }
    if has_heuristic {
        check_heuristic_use(&agent)?;
    }
    Ok(agent)
}

/// The agent must use the heuristic that is to be tuned.
fn check_heuristic_use(agent: &AgentSpec) -> Result<(), InputError> {
    let kind = agent.kind.name;
    if !agent.kind.has("heuristic") {
        let why = format!(
            "`{kind}` uses no heuristic, so there is nothing to tune: without [heuristic], parameters such as \
             `agent.runs` tune the agent alone"
        );
        return Err(InputError::at("kind", why));
    }
    if agent.given.contains_key("heuristic") {
        return Err(InputError::at("heuristic", "the heuristic to be tuned goes under [heuristic], not under [agent]"));
    }
    Ok(())
}

/// Refuses to tune the heuristic of an agent that never uses it: playouts use it only where a `cap` cuts them short.
pub(super) fn check_playouts(agent: &AgentSpec, has_heuristic: bool) -> Result<(), InputError> {
    let kind = agent.kind.name;
    let plays_out = agent.kind.has("cap") && agent.options.integer("runs") != Some(0);
    if has_heuristic && plays_out && agent.options.get("cap").is_none() {
        let why = format!("`{kind}` looks at its heuristic only where playouts are cut short: give it a `cap`");
        return Err(InputError::at("kind", why));
    }
    Ok(())
}

/// How the heuristic is given, for errors.
const HEURISTICS: &str =
    "write `heuristic = \"mine.toml\"` for a file of your own, or a table [heuristic] with a `preset`";

pub(super) fn heuristic(keys: &TableReader) -> Result<Option<Heuristic>, InputError> {
    let with_hint =
        |problem: InputError| InputError { message: format!("{}; {HEURISTICS}", problem.message), ..problem };
    let load = |value| Heuristic::load(value).map_err(|problem| with_hint(problem).under("heuristic"));
    keys.get("heuristic").map(load).transpose()
}

pub(super) fn no_heuristic() -> InputError {
    InputError::new(format!("the heuristic is missing: {HEURISTICS}, or tune keys of the agent"))
}
