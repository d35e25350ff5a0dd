//! Limits on the searches that a page may ask for, so that no request can occupy the machine.

use std::path::Path;

use super::catalog::TUNED;
use crate::agents::AgentSpec;
use crate::experiment::tune::BEST;
use crate::heuristics::Playable;
use crate::params::{InputError, Value};
use crate::spec::file_name;
use crate::web::files;

/// A tree search that takes longer answers with the deepest search that is complete.
pub const MOST_MILLISECONDS: f64 = 1500.0;
/// The largest budget in nodes or in units of work: about as much as the time limit allows.
const MOST_COST: i64 = 50_000_000;
/// The depth of agents that have neither a depth nor a budget.
const DEFAULT_DEPTH: i64 = 3;
/// Playouts for a move of a Monte Carlo agent, over all iterations: about half a second in 2048.
const MOST_PLAYOUTS: u64 = 200_000;
/// A transposition table of 2^18 entries takes a few megabytes.
const MOST_TABLE: i64 = 18;
/// Moves in the position with the most moves, noughts and crosses.
const MOST_MOVES: u64 = 9;

/// The agent that a page asks for, within the limits. Heuristics are named; no path reaches a file.
pub fn bounded<G: Playable>(text: &str, results: &Path) -> Result<AgentSpec, InputError> {
    let spec: AgentSpec = text.parse()?;
    let mut given = spec.given.clone();
    if let Some(heuristic) = spec.given.get("heuristic") {
        given.insert("heuristic".into(), named_heuristic::<G>(heuristic, results)?);
    }
    let costs = ["nodes", "work"].into_iter().filter(|key| spec.options.get(key).is_some());
    for key in costs.clone() {
        at_most(&spec, key, MOST_COST)?;
    }
    if spec.options.get("table").is_some() {
        at_most(&spec, "table", MOST_TABLE)?;
    }
    let has_budget = costs.count() > 0 || spec.options.get("ms").is_some();
    if spec.kind.has("ms") && (spec.kind.has("depth") || has_budget) {
        let wanted = spec.options.number("ms").unwrap_or(MOST_MILLISECONDS);
        given.insert("ms".into(), Value::Float(wanted.min(MOST_MILLISECONDS)));
    }
    if spec.kind.has("depth") && !has_budget && spec.options.get("depth").is_none() {
        // With a time limit and no depth an agent would search as deep as it can.
        given.insert("depth".into(), Value::Integer(DEFAULT_DEPTH));
    }
    check_playouts(&spec, has_budget)?;
    AgentSpec::new(spec.kind.name, given)
}

fn at_most(spec: &AgentSpec, key: &str, most: i64) -> Result<(), InputError> {
    match spec.options.integer(key) {
        Some(found) if found > most => {
            Err(InputError::at(key, format!("`{key}` is {found}, but a page may ask for at most {most}")))
        }
        _ => Ok(()),
    }
}

/// Playouts without a budget are counted before they are played. A tree of a tree-rollout is always played whole.
fn check_playouts(spec: &AgentSpec, has_budget: bool) -> Result<(), InputError> {
    let count = |key: &str| spec.options.integer(key).map_or(1, |count| count.max(1) as u64);
    let branches = MOST_MOVES.saturating_mul(count("width"));
    let ends = if spec.kind.has("moves") { branches.saturating_pow(count("moves") as u32) } else { 1 };
    let repeats = if has_budget { 1 } else { count("iterations").saturating_mul(count("trees")) };
    let runs = if has_budget && !spec.kind.has("moves") { 1 } else { count("runs") };
    let playouts = ends.saturating_mul(repeats).saturating_mul(runs);
    if playouts <= MOST_PLAYOUTS {
        return Ok(());
    }
    let message = format!(
        "{} would play up to {playouts} random games for a move, but a page may ask for at most {MOST_PLAYOUTS}; \
         `lab2048 hint` has no such limit",
        spec.kind.name
    );
    Err(InputError::new(message))
}

/// A heuristic of the game by its name, or the tuned one of a run in the results folder.
fn named_heuristic<G: Playable>(value: &Value, results: &Path) -> Result<Value, InputError> {
    let wrong = |message: String| InputError::at("heuristic", message);
    let name = value.as_str().ok_or_else(|| wrong("a page can only use heuristics by their names".into()))?;
    if let Some(run) = name.strip_prefix(TUNED) {
        let run = file_name("run", run)?;
        let path = results.join(&run).join(BEST);
        let is_there = files::is_plain(results, &format!("{run}/{BEST}"));
        let found = is_there.then(|| Value::String(path.display().to_string()));
        return found.ok_or_else(|| wrong(format!("the run `{run}` has no tuned heuristic")));
    }
    let known: Vec<&str> = G::heuristics().iter().map(|named| named.name).chain(["default"]).collect();
    if known.contains(&name) {
        return Ok(value.clone());
    }
    Err(wrong(crate::params::unknown("heuristic", name, known.iter().copied())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::Twenty48;

    fn bound(text: &str) -> Result<AgentSpec, InputError> {
        bounded::<Twenty48>(text, Path::new("/nowhere"))
    }

    #[test]
    fn tree_searches_get_a_time_limit() {
        assert_eq!(bound("expectimax:depth=60").unwrap().options.number("ms"), Some(MOST_MILLISECONDS));
        assert_eq!(bound("expectimax:ms=5").unwrap().options.number("ms"), Some(5.0));
        assert_eq!(bound("rollout:runs=100").unwrap().options.number("ms"), None);
    }

    #[test]
    fn an_agent_without_depth_and_budget_keeps_its_usual_depth() {
        use crate::games::Game;
        let game = Twenty48::new(crate::games::twenty48::Goal::None);
        let position = game.parse("2,4,8,16/4,8,16,32/0,0,2,4/0,0,0,2").unwrap();
        let plain = "expectimax".parse::<AgentSpec>().unwrap().build(&game).unwrap().decide(position, 0).unwrap();
        let limited = bound("expectimax").unwrap().build(&game).unwrap().decide(position, 0).unwrap();
        assert_eq!((limited.depth, limited.choice), (plain.depth, plain.choice));
    }

    #[test]
    fn large_counts_are_refused() {
        for text in [
            "rollout:runs=1000000",
            "mcts:iterations=100000000",
            "tree-rollout:moves=8,width=100",
            "tree-rollout:moves=8,ms=1",
            "expectimax:table=26",
        ] {
            assert!(bound(text).is_err(), "{text}");
        }
        assert!(bound("mcts:iterations=1000").is_ok() && bound("tree-rollout").is_ok());
    }

    #[test]
    fn no_heuristic_reaches_a_file() {
        for name in ["/etc/passwd", "../secret.toml", "tuned:../x", "tuned:none", "tuned:"] {
            assert!(bound(&format!("expectimax:heuristic={name}")).is_err(), "{name}");
        }
        assert!(bound("expectimax:heuristic=malaga-1").is_ok());
    }
}
