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
//! [[parameters]]                 # a coefficient to tune; `parameters.rs` has the other kinds
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
//! There are optional tables, here with their defaults: `[validation]` (`games = 200`, `every` a twentieth of the budget),
//! `[slices]` (`points = 7`, `games = 200`, `reach = 0.25` of each range to either side), `[ablation]` (`games = 500`)
//! and `[test]` (`games = 1000`, `against = []`, a list of other heuristics). Slices and ablation play validation games.
//!
//! `warm = "results/x/best.toml"` starts where an earlier run has ended: from its values for all parameters and, unless
//! `[optimizer]` gives a `spread`, with the spread of its last candidates (from `parameters.csv`). `[optimizer]` may have `restarts = 3` for cma-es: when validation stalls, the search begins anew elsewhere with twice the population.
//!
//! `objectives` are two at once, of which a front is found; see `front.rs`.
//!
//! `scenarios` are several settings of the agent that share the parameters; see `scenarios.rs`. `[test]` may have
//! `scenarios` of its own, to test at depths that were not tuned. Without a table `[heuristic]` only the agent is tuned.

mod front;
mod json;
mod objective;
mod parameters;
mod plan;
mod scenarios;

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
use crate::stats::Interval;

pub use front::{FrontMethod, NSGA2, NSGA2_PARAMS, NSGA2_SUMMARY};
pub use objective::Objective;
pub use parameters::{Parameter, SPREAD};
pub use plan::{AgentAtDepth, Method, Plan};
pub use scenarios::{Aggregate, Scenario};

use parameters::{AGENT, Tunable, Warm};

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
    /// The agent that plays, with every parameter at its start value.
    pub agent: AgentSpec,
    /// The heuristic with every parameter at its start value; none if only the agent is tuned.
    pub heuristic: Option<Heuristic>,
    /// The ranges of the parameters.
    pub space: Space,
    /// What each dimension of the space sets.
    pub parameters: Vec<Parameter>,
    /// The settings of the agent that the objective is measured in. Without any, the agent plays as it is.
    pub scenarios: Vec<Scenario>,
    /// How the values of several scenarios become one.
    pub aggregate: Aggregate,
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
    /// The settings of the agent to test in: those of the search unless the file lists others.
    pub scenarios: Vec<Scenario>,
}

