//! How a search is judged: validation, slices, ablation and the final test.

use super::plan::Plan;
use super::scenarios::{self, Scenario};
use crate::agents::AgentSpec;
use crate::heuristics::Heuristic;
use crate::params::{InputError, number};
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

/// A number of games; an interval needs at least two.
pub(super) fn games(name: &str, keys: &TableReader, known: &[&str], default: u64) -> Result<u64, InputError> {
    keys.count_in(name, known, "games", 2, default)
}

/// Points of the validation curve if the file does not say how often to validate.
const CURVE_POINTS: u64 = 20;

pub(super) fn validation(keys: &TableReader, plan: &Plan) -> Result<Validation, InputError> {
    let known = &["games", "every"];
    let budget = plan.methods().iter().map(|method| method.budget).max().unwrap_or_else(|| plan.budget());
    Ok(Validation {
        games: games("validation", keys, known, 200)?,
        every: keys.count_in("validation", known, "every", 1, (budget / CURVE_POINTS).max(1))?,
    })
}

pub(super) fn slices(keys: &TableReader) -> Result<Slices, InputError> {
    let known = &["points", "games", "reach"];
    let reach = keys.optional("slices", known)?.and_then(|keys| keys.get("reach"));
    let valid = reach.map_or(Some(0.25), number).filter(|reach| *reach > 0.0 && *reach <= 1.0);
    let wrong = || InputError::at("slices.reach", "`reach` must be a number above 0 and up to 1");
    let points = keys.count_in("slices", known, "points", 2, 7)?;
    if points > 1000 {
        return Err(InputError::at("slices.points", format!("`points` is {points}, but at most 1000 is possible")));
    }
    Ok(Slices { points, games: games("slices", keys, known, 200)?, reach: valid.ok_or_else(wrong)? })
}

pub(super) fn test(keys: &TableReader, agent: &AgentSpec, tuned: &[Scenario]) -> Result<Test, InputError> {
    let known = &["games", "against", "scenarios"];
    let table = keys.optional("test", known)?;
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
