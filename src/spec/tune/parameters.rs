//! `[[parameters]]`: the parameters that a search may change, with their ranges or choices.
//!
//! ```toml
//! [[parameters]]
//! name = "monotonicity.power"    # a coefficient, a parameter of a feature, or a key of the agent
//! range = [1, 6]
//! type = "integer"               # or real; by default what the parameter itself is
//!
//! [[parameters]]
//! name = "mask.tile"
//! choices = ["value", "log2"]    # by default all that the parameter allows
//!
//! [[parameters]]
//! name = "agent.exploration"
//! range = [0.1, 10]
//! scale = "log"                  # linear if left out
//!
//! [[parameters]]
//! name = "mask.power"
//! range = [0.1, 2]
//! when = { "mask.tile" = "power" }   # it keeps its start otherwise
//! ```
//!
//! `mask.cells` stands for all weights of a mask; see `mask_cells.rs`.

mod mask_cells;
mod values;
mod when;

use std::path::Path;

use crate::agents::AgentSpec;
use crate::heuristics::Heuristic;
use crate::optimize::{Condition, Dimension, Order, Space};
use crate::params::{InputError, Param, Table, Value, show, unknown};
use crate::report::manifest::{Checksummed, Manifest, sha256_of};
use crate::report::table::Table as RunTable;
use crate::spec::table_reader::TableReader;

/// What one dimension of the space sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    target: Target,
    kind: ValueKind,
}

#[derive(Clone, Debug, PartialEq)]
enum Target {
    /// A parameter of the heuristic, by its name.
    Heuristic(String),
    /// A key of the agent.
    Agent(String),
    /// Cells of a mask, which is the parameter of this name.
    Cells { mask: String, cells: Vec<usize> },
}

#[derive(Clone, Debug, PartialEq)]
enum ValueKind {
    Number,
    Integer,
    /// The number of the dimension is an index into this list.
    Choice(Vec<Value>),
}

impl ValueKind {
    /// The value that a number stands for.
    fn value(&self, number: f64) -> Result<Value, InputError> {
        match self {
            ValueKind::Number => Ok(Value::Float(number)),
            ValueKind::Integer => Ok(Value::Integer(number as i64)),
            ValueKind::Choice(list) => {
                let none = || InputError::new(format!("there is no choice number {number}"));
                list.get(number as usize).cloned().ok_or_else(none)
            }
        }
    }
}

impl Parameter {
    /// The values to choose from; none if it is a number.
    pub fn choices(&self) -> Option<&[Value]> {
        if let ValueKind::Choice(list) = &self.kind { Some(list) } else { None }
    }

    /// The value that a number of the dimension stands for.
    pub fn value(&self, number: f64) -> Option<Value> {
        self.kind.value(number).ok()
    }

    /// A number of the dimension as the user would write the value.
    pub fn show(&self, number: f64) -> String {
        match &self.kind {
            ValueKind::Choice(_) => self.kind.value(number).map_or_else(|_| number.to_string(), |value| show(&value)),
            _ => number.to_string(),
        }
    }

    /// Sets the parameter of a player.
    pub(super) fn apply(&self, number: f64, player: &mut Tunable) -> Result<(), InputError> {
        let value = self.kind.value(number)?;
        match &self.target {
            Target::Agent(key) => player.set_agent(key, value),
            Target::Heuristic(name) => player.heuristic()?.set_value(name, value),
            Target::Cells { mask, cells } => mask_cells::set(player.heuristic()?, mask, cells, number),
        }
    }
}

/// The player whose parameters are tuned.
#[derive(Clone, Debug)]
pub(super) struct Tunable {
    pub agent: AgentSpec,
    pub heuristic: Option<Heuristic>,
    pub warm: Option<WarmStart>,
}

/// The result of an earlier run, to start from.
#[derive(Clone, Debug)]
pub(super) struct WarmStart {
    path: String,
    heuristic: Option<Heuristic>,
    agent: Option<AgentSpec>,
    /// The spread of the last candidates, as a share of each range.
    pub spread: Option<f64>,
}

/// The column of a run's table of parameters with the spread of the last candidates.
pub const SPREAD: &str = "spread";

impl WarmStart {
    /// Reads `best.toml` or `best-agent.toml`. Also reads the other one and the run's table of parameters, if they are
    /// in the same folder.
    pub fn open(path: &str) -> Result<Self, InputError> {
        let (one, at) = (Path::new(path), |problem: InputError| InputError::at("warm", problem.message));
        let is_agent = one.file_name().is_some_and(|name| name == "best-agent.toml");
        let agent = if is_agent { one.to_path_buf() } else { one.with_file_name("best-agent.toml") };
        let heuristic = if is_agent { one.with_file_name("best.toml") } else { one.to_path_buf() };
        let table = one.with_file_name("parameters.csv");
        [&heuristic, &agent, &table].into_iter().try_for_each(|path| check_as_written(path)).map_err(at)?;
        let load = || Heuristic::load(&heuristic.display().to_string().into());
        let heuristic = (!is_agent || heuristic.is_file()).then(load).transpose().map_err(at)?;
        let agent = (is_agent || agent.is_file()).then(|| AgentSpec::open(&agent)).transpose().map_err(at)?;
        let spread = table.is_file().then(|| mean_spread(&table)).transpose().map_err(at)?.flatten();
        Ok(WarmStart { path: path.to_string(), heuristic, agent, spread })
    }

