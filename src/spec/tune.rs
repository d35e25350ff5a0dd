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
//! `[optimizer]` gives a `spread`, with the spread of its last candidates (from `parameters.csv`). `[optimizer]` may
//! have `restarts = 3` for cma-es: when validation stalls, the search restarts at another point with twice the
//! population.
//!
//! `objectives` has two objectives, of which the Pareto front is searched; see `front.rs`.
//!
//! `scenarios` are several settings of the agent that share the parameters; see `scenarios.rs`. `[test]` may have
//! `scenarios` of its own, to test at depths that were not tuned. Without a table `[heuristic]` only the agent is tuned.

mod front;
mod json;
mod objective;
mod parameters;
mod plan;
mod player;
mod protocol;
mod scenarios;

use std::path::Path;

use super::game::GameSpec;
use super::table_reader::TableReader;
use crate::agents::AgentSpec;
use crate::games::Game;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Heuristic;
use crate::optimize::{Search, Space};
use crate::params::document::Document;
use crate::params::{InputError, Value, show};
use crate::stats::Interval;

pub use front::{FrontMethod, NSGA2, NSGA2_PARAMS, NSGA2_SUMMARY};
pub use objective::Objective;
pub use parameters::{Parameter, SPREAD};
pub use plan::{AgentAtDepth, Method, Plan};
pub use player::with_heuristic;
pub use protocol::{Slices, Test, Validation};
pub use scenarios::{Aggregate, Scenario};

use parameters::{AGENT, Tunable, WarmStart};
use player::{agent, check_playouts, heuristic, no_heuristic};
use protocol::{games, slices, test, validation};

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
    /// How the values of several scenarios are combined.
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

/// Values from the command line that replace those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The seed of all games and of the optimizer.
    pub seed: Option<u64>,
    /// Runs of each search.
    pub repeats: Option<u64>,
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

    /// As [`Tuning::open`], with values from the command line that replace those of the file.
    pub fn open_with(path: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let document = Document::open(&path.to_string_lossy())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::read(&document, &stem, overrides).map_err(|problem| document.locate(problem))
    }

    fn read(document: &Document, stem: &str, overrides: Overrides) -> Result<Self, InputError> {
        let keys = TableReader::new("experiment", document.table(), KEYS)?;
        let goal = keys.get("goal").map(show);
        let warm = keys.text("warm")?.map(WarmStart::open).transpose()?;
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
            let why = format!(
                "`{}` alone is a cost: list it in `objectives` with a score or win rate",
                self.objective.name()
            );
            return Err(InputError::at("objective", why));
        }
        if let Plan::Front(FrontMethod { objectives, .. }) = &self.plan {
            let wins = objectives.contains(&Objective::WinRate);
            if wins && self.game.goal() == Goal::None {
                return Err(InputError::at("objectives", "a win rate needs a goal, but `goal` is none"));
            }
            if objectives.iter().all(|objective| objective.is_cost()) {
                return Err(InputError::at("objectives", "both objectives are costs: one must be a score or win rate"));
            }
            if !self.test.scenarios.is_empty() {
                return Err(InputError::at("test.scenarios", "`scenarios` cannot be combined with `objectives`"));
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

    /// Refuses what cannot be combined with scenarios.
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

    /// How many settings of the agent a point is played in: one if there are no scenarios.
    pub fn scenario_count(&self) -> u64 {
        setting_count(&self.scenarios)
    }

    /// How many settings of the agent are tested.
    pub fn test_scenario_count(&self) -> u64 {
        setting_count(&self.test.scenarios)
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

    /// The names of the parameters.
    pub fn parameter_names(&self) -> Vec<String> {
        self.space.dimensions().iter().map(|dimension| dimension.name.clone()).collect()
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

fn setting_count(scenarios: &[Scenario]) -> u64 {
    scenarios.len().max(1) as u64
}

#[cfg(test)]
mod tests;
