//! Minimax: the best move against the worst reply.
//!
//! In 2048 the environment is taken for an enemy that puts a 2 or a 4 into the most harmful empty cell.
//!
//! Reference: Shannon, *Programming a computer for playing chess* (1950).

use crate::games::{Game, Reply};
use crate::heuristics::{Evaluator, Horizon};
use crate::params::{InputError, Values};

use super::registry::AgentKind;
use super::search::{Operator, TreeSearch};
use super::{Agent, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "minimax",
    summary: "the best move against the worst reply, every line searched",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

#[derive(Clone, Copy)]
struct Worst;

impl Operator for Worst {
    const START: f64 = f64::INFINITY;
    const HORIZON: Horizon = Horizon::Worst;

    #[inline(always)]
    fn combine<P>(so_far: f64, _: &Reply<P>, value: f64) -> f64 {
        so_far.min(value)
    }

    #[inline(always)]
    fn at_horizon<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
        evaluator.worst(game, after, score)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(TreeSearch::<G, E, Worst>::new(game, evaluator, options)))
}
