//! The agents there are.

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Compiled, Evaluator, EvaluatorTask, Heuristic, Playable};
use crate::params::{InputError, Param, Values};

use super::Agent;

/// An agent as a user sees it.
#[derive(Debug)]
pub struct AgentKind {
    pub name: &'static str,
    pub summary: &'static str,
    /// What its `nodes` count.
    pub cost: &'static str,
    pub params: &'static [&'static [Param]],
}

impl AgentKind {
    pub fn params(&self) -> Vec<Param> {
        self.params.concat()
    }

    pub fn has(&self, param: &str) -> bool {
        self.params().iter().any(|declared| declared.name == param)
    }
}

macro_rules! agents {
    ($($module:ident)*) => {
        /// Every agent, in the order of `lab2048 list agents`.
        pub const KINDS: &[AgentKind] = &[$(super::$module::KIND),*];

        /// Makes an agent of this kind for a game, with this evaluator.
        pub(super) fn build_with<G: Game, E: Evaluator<G>>(
            kind: &AgentKind, game: G, evaluator: E, options: &Values,
        ) -> Result<Box<dyn Agent<G>>, InputError> {
            match kind.name {
                $(name if name == super::$module::KIND.name => super::$module::build(game, evaluator, options),)*
                other => Err(InputError::new(format!("no agent is called `{other}`"))),
            }
        }
    };
}

agents! { random greedy minimax alphabeta expectimax expectiminimax rollout tree_rollout mcts }

/// Stands in where an agent has no heuristic and asks for none.
#[derive(Clone, Debug)]
struct Blind;

impl<G: Game> Evaluator<G> for Blind {
    fn value(&self, _: G::Position, _: u32) -> f64 {
        0.0
    }
}

/// Makes agents that are all alike and share their compiled heuristic: one for each game that is played at a time.
pub type Factory<G> = Box<dyn Fn() -> Result<Box<dyn Agent<G>>, InputError> + Send + Sync>;

struct BuildFactory<G> {
    kind: &'static AgentKind,
    game: G,
    options: Values,
}

impl<G: Playable> EvaluatorTask<G> for BuildFactory<G> {
    type Output = Factory<G>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Factory<G> {
        Box::new(move || build_with(self.kind, self.game.clone(), evaluator.clone(), &self.options))
    }
}

/// The heuristic that these options name, the game's own where they leave it open; `None` if there is none in use.
pub(super) fn heuristic<G: Playable>(options: &Values) -> Option<crate::params::Value> {
    let named = options.get("heuristic")?;
    let is_open = named.as_str() == Some(super::options::DEFAULT_HEURISTIC);
    Some(if is_open { G::DEFAULT_HEURISTIC.into() } else { named.clone() })
}

/// As [`factory`], with a heuristic that the caller has as a value.
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

/// Compiles the heuristic for agents of this kind.
pub(super) fn factory<G: Playable>(
    kind: &'static AgentKind,
    game: &G,
    options: &Values,
) -> Result<Factory<G>, InputError> {
    let task = BuildFactory { kind, game: game.clone(), options: options.clone() };
    match heuristic::<G>(options) {
        None => Ok(task.run(Blind)),
        Some(heuristic) => game.with_evaluator(&heuristic, task),
    }
}
