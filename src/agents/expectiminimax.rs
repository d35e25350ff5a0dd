//! Expectiminimax as defined by Ratkoja: each reply's value is multiplied by the probability of its tile, and a reply
//! node has the *least* of these products, not their mean. This allows alpha-beta cuts.
//!
//! The value of a 4 is multiplied by 0.1 and that of a 2 by 0.9. So with positive values the least product is nearly
//! always that of a 4.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values};

use super::alphabeta::{AlphaBeta, AlphaBetaSearch, ReplyWeighting};
use super::config::AgentConfig;
use super::registry::AgentKind;
use super::{Agent, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "expectiminimax",
    summary: "alpha-beta over the worst reply, each weighted by its tile's probability",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

/// The configuration of expectiminimax. The search is alpha-beta, so the options are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectiminimax(pub AlphaBeta);

impl AgentConfig for Expectiminimax {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        Box::new(AlphaBetaSearch::new(game.clone(), evaluator, ReplyWeighting::TileProbability, &self.0))
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Expectiminimax(AlphaBeta::from_options(options)).build(&game, evaluator))
}
