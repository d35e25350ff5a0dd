//! Expectimax: the move with the greatest expected value over the replies.
//!
//! The value of a chance node is the sum over its replies of probability times value. In 2048 a new tile is a 2 with
//! probability 0.9 and a 4 with probability 0.1, and every empty cell is equally likely.
//!
//! Reference: Michie, *Game-playing and game-learning automata* (1966).

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
    name: "expectimax",
    summary: "the best move against the mean of the replies",
    cost: "positions visited",
    params: &[options::TREE, options::CUTS, options::BUDGET],
};

/// The configuration of expectimax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectimax {
    /// `None` is 3 plies, or as deep as the budget allows.
    pub depth: Option<Depth>,
    /// The transposition table has 2^n entries; below 6 there is none.
    pub table_bits: u32,
    /// Conditions under which the search stops early.
    pub cuts: Cuts,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for Expectimax {
    fn default() -> Self {
        Expectimax { depth: None, table_bits: DEFAULT_TABLE_BITS, cuts: Cuts::default(), budget: Budget::default() }
    }
}

impl AgentConfig for Expectimax {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        let Expectimax { depth, table_bits, cuts, budget } = *self;
        let config = TreeConfig { depth, table_bits, cuts, budget };
        Box::new(TreeSearch::<G, E, Mean>::new(game.clone(), evaluator, &config))
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Values,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let config = Expectimax {
        depth: Depth::from_options(options),
        table_bits: options::table_bits(options),
        cuts: Cuts::new(options),
        budget: Budget::new(options),
    };
    Ok(config.build(&game, evaluator))
}

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

    #[inline(always)]
    fn horizon_cost(costs: &LeafCosts, replies: usize) -> Cost {
        costs.expected.of(replies)
    }
}
