//! Experiment files that tune a heuristic's coefficients.
//!
//! ```toml
//! name = "mine"
//! seed = 1
//! objective = "mean-score"       # or median-score, win-rate, mean-log2-max
//! goal = "none"                  # the tile that ends a game, 2048 if left out
//!
//! [agent]                        # any kind that uses a heuristic, with its keys
//! kind = "expectimax"
//! depth = 2
//!
//! [heuristic]                    # a preset, a file, or terms
//! preset = "basic"
//!
//! [[parameters]]                 # a coefficient to tune
//! name = "mask"
//! start = 1.0                    # the heuristic's own value if left out
//! range = [0.01, 100]
//! scale = "log"                  # linear if left out
//!
//! [optimizer]
//! kind = "cma-es"
//! budget = 5000                  # training games
//! ```
//!
//! There are optional tables, here with their defaults: `[validation]` (`games = 200`, `every = 1000` training games),
//! `[slices]` (`points = 7`, `games = 200`, `reach = 0.25` of each range to either side), `[ablation]` (`games = 500`)
//! and `[test]` (`games = 1000`, `against = []`, a list of other heuristics). Slices and ablation play validation games.

mod json;
mod objective;
mod parameters;
mod plan;

use std::path::Path;

use crate::params::{Table, Value};

use super::game::GameSpec;
use super::table_reader::TableReader;
use crate::agents::AgentSpec;
use crate::games::Game;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Heuristic;
use crate::optimize::{Search, Space};
use crate::params::document::Document;
use crate::params::{InputError, number, show};

pub use objective::Objective;
pub use plan::{AgentAtDepth, Method, Plan};

/// An experiment that tunes the coefficients of a heuristic for an agent.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The name of the experiment and of its results folder.
    pub name: String,
    /// The seed that all other seeds are derived from.
    pub seed: u64,
    /// What to maximise.
    pub objective: Objective,
    /// The game, with its goal.
    pub game: GameSpec,
    /// The agent that plays.
    pub agent: AgentSpec,
    /// The heuristic with every parameter at its start value.
    pub heuristic: Heuristic,
    /// The parameters with their ranges.
    pub space: Space,
    /// Which searches to run.
    pub plan: Plan,
    /// How to measure the progress of a search.
    pub validation: Validation,
    /// How to measure the objective around the recommendation.
    pub slices: Slices,
    /// Games for each step of the ablation.
    pub ablation: u64,
    /// The final comparison.
    pub test: Test,
    /// The text of the experiment file.
    pub text: String,
}

/// What the command line may say instead of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The seed of all games and of the optimizer.
    pub seed: Option<u64>,
    /// Runs of each search.
    pub repeats: Option<u64>,
}

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
}

const KEYS: &[&str] = &[
    "name",
    "seed",
    "objective",
    "goal",
    "agent",
    "heuristic",
    "parameters",
    "optimizer",
    "transfer",
    "validation",
    "slices",
    "ablation",
    "test",
];

impl Tuning {
    /// Reads and checks an experiment file. An error shows the line that is wrong.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        Self::open_with(path, Overrides::default())
    }

    /// As [`Tuning::open`], with what the command line says instead of the file.
    pub fn open_with(path: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let document = Document::open(&path.to_string_lossy())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::read(&document, &stem, overrides).map_err(|problem| document.locate(problem))
    }

    fn read(document: &Document, stem: &str, overrides: Overrides) -> Result<Self, InputError> {
        let keys = TableReader::new("experiment", document.table(), KEYS)?;
        let goal = keys.get("goal").map(show);
        let agent = agent(&keys)?;
        let mut heuristic = heuristic(&keys)?;
        let space = parameters::read(&keys, &mut heuristic)?;
        Tuning {
            name: super::file_name("name", keys.text("name")?.unwrap_or(stem))?,
            seed: overrides.seed.or(keys.count("seed", 0)?).unwrap_or(1),
            objective: keys.text("objective")?.map_or(Ok(Objective::MeanScore), Objective::find)?,
            game: GameSpec::new(Twenty48::NAME, goal.as_deref())?,
            plan: Plan::read(&keys, &agent, overrides.repeats)?,
            validation: validation(&keys)?,
            slices: slices(&keys)?,
            ablation: games("ablation", &keys, &["games"], 500)?,
            test: test(&keys)?,
            agent,
            heuristic,
            space,
            text: document.text().to_string(),
        }
        .checked()
    }

    /// The checks that involve more than one key.
    fn checked(self) -> Result<Self, InputError> {
        if self.objective == Objective::WinRate && self.game.goal() == Goal::None {
            return Err(InputError::at("objective", "a win rate needs a goal, but `goal` is none"));
        }
        let agent = self.agent_with(&self.heuristic)?;
        agent.build(&Twenty48::new(self.game.goal())).map_err(|problem| problem.under("agent"))?;
        for method in self.plan.methods() {
            self.search(method, self.seed).check().map_err(|problem| problem.under("optimizer"))?;
        }
        Ok(self)
    }

    /// The search with this optimizer and seed.
    pub fn search(&self, method: &Method, seed: u64) -> Search {
        Search {
            space: self.space.clone(),
            kind: method.kind,
            options: method.options.clone(),
            seed,
            budget: method.budget,
        }
    }

    /// The heuristic with its parameters set to this point of the space.
    pub fn heuristic_at(&self, point: &[f64]) -> Result<Heuristic, InputError> {
        let mut heuristic = self.heuristic.clone();
        for (dimension, value) in self.space.dimensions().iter().zip(point) {
            heuristic.set(&dimension.name, *value)?;
        }
        Ok(heuristic)
    }

    /// The start values of the parameters.
    pub fn start(&self) -> Vec<f64> {
        self.space.dimensions().iter().map(|dimension| dimension.start).collect()
    }

    fn agent_with(&self, heuristic: &Heuristic) -> Result<AgentSpec, InputError> {
        with_heuristic(&self.agent, heuristic)
    }

    /// Everything that the result of a point depends on.
    pub fn problem(&self) -> String {
        let (objective, goal, agent) = (self.objective.name(), self.game.goal(), &self.agent);
        format!("{objective}\n{goal}\n{agent}\n{}", self.heuristic.to_toml())
    }

    /// Everything that the result of the experiment depends on, except the numbers of games.
    pub fn configuration(&self) -> String {
        let dimensions = self.space.dimensions();
        format!("{}\n{}\n{dimensions:?}\n{}", self.seed, self.problem(), self.plan.configuration())
    }
}

