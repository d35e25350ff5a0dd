//! The agents there are.

use crate::games::Game;
use crate::heuristics::{Evaluator, EvaluatorTask, Playable};
use crate::params::{Param, Problem, Values};

use super::Agent;

/// An agent as a user sees it.
#[derive(Debug)]
pub struct Kind {
    pub name: &'static str,
    pub summary: &'static str,
    /// What its `nodes` count.
    pub cost: &'static str,
    pub params: &'static [&'static [Param]],
}

impl Kind {
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
        pub const KINDS: &[Kind] = &[$(super::$module::KIND),*];

        fn build_with<G: Game, E: Evaluator<G>>(
            kind: &Kind, game: G, evaluator: E, options: &Values,
        ) -> Result<Box<dyn Agent<G>>, Problem> {
            match kind.name {
                $(name if name == super::$module::KIND.name => super::$module::build(game, evaluator, options),)*
                other => Err(Problem::new(format!("no agent is called `{other}`"))),
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

struct Build<'a, G> {
    kind: &'a Kind,
    game: G,
    options: &'a Values,
}

impl<G: Playable> EvaluatorTask<G> for Build<'_, G> {
    type Output = Result<Box<dyn Agent<G>>, Problem>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Self::Output {
        build_with(self.kind, self.game, evaluator, self.options)
    }
}

/// The heuristic that these options name, the game's own where they leave it open; `None` if there is none in use.
pub(super) fn heuristic<G: Playable>(options: &Values) -> Option<toml::Value> {
    let named = options.get("heuristic")?;
    let is_open = named.as_str() == Some(super::options::DEFAULT_HEURISTIC);
    Some(if is_open { G::DEFAULT_HEURISTIC.into() } else { named.clone() })
}

/// Makes an agent of this kind for a game.
pub(super) fn build<G: Playable>(kind: &Kind, game: &G, options: &Values) -> Result<Box<dyn Agent<G>>, Problem> {
    match heuristic::<G>(options) {
        None => build_with(kind, game.clone(), Blind, options),
        Some(heuristic) => game.with_evaluator(&heuristic, Build { kind, game: game.clone(), options })?,
    }
}