    /// The value of a parameter.
    fn value(&self, name: &str) -> Result<Value, InputError> {
        let value = match name.strip_prefix(AGENT) {
            Some(key) => self.agent.as_ref().and_then(|agent| agent.options.get(key).cloned()),
            None => self.heuristic.as_ref().and_then(|heuristic| heuristic.get_value(name).ok()),
        };
        value.ok_or_else(|| InputError::new(format!("`{}` of `warm` has no parameter `{name}`", self.path)))
    }
}

/// Refuses a file that is not as the run of its folder wrote it. A file that no run has written is the user's own.
fn check_as_written(path: &Path) -> Result<(), InputError> {
    let (folder, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default().to_string_lossy());
    let manifest = Manifest::read_intact(folder).map_err(|error| InputError::new(error.to_string()))?;
    let expected = manifest.as_ref().and_then(|manifest| manifest.outputs.get(name.as_ref()));
    match (expected, sha256_of(path)) {
        (Some(expected), Ok(found)) if *expected != found => {
            let advice = "its run wrote another; restore it, or copy it to a folder of its own to use it as it is";
            Err(InputError::new(format!("`{}` was changed: {advice}", path.display())))
        }
        _ => Ok(()),
    }
}

/// The mean spread in a run's table of parameters; `None` if the table has none.
fn mean_spread(path: &Path) -> Result<Option<f64>, InputError> {
    let wrong = |why: String| InputError::new(format!("`{}`: {why}", path.display()));
    let table = RunTable::read(path).map_err(|error| wrong(error.to_string()))?;
    if !table.columns().iter().any(|column| column == SPREAD) {
        return Ok(None);
    }
    let spreads: Option<Vec<f64>> = table.rows().map(|row| row.number(SPREAD).filter(|own| own.is_finite())).collect();
    let spreads = spreads.ok_or_else(|| wrong(format!("`{SPREAD}` must be a number")))?;
    Ok((!spreads.is_empty()).then(|| spreads.iter().sum::<f64>() / spreads.len() as f64))
}

/// The prefix of parameters of the agent.
pub(super) const AGENT: &str = "agent.";

impl Tunable {
    fn heuristic(&mut self) -> Result<&mut Heuristic, InputError> {
        self.heuristic.as_mut().ok_or_else(super::no_heuristic)
    }

    fn set_agent(&mut self, key: &str, value: Value) -> Result<(), InputError> {
        self.agent = self.agent.with(key, value)?;
        Ok(())
    }

    /// The declaration of a parameter, and its value if it has one.
    fn declaration(&mut self, name: &str) -> Result<(Param, Option<Value>), InputError> {
        let Some(key) = name.strip_prefix(AGENT) else {
            let heuristic = self.heuristic()?;
            return Ok((heuristic.declaration(name)?, heuristic.get_value(name).ok()));
        };
        let params = self.agent.kind.params();
        let tunable = |param: &&Param| !NOT_TUNED.contains(&param.name);
        let known: Vec<String> = params.iter().filter(tunable).map(|param| format!("{AGENT}{}", param.name)).collect();
        let what = format!("parameter of agent {}:", self.agent.kind.name);
        let wrong = || InputError::at(name, unknown(&what, name, known.iter().map(String::as_str)));
        let declared = params.iter().filter(tunable).find(|param| param.name == key).ok_or_else(wrong)?;
        Ok((*declared, self.agent.options.get(key).cloned()))
    }
}

/// Keys of agents that no search can set. A heuristic is tuned by its own parameters, and games with a time budget cannot be
/// repeated.
const NOT_TUNED: [&str; 2] = ["heuristic", "ms"];

/// The keys of a parameter.
const KEYS: [&str; 9] = ["name", "start", "range", "scale", "type", "choices", "when", "symmetry", "monotone"];

/// The part of the space that one `[[parameters]]` table adds. The indices in `orders` count its own dimensions from
/// 0.
struct Entry {
    dimensions: Vec<(Dimension, Parameter)>,
    orders: Vec<Order>,
}

