//! The random generator, and how all seeds are derived.
//!
//! A game is a pure function of its [`GameSeed`]. A game seed is a pure function of the experiment's seed, the
//! [`Stage`] and the index of the game. No seed comes from the clock or the operating system, so the same file gives
//! the same games on any number of threads.
//!
//! ```
//! use lab2048::rng::{Comparison, Seeds, Training};
//!
//! let seeds = Seeds::<Comparison>::new(1);
//! assert_eq!(seeds.game(0), Seeds::new(1).game(0));
//! // Games of different stages never share a seed.
//! assert_ne!(seeds.game(0).value(), Seeds::<Training>::new(1).game(0).value());
//! ```

use std::marker::PhantomData;

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Rng;

/// A new generator from a 64-bit seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): a bijection of the 64-bit integers. Consecutive inputs
/// give unrelated outputs.
pub fn scramble(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The seed of the `stream`-th independent random stream of `seed`.
pub fn derive(seed: u64, stream: u64) -> u64 {
    scramble(scramble(seed) ^ stream)
}

/// The purpose of a set of games. Games of different stages never share a seed.
pub trait Stage: Copy + Send + Sync + 'static {
    /// A number below 16, different for each stage.
    const TAG: u64;
    /// The name of the stage, for tables and messages.
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
    /// Games whose results an optimizer sees.
    Training = 1, "training";
    /// Games that measure the progress of a tuning run. The optimizer does not see their results.
    Validation = 2, "validation";
    /// Games for the final report. Nothing has used them before.
    Test = 3, "test";
}

/// The game seeds of one stage of one experiment.
#[derive(Clone, Copy, Debug)]
pub struct Seeds<S: Stage> {
    experiment: u64,
    stage: PhantomData<S>,
}

impl<S: Stage> Seeds<S> {
    /// The seeds of the experiment with this seed.
    pub fn new(experiment: u64) -> Self {
        Seeds { experiment, stage: PhantomData }
    }

    /// The seed of game number `index`, which must be below 2^60. Within one experiment the map from (stage, index) to
    /// seeds is one-to-one. So stages cannot share a seed, not even by chance.
    pub fn game(&self, index: u64) -> GameSeed<S> {
        debug_assert!(index < 1 << 60);
        GameSeed { value: scramble((S::TAG << 60 | index) ^ scramble(self.experiment)), stage: PhantomData }
    }
}

/// The seed of one game. Its type says which stage it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSeed<S: Stage> {
    value: u64,
    stage: PhantomData<S>,
}

impl<S: Stage> GameSeed<S> {
    /// The number to record: it is enough to play the game again.
    pub fn value(self) -> u64 {
        self.value
    }
}

/// The generator of the environment's replies in the game with this seed. It is the same for every agent.
pub fn environment(game_seed: u64) -> Rng {
    seeded(derive(game_seed, 0))
}

/// The seed of the agent's own generator in the game with this seed.
pub fn agent_seed(game_seed: u64) -> u64 {
    derive(game_seed, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_stages_share_a_seed() {
        let mut seen = HashSet::new();
        for index in 0..10_000 {
            assert!(seen.insert(Seeds::<Comparison>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Training>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Validation>::new(7).game(index).value()));
            assert!(seen.insert(Seeds::<Test>::new(7).game(index).value()));
        }
    }

    #[test]
    fn derived_seeds_never_change() {
        // A change here breaks the reproduction of every published run.
        assert_eq!(scramble(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(Seeds::<Comparison>::new(1).game(0).value(), scramble(scramble(1)));
        let first = |stage_tag: u64| scramble((stage_tag << 60) ^ scramble(1));
        assert_eq!(Seeds::<Training>::new(1).game(0).value(), first(1));
        assert_eq!(Seeds::<Validation>::new(1).game(0).value(), first(2));
        assert_eq!(Seeds::<Test>::new(1).game(0).value(), first(3));
        assert_eq!(derive(1, 2), scramble(scramble(1) ^ 2));
        assert_eq!(agent_seed(1), derive(1, 1));
        assert_eq!(environment(1), seeded(derive(1, 0)));
        assert_eq!(rand::Rng::random::<u64>(&mut seeded(0)), 0x53175D61490B23DF);
    }
}
