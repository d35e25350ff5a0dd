//! How a search is judged: validation, slices, ablation and the final test.

use super::plan::Plan;
use super::scenarios::{self, Scenario};
use crate::agents::AgentSpec;
use crate::heuristics::Heuristic;
use crate::params::{InputError, number};
use crate::spec::MOST_GAMES;
use crate::spec::table_reader::TableReader;

/// The validation curve: the progress of a search, on games that the optimizer does not see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Validation {
    /// Games per point of the curve.
    pub games: u64,
    /// Training games between two points.
    pub every: u64,
}

/// The objective around the recommendation, one parameter at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slices {
    /// Points per parameter.
    pub points: u64,
    /// Games per point.
    pub games: u64,
    /// How far the points reach to either side, as a fraction of the range.
    pub reach: f64,
}

/// The final comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// Games per heuristic.
    pub games: u64,
    /// Other heuristics to test, besides the start and the tuned one.
    pub against: Vec<Heuristic>,
    /// The settings of the agent to test in: those of the search unless the file lists others.
    pub scenarios: Vec<Scenario>,
}

/// An optional table with these keys.
fn optional<'a>(name: &str, keys: &TableReader<'a>, known: &[&str]) -> Result<Option<TableReader<'a>>, InputError> {
    let table = keys.table(name)?;
    table.map(|table| TableReader::new(name, table, known)).transpose().map_err(|problem| problem.under(name))
}

/// A count in an optional table, from `min` to [`MOST_GAMES`].
fn count(name: &str, keys: &TableReader, known: &[&str], key: &str, min: i64, default: u64) -> Result<u64, InputError> {
    let Some(keys) = optional(name, keys, known)? else { return Ok(default) };
    let count = keys.count(key, min).map_err(|problem| problem.under(name))?.unwrap_or(default);
    if count > MOST_GAMES {
        return Err(
            InputError::at(key, format!("`{key}` is {count}, but at most {} is possible", MOST_GAMES)).under(name)
        );
    }
    Ok(count)
}

/// A number of games; an interval needs at least two.
pub(super) fn games(name: &str, keys: &TableReader, known: &[&str], default: u64) -> Result<u64, InputError> {
    count(name, keys, known, "games", 2, default)
}

/// Points of the validation curve if the file does not say how often to validate.
const CHECKPOINTS: u64 = 20;

pub(super) fn validation(keys: &TableReader, plan: &Plan) -> Result<Validation, InputError> {
    let known = &["games", "every"];
    let budget = plan.methods().iter().map(|method| method.budget).max().unwrap_or_else(|| plan.budget());
    Ok(Validation {
        games: games("validation", keys, known, 200)?,
        every: count("validation", keys, known, "every", 1, (budget / CHECKPOINTS).max(1))?,
    })
}

pub(super) fn slices(keys: &TableReader) -> Result<Slices, InputError> {
    let known = &["points", "games", "reach"];
    let reach = optional("slices", keys, known)?.and_then(|keys| keys.get("reach"));
    let valid = reach.map_or(Some(0.25), number).filter(|reach| *reach > 0.0 && *reach <= 1.0);
    let wrong = || InputError::at("slices.reach", "`reach` must be a number above 0 and up to 1");
    let points = count("slices", keys, known, "points", 2, 7)?;
    if points > 1000 {
        return Err(InputError::at("slices.points", format!("`points` is {points}, but at most 1000 is possible")));
    }
    Ok(Slices { points, games: games("slices", keys, known, 200)?, reach: valid.ok_or_else(wrong)? })
}

pub(super) fn test(keys: &TableReader, agent: &AgentSpec, tuned: &[Scenario]) -> Result<Test, InputError> {
    let known = &["games", "against", "scenarios"];
    let table = optional("test", keys, known)?;
    let against = table.and_then(|keys| keys.get("against"));
    let own = table.map_or(Ok(Vec::new()), |table| scenarios::read(&table, "scenarios", agent));
    let own = own.map_err(|problem| problem.under("test"))?;
    let scenarios = scenarios::tested(tuned, own);
    let wrong = || InputError::at("test.against", "`against` must be a list of heuristics: names, files or tables");
    let list = against.map_or(Some([].as_slice()), |list| list.as_array().map(Vec::as_slice)).ok_or_else(wrong)?;
    let rivals: Result<Vec<Heuristic>, InputError> = list.iter().map(Heuristic::load).collect();
    let rivals = rivals.map_err(|problem| InputError::at("test.against", problem.message))?;
    for (index, rival) in rivals.iter().enumerate() {
        let taken = rivals[..index].iter().map(Heuristic::name).chain(["start", "tuned"]);
        if taken.into_iter().any(|name| name == rival.name()) {
            return Err(InputError::at("test.against", format!("two rows would be called `{}`", rival.name())));
        }
    }
    Ok(Test { games: games("test", keys, known, 1000)?, against: rivals, scenarios })
}