const KEYS: &[&str] = &[
    "name",
    "seed",
    "objective",
    "objectives",
    "goal",
    "agent",
    "heuristic",
    "parameters",
    "scenarios",
    "aggregate",
    "warm",
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
        let warm = keys.text("warm")?.map(Warm::open).transpose()?;
        let spread = warm.as_ref().and_then(|warm| warm.spread);
        let mut player = Tunable { agent: agent(&keys)?, heuristic: heuristic(&keys)?, warm };
        let (space, parameters) = parameters::read(&keys, &mut player)?;
        let Tunable { agent, heuristic, .. } = player;
        let scenarios = scenarios::read(&keys, "scenarios", &agent)?;
        if scenarios.is_empty() && keys.get("aggregate").is_some() {
            return Err(InputError::at("aggregate", "`aggregate` needs `scenarios`"));
        }
        let plan = Plan::read(&keys, &agent, overrides.repeats, spread)?;
        Tuning {
            name: super::file_name("name", keys.text("name")?.unwrap_or(stem))?,
            seed: overrides.seed.or(keys.count("seed", 0)?).unwrap_or(1),
            objective: keys.text("objective")?.map_or(Ok(Objective::MeanScore), Objective::find)?,
            game: GameSpec::new(Twenty48::NAME, goal.as_deref())?,
            validation: validation(&keys, &plan)?,
            plan,
            slices: slices(&keys)?,
            ablation: games("ablation", &keys, &["games"], 500)?,
            test: test(&keys, &agent, &scenarios)?,
            aggregate: Aggregate::read(&keys)?,
            agent,
            heuristic,
            space,
            parameters,
            scenarios,
            text: document.text().to_string(),
        }
        .checked()
    }

    /// The checks that involve more than one key.
    fn checked(self) -> Result<Self, InputError> {
        if self.objective == Objective::WinRate && self.game.goal() == Goal::None {
            return Err(InputError::at("objective", "a win rate needs a goal, but `goal` is none"));
        }
        if self.objective.is_cost() {
            let why =
                format!("`{}` alone is a cost: name it in `objectives` beside what it is for", self.objective.name());
            return Err(InputError::at("objective", why));
        }
        if let Plan::Front(FrontMethod { objectives, .. }) = &self.plan {
            let wins = objectives.contains(&Objective::WinRate);
            if wins && self.game.goal() == Goal::None {
                return Err(InputError::at("objectives", "a win rate needs a goal, but `goal` is none"));
            }
            if objectives.iter().all(|objective| objective.is_cost()) {
                return Err(InputError::at("objectives", "both objectives are costs: one must be what they are for"));
            }
            if !self.test.scenarios.is_empty() {
                return Err(InputError::at("test.scenarios", "`scenarios` cannot stand beside `objectives`"));
            }
        }
        check_playouts(&self.agent, self.heuristic.is_some()).map_err(|problem| problem.under("agent"))?;
        self.check_scenarios()?;
        let game = Twenty48::new(self.game.goal());
        let tuned = self.agents(&self.agent, &self.scenarios)?;
        for agent in tuned.iter().chain(&self.agents(&self.agent, &self.test.scenarios)?) {
            let agent =
                self.heuristic.as_ref().map_or(Ok(agent.clone()), |heuristic| with_heuristic(agent, heuristic))?;
            agent.build(&game).map_err(|problem| problem.under("agent"))?;
        }
        for method in self.plan.methods() {
            let search = self.search(method, self.seed);
            search.check(self.scenario_count()).map_err(|problem| problem.under("optimizer"))?;
        }
        Ok(self)
    }

    /// What scenarios must not be combined with.
    fn check_scenarios(&self) -> Result<(), InputError> {
        let tuned = |scenario: &Scenario| {
            let keys = self.space.dimensions().iter().filter_map(|dimension| dimension.name.strip_prefix(AGENT));
            keys.into_iter().find(|key| scenario.sets(key)).map(str::to_string)
        };
        let both = |key: String| format!("`agent.{key}` is a parameter, so a scenario cannot set `{key}`");
        let clash = |key: &str, list: &[Scenario]| match list.iter().find_map(tuned) {
            Some(twice) => Err(InputError::at(key, both(twice))),
            None => Ok(()),
        };
        clash("scenarios", &self.scenarios)?;
        clash("test.scenarios", &self.test.scenarios)?;
        if matches!(self.plan, Plan::Transfer { .. }) && !self.test.scenarios.is_empty() {
            return Err(InputError::at("transfer", "[transfer] has depths of its own, so it cannot have `scenarios`"));
        }
        if matches!(self.plan, Plan::Contest { .. }) && self.test.scenarios != self.scenarios {
            return Err(InputError::at(
                "test.scenarios",
                "several searches are tested in the scenarios that they were tuned in",
            ));
        }
        let races = |method: &&Method| method.options.integer("rounds").is_some_and(|rounds| rounds > 1);
        if self.aggregate == Aggregate::MeanRank && self.plan.methods().iter().any(|method| races(&method)) {
            let why = "`mean-rank` needs all candidates of a generation at once, so it cannot be raced in `rounds`";
            return Err(InputError::at("aggregate", why));
        }
        let across = |method: &&Method| !method.kind.ranks_generations || method.restarts > 0;
        match self.plan.methods().iter().find(across).filter(|_| self.aggregate == Aggregate::MeanRank) {
            Some(method) => {
                let name = method.kind.name;
                let why = format!(
                    "`mean-rank` ranks the candidates of one generation, but {name} or its restarts compare candidates \
                     across generations: use cma-es without restarts, or another aggregate"
                );
                Err(InputError::at("aggregate", why))
            }
            None => Ok(()),
        }
    }

    /// The search with this optimizer and seed.
    pub fn search(&self, method: &Method, seed: u64) -> Search {
        Search {
            space: self.space.clone(),
            kind: method.kind,
            options: method.options.clone(),
            seed,
            budget: method.budget,
            restarts: method.restarts,
        }
    }

    /// The agent and the heuristic with their parameters set to this point of the space.
    pub fn player_at(&self, agent: &AgentSpec, point: &[f64]) -> Result<(AgentSpec, Option<Heuristic>), InputError> {
        let mut player = Tunable { agent: agent.clone(), heuristic: self.heuristic.clone(), warm: None };
        for (parameter, value) in self.parameters.iter().zip(point) {
            parameter.apply(*value, &mut player)?;
        }
        Ok((player.agent, player.heuristic))
    }

    /// The heuristic with its parameters set to this point of the space.
    pub fn heuristic_at(&self, point: &[f64]) -> Result<Option<Heuristic>, InputError> {
        Ok(self.player_at(&self.agent, point)?.1)
    }

    /// The agent in each of these scenarios; the agent itself if there are none.
    pub fn agents(&self, agent: &AgentSpec, scenarios: &[Scenario]) -> Result<Vec<AgentSpec>, InputError> {
        if scenarios.is_empty() {
            return Ok(vec![agent.clone()]);
        }
        scenarios.iter().map(|scenario| scenario.of(agent)).collect()
    }

    /// How many settings of the agent a point is played in: one where there are no scenarios.
    pub fn scenario_count(&self) -> u64 {
        settings(&self.scenarios)
    }

    /// The same for the test.
    pub fn test_scenario_count(&self) -> u64 {
        settings(&self.test.scenarios)
    }

    /// Whether keys of the agent are tuned.
    pub fn tunes_agent(&self) -> bool {
        self.space.dimensions().iter().any(|dimension| dimension.name.starts_with(AGENT))
    }

    /// The label of the objective for the axes of figures.
    pub fn label(&self) -> String {
        let label = self.objective.label();
        match self.scenarios.is_empty() {
            true => label.to_string(),
            false => format!("{label} relative to the start"),
        }
    }

    /// A value of the objective as text. Over several scenarios it is a multiple of the start's value.
    pub fn show(&self, value: f64) -> String {
        if self.scenarios.is_empty() { self.objective.show(value) } else { format!("{value:.3}") }
    }

    /// A value of the objective with its 95 % interval, as text.
    pub fn show_interval(&self, interval: &Interval) -> String {
        let Interval { estimate, low, high } = *interval;
        format!("{} ({} to {})", self.show(estimate), self.show(low), self.show(high))
    }

    /// The start values of the parameters.
    pub fn start(&self) -> Vec<f64> {
        self.space.dimensions().iter().map(|dimension| dimension.start).collect()
    }

    /// Everything that the result of a point depends on.
    pub fn problem(&self) -> String {
        let (objective, goal, agent) = (self.objective.name(), self.game.goal(), &self.agent);
        let heuristic = self.heuristic.as_ref().map(Heuristic::to_toml).unwrap_or_default();
        let scenarios = match self.scenarios.is_empty() {
            true => String::new(),
            false => scenarios::configuration(&self.scenarios, self.aggregate),
        };
        format!("{objective}\n{goal}\n{agent}\n{heuristic}{scenarios}")
    }

    /// Everything that the result of the experiment depends on, except the numbers of games.
    pub fn configuration(&self) -> String {
        let dimensions = self.space.dimensions();
        let choices: Vec<&[Value]> = self.parameters.iter().filter_map(Parameter::choices).collect();
        let (conditions, orders) = (self.space.conditions(), self.space.orders());
        let more = match choices.is_empty() && conditions.is_empty() && orders.is_empty() {
            true => String::new(),
            false => format!("{choices:?}\n{conditions:?}\n{orders:?}\n"),
        };
        format!("{}\n{}\n{dimensions:?}\n{more}{}", self.seed, self.problem(), self.plan.configuration())
    }
}

