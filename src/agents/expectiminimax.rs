//! Expectiminimax as Ratkoja plays it: at a reply node each reply's value is weighted by its tile's probability, and
//! the *worst weighted* value is taken, not the mean. That permits alpha-beta's cuts.
//!
//! A 4 is weighted by 0.1 and a 2 by 0.9, so with positive values the node is nearly always decided by the 4s.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values};

use super::alphabeta::{AlphaBeta, Weighing};
use super::registry::AgentKind;
use super::{Agent, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "expectiminimax",
    summary: "alpha-beta over the worst reply, each weighted by its tile's probability",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(AlphaBeta::new(game, evaluator, Weighing::Tile, options)))
}
