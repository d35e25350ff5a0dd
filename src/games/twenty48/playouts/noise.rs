//! The random bytes of a block: 20 generators side by side, in a form that vectorises.
//!
//! Each is xorshift128+ with the shifts 23, 18, 5 (Vigna, "Further scramblings of Marsaglia's xorshift generators",
//! 2017), of period 2^128 - 1. Their states come from the seed by [`crate::rng::derive`].

use super::LANES;
use super::block::LaneBytes;
use crate::rng::derive;

/// Bytes that a step needs for one lane: one for the direction, two for the cell, two for the tile.
const BYTES: usize = 5;
/// Generators of 8 bytes for each byte of all lanes.
const STREAMS: usize = LANES / 8;

/// The bytes of one step, by what they decide.
pub struct Step {
    /// The top two bits are the direction. The others decide whether a policy's second choice is made.
    pub direction: LaneBytes,
    /// Numbers of 16 bits, low byte first: one for every even lane, then one for every odd lane.
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
        // The generator never leaves the state zero, so one bit is set.
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
