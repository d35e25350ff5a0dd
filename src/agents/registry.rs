//! The list of all agents.
//!
//! To add an agent, write one file with a `KIND` and a `build`, and add its name to the list below.

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Compiled, Evaluator, EvaluatorTask, Heuristic, Playable};
use crate::params::{InputError, Param, Values};

use super::Agent;
use super::config::NoHeuristic;

/// The description of an agent for its users.
#[derive(Debug)]
pub struct AgentKind {
    /// The word that users write.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What its statistic `nodes` counts.
    pub cost: &'static str,
    /// Its parameters, in groups that several agents share.
    pub params: &'static [&'static [Param]],
}

impl AgentKind {
    /// All its parameters.
    pub fn params(&self) -> Vec<Param> {
        self.params.concat()
    }

    /// Whether it has a parameter of this name.
    pub fn has(&self, param: &str) -> bool {
        self.params().iter().any(|declared| declared.name == param)
    }
}

macro_rules! agents {
    (
        no heuristic: $($without:ident)*;
        a heuristic: $($with:ident)*;
        a heuristic or none: $($either:ident)*;
    ) => {
        /// Every agent, in the order of `lab2048 list agents`.
        pub const KINDS: &[AgentKind] = &[$(super::$without::KIND,)* $(super::$with::KIND,)* $(super::$either::KIND,)*];

        /// Builds an agent of this kind for a game, with this evaluator.
        pub(super) fn build_with<G: Game, E: Evaluator<G>>(
            kind: &AgentKind, game: G, evaluator: E, options: &Values,
        ) -> Result<Box<dyn Agent<G>>, InputError> {
            match kind.name {
                $(name if name == super::$with::KIND.name => super::$with::build(game, evaluator, options),)*
                $(name if name == super::$either::KIND.name => super::$either::build(game, evaluator, options),)*
                _ => build_without(kind, game, options),
            }
        }

        /// Builds an agent of this kind without a heuristic. Searches that need one are not compiled with
        /// `NoHeuristic`, which keeps the build short.
        fn build_without<G: Game>(
            kind: &AgentKind, game: G, options: &Values,
        ) -> Result<Box<dyn Agent<G>>, InputError> {
            match kind.name {
                $(name if name == super::$without::KIND.name => super::$without::build(game, options),)*
                $(name if name == super::$either::KIND.name => super::$either::build(game, NoHeuristic, options),)*
                other => Err(InputError::at("heuristic", format!("{other} needs a heuristic"))),
            }
        }
    };
}

// The group of an agent decides for which evaluators it is compiled.
agents! {
    no heuristic: random;
    a heuristic: greedy minimax alphabeta expectimax expectiminimax;
    a heuristic or none: rollout tree_rollout mcts;
}

/// Builds agents of one configuration, one for each thread. They share the compiled heuristic.
pub type Factory<G> = Box<dyn Fn() -> Result<Box<dyn Agent<G>>, InputError> + Send + Sync>;

struct BuildFactory<G> {
    kind: &'static AgentKind,
    game: G,
    options: Values,
}

impl<G: Playable> BuildFactory<G> {
    fn without_heuristic(self) -> Factory<G> {
        Box::new(move || build_without(self.kind, self.game.clone(), &self.options))
    }
}

impl<G: Playable> EvaluatorTask<G> for BuildFactory<G> {
    type Output = Factory<G>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Factory<G> {
        Box::new(move || build_with(self.kind, self.game.clone(), evaluator.clone(), &self.options))
    }
}

/// The heuristic that these options name, or the game's default heuristic. `None` if the agent uses no heuristic.
pub(super) fn heuristic<G: Playable>(options: &Values) -> Option<crate::params::Value> {
    let named = options.get("heuristic")?;
    let is_default = named.as_str() == Some(super::options::DEFAULT_HEURISTIC);
    Some(if is_default { G::DEFAULT_HEURISTIC.into() } else { named.clone() })
}

/// As [`factory`], with the caller's heuristic instead of the one that the options name.
pub(super) fn factory_with(
    kind: &'static AgentKind,
    game: &Twenty48,
    options: &Values,
    heuristic: &Heuristic,
) -> Factory<Twenty48> {
    let task = BuildFactory { kind, game: *game, options: options.clone() };
    match heuristic.compile() {
        Compiled::Lines(evaluator) => task.run(evaluator),
        Compiled::Mixed(evaluator) => task.run(evaluator),
    }
}

/// A factory for agents of this kind. The heuristic is compiled once.
pub(super) fn factory<G: Playable>(
    kind: &'static AgentKind,
    game: &G,
    options: &Values,
) -> Result<Factory<G>, InputError> {
    let task = BuildFactory { kind, game: game.clone(), options: options.clone() };
    match heuristic::<G>(options) {
        None => Ok(task.without_heuristic()),
        Some(heuristic) => game.with_evaluator(&heuristic, task),
    }
}
