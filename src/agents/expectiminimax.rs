//! Expectiminimax as Ratkoja plays it: at a reply node each reply's value is weighted by the probability of its tile, and
//! the *worst weighted* value is taken, not the mean. That permits alpha-beta's cuts.
//!
//! A 4 is weighted by 0.1 and a 2 by 0.9. So with positive values a 4 nearly always decides the node.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values};

use super::alphabeta::{AlphaBeta, AlphaBetaSearch, Weighing};
use super::config::AgentConfig;
use super::registry::AgentKind;
use super::{Agent, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "expectiminimax",
    summary: "alpha-beta over the worst reply, each weighted by its tile's probability",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

/// The configuration of expectiminimax: that of the alpha-beta search that it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectiminimax(pub AlphaBeta);

impl AgentConfig for Expectiminimax {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        Box::new(AlphaBetaSearch::new(game.clone(), evaluator, Weighing::Tile, &self.0))
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Expectiminimax(AlphaBeta::from_options(options)).build(&game, evaluator))
}
