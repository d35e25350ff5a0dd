//! The description of an agent that a user writes: `kind:key=value,...`, or a table with the same keys.

use std::fmt;

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Evaluator, Heuristic, Playable};
use crate::params::{InputError, Values, parse_assignments, show, unknown};

use super::budget::Budget;
use super::registry::{AgentKind, Factory, KINDS, build_with, factory, factory_with, heuristic};
use super::{Agent, Cuts};

/// The error for `nodes`, which was a budget in earlier versions.
const NODES_IS_NO_BUDGET: &str = "`nodes` is not a budget, because a node has a different cost for each agent: use \
                                  `work = N`, whose unit costs the same for all agents (about 10 ns)";

/// The options that limit what a decision may cost.
const BUDGETS: [&str; 2] = ["work", "ms"];

/// A checked description of an agent.
#[derive(Clone, Debug)]
pub struct AgentSpec {
    /// The agent.
    pub kind: &'static AgentKind,
    /// The options that the user gave, in the user's order.
    pub given: crate::params::Table,
    /// All options, with the defaults filled in.
    pub options: Values,
}

impl AgentSpec {
    /// Checks the name of a kind and its options.
    pub fn new(kind: &str, given: crate::params::Table) -> Result<Self, InputError> {
        let names = KINDS.iter().map(|kind| kind.name);
        let kind = KINDS
            .iter()
            .find(|known| known.name == kind)
            .ok_or_else(|| InputError::at("kind", unknown("agent", kind, names)))?;
        if given.contains_key("nodes") && kind.has("work") {
            return Err(InputError::at("nodes", NODES_IS_NO_BUDGET));
        }
        let options = Values::check(kind.name, &kind.params(), &given)?;
        Ok(AgentSpec { kind, given, options })
    }

    /// Reads a file with the agent's `kind` and its options.
    #[cfg(feature = "files")]
    pub fn open(path: &std::path::Path) -> Result<Self, InputError> {
        let document = crate::params::document::Document::open(&path.display().to_string())?;
        let mut given = document.table().clone();
        let kind = given.remove("kind").as_ref().map(show).unwrap_or_default();
        AgentSpec::new(&kind, given).map_err(|problem| document.locate(problem))
    }

    /// As [`AgentSpec::new`], but instead of a name, `kind` may be the path of a file that [`AgentSpec::open`] reads.
    /// The options that are given replace those of the file, and a budget replaces the budget of the file.
    #[cfg(feature = "files")]
    pub fn load(kind: &str, given: crate::params::Table) -> Result<Self, InputError> {
        if !kind.ends_with(".toml") {
            return AgentSpec::new(kind, given);
        }
        let file = AgentSpec::open(std::path::Path::new(kind)).map_err(|why| InputError::at("kind", why.message))?;
        let has_budget = BUDGETS.iter().any(|budget| given.contains_key(budget));
        let mut options = if has_budget { file.without_budget()?.given } else { file.given };
        given.into_iter().for_each(|(key, value)| drop(options.insert(key, value)));
        AgentSpec::new(file.kind.name, options)
    }

    /// Reads `kind:key=value,...`, where the kind may be a path as in [`AgentSpec::load`]. `str::parse` accepts only
    /// the name of a kind and reads no files.
    #[cfg(feature = "files")]
    pub fn from_text(text: &str) -> Result<Self, InputError> {
        let (kind, options) = kind_and_options(text)?;
        AgentSpec::load(kind, options)
    }

    /// An agent for this game.
    pub fn build<G: Playable>(&self, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        self.factory(game)?()
    }

    /// A factory for many agents of this description. They share one compiled heuristic.
    pub fn factory<G: Playable>(&self, game: &G) -> Result<Factory<G>, InputError> {
        factory(self.kind, game, &self.options)
    }

    /// As [`AgentSpec::factory`], with the caller's heuristic.
    pub fn factory_with(&self, game: &Twenty48, heuristic: &Heuristic) -> Result<Factory<Twenty48>, InputError> {
        // An agent for which the heuristic is optional reads this option to know whether it has one.
        let named = self.with_heuristic(heuristic.name().into())?;
        Ok(factory_with(named.kind, game, &named.options, heuristic))
    }

