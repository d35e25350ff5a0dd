//! The description of an agent that a user writes: `kind:key=value,...`, or a table with the same keys.

use std::fmt;

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Evaluator, Heuristic, Playable};
use crate::params::{InputError, Values, parse_assignments, show, unknown};

use super::registry::{AgentKind, Factory, KINDS, build_with, factory, factory_with, heuristic};
use super::{Agent, Cuts};

/// The error for `nodes`, which was a budget in earlier versions.
const NODES_IS_NO_BUDGET: &str = "`nodes` is not a budget, because a node has a different cost for each agent: use \
                                  `work = N`, whose unit costs the same for all agents (about 10 ns)";

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
        ["work", "ms"].iter().for_each(|budget| drop(given.remove(budget)));
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
        let (kind, options) = text.split_once(':').unwrap_or((text, ""));
        AgentSpec::new(kind.trim(), parse_assignments(options)?)
    }
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
