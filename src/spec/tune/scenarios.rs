//! `scenarios`: one set of parameters for several settings of the agent.
//!
//! ```toml
//! scenarios = [{ depth = 3 }, { depth = 5, weight = 2 }, { work = 30000, label = "budget" }]
//! aggregate = "mean"             # or worst, mean-rank
//! ```
//!
//! A scenario has keys of the agent, which replace those under `[agent]`. Every candidate plays all scenarios, `games` of
//! each. Deep searches score higher, so their values would outweigh the others. Every value is therefore divided by the
//! value of the start in the same scenario.

use crate::agents::AgentSpec;
use crate::params::{InputError, Table, Value, number, show};
use crate::spec::table_reader::TableReader;

/// One setting of the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name in tables and figures.
    pub label: String,
    /// Its share in a mean; only the ratios matter.
    pub weight: f64,
    changes: Table,
}

/// How the values of several scenarios are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// The weighted mean of the values, each relative to the start.
    Mean,
    /// The smallest of the values, each relative to the start.
    Worst,
    /// The weighted mean of the candidate's ranks in its generation. Ranks are limited, so a large gain in one scenario
    /// cannot make up for losses in the others.
    MeanRank,
}

impl Aggregate {
    const ALL: [(&'static str, Aggregate); 3] =
        [("mean", Aggregate::Mean), ("worst", Aggregate::Worst), ("mean-rank", Aggregate::MeanRank)];

    /// Reads `aggregate`.
    pub(super) fn read(keys: &TableReader) -> Result<Self, InputError> {
        let Some(name) = keys.text("aggregate")? else { return Ok(Aggregate::Mean) };
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        let names = Self::ALL.iter().map(|(name, _)| *name);
        let wrong = || InputError::at("aggregate", crate::params::unknown("aggregate", name, names));
        found.map(|(_, aggregate)| *aggregate).ok_or_else(wrong)
    }
}

impl Scenario {
    /// The agent in this scenario.
    pub fn of(&self, agent: &AgentSpec) -> Result<AgentSpec, InputError> {
        self.changes.iter().try_fold(agent.clone(), |agent, (key, value)| agent.with(key, value.clone()))
    }

    /// Whether the scenario itself sets this key of the agent.
    pub(super) fn sets(&self, key: &str) -> bool {
        self.changes.contains_key(key)
    }
}

/// Keys of a scenario that are not keys of the agent.
const OWN_KEYS: [&str; 2] = ["weight", "label"];

/// Reads a list of scenarios; empty if the key is absent.
pub(super) fn read(keys: &TableReader, key: &str, agent: &AgentSpec) -> Result<Vec<Scenario>, InputError> {
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (index, table) in keys.tables(key)?.into_iter().enumerate() {
        let under = |problem: InputError| problem.under(&format!("{key}[{index}]"));
        let scenario = scenario(table, agent).map_err(under)?;
        if scenarios.iter().any(|earlier| earlier.label == scenario.label) {
            return Err(under(InputError::new(format!("scenario `{}` is given twice", scenario.label))));
        }
        scenarios.push(scenario);
    }
    Ok(scenarios)
}

fn scenario(table: &Table, agent: &AgentSpec) -> Result<Scenario, InputError> {
    let keys = TableReader::unchecked(table);
    let changes: Table = table
        .iter()
        .filter(|(key, _)| !OWN_KEYS.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    if let Some(key) = ["ms", "heuristic"].into_iter().find(|key| changes.contains_key(key)) {
        return Err(InputError::at(key, format!("a scenario cannot set `{key}`")));
    }
    let weight = keys.get("weight").map_or(Some(1.0), number).filter(|weight| *weight > 0.0);
    let own = || changes.iter().map(|(key, value)| format!("{key}={}", show(value))).collect::<Vec<_>>().join(" ");
    let label = keys.text("label")?.map_or_else(own, str::to_string);
    if label.is_empty() {
        return Err(InputError::new("a scenario needs a key of the agent, such as { depth = 3 }"));
    }
    let scenario = Scenario {
        label,
        weight: weight.ok_or_else(|| InputError::at("weight", "`weight` must be a number above 0"))?,
        changes,
    };
    scenario.of(agent)?;
    Ok(scenario)
}

/// The scenarios of the test: those of the search first, then the others that the file lists.
pub(super) fn tested(tuned: &[Scenario], own: Vec<Scenario>) -> Vec<Scenario> {
    let as_tuned = Scenario { label: "as tuned".into(), weight: 1.0, changes: Table::new() };
    let first = if tuned.is_empty() && !own.is_empty() { vec![as_tuned] } else { tuned.to_vec() };
    let others = own.into_iter().filter(|scenario| tuned.iter().all(|known| known.label != scenario.label));
    first.into_iter().chain(others).collect()
}

/// The text of the scenarios for the experiment's fingerprint.
pub(super) fn configuration(scenarios: &[Scenario], aggregate: Aggregate) -> String {
    let one = |scenario: &Scenario| {
        format!("{} {} {}\n", scenario.label, scenario.weight, Value::Table(scenario.changes.clone()))
    };
    format!("{aggregate:?}\n{}", scenarios.iter().map(one).collect::<String>())
}
