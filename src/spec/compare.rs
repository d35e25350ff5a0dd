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
//! A key that holds a list stands for each of its values in turn, so that the table above is six agents.

use std::path::{Path, PathBuf};

use serde_json::json;
use toml::{Table, Value};

use super::figures::figure_requests;
use super::game::{GameSpec, GameTask};
use super::keys::Keys;
use crate::agents::{AgentSpec, KINDS};
use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::Playable;
use crate::params::document::Document;
use crate::params::{InputError, ParamType, show};
use crate::report::figures::FigureRequest;

/// The most games that one agent may be asked for: so that every index is exact wherever it is written.
pub const MOST_GAMES: u64 = 1_000_000_000;

/// Agents to be compared on the same games.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub name: String,
    pub seed: u64,
    pub game: GameSpec,
    /// For each agent.
    pub games: u64,
    pub entrants: Vec<Entrant>,
    /// Who plays the other side of a game for two; without it, the environment's own law.
    pub opponent: Option<AgentSpec>,
    /// A file of figures to be reproduced.
    pub published: Option<PathBuf>,
    /// What a reader of the report should know.
    pub remark: String,
    /// Empty for the default ones.
    pub figures: Vec<FigureRequest>,
    /// The experiment as the user wrote it.
    pub text: String,
}

/// An agent under the name that tables and figures give it.
#[derive(Clone, Debug)]
pub struct Entrant {
    pub label: String,
    /// What it has in common with the other agents of its table: their label, or else their kind.
    pub group: String,
    pub agent: AgentSpec,
}

/// What the command line may say instead of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    pub games: Option<u64>,
    pub seed: Option<u64>,
}

const KEYS: &[&str] =
    &["name", "seed", "game", "goal", "games", "opponent", "published", "remark", "agents", "figures"];
const DEFAULT_SEED: u64 = 1;
const DEFAULT_GAMES: u64 = 100;

impl Comparison {
    /// Reads a file and checks all of it; the error shows the line at fault.
    pub fn open(path: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let document = Document::open(&path.to_string_lossy())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::read(&document, &stem, folder, overrides).map_err(|problem| document.locate(problem))
    }

    /// Without a file: the agents as written on the command line.
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
            published: None,
            remark: String::new(),
            figures: Vec::new(),
            text: String::new(),
        };
        comparison.checked().map(Comparison::named_by_content)
    }

    fn read(document: &Document, stem: &str, folder: &Path, overrides: Overrides) -> Result<Self, InputError> {
        let table = document.table();
        let keys = Keys::new("experiment", table, KEYS)?;
        let goal = keys.get("goal").map(show);
        let opponent = keys.text("opponent")?.map(str::parse).transpose();
        Comparison {
            name: super::file_name("name", keys.text("name")?.unwrap_or(stem))?,
            seed: overrides.seed.or(keys.count("seed", 0)?).unwrap_or(DEFAULT_SEED),
            game: GameSpec::new(keys.text("game")?.unwrap_or(Twenty48::NAME), goal.as_deref())?,
            games: overrides.games.or(keys.count("games", 1)?).unwrap_or(DEFAULT_GAMES),
            entrants: entrants(&keys.tables("agents")?)?,
            opponent: opponent.map_err(|problem: InputError| InputError::at("opponent", problem.message))?,
            published: keys.text("published")?.map(|path| folder.join(path)),
            remark: keys.text("remark")?.unwrap_or_default().trim().to_string(),
            figures: figure_requests(table)?,
            text: document.text().to_string(),
        }
        .checked()
    }

    /// What can only be seen in the whole.
    fn checked(self) -> Result<Self, InputError> {
        if self.entrants.is_empty() {
            return Err(InputError::new("there are no agents to compare: add a table under [[agents]]"));
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(InputError::at("games", format!("`games` must be from 1 to {MOST_GAMES}, not {}", self.games)));
        }
        for (index, entrant) in self.entrants.iter().enumerate() {
            if self.entrants[..index].iter().any(|earlier| earlier.label == entrant.label) {
                let why = format!("two agents are called `{}`: give one a `label`", entrant.label);
                return Err(InputError::at("agents", why));
            }
        }
        self.game.with(Check(&self))?;
        Ok(self)
    }

    /// A name and a text for what was never in a file. The same agents get the same name, so that the same command
    /// continues its own run and never meets another.
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
        text += &format!("games = {}\n", self.games);
        for entrant in &self.entrants {
            text += &format!("\n[[agents]]\nkind = \"{}\"\n", entrant.agent.kind.name);
            entrant.agent.given.iter().for_each(|(key, value)| text += &line(key, value.clone()));
        }
        text
    }

    /// Everything that decides what is played, apart from how many games.
    pub fn configuration(&self) -> serde_json::Value {
        let agent =
            |agent: &AgentSpec| json!({ "kind": agent.kind.name, "options": agent.options, "file": file(agent) });
        let entrants = self.entrants.iter().map(|e| json!({ "label": e.label, "agent": agent(&e.agent) }));
        json!({
            "seed": self.seed,
            "game": self.game.name(),
            "goal": self.game.goal().to_string(),
            "opponent": self.opponent.as_ref().map(agent),
            "agents": entrants.collect::<Vec<_>>(),
        })
    }
}

/// The contents of the heuristic file that an agent names, as another file of that name is another agent.
fn file(agent: &AgentSpec) -> Option<String> {
    std::fs::read_to_string(agent.options.text("heuristic")?).ok()
}

/// Builds every agent once: what cannot be built is better known before the first game.
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
        let expanded = expand(table).map_err(|problem| problem.under(&format!("agents[{index}]")))?;
        entrants.extend(expanded);
    }
    Ok(entrants)
}

/// The product of a table's lists: the last key varies fastest.
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
    let label = Keys::any(table).text("label")?;
    product.into_iter().map(|row| entrant(row, label, &listed)).collect()
}

fn with(row: &Table, key: &str, value: &Value) -> Table {
    let mut row = row.clone();
    row.insert(key.to_string(), value.clone());
    row
}

/// What a key stands for: the values of a list, or the one value itself.
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
    let agent = AgentSpec::new(&kind, row)?;
    let group = label.unwrap_or(agent.kind.name).to_string();
    let label = given.unwrap_or_else(|| agent.label());
    if label.trim().is_empty() || label.chars().any(char::is_control) {
        return Err(InputError::at("label", "a label must be one line of text"));
    }
    Ok(Entrant { label, group, agent })
}

#[cfg(test)]
mod tests;
