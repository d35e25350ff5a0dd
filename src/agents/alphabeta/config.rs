//! The configuration of alpha-beta.

use crate::agents::Agent;
use crate::agents::budget::Budget;
use crate::agents::config::AgentConfig;
use crate::agents::depth::Depth;
use crate::agents::options::{self, DEFAULT_TABLE_BITS};
use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::Values as Options;

use super::{AlphaBetaSearch, ReplyWeighting};

/// How alpha-beta searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaBeta {
    /// `None` is 3 plies, or as deep as the budget allows.
    pub depth: Option<Depth>,
    /// The transposition table has 2^n entries; below 6 there is none.
    pub table_bits: u32,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for AlphaBeta {
    fn default() -> Self {
        AlphaBeta { depth: None, table_bits: DEFAULT_TABLE_BITS, budget: Budget::default() }
    }
}

impl AlphaBeta {
    pub(in crate::agents) fn from_options(options: &Options) -> Self {
        AlphaBeta {
            depth: Depth::from_options(options),
            table_bits: options::table_bits(options),
            budget: Budget::new(options),
        }
    }
}

impl AgentConfig for AlphaBeta {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        Box::new(AlphaBetaSearch::new(game.clone(), evaluator, ReplyWeighting::Equal, self))
    }
}
