//! Minimax: the move with the greatest value against the worst reply.
//!
//! In 2048 the environment is treated as an opponent that puts a 2 or a 4 into the most harmful empty cell.
//!
//! Reference: Shannon, *Programming a computer for playing chess* (1950).

use crate::games::{Game, Reply};
use crate::heuristics::{Cost, Evaluator, Horizon, LeafCosts};
use crate::params::{InputError, Values};

use super::Agent;
use super::budget::Budget;
use super::config::AgentConfig;
use super::depth::Depth;
use super::options::{self, DEFAULT_TABLE_BITS};
use super::registry::AgentKind;
use super::search::{Cuts, Operator, TreeConfig, TreeSearch};

pub(super) const KIND: AgentKind = AgentKind {
    name: "minimax",
    summary: "the best move against the worst reply, with every line searched",
    cost: "positions visited",
    params: &[options::TREE, options::BUDGET],
};

/// The configuration of minimax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimax {
    /// `None` is 3 plies, or as deep as the budget allows.
    pub depth: Option<Depth>,
    /// The transposition table has 2^n entries; below 6 there is none.
    pub table_bits: u32,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for Minimax {
    fn default() -> Self {
        Minimax { depth: None, table_bits: DEFAULT_TABLE_BITS, budget: Budget::default() }
    }
}

impl AgentConfig for Minimax {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        let Minimax { depth, table_bits, budget } = *self;
        let config = TreeConfig { depth, table_bits, cuts: Cuts::default(), budget };
        Box::new(TreeSearch::<G, E, Worst>::new(game.clone(), evaluator, &config))
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let config = Minimax {
        depth: Depth::from_options(options),
        table_bits: options::table_bits(options),
        budget: Budget::new(options),
    };
    Ok(config.build(&game, evaluator))
}

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

    #[inline(always)]
    fn horizon_cost(costs: &LeafCosts, replies: usize) -> Cost {
        costs.worst.of(replies)
    }
}
