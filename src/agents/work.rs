//! The cost model: the cost of each operation of an agent, in one unit for all agents.
//!
//! A comparison of agents at equal cost needs one unit of cost. The number of positions is no such unit: a closed form
//! values sixty leaves in the time of one, and a random playout move takes a sixth of the time of a leaf of alpha-beta.
//! So each kind of operation has its own weight here. An agent adds up the weights of its operations, and the sum is
//! its *work*.
//!
//! A weight is the time of the operation on the calibration machine (an AMD EPYC core with AVX2). One unit of work is
//! 10 nanoseconds there. The weights are constants, so work depends only on the position and the agent: a budget of
//! work gives the same search on every machine, with and without AVX2. `lab2048 bench --work` measures how long a unit
//! takes on the current machine, for each agent and budget.
//!
//! The cost of evaluating a position depends on how the heuristic was compiled: see [`Evaluator::costs`].
//!
//! [`Evaluator::costs`]: crate::heuristics::Evaluator::costs

use crate::heuristics::Cost;

/// One unit of work.
pub const UNIT: Cost = Cost::picoseconds(10_000);

/// An operation whose cost does not depend on the heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One move of a playout that is played alone.
    PlayoutMove,
    /// One step of the batch driver, in which all games of a block move at once. Its cost does not depend on how many
    /// of the games are still running.
    PlayoutStep,
    /// The start and the end of one game in the batch driver.
    PlayoutGame,
    /// The preparation of a batch of playouts.
    PlayoutBatch,
    /// The preparation of sampled trees whose leaves are played out together.
    TreeBatch,
    /// One node on the path of an iteration of Monte Carlo tree search, selection and backup together.
    MctsStep,
    /// A position of a tree search whose moves or replies are generated one by one.
    InnerNode,
    /// A position of a sampled tree, with the draw of the reply that leads to it.
    SampledPosition,
    /// The check whether the game has ended at a leaf after a reply. It is added to the cost of the heuristic.
    LoneLeaf,
    /// A lookup in the transposition table.
    TableLookup,
    /// The fixed cost of a decision.
    Decision,
}

impl Operation {
    /// Every operation, in the order of the table of weights.
    pub const ALL: [Operation; 11] = [
        Operation::PlayoutMove,
        Operation::PlayoutStep,
        Operation::PlayoutGame,
        Operation::PlayoutBatch,
        Operation::TreeBatch,
        Operation::MctsStep,
        Operation::InnerNode,
        Operation::SampledPosition,
        Operation::LoneLeaf,
        Operation::TableLookup,
        Operation::Decision,
    ];

    /// The weight of one such operation.
    pub const fn cost(self) -> Cost {
        Cost::picoseconds(match self {
            Operation::PlayoutMove => 60_000,
            Operation::PlayoutStep => 52_000,
            Operation::PlayoutGame => 56_000,
            Operation::PlayoutBatch => 700_000,
            Operation::TreeBatch => 250_000,
            Operation::MctsStep => 165_000,
            Operation::InnerNode => 20_000,
            Operation::SampledPosition => 25_000,
            Operation::LoneLeaf => 10_000,
            Operation::TableLookup => 6_000,
            Operation::Decision => 500_000,
        })
    }

    /// What the operation is, for the table of weights.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::PlayoutMove => "playout move, played alone",
            Operation::PlayoutStep => "playout step of a whole block",
            Operation::PlayoutGame => "playout begun and ended",
            Operation::PlayoutBatch => "batch of playouts prepared",
            Operation::TreeBatch => "batch of sampled trees prepared",
            Operation::MctsStep => "MCTS step",
            Operation::InnerNode => "inner node",
            Operation::SampledPosition => "position of a sampled tree",
            Operation::LoneLeaf => "leaf after a reply, valued alone",
            Operation::TableLookup => "table look-up",
            Operation::Decision => "decision",
        }
    }
}

/// A cost in whole units of work, rounded up.
pub const fn units(cost: Cost) -> u64 {
    cost.as_picoseconds().div_ceil(UNIT.as_picoseconds())
}
