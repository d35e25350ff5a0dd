//! How the games of a comparison are divided into blocks, and in which order these are played.

use std::ops::Range;

use super::block_size::block_size;
use crate::agents::AgentSpec;
use crate::spec::{Comparison, Shard};

/// The largest block of a sequential test, which looks at the results after multiples of this number of games.
const BLOCK_BETWEEN_LOOKS: u64 = 10;
/// A block is played in about this many parts, so that several threads can share it.
const PARTS: u64 = 20;
/// The number of agents whose blocks are played in turn. With more of them the progress display would show more rates
/// at once, but each thread keeps one agent of each ready, which takes memory.
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
        let largest = comparison.questions.stop.map_or(u64::MAX, |_| BLOCK_BETWEEN_LOOKS);
        let size = |agent: &AgentSpec| block_size(&comparison.game, agent).min(largest);
        let sizes = comparison.entrants.iter().map(|entrant| size(&entrant.agent)).collect();
        Schedule { sizes, games: comparison.games }
    }

    /// The games of a block.
    pub fn range(&self, block: Block) -> Range<u64> {
        let size = self.sizes[block.entrant];
        block.index * size..((block.index + 1) * size).min(self.games)
    }

    /// The games of a block, in parts that threads can play side by side.
    pub fn parts(&self, block: Block) -> impl Iterator<Item = Range<u64>> + use<> {
        let (games, size) = (self.range(block), (self.sizes[block.entrant] / PARTS).max(1));
        let (first, end) = (games.start, games.end);
        (0..(end - first).div_ceil(size)).map(move |part| first + part * size..(first + (part + 1) * size).min(end))
    }

    /// The block that a game of an agent belongs to.
    pub fn block_of(&self, entrant: usize, game: u64) -> Block {
        Block { entrant, index: game / self.sizes[entrant] }
    }

    /// The place of a block among all blocks. Blocks are assigned to shards by this number. The blocks of an agent
    /// follow each other, so the shards get equally many of each agent, give or take one.
    pub fn number(&self, block: Block) -> u64 {
        let before: u64 = self.sizes[..block.entrant].iter().map(|size| self.games.div_ceil(*size)).sum();
        before + block.index
    }

    /// Whether a shard plays this block.
    pub fn is_in(&self, block: Block, shard: Shard) -> bool {
        shard.has(self.number(block))
    }

    /// The blocks of one agent, in the order of its games.
    pub fn blocks_of(&self, entrant: usize) -> impl Iterator<Item = Block> + use<> {
        (0..self.games.div_ceil(self.sizes[entrant])).map(move |index| Block { entrant, index })
    }

    /// All blocks: agent by agent, game by game.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.sizes.len()).flat_map(|entrant| self.blocks_of(entrant))
    }

    /// All blocks in the order in which to play them: some agents side by side. The order matters for the progress
    /// display alone.
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
        for games in [1, 10, 11, 205, 401, 2300] {
            let schedule = schedule(games);
            for entrant in 0..10 {
                let covered: Vec<u64> = schedule.blocks_of(entrant).flat_map(|block| schedule.range(block)).collect();
                assert_eq!(covered, (0..games).collect::<Vec<_>>());
                let blocks = schedule.blocks_of(entrant);
                let parts: Vec<u64> = blocks.flat_map(|block| schedule.parts(block).flatten()).collect();
                assert_eq!(parts, covered);
                let block = |game| schedule.block_of(entrant, game);
                assert!(covered.iter().all(|game| schedule.range(block(*game)).contains(game)));
            }
            let all: BTreeSet<Block> = schedule.blocks().collect();
            let played: Vec<Block> = schedule.playing_order().collect();
            assert_eq!(played.len(), all.len());
            assert_eq!(played.into_iter().collect::<BTreeSet<_>>(), all);
        }
    }

    #[test]
    fn shards_divide_the_blocks_and_have_a_similar_mix_of_agents() {
        let schedule = schedule(2300);
        let count = |shard: Shard, entrant| schedule.blocks_of(entrant).filter(|b| schedule.is_in(*b, shard)).count();
        for shards in [1, 3, 16] {
            let shards: Vec<Shard> = (0..shards).filter_map(|index| Shard::new(index, shards)).collect();
            for entrant in 0..10 {
                let counts: Vec<usize> = shards.iter().map(|shard| count(*shard, entrant)).collect();
                assert_eq!(counts.iter().sum::<usize>(), schedule.blocks_of(entrant).count());
                assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
            }
        }
        let numbers: Vec<u64> = schedule.blocks().map(|block| schedule.number(block)).collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn a_longer_run_has_the_blocks_of_a_shorter_one() {
        let (short, long) = (schedule(2500), schedule(10_000));
        for block in short.blocks().filter(|block| short.range(*block).end < 2500) {
            assert_eq!(short.range(block), long.range(block));
        }
    }
}
