//! How many games of an agent make a block.
//!
//! A killed process loses the blocks that it was playing, and the shards of a cluster divide the blocks between them. A
//! block should take about 5 to 12 seconds on one core. Its size follows from the agent's configuration and never from
//! a clock, so that it is the same on every machine.

use crate::agents::AgentSpec;
use crate::spec::GameSpec;

/// The sizes that a block can have: 1, 2 and 5 times a power of 10.
const SIZES: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// About the longest time that a block should take, in seconds. Sizes grow by a factor of 2 or 2.5, so the largest size
/// that fits takes at least 5 seconds, except at the ends of the list.
const LONGEST: f64 = 12.5;
/// The approximate number of moves of a game of 2048. Weak agents make fewer, and good ones make several thousand.
const MOVES: f64 = 2000.0;
/// The approximate number of moves of one side in a two-player game.
const TWO_PLAYER_MOVES: f64 = 10.0;

// Seconds on one core as `lab2048 bench` measured them. Only their order of magnitude matters.
/// A random playout from a board in mid-game.
const PLAYOUT: f64 = 1.2e-7;
/// Adding a position to a tree of MCTS.
const TREE_STEP: f64 = 5e-7;
/// A unit of work.
const WORK: f64 = 1e-8;
/// Moves that an agent can choose from at most.
const CHOICES: f64 = 4.0;

/// The games of this agent that take about 5 to 12 seconds: at least 1 and at most 1,000.
pub(super) fn block_size(game: &GameSpec, agent: &AgentSpec) -> u64 {
    let most = LONGEST / seconds_per_game(game, agent);
    SIZES.into_iter().rev().find(|size| *size as f64 <= most).unwrap_or(1)
}

/// The estimated time of a game on one core, in seconds.
pub(super) fn seconds_per_game(game: &GameSpec, agent: &AgentSpec) -> f64 {
    let moves = if game.has_goal() { MOVES } else { TWO_PLAYER_MOVES };
    moves * seconds_per_move(agent)
}

/// The estimated time of a move on one core, in seconds.
fn seconds_per_move(agent: &AgentSpec) -> f64 {
    let options = &agent.options;
    let number = |name: &str, default: i64| options.integer(name).unwrap_or(default) as f64;
    if let Some(ms) = options.number("ms") {
        return ms / 1000.0;
    }
    if let Some(work) = options.integer("work") {
        return work as f64 * WORK;
    }
    let plies = options.span("depth").map_or(3, |(_, deepest)| deepest) as f64;
    // `two` is the time of two plies, and each further ply multiplies it by `growth`.
    let search = |two: f64, growth: f64| two * libm::pow(growth, plies - 2.0);
    match agent.kind.name {
        "random" | "greedy" => 2e-7,
        "minimax" => search(9e-7, 6.0),
        "alphabeta" => search(6e-7, 3.3),
        "rollout" => CHOICES * number("runs", 100) * PLAYOUT,
        "tree-rollout" => {
            let sequences = libm::pow(CHOICES * number("width", 1), number("moves", 2));
            sequences * number("trees", 1) * (number("runs", 10) * PLAYOUT + TREE_STEP)
        }
        "mcts" => number("iterations", 100) * (number("runs", 8) * PLAYOUT + TREE_STEP),
        // Expectimax, expectiminimax, and agents that have not been measured.
        _ => search(2e-7, 4.3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::KINDS;

    fn size(text: &str) -> u64 {
        block_size(&GameSpec::default(), &text.parse().unwrap())
    }

    #[test]
    fn blocks_are_larger_for_cheap_agents() {
        let sizes = ["random", "expectimax:depth=5", "expectimax:depth=6", "expectimax:depth=7", "expectimax:depth=9"];
        assert_eq!(sizes.map(size), [1000, 200, 50, 20, 1]);
        assert_eq!(["minimax:depth=3", "minimax:depth=6", "alphabeta:depth=6"].map(size), [1000, 5, 50]);
        assert_eq!(["rollout:runs=1000", "rollout:runs=10", "mcts:iterations=100"].map(size), [10, 1000, 20]);
    }

    #[test]
    fn budgets_count_in_place_of_depths() {
        assert_eq!(
            ["expectimax:work=100000", "mcts:work=100000", "rollout:ms=5", "rollout:ms=10000"].map(size),
            [5, 5, 1, 1]
        );
    }

    #[test]
    fn every_agent_has_a_size_and_the_deepest_search_too() {
        for kind in KINDS {
            assert!(SIZES.contains(&size(kind.name)), "{}", kind.name);
        }
        assert_eq!(size("minimax:depth=60"), 1);
        let small = GameSpec::new("tic-tac-toe", None).unwrap();
        assert_eq!(block_size(&small, &"minimax:depth=9".parse().unwrap()), 2);
        assert_eq!(block_size(&small, &"alphabeta:depth=5".parse().unwrap()), 1000);
    }
}
