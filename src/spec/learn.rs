//! Experiment files that train a network.
//!
//! ```toml
//! name = "mine"
//! seed = 1
//!
//! [network]
//! patterns = "4x6"               # rows, 4x6, 8x6, or a list of patterns such as ["0123", "4567"]
//! initial = 0                    # the value of every board before the training
//!
//! [training]
//! games = 100000                 # or `moves`; a larger number later continues the same training
//! method = "coherence"           # or constant
//! rate = 1.0                     # and `final-rate` if it is to change over the budget
//! lambda = 0                     # more than 0 for TD(lambda); 0.5 learns faster than 0, and costs no time
//! batch = 64                     # games in lockstep
//!
//! [validation]                   # one-ply games on seeds of their own, during the training
//! games = 200
//! every = 10000                  # training games
//!
//! [test]                         # one-ply games that are used for nothing else
//! games = 1000
//! ```

use std::path::Path;

use super::table_reader::TableReader;
use crate::learn::{Budget, METHODS, Method, Patterns, Settings};
use crate::params::document::Document;
use crate::params::{InputError, Param, ParamType, Value, Values, number, show};

/// The keys of `[training]`.
pub const TRAINING: &[Param] = &[
    Param {
        name: "games",
        kind: ParamType::Integer { min: 1, max: 1_000_000_000 },
        default: "",
        help: "the budget in games",
    },
    Param {
        name: "moves",
        kind: ParamType::Integer { min: 1, max: 1_000_000_000_000_000 },
        default: "",
        help: "the budget in moves, in place of games",
    },
    Param {
        name: "method",
        kind: ParamType::Choice(&["coherence", "constant"]),
        default: "coherence",
        help: "the learning rates: one for each weight by temporal coherence, or the same constant for all",
    },
    Param {
        name: "rate",
        kind: ParamType::Number { min: 1e-6, max: 10.0 },
        default: "",
        help: "the learning rate; by default 1 for coherence and 0.1 for constant",
    },
    Param {
        name: "final-rate",
        kind: ParamType::Number { min: 1e-6, max: 10.0 },
        default: "",
        help: "the learning rate at the end of the budget, reached linearly; by default the rate does not change",
    },
    Param {
        name: "lambda",
        kind: ParamType::Number { min: 0.0, max: 0.95 },
        default: "0",
        help: "the decay of TD(lambda): the part of an error that is passed on to the afterstate before it",
    },
    Param {
        name: "epsilon",
        kind: ParamType::Number { min: 0.0, max: 1.0 },
        default: "0",
        help: "the probability of a random move",
    },
    Param {
        name: "batch",
        kind: ParamType::Integer { min: 1, max: 65_536 },
        default: "64",
        help: "games that are played in lockstep",
    },
    Param {
        name: "checkpoint",
        kind: ParamType::Integer { min: 1, max: 1_000_000_000 },
        default: "20000",
        help: "games between two checkpoints; it does not affect what is learned",
    },
];

const KEYS: &[&str] = &["name", "seed", "network", "training", "validation", "test"];

/// A network to be trained, and how.
#[derive(Clone, Debug)]
pub struct Learning {
    /// The name of the experiment and of its results folder.
    pub name: String,
    /// How to train.
    pub settings: Settings,
    /// Games between two checkpoints.
    pub checkpoint: u64,
    /// Games of each point of the validation curve.
    pub validation_games: u64,
    /// Training games between two points of the validation curve.
    pub validation_every: u64,
    /// Games of the final test.
    pub test_games: u64,
    /// The experiment as the user wrote it.
    pub text: String,
}

impl Learning {
    /// Reads and checks an experiment file. An error shows the line that is wrong.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let document = Document::open(&path.to_string_lossy())?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Self::read(&document, &stem).map_err(|problem| document.locate(problem))
    }

    fn read(document: &Document, stem: &str) -> Result<Self, InputError> {
        let keys = TableReader::new("experiment", document.table(), KEYS)?;
        let training = keys.table("training")?.cloned().unwrap_or_default();
        let training = Values::check("training", TRAINING, &training).map_err(|problem| problem.under("training"))?;
        Ok(Learning {
            name: super::file_name("name", keys.text("name")?.unwrap_or(stem))?,
            settings: settings(&keys, &training)?,
            checkpoint: training.integer("checkpoint").unwrap_or(1) as u64,
            validation_games: keys.count_in("validation", &["games", "every"], "games", 2, 200)?,
            validation_every: keys.count_in("validation", &["games", "every"], "every", 1, 10_000)?,
            test_games: keys.count_in("test", &["games"], "games", 2, 1000)?,
            text: document.text().to_string(),
        })
    }

    /// Everything that decides what is learned and how the curve is measured. The budget is part of it only where the
    /// rate depends on it: otherwise a larger budget continues the same training.
    pub fn configuration(&self) -> String {
        let Settings { patterns, method, rate, final_rate, lambda, epsilon, initial, batch, budget, seed } =
            &self.settings;
        let budget = if rate == final_rate { String::new() } else { format!("{budget:?}") };
        format!(
            "patterns {patterns}, method {}, rate {rate} to {final_rate} {budget}, lambda {lambda}, epsilon {epsilon}, \
             initial {initial}, batch {batch}, seed {seed}, validation {} every {}",
            method.name(),
            self.validation_games,
            self.validation_every
        )
    }
}