    /// The agent with the caller's evaluator instead of the heuristic that the options name.
    pub fn build_with<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: E,
    ) -> Result<Box<dyn Agent<G>>, InputError> {
        build_with(self.kind, game.clone(), evaluator, &self.options)
    }

    /// Whether its moves depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.options.get("ms").is_some()
    }

    /// The budget of each decision in units of work, if it has one.
    pub fn work_budget(&self) -> Option<u64> {
        Budget::new(&self.options).work
    }

    /// The conditions under which a tree search of this description stops early.
    pub fn cuts(&self) -> Cuts {
        Cuts::new(&self.options)
    }

    /// The heuristic that the agent uses, if any.
    pub fn heuristic<G: Playable>(&self) -> Option<crate::params::Value> {
        heuristic::<G>(&self.options)
    }

    /// The same agent with one option set to another value.
    pub fn with(&self, key: &str, value: crate::params::Value) -> Result<Self, InputError> {
        let mut given = self.given.clone();
        given.insert(key.into(), value);
        AgentSpec::new(self.kind.name, given)
    }

    /// The same agent with another heuristic.
    pub fn with_heuristic(&self, heuristic: crate::params::Value) -> Result<Self, InputError> {
        self.with("heuristic", heuristic)
    }

    /// The same agent without its budget.
    pub fn without_budget(&self) -> Result<Self, InputError> {
        let mut given = self.given.clone();
        BUDGETS.iter().for_each(|budget| drop(given.remove(budget)));
        AgentSpec::new(self.kind.name, given)
    }

    /// A label for tables and charts: `expectimax depth=5 heuristic=malaga-1`.
    pub fn label(&self) -> String {
        let options = self.given.iter().map(|(key, value)| format!(" {key}={}", show(value)));
        options.fold(self.kind.name.to_string(), |label, option| label + &option)
    }
}

impl std::str::FromStr for AgentSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let (kind, options) = kind_and_options(text)?;
        AgentSpec::new(kind, options)
    }
}

fn kind_and_options(text: &str) -> Result<(&str, crate::params::Table), InputError> {
    let (kind, options) = text.split_once(':').unwrap_or((text, ""));
    Ok((kind.trim(), parse_assignments(options)?))
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let options: Vec<String> = self.given.iter().map(|(key, value)| format!("{key}={}", show(value))).collect();
        let colon = if options.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}", self.kind.name, options.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["random", "expectimax:depth=5,heuristic=malaga-1", "minimax:depth=4..6,table=0"] {
            assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        }
    }

    #[cfg(feature = "files")]
    #[test]
    fn a_file_gives_the_kind_and_options_that_others_replace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("best-agent.toml");
        let file = path.display();
        std::fs::write(&path, "kind = \"mcts\"\nexploration = 0.5\nwork = 1000\n").unwrap();
        let read = |text: String| AgentSpec::from_text(&text).map(|spec| spec.to_string());
        assert_eq!(read(format!("{file}")).unwrap(), "mcts:exploration=0.5,work=1000");
        assert_eq!(read(format!("{file}:work=300,runs=4")).unwrap(), "mcts:exploration=0.5,work=300,runs=4");
        assert_eq!(read(format!("{file}:ms=2")).unwrap(), "mcts:exploration=0.5,ms=2");
        assert!(read(format!("{file}:dept=3")).unwrap_err().message.contains("unknown mcts key `dept`"));

        std::fs::write(&path, format!("kind = \"{file}\"\n")).unwrap();
        assert!(read(format!("{file}")).unwrap_err().message.contains("unknown agent"));
        let missing = read("no-such-agent.toml".into()).unwrap_err();
        assert!(missing.message.contains("cannot read `no-such-agent.toml`"), "{}", missing.message);
        assert!("no-such-agent.toml".parse::<AgentSpec>().unwrap_err().message.contains("unknown agent"));
    }

    #[test]
    fn errors_name_the_offending_part() {
        let error = |text: &str| text.parse::<AgentSpec>().unwrap_err().message;
        assert!(error("expectimx").contains("did you mean `expectimax`"));
        assert!(error("expectimax:dept=3").contains("did you mean `depth`"));
        assert!(error("expectimax:depth=0").contains("from 1 to 60"));
        assert!(error("random:depth=3").contains("unknown random key `depth`"));
        assert!(error("").contains("unknown agent"));
        assert!(error("expectimax:nodes=1000").contains("use `work = N`"));
        assert!(error("random:nodes=1000").contains("unknown random key `nodes`"));
    }
}
