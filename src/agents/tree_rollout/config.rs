//! The configuration of tree-rollout.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values as Options};
use crate::rng::seeded;

use super::super::config::SamplingConfig;
use super::super::leaf::LeafEvaluator;
use super::super::playout_config::PlayoutConfig;
use super::super::{Agent, Budget};
use super::{FIRST_VALUE_COST, MAX_TREE_LEAVES, TreeRolloutAgent, TreeSize, leaf_count};

/// The configuration of tree-rollout.
///
/// ```
/// use lab2048::agents::{SamplingConfig, TreeRollout};
/// use lab2048::games::twenty48::{Goal, Twenty48};
/// use lab2048::heuristics::Heuristic;
///
/// let game = Twenty48::new(Goal::None);
/// let heuristic = Heuristic::builder("empty cells").term(1.0, "empty").build()?;
/// // Without playouts, the heuristic values the ends of the sequences.
/// let config = TreeRollout { moves: 2, width: 3, runs: 0, ..TreeRollout::default() };
/// let mut agent = config.build_2048(&game, &heuristic)?;
/// assert!(agent.decide("2,4,8,16/0,0,0,2/0,0,0,0/0,0,0,0".parse()?, 0).is_some());
/// assert!(config.build(&game).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeRollout {
    /// The length of the sequences, in moves of the mover.
    pub moves: u32,
    /// Replies sampled after each move.
    pub width: u32,
    /// Playouts from the end of each sequence. With 0 the heuristic alone values it.
    pub runs: u32,
    /// Trees sampled and averaged. A budget replaces it.
    pub trees: u64,
    /// The depth of the full search below each leaf that has no playouts, at most 3 plies.
    pub leaf_plies: u32,
    /// How playouts are played.
    pub playouts: PlayoutConfig,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for TreeRollout {
    fn default() -> Self {
        let (playouts, budget) = (PlayoutConfig::default(), Budget::default());
        TreeRollout { moves: 2, width: 1, runs: 10, trees: 1, leaf_plies: 1, playouts, budget }
    }
}

impl TreeRollout {
    pub(super) fn new(options: &Options) -> Self {
        let number = |name| options.integer(name).unwrap_or(1);
        TreeRollout {
            moves: number("moves") as u32,
            width: number("width") as u32,
            runs: number("runs") as u32,
            trees: number("trees") as u64,
            leaf_plies: number("leaf-plies") as u32,
            playouts: PlayoutConfig::new(options),
            budget: Budget::new(options),
        }
    }
}

impl SamplingConfig for TreeRollout {
    fn create<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: Option<E>,
    ) -> Result<Box<dyn Agent<G>>, InputError> {
        let (moves, width, runs) = (self.moves.max(1), self.width.max(1), self.runs);
        if runs == 0 && evaluator.is_none() {
            let why = "tree-rollout: `runs = 0` has no playouts and needs a `heuristic`";
            return Err(InputError::at("runs", why));
        }
        let leaves = leaf_count(4, u64::from(width), moves);
        if runs > 0 && !self.budget.is_limited() && leaves > MAX_TREE_LEAVES {
            let why = format!(
                "tree-rollout: {moves} moves with {width} replies to each have up to {leaves} leaves to play out, but the \
                 memory holds at most {MAX_TREE_LEAVES}; use fewer moves or replies, or set a budget, which shortens the \
                 sequences"
            );
            return Err(InputError::at("moves", why));
        }
        Ok(Box::new(TreeRolloutAgent {
            game: game.clone(),
            leaf_evaluator: LeafEvaluator::new::<G>(evaluator, self.playouts, self.leaf_plies.min(3))?,
            size: TreeSize { moves, runs, trees: 1 },
            width,
            trees: self.trees.max(1),
            budget: self.budget,
            seed: 0,
            rng: seeded(0),
            decisions: 0,
            leaf_cost: FIRST_VALUE_COST,
        }))
    }
}
