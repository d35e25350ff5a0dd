//! The questions of an experiment: planned comparisons, a margin, and when to stop early.
//!
//! ```toml
//! contrasts = [["expectimax depth=3", "rollout runs=100"]]
//! margin = 0.05
//! stop = { contrast = ["expectimax depth=3", "rollout runs=100"], alpha = 0.05, beta = 0.1, margin = 0.1 }
//! ```

use super::super::table_reader::TableReader;
use super::Entrant;
use crate::games::twenty48::Goal;
use crate::params::{InputError, Table, Value, number, show, unknown};
use crate::spec::GameSpec;
use crate::stats::SequentialTest;

/// The criterion by which agents are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// The share of games won.
    WinRate,
    /// The mean score.
    #[default]
    Score,
}

impl Criterion {
    /// Games of 2048 with a goal are played to be won. All others are played for the score. In a two-player game the
    /// score is 1 for a win, 0 for a draw and -1 for a loss.
    pub fn of(game: &GameSpec) -> Self {
        if game.has_goal() && game.goal() != Goal::None { Criterion::WinRate } else { Criterion::Score }
    }
}

/// Two agents to be compared, by their places in the experiment: the first minus the second.
pub type Contrast = (usize, usize);

/// Stops the games as soon as one contrast is settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRule {
    /// The two agents.
    pub contrast: Contrast,
    /// The chance of finding a difference where there is none.
    pub alpha: f64,
    /// The chance of ruling out the margin where the difference is that large.
    pub beta: f64,
    /// The smallest difference that matters.
    pub margin: f64,
    /// The games of each agent after which the test ends in any case: those of the experiment.
    pub most_games: u64,
}

impl StopRule {
    /// The sequential test.
    pub fn test(&self) -> SequentialTest {
        let StopRule { alpha, beta, margin, most_games, .. } = *self;
        SequentialTest { alpha, beta, margin, most_games }
    }
}

/// The keys `contrasts`, `margin` and `stop`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Questions {
    /// The planned comparisons. Empty if none were declared.
    pub contrasts: Vec<Contrast>,
    /// The smallest difference that matters: a share of games, or points of score.
    pub margin: Option<f64>,
    /// When to stop early.
    pub stop: Option<StopRule>,
}

const STOP_KEYS: &[&str] = &["contrast", "alpha", "beta", "margin"];
const DEFAULT_ERROR: f64 = 0.05;

impl Questions {
    pub(super) fn read(
        keys: &TableReader,
        entrants: &[Entrant],
        game: &GameSpec,
        games: u64,
    ) -> Result<Self, InputError> {
        let criterion = Criterion::of(game);
        let margin = keys.get("margin").map(|value| margin(value, criterion)).transpose();
        let stop = keys.table("stop")?.map(|table| stop(table, entrants, criterion)).transpose()?;
        Ok(Questions {
            contrasts: contrasts(keys.get("contrasts"), entrants)?,
            margin: margin.map_err(|error| error.under("margin"))?,
            stop: stop.map(|rule| StopRule { most_games: games, ..rule }),
        })
    }
}

fn contrasts(value: Option<&Value>, entrants: &[Entrant]) -> Result<Vec<Contrast>, InputError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let wrong = || {
        InputError::at(
            "contrasts",
            "`contrasts` must be a list of pairs of agents, such as [[\"agent A\", \"agent B\"]]",
        )
    };
    let list = value.as_array().filter(|list| !list.is_empty()).ok_or_else(wrong)?;
    let mut found: Vec<Contrast> = Vec::new();
    for (index, pair) in list.iter().enumerate() {
        let key = format!("contrasts[{index}]");
        let (a, b) = contrast(pair, entrants).map_err(|error| error.under(&key))?;
        if found.iter().any(|&earlier| earlier == (a, b) || earlier == (b, a)) {
            return Err(InputError::at(&key, "this contrast is listed twice"));
        }
        found.push((a, b));
    }
    Ok(found)
}

fn contrast(value: &Value, entrants: &[Entrant]) -> Result<Contrast, InputError> {
    let labels: Option<Vec<&str>> = value.as_array().and_then(|pair| pair.iter().map(Value::as_str).collect());
    let Some([first, second]) = labels.as_deref() else {
        return Err(InputError::new(format!("a contrast is two labels of agents in quotes, not {}", show(value))));
    };
    let place = |label: &str| {
        let known = entrants.iter().map(|entrant| entrant.label.as_str());
        let found = entrants.iter().position(|entrant| entrant.label == label);
        found.ok_or_else(|| InputError::new(unknown("agent", label, known)))
    };
    let contrast = (place(first)?, place(second)?);
    if contrast.0 == contrast.1 {
        return Err(InputError::new(format!("`{first}` cannot be compared with itself")));
    }
    Ok(contrast)
}

fn stop(table: &Table, entrants: &[Entrant], criterion: Criterion) -> Result<StopRule, InputError> {
    let read = || {
        let keys = TableReader::new("stop", table, STOP_KEYS)?;
        let needed = |key: &str| keys.get(key).ok_or_else(|| InputError::new(format!("`stop` needs a `{key}`")));
        let error = |key: &str| keys.get(key).map_or(Ok(DEFAULT_ERROR), |value| error_rate(key, value));
        Ok(StopRule {
            contrast: contrast(needed("contrast")?, entrants).map_err(|error| error.under("contrast"))?,
            alpha: error("alpha")?,
            beta: error("beta")?,
            margin: margin(needed("margin")?, criterion).map_err(|error| error.under("margin"))?,
            most_games: 0,
        })
    };
    read().map_err(|error: InputError| error.under("stop"))
}

fn error_rate(key: &str, value: &Value) -> Result<f64, InputError> {
    let wrong = || InputError::at(key, format!("`{key}` is {}, but must be a number from 0.0001 to 0.5", show(value)));
    number(value).filter(|rate| (0.0001..=0.5).contains(rate)).ok_or_else(wrong)
}

fn margin(value: &Value, criterion: Criterion) -> Result<f64, InputError> {
    let (most, unit) = match criterion {
        Criterion::WinRate => (1.0, "a share of games between 0 and 1 (0.05 is 5 points of win rate)"),
        Criterion::Score => (f64::INFINITY, "a positive number of points of score"),
    };
    let wrong = || InputError::new(format!("`margin` is {}, but must be {unit}", show(value)));
    number(value).filter(|margin| *margin > 0.0 && *margin < most).ok_or_else(wrong)
}
