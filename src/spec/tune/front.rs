//! `objectives`: two objectives, such as a high score and a low cost.
//!
//! ```toml
//! objectives = ["mean-score", "work-per-move"]
//!
//! [optimizer]
//! kind = "nsga2"                 # the only optimizer for two objectives, so it may be left out
//! population = 40
//! games = 5                      # per evaluation
//! budget = 20000
//! ```

use super::Objective;
use super::plan::read_budget;
use crate::optimize::FrontSearch;
use crate::params::{InputError, Param, ParamType, Table, Value, Values};
use crate::spec::table_reader::TableReader;

/// The name of the only optimizer for two objectives.
pub const NSGA2: &str = "nsga2";

/// One line for `lab2048 list`.
pub const NSGA2_SUMMARY: &str = "for two `objectives`: a population that spreads along their front";

/// The options of the optimizer.
pub const NSGA2_PARAMS: &[Param] = &[
    Param {
        name: "population",
        kind: ParamType::Integer { min: 4, max: 10_000 },
        default: "40",
        help: "points that spread along the front",
    },
    Param {
        name: "games",
        kind: ParamType::Integer { min: 1, max: 1_000_000 },
        default: "5",
        help: "games per evaluation; every parent plays as many again in each generation",
    },
];

/// A search for the front of two objectives.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontMethod {
    /// The objectives.
    pub objectives: [Objective; 2],
    /// The options of the optimizer.
    pub options: Values,
    /// The budget in training games.
    pub budget: u64,
}

impl FrontMethod {
    /// Reads the objectives and their optimizer; `None` if the experiment has one objective.
    pub(super) fn read(keys: &TableReader) -> Result<Option<Self>, InputError> {
        let Some(list) = keys.get("objectives") else { return Ok(None) };
        let objectives = objectives(list).map_err(|problem| InputError::at("objectives", problem.message))?;
        if let Some(key) = ["objective", "scenarios", "transfer"].into_iter().find(|key| keys.get(key).is_some()) {
            return Err(InputError::at(key, format!("`{key}` cannot be combined with `objectives`")));
        }
        let table = keys.table("optimizer")?.cloned().unwrap_or_default();
        let (options, budget) = optimizer(&table).map_err(|problem| problem.under("optimizer"))?;
        Ok(Some(FrontMethod { objectives, options, budget }))
    }

    /// The search in this space.
    pub fn search(&self, space: crate::optimize::Space, seed: u64) -> FrontSearch {
        let count = |option: &str| self.options.integer(option).map_or(1, |count| count.max(1) as u64);
        FrontSearch {
            space,
            population: count("population") as usize,
            games: count("games"),
            seed,
            budget: self.budget,
        }
    }
}

fn objectives(list: &Value) -> Result<[Objective; 2], InputError> {
    let wrong =
        || InputError::new("`objectives` must be a list of two names, such as [\"mean-score\", \"work-per-move\"]");
    let names: Option<Vec<&str>> = list.as_array().ok_or_else(wrong)?.iter().map(Value::as_str).collect();
    match names.ok_or_else(wrong)?.as_slice() {
        [first, second] if first == second => Err(InputError::new(format!("the objective `{first}` is given twice"))),
        [first, second] => Ok([Objective::find(first)?, Objective::find(second)?]),
        _ => Err(wrong()),
    }
}

fn optimizer(table: &Table) -> Result<(Values, u64), InputError> {
    let keys = TableReader::unchecked(table);
    if let Some(kind) = keys.text("kind")?.filter(|kind| *kind != NSGA2) {
        return Err(InputError::at("kind", format!("`{kind}` is for one objective: two need `{NSGA2}`")));
    }
    let budget = read_budget(&keys)?;
    let own = |key: &&String| !["kind", "budget"].contains(&key.as_str());
    let given: Table = table.iter().filter(|(key, _)| own(key)).map(|(k, v)| (k.clone(), v.clone())).collect();
    let options = Values::check(NSGA2, NSGA2_PARAMS, &given)?;
    let first = options.integer("population").unwrap_or(0) as u64 * options.integer("games").unwrap_or(0) as u64;
    if first > budget {
        let why = format!("a budget of {budget} games is too small: the first generation takes {first}");
        return Err(InputError::at("budget", why));
    }
    Ok((options, budget))
}
