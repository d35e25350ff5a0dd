//! How the games of a comparison are cut into blocks, and in which order these are played.

use std::ops::Range;

use crate::agents::AgentSpec;
use crate::experiment::blocks::Block;
use crate::spec::Comparison;

/// Games in a block: a second or so of a good agent's play, so that a kill costs little.
const BLOCK: u64 = 10;
/// The same for agents that play thousands of games a second, or else the disk would have to follow.
const QUICK_BLOCK: u64 = 200;
const QUICK: &[&str] = &["random", "greedy"];
/// Agents that advance side by side. More would show more rates at once, but each thread keeps an agent of each ready.
pub(super) const ABREAST: usize = 8;

/// A cut that depends on the experiment alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    sizes: Vec<u64>,
    games: u64,
}

impl Schedule {
    pub fn new(comparison: &Comparison) -> Self {
        let sizes = comparison.entrants.iter().map(|entrant| block_size(&entrant.agent)).collect();
        Schedule { sizes, games: comparison.games }
    }

    /// The games of a block.
    pub fn range(&self, block: Block) -> Range<u64> {
        block.range(self.sizes[block.entrant], self.games)
    }

    /// The blocks of one agent, in the order of its games.
    pub fn blocks_of(&self, entrant: usize) -> impl Iterator<Item = Block> + use<> {
        (0..self.games.div_ceil(self.sizes[entrant])).map(move |index| Block { entrant, index })
    }

    /// All blocks: agent by agent, game by game.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.sizes.len()).flat_map(|entrant| self.blocks_of(entrant))
    }

    /// All blocks in the order in which to play them: a few agents abreast. Nothing but progress depends on it.
    pub fn playing_order(&self) -> impl Iterator<Item = Block> + '_ {
        let all: Vec<usize> = (0..self.sizes.len()).collect();
        let groups: Vec<Vec<usize>> = all.chunks(ABREAST).map(<[usize]>::to_vec).collect();
        groups
            .into_iter()
            .flat_map(|group| {
                let longest = group.iter().map(|&entrant| self.games.div_ceil(self.sizes[entrant])).max().unwrap_or(0);
                (0..longest)
                    .flat_map(move |index| group.clone().into_iter().map(move |entrant| Block { entrant, index }))
            })
            .filter(|block| !self.range(*block).is_empty())
    }
}

fn block_size(agent: &AgentSpec) -> u64 {
    if QUICK.contains(&agent.kind.name) { QUICK_BLOCK } else { BLOCK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{GameSpec, Overrides};
    use std::collections::BTreeSet;

    fn schedule(games: u64) -> Schedule {
        let kinds = ["random", "minimax", "alphabeta", "greedy", "expectimax", "rollout", "mcts", "minimax:depth=1"];
        let agents = kinds.into_iter().chain(["minimax:depth=2", "minimax:depth=4"]).map(|text| text.parse().unwrap());
        let overrides = Overrides { games: Some(games), seed: None };
        let agents: Vec<AgentSpec> = agents.collect();
        Schedule::new(&Comparison::of_agents(GameSpec::default(), &agents, None, overrides).unwrap())
    }

    #[test]
    fn every_game_is_in_one_block_and_every_block_is_played() {
        for games in [1, 10, 11, 205, 401] {
            let schedule = schedule(games);
            for entrant in 0..10 {
                let covered: Vec<u64> = schedule.blocks_of(entrant).flat_map(|block| schedule.range(block)).collect();
                assert_eq!(covered, (0..games).collect::<Vec<_>>());
            }
            let all: BTreeSet<Block> = schedule.blocks().collect();
            let played: Vec<Block> = schedule.playing_order().collect();
            assert_eq!(played.len(), all.len());
            assert_eq!(played.into_iter().collect::<BTreeSet<_>>(), all);
        }
    }

    #[test]
    fn a_longer_run_has_the_blocks_of_a_shorter_one() {
        let (short, long) = (schedule(25), schedule(100));
        for block in short.blocks().filter(|block| short.range(*block).end < 25) {
            assert_eq!(short.range(block), long.range(block));
        }
    }
}
