//! `lab2048 list`: all games, features, heuristics, agents and optimizers.

use clap::ValueEnum;
use serde_json::{Value, json};

use super::output::{print, print_json};
use super::{Context, Failure};
use crate::agents::{AgentKind, KINDS};
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::Twenty48;
use crate::heuristics::Playable;
use crate::heuristics::features::{EXAMPLE_BOARD, EXAMPLE_SCORE, FEATURES, MASKS};
use crate::optimize;
use crate::params::{Param, ParamType};
use crate::spec::GAMES;
use crate::spec::tune::{NSGA2, NSGA2_PARAMS, NSGA2_SUMMARY};

/// List games, features, heuristics, agents and optimizers, with their parameters
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to list; everything by default
    what: Option<Topic>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Topic {
    Games,
    Features,
    Heuristics,
    Agents,
    Optimizers,
}

/// One entry of a list.
struct Item {
    name: String,
    summary: String,
    params: Vec<Param>,
    /// More lines about it, each a name and a text.
    notes: Vec<(&'static str, String)>,
}

impl Item {
    fn new(name: &str, summary: &str) -> Self {
        Item { name: name.into(), summary: summary.into(), params: Vec::new(), notes: Vec::new() }
    }
}

impl Topic {
    fn title(self) -> &'static str {
        match self {
            Topic::Games => "games",
            Topic::Features => "features",
            Topic::Heuristics => "heuristics",
            Topic::Agents => "agents",
            Topic::Optimizers => "optimizers",
        }
    }

    fn items(self) -> Vec<Item> {
        match self {
            Topic::Games => games(),
            Topic::Features => features(),
            Topic::Heuristics => heuristics(),
            Topic::Agents => KINDS.iter().map(agent).collect(),
            Topic::Optimizers => optimizers(),
        }
    }
}

fn games() -> Vec<Item> {
    let notation = |notation: &str| vec![("notation", notation.to_string())];
    GAMES.iter().map(|game| Item { notes: notation(game.notation), ..Item::new(game.name, game.summary) }).collect()
}

fn features() -> Vec<Item> {
    let item = |feature: &crate::heuristics::features::Feature| Item {
        params: feature.params.to_vec(),
        notes: vec![("example", format!("{} on {EXAMPLE_BOARD} at score {EXAMPLE_SCORE}", feature.example))],
        ..Item::new(feature.name, feature.formula)
    };
    FEATURES.iter().map(item).collect()
}

fn heuristics() -> Vec<Item> {
    let of_2048 = Twenty48::heuristics().into_iter().map(|named| Item::new(named.name, named.summary));
    let of_two = TicTacToe::heuristics().into_iter().map(|named| {
        let summary = format!("{} (tic-tac-toe and connect-four)", named.summary);
        Item::new(named.name, &summary)
    });
    of_2048.chain(of_two).collect()
}

fn agent(kind: &AgentKind) -> Item {
    let notes = vec![("nodes count", kind.cost.to_string())];
    Item { params: kind.params(), notes, ..Item::new(kind.name, kind.summary) }
}

fn optimizers() -> Vec<Item> {
    let item =
        |kind: &optimize::OptimizerKind| Item { params: kind.params.to_vec(), ..Item::new(kind.name, kind.summary) };
    let front = Item { params: NSGA2_PARAMS.to_vec(), ..Item::new(NSGA2, NSGA2_SUMMARY) };
    optimize::KINDS.iter().map(item).chain([front]).collect()
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let topics: Vec<Topic> = match self.what {
            Some(topic) => vec![topic],
            None => Topic::value_variants().to_vec(),
        };
        if self.json {
            let lists = topics.iter().map(|topic| {
                let items: Vec<Value> = topic.items().iter().map(to_json).collect();
                (topic.title().to_string(), Value::from(items))
            });
            return print_json(&Value::Object(lists.collect()));
        }
        let texts: Vec<String> = topics.iter().map(|topic| describe(*topic)).collect();
        print(&texts.join("\n"))
    }
}

fn describe(topic: Topic) -> String {
    let mut text = format!("{}\n", topic.title().to_uppercase());
    for item in topic.items() {
        text += &format!("  {:<22} {}\n", item.name, item.summary);
        for (name, note) in &item.notes {
            text += &format!("      {name}: {note}\n");
        }
        for param in &item.params {
            text += &format!("      {:<16} {}{}; {}\n", param.name, allowed(param.kind), default(param), param.help);
        }
    }
    text
}

fn allowed(kind: ParamType) -> String {
    match kind {
        ParamType::Mask => {
            let names: Vec<&str> = MASKS.iter().map(|mask| mask.name).collect();
            format!("{kind} ({})", names.join(", "))
        }
        kind => kind.to_string(),
    }
}

fn default(param: &Param) -> String {
    match (param.kind, param.default) {
        (_, "") => String::new(),
        (ParamType::Heuristic, _) => " (by default the game's own)".into(),
        (_, default) => format!(" (default {default})"),
    }
}

fn to_json(item: &Item) -> Value {
    let params: Vec<Value> = item
        .params
        .iter()
        .map(|param| {
            let default = (!param.default.is_empty()).then_some(param.default);
            json!({ "name": param.name, "allowed": allowed(param.kind), "default": default, "help": param.help })
        })
        .collect();
    let mut value = json!({ "name": item.name, "summary": item.summary, "parameters": params });
    for (name, note) in &item.notes {
        value[*name] = json!(note);
    }
    value
}
