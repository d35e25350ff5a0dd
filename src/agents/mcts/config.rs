//! The configuration of Monte Carlo tree search.

use crate::games::Game;
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Values as Options};

use super::super::config::SamplingConfig;
use super::super::leaf::LeafEvaluator;
use super::super::playout_config::PlayoutConfig;
use super::super::{Agent, Budget};
use super::MctsAgent;
use super::spread::Spread;
use super::tree::Tree;

/// How values are backed up from a leaf to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backup {
    /// The value of a move is the mean of the values of its walks.
    Mean,
    /// The same, but a node backs up the value of its best move.
    Max,
    /// The value of a move is the expectation over its replies, and the value of a node is that of its best move.
    Expectimax,
}

/// The configuration of Monte Carlo tree search.
///
/// ```
/// use lab2048::agents::{Mcts, SamplingConfig};
/// use lab2048::games::{Game, tic_tac_toe::TicTacToe};
///
/// let mut agent = Mcts { iterations: 200, runs: 1, ..Mcts::default() }.build(&TicTacToe)?;
/// let decision = agent.decide(TicTacToe.parse("XO./.X./O..")?, 0);
/// assert_eq!(decision.map(|decision| decision.choice.to_string()).as_deref(), Some("c3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mcts {
    /// The number of moves to value as leaves of the tree. A budget replaces it.
    pub iterations: u64,
    /// The weight of the bonus for rarely visited moves.
    pub exploration: f64,
    /// Playouts of each new move. With 0 the heuristic alone values it.
    pub runs: u32,
    /// `None` means `Mean` with playouts and `Expectimax` without.
    pub backup: Option<Backup>,
    /// Whether to play the move with the most visits, instead of the one with the greatest value.
    pub by_visits: bool,
    /// Whether to keep the part of the tree that is still reachable after a move.
    pub reuse: bool,
    /// The number of positions, at most 1000, that are added to the tree before their moves are played out together.
    pub batch: usize,
    /// The depth of the full search below each leaf that has no playouts, at most 3 plies.
    pub leaf_plies: u32,
    /// How playouts are played.
    pub playouts: PlayoutConfig,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for Mcts {
    fn default() -> Self {
        Mcts {
            iterations: 100,
            exploration: 2.0,
            runs: 8,
            backup: None,
            by_visits: false,
            reuse: true,
            batch: 4,
            leaf_plies: 2,
            playouts: PlayoutConfig::default(),
            budget: Budget::default(),
        }
    }
}

impl Mcts {
    pub(super) fn new(options: &Options) -> Self {
        let number = |name| options.integer(name).unwrap_or(1);
        Mcts {
            iterations: number("iterations") as u64,
            exploration: options.number("exploration").unwrap_or(Mcts::default().exploration),
            runs: number("runs") as u32,
            backup: options.text("backup").map(|name| match name {
                "mean" => Backup::Mean,
                "max" => Backup::Max,
                _ => Backup::Expectimax,
            }),
            by_visits: options.text("choice") == Some("visits"),
            reuse: options.flag("reuse"),
            batch: number("batch") as usize,
            leaf_plies: number("leaf-plies") as u32,
            playouts: PlayoutConfig::new(options),
            budget: Budget::new(options),
        }
    }

    /// Builds the agent. Fails if there are neither playouts nor a heuristic.
    pub(super) fn agent<G: Game, E>(&self, game: &G, evaluator: Option<E>) -> Result<MctsAgent<G, E>, InputError> {
        if self.runs == 0 && evaluator.is_none() {
            return Err(InputError::at("runs", "mcts: `runs = 0` has no playouts and needs a `heuristic`"));
        }
        let usual = if self.runs > 0 { Backup::Mean } else { Backup::Expectimax };
        Ok(MctsAgent {
            game: game.clone(),
            leaf_evaluator: LeafEvaluator::new::<G>(evaluator, self.playouts, self.leaf_plies.min(3))?,
            iterations: self.iterations,
            exploration: self.exploration,
            runs: self.runs,
            backup: self.backup.unwrap_or(usual),
            by_visits: self.by_visits,
            reuse: self.reuse,
            // A heuristic values one leaf at a time, so it gains nothing from a batch of walks.
            batch: if self.runs == 0 { 1 } else { self.batch.clamp(1, 1000) },
            budget: self.budget,
            seed: 0,
            decisions: 0,
            tree: Tree::new(),
            spare: Tree::new(),
            spread: Spread::default(),
            meter: Budget::default().start(),
            leaves: 0,
            cost_of_walk: Cost::ZERO,
            path: Vec::new(),
            walks: Vec::new(),
        })
    }
}

impl SamplingConfig for Mcts {
    fn create<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: Option<E>,
    ) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(self.agent(game, evaluator)?))
    }
}