/// Reads all parameters, and sets those of the player to their start values.
pub(super) fn read(keys: &TableReader, player: &mut Tunable) -> Result<(Space, Vec<Parameter>), InputError> {
    let tables = keys.tables("parameters")?;
    let (mut dimensions, mut parameters) = (Vec::<Dimension>::new(), Vec::new());
    let (mut conditions, mut orders, mut owners) = (Vec::<Condition>::new(), Vec::<Order>::new(), Vec::new());
    for (index, table) in tables.into_iter().enumerate() {
        let under = |problem: InputError| problem.under(&format!("parameters[{index}]"));
        let entry = entry(table, player, &dimensions).map_err(under)?;
        let first = dimensions.len();
        let earlier = (dimensions.as_slice(), parameters.as_slice());
        let of_entry = first..first + entry.dimensions.len();
        conditions.extend(when::read(table, earlier, of_entry).map_err(under)?);
        orders.extend(entry.orders.iter().map(|o| Order { above: first + o.above, below: first + o.below }));
        for (dimension, parameter) in entry.dimensions {
            dimensions.push(dimension);
            parameters.push(parameter);
            owners.push(index);
        }
    }
    for (index, owner) in owners.iter().enumerate() {
        check_effect(index, &parameters, player)
            .map_err(|problem| InputError::at(&format!("parameters[{owner}].name"), problem.message))?;
    }
    let at_parameters = |problem: InputError| InputError::at("parameters", problem.message);
    let space = Space::new(dimensions).and_then(|space| space.with_conditions(conditions)).map_err(at_parameters)?;
    Ok((space.with_orders(orders).map_err(at_parameters)?, parameters))
}

fn entry(table: &Table, player: &mut Tunable, earlier: &[Dimension]) -> Result<Entry, InputError> {
    let keys = TableReader::new("parameter", table, &KEYS)?;
    let name = keys.text("name")?.ok_or_else(|| InputError::new("a parameter needs a `name`"))?;
    let named = |problem: InputError| InputError::at("name", problem.message);
    let cells = player.heuristic.as_ref().and_then(|heuristic| mask_cells::mask_of(name, heuristic));
    refuse_twice(name, earlier).map_err(named)?;
    if let Some(mask) = cells {
        return mask_cells::read(&keys, &mask, player);
    }
    if let Some(key) = ["symmetry", "monotone"].into_iter().find(|key| table.contains_key(key)) {
        return Err(InputError::at(key, format!("`{key}` is for all cells of a mask, such as `mask.cells`")));
    }
    let (declared, own) = player.declaration(name).map_err(named)?;
    let warm = player.warm.as_ref().map(|warm| warm.value(name)).transpose().map_err(named)?;
    let given = keys.get("start").cloned();
    let possible = values::read(&keys, name, &declared, warm.or(given).or(own))?;
    let target = match name.strip_prefix(AGENT) {
        Some(key) => Target::Agent(key.to_string()),
        None => Target::Heuristic(name.to_string()),
    };
    let parameter = Parameter { target, kind: possible.kind };
    let extremes = [possible.dimension.low, possible.dimension.high];
    let places = parameter.choices().map_or(extremes.to_vec(), |list| (0..list.len()).map(|i| i as f64).collect());
    for place in places {
        let set = parameter.apply(place, &mut player.clone());
        set.map_err(|problem| InputError::at(possible.key, problem.message))?;
    }
    parameter.apply(possible.dimension.start, player).map_err(|problem| InputError::at("start", problem.message))?;
    Ok(Entry { dimensions: vec![(possible.dimension, parameter)], orders: Vec::new() })
}

/// A parameter may be given once, and a mask either as a whole or cell by cell.
fn refuse_twice(name: &str, earlier: &[Dimension]) -> Result<(), InputError> {
    let part = |known: &str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    if earlier.iter().any(|dimension| dimension.name == name || name.ends_with(".cells") && part(&dimension.name)) {
        return Err(InputError::new(format!("parameter `{name}` is given twice")));
    }
    let rival = match name.rsplit_once('.') {
        Some((term, "cells")) => format!("{term}.mask"),
        Some((term, "mask")) => format!("{term}.cells."),
        _ => return Ok(()),
    };
    match earlier.iter().find(|dimension| dimension.name == rival || dimension.name.starts_with(&rival)) {
        Some(other) => Err(InputError::new(format!("`{name}` and `{}` both set the same mask", other.name))),
        None => Ok(()),
    }
}

/// A parameter of a feature must have an effect at the start or for some choice of the others.
fn check_effect(index: usize, parameters: &[Parameter], player: &Tunable) -> Result<(), InputError> {
    let (Some(Target::Heuristic(name)), Some(heuristic)) =
        (parameters.get(index).map(|parameter| &parameter.target), &player.heuristic)
    else {
        return Ok(());
    };
    let choices: Vec<(&String, &[Value])> = parameters
        .iter()
        .filter_map(|parameter| match &parameter.target {
            Target::Heuristic(other) if same_term(name, other) => Some((other, parameter.choices()?)),
            _ => None,
        })
        .collect();
    if has_effect(heuristic, name, &choices) {
        return Ok(());
    }
    let known = heuristic.parameter_names();
    let message = unknown("parameter with an effect on this heuristic:", name, known.iter().map(String::as_str));
    Err(InputError::new(message))
}

fn same_term(one: &str, other: &str) -> bool {
    one.split('.').next() == other.split('.').next()
}

fn has_effect(heuristic: &Heuristic, name: &str, choices: &[(&String, &[Value])]) -> bool {
    let Some(((choice, values), rest)) = choices.split_first() else { return heuristic.uses(name) == Ok(true) };
    values.iter().any(|value| {
        let mut chosen = heuristic.clone();
        chosen.set_value(choice, value.clone()).is_ok() && has_effect(&chosen, name, rest)
    })
}
