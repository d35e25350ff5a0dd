//! Experiment files that compare agents.
//!
//! ```toml
//! name = "depth"
//! seed = 1
//! goal = 2048
//! games = 100
//!
//! [[agents]]
//! kind = "expectimax"
//! depth = [1, 2, 3]
//! heuristic = ["malaga-1", "malaga-2"]
//! ```
//!
//! If a key holds a list, there is one agent for each of its values. So the table above describes six agents.

mod contrasts;

use std::path::{Path, PathBuf};

use crate::params::{Table, Value};
use serde_json::json;

use super::figures::figure_requests;
use super::game::{GameSpec, GameTask};
use super::table_reader::TableReader;
use crate::agents::{AgentSpec, KINDS};
use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Heuristic, Playable};
use crate::params::document::Document;
use crate::params::{InputError, ParamType, show};
use crate::report::figures::FigureRequest;
use crate::report::manifest::sha256_of;

pub use contrasts::{Contrast, Criterion, Questions, StopRule};

/// The most games per agent. Every index below it is exact as a 64-bit float too, in which some tables keep it.
pub const MOST_GAMES: u64 = 1_000_000_000;

/// The most agents of one experiment. All pairs are compared, so the work grows with the square of this number.
pub const MOST_AGENTS: usize = 1000;

/// The most random moves at the start of a two-player game.
const MOST_OPENING: u32 = 20;

/// An experiment that compares agents on the same games.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The name of the experiment and of its results folder.
    pub name: String,
    /// The seed that all game seeds are derived from.
    pub seed: u64,
    /// The game to play.
    pub game: GameSpec,
    /// Games per agent.
    pub games: u64,
    /// The agents.
    pub entrants: Vec<Entrant>,
    /// Who plays the other side of a two-player game; without it, replies are random.
    pub opponent: Option<AgentSpec>,
    /// Each game of a two-player game begins with this many random moves or one more; see [`crate::play::opening`].
    pub opening: Option<u32>,
    /// A file with published results to compare with.
    pub published: Option<PathBuf>,
    /// A text for the report.
    pub remark: String,
    /// Planned comparisons, the margin, and when to stop early.
    pub questions: Questions,
    /// The figures to draw; empty for the default ones.
    pub figures: Vec<FigureRequest>,
    /// The text of the experiment file.
    pub text: String,
}

/// One agent of a comparison.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The name of the agent in tables and figures.
    pub label: String,
    /// The name of the `[[agents]]` table that it comes from: its label, or else the kind of agent.
    pub group: String,
    /// The agent.
    pub agent: AgentSpec,
}

/// Values from the command line that replace those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Games per agent.
    pub games: Option<u64>,
    /// The experiment's seed.
    pub seed: Option<u64>,
    /// The random moves at the start of a two-player game.
    pub opening: Option<u32>,
}

const KEYS: &[&str] = &[
    "name",
    "seed",
    "game",
    "goal",
    "games",
    "opponent",
    "opening",
    "published",
    "remark",
    "contrasts",
    "margin",
    "stop",
    "agents",
    "figures",
];
const DEFAULT_SEED: u64 = 1;
const DEFAULT_GAMES: u64 = 100;

impl Comparison {
    /// Reads and checks an experiment file. An error shows the line that is wrong.
    pub fn open(path: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let document = Document::open(&path.to_string_lossy())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::read(&document, &stem, folder, overrides).map_err(|problem| document.locate(problem))
    }

    /// A comparison of agents that were given on the command line, without a file.
    pub fn of_agents(
        game: GameSpec,
        agents: &[AgentSpec],
        opponent: Option<AgentSpec>,
        overrides: Overrides,
    ) -> Result<Self, InputError> {
        let entrant = |agent: &AgentSpec| Entrant {
            label: agent.label(),
            group: agent.kind.name.to_string(),
            agent: agent.clone(),
        };
        let comparison = Comparison {
            name: String::new(),
            seed: overrides.seed.unwrap_or(DEFAULT_SEED),
            game,
            games: overrides.games.unwrap_or(DEFAULT_GAMES),
            entrants: agents.iter().map(entrant).collect(),
            opponent,
            opening: overrides.opening,
            published: None,
            remark: String::new(),
            questions: Questions::default(),
            figures: Vec::new(),
            text: String::new(),
        };
        comparison.checked().map(Comparison::named_by_content)
    }