fn settings(scenarios: &[Scenario]) -> u64 {
    scenarios.len().max(1) as u64
}

/// The agent with this heuristic.
pub fn with_heuristic(agent: &AgentSpec, heuristic: &Heuristic) -> Result<AgentSpec, InputError> {
    agent.with_heuristic(Value::Table(heuristic.to_table()))
}

fn agent(keys: &TableReader) -> Result<AgentSpec, InputError> {
    let table = keys
        .table("agent")?
        .ok_or_else(|| InputError::new("the agent is missing: add a table [agent] with its `kind`"))?;
    read_agent(table, keys.get("heuristic").is_some()).map_err(|problem| problem.under("agent"))
}

fn read_agent(table: &Table, has_heuristic: bool) -> Result<AgentSpec, InputError> {
    let kind = TableReader::unchecked(table).text("kind")?.ok_or_else(|| InputError::new("an agent needs a `kind`"))?;
    let mut given = table.clone();
    given.remove("kind");
    let agent = AgentSpec::new(kind, given)?;
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

/// Playouts must reach the heuristic that is to be tuned.
fn check_playouts(agent: &AgentSpec, has_heuristic: bool) -> Result<(), InputError> {
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

fn heuristic(keys: &TableReader) -> Result<Option<Heuristic>, InputError> {
    let with_hint =
        |problem: InputError| InputError { message: format!("{}; {HEURISTICS}", problem.message), ..problem };
    let load = |value| Heuristic::load(value).map_err(|problem| with_hint(problem).under("heuristic"));
    keys.get("heuristic").map(load).transpose()
}

fn no_heuristic() -> InputError {
    InputError::new(format!("the heuristic is missing: {HEURISTICS}, or tune keys of the agent"))
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

/// Points of the validation curve if the file does not say how often to validate.
const CHECKPOINTS: u64 = 20;

fn validation(keys: &TableReader, plan: &Plan) -> Result<Validation, InputError> {
    let known = &["games", "every"];
    let budget = plan.methods().iter().map(|method| method.budget).max().unwrap_or_else(|| plan.budget());
    Ok(Validation {
        games: games("validation", keys, known, 200)?,
        every: count("validation", keys, known, "every", 1, (budget / CHECKPOINTS).max(1))?,
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

fn test(keys: &TableReader, agent: &AgentSpec, tuned: &[Scenario]) -> Result<Test, InputError> {
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

#[cfg(test)]
mod tests;
