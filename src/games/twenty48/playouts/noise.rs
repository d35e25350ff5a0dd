//! The random bytes of a block: 20 generators that run in parallel, written so that the compiler can vectorise them.
//!
//! Each generator is xorshift128+ with the shifts 23, 18, 5 (Vigna, "Further scramblings of Marsaglia's xorshift
//! generators", 2017) and has the period 2^128 - 1. The states are derived from the seed by [`crate::rng::derive`].

use super::LANES;
use super::block::LaneBytes;
use crate::rng::derive;

/// The number of bytes that a step needs for one lane: one for the direction, two for the cell, two for the tile.
const BYTES: usize = 5;
/// The number of generators, of 8 bytes each, that give one byte to every lane.
const STREAMS: usize = LANES / 8;

/// The random bytes of one step.
pub struct Step {
    /// The top two bits are the direction. The other bits decide whether a move that the policy does not prefer is
    /// made.
    pub direction: LaneBytes,
    /// 16-bit numbers, low byte first: the first vector has one for each even lane, the second one for each odd lane.
    pub cell: [LaneBytes; 2],
    /// The high and the low byte of the number that decides the tile.
    pub tile: [LaneBytes; 2],
}

#[derive(Clone, Debug)]
pub struct Noise {
    older: [Words; BYTES],
    newer: [Words; BYTES],
}

#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Words([u64; STREAMS]);

impl Noise {
    pub fn new(seed: u64) -> Noise {
        let words = |half: usize, part: usize| {
            Words(std::array::from_fn(|i| derive(seed, ((half * BYTES + part) * STREAMS + i) as u64)))
        };
        // A generator in the state zero stays there, so one bit is always set.
        let odd = |part| Words(words(0, part).0.map(|word| word | 1));
        Noise { older: std::array::from_fn(odd), newer: std::array::from_fn(|part| words(1, part)) }
    }

    #[inline(always)]
    pub fn step(&mut self) -> Step {
        Step { direction: self.draw(0), cell: [self.draw(1), self.draw(2)], tile: [self.draw(3), self.draw(4)] }
    }

    #[inline(always)]
    fn draw(&mut self, part: usize) -> LaneBytes {
        let (older, newer) = (&mut self.older[part].0, &mut self.newer[part].0);
        let mut drawn = LaneBytes::ZERO;
        let (places, _) = drawn.0.as_chunks_mut::<8>();
        for i in 0..STREAMS {
            let (x, y) = (older[i], newer[i]);
            let x = x ^ (x << 23);
            let z = x ^ y ^ (x >> 18) ^ (y >> 5);
            (older[i], newer[i]) = (y, z);
            places[i] = z.wrapping_add(y).to_le_bytes();
        }
        drawn
    }
}