    fn read(document: &Document, stem: &str, folder: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let table = document.table();
        let keys = TableReader::new("experiment", table, KEYS)?;
        let goal = keys.get("goal").map(show);
        let opponent = keys.text("opponent")?.map(AgentSpec::from_text).transpose();
        let game = GameSpec::new(keys.text("game")?.unwrap_or(Twenty48::NAME), goal.as_deref())?;
        let entrants = entrants(&keys.tables("agents")?)?;
        let games = overrides.games.or(keys.count("games", 1)?).unwrap_or(DEFAULT_GAMES);
        Comparison {
            name: super::file_name("name", keys.text("name")?.unwrap_or(stem))?,
            seed: overrides.seed.or(keys.count("seed", 0)?).unwrap_or(DEFAULT_SEED),
            questions: Questions::read(&keys, &entrants, &game, games)?,
            game,
            games,
            entrants,
            opponent: opponent.map_err(|problem: InputError| InputError::at("opponent", problem.message))?,
            opening: overrides.opening.or(keys.count("opening", 0)?.map(|plies| plies.try_into().unwrap_or(u32::MAX))),
            published: keys.text("published")?.map(|path| folder.join(path)),
            remark: keys.text("remark")?.unwrap_or_default().trim().to_string(),
            figures: figure_requests(table)?,
            text: document.text().to_string(),
        }
        .checked()
    }

    /// The checks that involve more than one key.
    fn checked(self) -> Result<Self, InputError> {
        if self.entrants.is_empty() {
            return Err(InputError::new("there are no agents to compare: add a table under [[agents]]"));
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(InputError::at("games", format!("`games` must be from 1 to {MOST_GAMES}, not {}", self.games)));
        }
        if self.entrants.len() > MOST_AGENTS {
            return Err(too_many(self.entrants.len()));
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            if !is_one_line(&entrant.label) {
                return Err(InputError::at("agents", "the label of an agent must be one line of text"));
            }
            if self.entrants[..index].iter().any(|earlier| earlier.label == entrant.label) {
                let why = format!("two agents are called `{}`: give one a `label`", entrant.label);
                return Err(InputError::at("agents", why));
            }
        }
        self.game.with(Check(&self))?;
        Ok(self)
    }

    /// Adds a name and a text to a comparison that has no file. The name is a hash of the configuration. So the same
    /// command continues its own run, and another command gets another folder.
    fn named_by_content(self) -> Self {
        let hash = crate::report::manifest::sha256(self.configuration().to_string().as_bytes());
        let named = Comparison { name: format!("compare-{}", &hash[..8]), ..self };
        Comparison { text: named.to_toml(), ..named }
    }

    fn to_toml(&self) -> String {
        let line = |key: &str, value: Value| format!("{key} = {value}\n");
        let mut text = line("name", self.name.clone().into()) + &format!("seed = {}\n", self.seed);
        text += &line("game", self.game.name().into());
        if self.game.has_goal() {
            text += &line("goal", self.game.goal().to_string().into());
        }
        if let Some(opponent) = &self.opponent {
            text += &line("opponent", opponent.to_string().into());
        }
        if let Some(opening) = self.opening {
            text += &format!("opening = {opening}\n");
        }
        text += &format!("games = {}\n", self.games);
        for entrant in &self.entrants {
            text += &format!("\n[[agents]]\nkind = \"{}\"\n", entrant.agent.kind.name);
            entrant.agent.given.iter().for_each(|(key, value)| text += &line(key, value.clone()));
        }
        text
    }

    /// Everything that decides which games are played. The number of games is not part of it, because a run may be
    /// extended. A sequential test fixes its number of games in advance, so with one the number is part of it.
    pub fn configuration(&self) -> serde_json::Value {
        let agent = |agent: &AgentSpec| {
            let heuristic = self.game.with(FullHeuristic(agent));
            json!({ "kind": agent.kind.name, "options": agent.options, "heuristic": heuristic })
        };
        let entrants = self.entrants.iter().map(|e| json!({ "label": e.label, "agent": agent(&e.agent) }));
        let mut configuration = json!({
            "seed": self.seed,
            "game": self.game.name(),
            "goal": self.game.goal().to_string(),
            "opponent": self.opponent.as_ref().map(agent),
            "agents": entrants.collect::<Vec<_>>(),
        });
        if let Some(opening) = self.opening {
            configuration["opening"] = json!(opening);
        }
        if let Some(stop) = self.questions.stop {
            configuration["stop"] = json!(format!("{stop:?}"));
        }
        configuration
    }
}

/// The heuristic that an agent uses, with all its terms: the default of the game if the agent names none, and the
/// content of the file if it names one. So an agent whose file has changed is a different agent.
pub struct FullHeuristic<'a>(pub &'a AgentSpec);

impl GameTask for FullHeuristic<'_> {
    type Output = Option<serde_json::Value>;

    fn run<G: Playable>(self, _: G) -> Self::Output {
        let named = self.0.heuristic::<G>()?;
        let loaded = (G::NAME == Twenty48::NAME).then(|| Heuristic::load(&named).ok()).flatten();
        // A network is too large to be written out, so its hash is used.
        let hash = || named.as_str().and_then(|path| sha256_of(Path::new(path)).ok());
        Some(match loaded {
            Some(heuristic) => json!(heuristic.to_table()),
            None => hash().map_or_else(|| json!(named), |hash| json!({ "network": named, "sha256": hash })),
        })
    }
}