/// The agent with this heuristic.
pub fn with_heuristic(agent: &AgentSpec, heuristic: &Heuristic) -> Result<AgentSpec, InputError> {
    agent.with_heuristic(Value::Table(heuristic.to_table()))
}

fn agent(keys: &TableReader) -> Result<AgentSpec, InputError> {
    let table = keys
        .table("agent")?
        .ok_or_else(|| InputError::new("the agent is missing: add a table [agent] with its `kind`"))?;
    read_agent(table).map_err(|problem| problem.under("agent"))
}

fn read_agent(table: &Table) -> Result<AgentSpec, InputError> {
    let kind = TableReader::unchecked(table).text("kind")?.ok_or_else(|| InputError::new("an agent needs a `kind`"))?;
    let mut given = table.clone();
    given.remove("kind");
    let agent = AgentSpec::new(kind, given)?;
    if !agent.kind.has("heuristic") {
        return Err(InputError::at("kind", format!("`{kind}` uses no heuristic, so there is nothing to tune")));
    }
    if agent.given.contains_key("heuristic") {
        return Err(InputError::at("heuristic", "the heuristic to be tuned goes under [heuristic], not under [agent]"));
    }
    let plays_out = agent.kind.has("cap") && agent.options.integer("runs") != Some(0);
    if plays_out && agent.options.get("cap").is_none() {
        let why = format!("`{kind}` looks at its heuristic only where playouts are cut short: give it a `cap`");
        return Err(InputError::at("kind", why));
    }
    if agent.is_timed() {
        return Err(InputError::at(
            "ms",
            "games with a time budget cannot be repeated, so tuning needs another budget: use `work`",
        ));
    }
    Ok(agent)
}

fn heuristic(keys: &TableReader) -> Result<Heuristic, InputError> {
    let value = keys.get("heuristic");
    let value =
        value.ok_or_else(|| InputError::new("the heuristic is missing: add a table [heuristic] with a `preset`"))?;
    Heuristic::load(value).map_err(|problem| problem.under("heuristic"))
}

/// An optional table with these keys.
fn optional<'a>(name: &str, keys: &TableReader<'a>, known: &[&str]) -> Result<Option<TableReader<'a>>, InputError> {
    let table = keys.table(name)?;
    table.map(|table| TableReader::new(name, table, known)).transpose().map_err(|problem| problem.under(name))
}

/// A count in an optional table, from `min` to [`super::MOST_GAMES`].
fn count(name: &str, keys: &TableReader, known: &[&str], key: &str, min: i64, default: u64) -> Result<u64, InputError> {
    let Some(keys) = optional(name, keys, known)? else { return Ok(default) };
    let count = keys.count(key, min).map_err(|problem| problem.under(name))?.unwrap_or(default);
    if count > super::MOST_GAMES {
        return Err(InputError::at(key, format!("`{key}` is {count}, but at most {} is possible", super::MOST_GAMES))
            .under(name));
    }
    Ok(count)
}

/// A number of games; an interval needs at least two.
fn games(name: &str, keys: &TableReader, known: &[&str], default: u64) -> Result<u64, InputError> {
    count(name, keys, known, "games", 2, default)
}

fn validation(keys: &TableReader) -> Result<Validation, InputError> {
    let known = &["games", "every"];
    Ok(Validation {
        games: games("validation", keys, known, 200)?,
        every: count("validation", keys, known, "every", 1, 1000)?,
    })
}

fn slices(keys: &TableReader) -> Result<Slices, InputError> {
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

fn test(keys: &TableReader) -> Result<Test, InputError> {
    let known = &["games", "against"];
    let against = optional("test", keys, known)?.and_then(|keys| keys.get("against"));
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
    Ok(Test { games: games("test", keys, known, 1000)?, against: rivals })
}

#[cfg(test)]
mod tests;
