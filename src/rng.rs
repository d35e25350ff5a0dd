//! The one random generator, and how every seed is derived.
//!
//! A game is a pure function of its [`GameSeed`]; a game seed is a pure function of the experiment's seed, the
//! [`Stage`] and the game's index. No clock, thread or operating system has a say, so the same file gives the same
//! games on any number of threads.

use std::marker::PhantomData;

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Rng;

/// A new generator from a 64-bit seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// SplitMix64's output function (Steele, Lea, Flood 2014): a bijection of the 64-bit integers that scatters
/// neighbours.
pub fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A seed for the `stream`-th independent use of `seed`.
pub fn derive(seed: u64, stream: u64) -> u64 {
    scramble(scramble(seed) ^ stream)
}

/// What a set of games is for. Games of different stages never share a seed.
pub trait Stage: Copy + Send + Sync + 'static {
    /// A number below 16 of its own.
    const TAG: u64;
    const NAME: &'static str;
}

macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident = $tag:literal, $name:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $stage;
        impl Stage for $stage {
            const TAG: u64 = $tag;
            const NAME: &'static str = $name;
        }
    )*};
}

stages! {
    /// Games that compare agents.
    Comparison = 0, "comparison";
    /// Games that an optimizer may look at.
    Training = 1, "training";
    /// Games that follow a tuning run, without steering it.
    Validation = 2, "validation";
    /// Games that nothing has looked at before the final report.
    Test = 3, "test";
}

/// All game seeds of one stage of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Seeds<S: Stage> {
    experiment: u64,
    stage: PhantomData<S>,
}

impl<S: Stage> Seeds<S> {
    pub fn new(experiment: u64) -> Self {
        Seeds { experiment, stage: PhantomData }
    }

    /// The seed of game number `index`, below 2^60. For one experiment the map from (stage, index) is one-to-one, so
    /// stages are disjoint by construction and not merely by luck.
    pub fn game(&self, index: u64) -> GameSeed<S> {
        debug_assert!(index < 1 << 60);
        GameSeed { value: scramble((S::TAG << 60 | index) ^ scramble(self.experiment)), stage: PhantomData }
    }
}

/// The seed of one game, marked with the stage it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSeed<S: Stage> {
    value: u64,
    stage: PhantomData<S>,
}

impl<S: Stage> GameSeed<S> {
    /// The number to write down: with it the game can be played again.
    pub fn value(self) -> u64 {
        self.value
    }
}

/// The environment's randomness in the game with this seed: the same for every agent.
pub fn environment(game_seed: u64) -> Rng {
    seeded(derive(game_seed, 0))
}

/// The seed of an agent's own randomness in the game with this seed.
pub fn agent_seed(game_seed: u64) -> u64 {
    derive(game_seed, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn stages_share_no_seed() {
        let mut seen = HashSet::new();
        for index in 0..10_000 {
            assert!(seen.insert(Seeds::<Comparison>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Training>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Validation>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Test>::new(7).game(index).value()));
        }
    }

    #[test]
    fn seeds_are_a_signature() {
        // Changing these breaks the reproduction of every published run.
        assert_eq!(Seeds::<Comparison>::new(1).game(0).value(), scramble(scramble(1)));
        assert_eq!(scramble(0), 0xE220_A839_7B1D_CDAF);
    }
}