fn too_many(agents: usize) -> InputError {
    InputError::at("agents", format!("these are {agents} agents, but at most {MOST_AGENTS} are possible"))
}

/// Builds every agent once, so that errors show before the first game.
struct Check<'a>(&'a Comparison);

impl GameTask for Check<'_> {
    type Output = Result<(), InputError>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        if let Some(opponent) = &self.0.opponent {
            if !G::ADVERSARIAL {
                return Err(InputError::at(
                    "opponent",
                    format!("{} is played against chance, not an opponent", G::NAME),
                ));
            }
            opponent.build(&game).map_err(|problem| InputError::at("opponent", problem.message))?;
        }
        if self.0.opening.is_some_and(|plies| !G::ADVERSARIAL || plies > MOST_OPENING) {
            let why = match G::ADVERSARIAL {
                true => format!("`opening` must be from 0 to {MOST_OPENING} random moves"),
                false => format!("{} is played against chance, so it has no opening moves", G::NAME),
            };
            return Err(InputError::at("opening", why));
        }
        for entrant in &self.0.entrants {
            let within =
                |problem: InputError| InputError::at("agents", format!("{}: {}", entrant.label, problem.message));
            entrant.agent.build(&game).map_err(within)?;
        }
        Ok(())
    }
}

/// The agents of all tables, in the order of the file.
fn entrants(tables: &[&Table]) -> Result<Vec<Entrant>, InputError> {
    let mut entrants = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let count = combinations(table).saturating_add(entrants.len());
        if count > MOST_AGENTS {
            return Err(InputError::at(&format!("agents[{index}]"), too_many(count).message));
        }
        let expanded = expand(table).map_err(|problem| problem.under(&format!("agents[{index}]")))?;
        entrants.extend(expanded);
    }
    Ok(entrants)
}

/// The number of agents that a table describes, without building them.
fn combinations(table: &Table) -> usize {
    let values = |(key, value): (&String, &Value)| match value {
        Value::Array(list) if !holds_arrays(key) => list.len(),
        _ => 1,
    };
    table.iter().map(values).fold(1, usize::saturating_mul)
}

/// One agent for each combination of values in the table's lists. The last key varies fastest.
fn expand(table: &Table) -> Result<Vec<Entrant>, InputError> {
    let mut product = vec![Table::new()];
    let mut listed = Vec::new();
    for (key, value) in table.iter().filter(|(key, _)| *key != "label") {
        let values = alternatives(key, value)?;
        if values.len() > 1 {
            listed.push(key.as_str());
        }
        product = product.iter().flat_map(|row| values.iter().map(|value| with(row, key, value))).collect();
    }
    let label = TableReader::unchecked(table).text("label")?;
    product.into_iter().map(|row| entrant(row, label, &listed)).collect()
}

fn with(row: &Table, key: &str, value: &Value) -> Table {
    let mut row = row.clone();
    row.insert(key.to_string(), value.clone());
    row
}

/// The values of a key: those of its list, or its only value.
fn alternatives(key: &str, value: &Value) -> Result<Vec<Value>, InputError> {
    match value {
        Value::Array(list) if list.is_empty() => Err(InputError::at(key, format!("the list `{key}` is empty"))),
        Value::Array(list) if !holds_arrays(key) => Ok(list.clone()),
        value => Ok(vec![value.clone()]),
    }
}

/// Whether a single value of this key may itself be an array.
fn holds_arrays(key: &str) -> bool {
    let is_mask = |param: crate::params::Param| param.name == key && matches!(param.kind, ParamType::Mask);
    KINDS.iter().any(|kind| kind.params().into_iter().any(is_mask))
}

fn entrant(mut row: Table, label: Option<&str>, listed: &[&str]) -> Result<Entrant, InputError> {
    let varied = |row: &Table| listed.iter().map(|key| format!(" {key}={}", show(&row[*key]))).collect::<String>();
    let given = label.map(|label| label.to_string() + &varied(&row));
    let kind = match row.remove("kind") {
        Some(Value::String(kind)) => kind,
        Some(other) => return Err(InputError::at("kind", format!("`kind` is {}, but must be a name", show(&other)))),
        None => return Err(InputError::new("an agent needs a `kind`")),
    };
    let agent = AgentSpec::load(&kind, row)?;
    let group = label.unwrap_or(agent.kind.name).to_string();
    let label = given.unwrap_or_else(|| agent.label());
    if !is_one_line(&label) {
        return Err(InputError::at("label", "a label must be one line of text"));
    }
    Ok(Entrant { label, group, agent })
}

fn is_one_line(label: &str) -> bool {
    !label.trim().is_empty() && !label.chars().any(char::is_control)
}

#[cfg(test)]
mod tests;
