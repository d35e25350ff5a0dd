//! How the games of a comparison are divided into blocks, and in which order these are played.

use std::ops::Range;

use crate::agents::AgentSpec;
use crate::spec::Comparison;

/// Games in a block. A good agent plays them in about a second, so a kill costs little.
const BLOCK: u64 = 10;
/// Games in a block of an agent that plays thousands of games a second.
const QUICK_BLOCK: u64 = 200;
const QUICK: &[&str] = &["random", "greedy"];
/// Agents whose blocks are played in turn. With more, progress would show more rates at once, but each thread keeps one
/// agent of each ready.
const SIDE_BY_SIDE: usize = 8;

/// A block of games: the number of its agent, and its place among that agent's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Block {
    pub entrant: usize,
    pub index: u64,
}

/// A division into blocks that depends on the experiment alone, never on threads or clocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Schedule {
    sizes: Vec<u64>,
    games: u64,
}

impl Schedule {
    pub fn new(comparison: &Comparison) -> Self {
        // A sequential test looks at the results every few games, so its blocks are small.
        let small = comparison.questions.stop.is_some();
        let size = |agent: &AgentSpec| if small { BLOCK } else { block_size(agent) };
        let sizes = comparison.entrants.iter().map(|entrant| size(&entrant.agent)).collect();
        Schedule { sizes, games: comparison.games }
    }

    /// The games of a block.
    pub fn range(&self, block: Block) -> Range<u64> {
        let size = self.sizes[block.entrant];
        block.index * size..((block.index + 1) * size).min(self.games)
    }

    /// The blocks of one agent, in the order of its games.
    pub fn blocks_of(&self, entrant: usize) -> impl Iterator<Item = Block> + use<> {
        (0..self.games.div_ceil(self.sizes[entrant])).map(move |index| Block { entrant, index })
    }

    /// All blocks: agent by agent, game by game.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.sizes.len()).flat_map(|entrant| self.blocks_of(entrant))
    }

    /// All blocks in the order in which to play them: some agents side by side. Only the progress depends on it.
    pub fn playing_order(&self) -> impl Iterator<Item = Block> + '_ {
        let all: Vec<usize> = (0..self.sizes.len()).collect();
        let groups: Vec<Vec<usize>> = all.chunks(SIDE_BY_SIDE).map(<[usize]>::to_vec).collect();
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
        let overrides = Overrides { games: Some(games), ..Overrides::default() };
        let agents: Vec<AgentSpec> = agents.collect();
        Schedule::new(&Comparison::of_agents(GameSpec::default(), &agents, None, overrides).unwrap())
    }

    #[test]
    fn every_game_is_in_exactly_one_block_and_every_block_is_played() {
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
