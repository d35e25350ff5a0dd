//! Expectimax: the best move against the mean of the replies.
//!
//! At a reply node the value is the sum over replies of probability times value, which in 2048 is exact: a 2 has 0.9
//! and a 4 has 0.1, uniformly over the empty cells.
//!
//! Reference: Michie, *Game-playing and game-learning automata* (1966).

use crate::games::{Game, Reply};
use crate::heuristics::{Evaluator, Horizon};
use crate::params::{InputError, Values};

use super::registry::AgentKind;
use super::search::{Operator, TreeSearch};
use super::{Agent, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "expectimax",
    summary: "the best move against the mean of the replies",
    cost: "positions visited",
    params: &[options::TREE, options::CUTS, options::BUDGET],
};

#[derive(Clone, Copy)]
struct Mean;

impl Operator for Mean {
    const START: f64 = 0.0;
    const HORIZON: Horizon = Horizon::Mean;

    #[inline(always)]
    fn combine<P>(so_far: f64, reply: &Reply<P>, value: f64) -> f64 {
        so_far + reply.probability * value
    }

    #[inline(always)]
    fn at_horizon<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
        evaluator.expected(game, after, score)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(TreeSearch::<G, E, Mean>::new(game, evaluator, options)))
}