fn settings(keys: &TableReader, training: &Values) -> Result<Settings, InputError> {
    let (patterns, initial) = network(keys).map_err(|problem| problem.under("network"))?;
    let method = METHODS.iter().find(|(name, ..)| training.text("method") == Some(name));
    let method = method.map_or(Method::Coherence, |(_, method, _)| *method);
    let rate = training.number("rate").unwrap_or(match method {
        Method::Coherence => 1.0,
        Method::Constant => 0.1,
    });
    Ok(Settings {
        patterns,
        method,
        rate,
        final_rate: training.number("final-rate").unwrap_or(rate),
        lambda: training.number("lambda").unwrap_or(0.0),
        epsilon: training.number("epsilon").unwrap_or(0.0),
        initial,
        batch: training.integer("batch").unwrap_or(1) as usize,
        budget: budget(training).map_err(|problem| problem.under("training"))?,
        seed: keys.count("seed", 0)?.unwrap_or(1),
    })
}

fn budget(training: &Values) -> Result<Budget, InputError> {
    match (training.integer("games"), training.integer("moves")) {
        (Some(games), None) => Ok(Budget::Games(games as u64)),
        (None, Some(moves)) => Ok(Budget::Moves(moves as u64)),
        (None, None) => Err(InputError::new("the budget is missing: give `games` or `moves` under [training]")),
        (Some(_), Some(_)) => Err(InputError::at("moves", "give `games` or `moves`, not both")),
    }
}

fn network(keys: &TableReader) -> Result<(Patterns, f64), InputError> {
    let table = keys
        .table("network")?
        .ok_or_else(|| InputError::new("the network is missing: add [network] with `patterns`"))?;
    let keys = TableReader::new("network", table, &["patterns", "initial"])?;
    let patterns = match keys.get("patterns") {
        Some(Value::String(text)) => Patterns::parse(text)?,
        Some(Value::Array(list)) => Patterns::parse(&list.iter().map(show).collect::<Vec<_>>().join(" "))?,
        Some(other) => {
            let message = format!("`patterns` is {other}, but must be a name or a list of patterns in quotes");
            return Err(InputError::at("patterns", message));
        }
        None => {
            return Err(InputError::new("the network is missing: give `patterns` under [network], such as \"4x6\""));
        }
    };
    let initial = keys.get("initial").map_or(Some(0.0), number).filter(|initial| initial.abs() <= 1e7);
    let wrong = || InputError::at("initial", "`initial` must be a number from -10000000 to 10000000");
    Ok((patterns, initial.ok_or_else(wrong)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "name = \"mine\"\n\n[network]\npatterns = \"rows\"\n\n[training]\ngames = 1000\nbatch = 8\n";

    fn read(text: &str) -> Result<Learning, InputError> {
        let document = Document::parse("mine.toml", text)?;
        Learning::read(&document, "mine").map_err(|problem| document.locate(problem))
    }

    fn problem(from: &str, to: &str) -> String {
        assert!(FILE.contains(from));
        read(&FILE.replacen(from, to, 1)).unwrap_err().message
    }

    #[test]
    fn files_are_read_and_defaults_filled_in() {
        let Learning { settings, test_games, .. } = read(FILE).unwrap();
        assert_eq!((settings.batch, settings.budget, settings.seed), (8, Budget::Games(1000), 1));
        assert_eq!((settings.method, settings.rate, settings.final_rate), (Method::Coherence, 1.0, 1.0));
        assert_eq!(test_games, 1000);
        let listed = FILE.replace("\"rows\"", "[\"0123\", \"4567\"]").replace("batch", "method = \"constant\"\nbatch");
        let listed = read(&listed).unwrap().settings;
        assert_eq!((listed.patterns, listed.rate), (settings.patterns, 0.1));
    }

    #[test]
    fn problems_point_at_their_line() {
        assert!(problem("batch = 8", "bacth = 8").contains("did you mean `batch`"));
        assert!(problem("batch = 8", "batch = 0").starts_with("mine.toml:8:1: "));
        assert!(problem("\"rows\"", "\"01234567\"").contains("mine.toml:4:1: pattern `01234567` has 8 cells"));
        assert!(problem("\"rows\"", "\"row\"").contains("did you mean `rows`"));
        assert!(problem("\"rows\"", "3").contains("must be a name or a list"));
        assert!(problem("games = 1000\n", "").contains("the budget is missing"));
        assert!(problem("games = 1000", "games = 1000\nmoves = 3").contains("not both"));
        assert!(problem("games = 1000", "games = 1000\nmethod = \"coherent\"").contains("did you mean `coherence`"));
        assert!(problem("[network]", "[netwrk]").contains("did you mean `network`"));
        assert!(problem("patterns = \"rows\"\n", "").contains("the network is missing"));
    }

    #[test]
    fn a_larger_budget_is_the_same_training_unless_the_rate_depends_on_it() {
        let of = |text: &str| read(text).unwrap().configuration();
        assert_eq!(of(FILE), of(&FILE.replace("1000", "2000")));
        let falling = FILE.replace("batch", "final-rate = 0.1\nbatch");
        assert_ne!(of(&falling), of(&falling.replace("1000", "2000")));
    }
}
