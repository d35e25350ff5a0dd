//! The errors of one training step, collected for each weight.
//!
//! Games in lockstep often use the same weights, especially early in the training. If all their errors were added to a
//! weight, its change would be too large: measured with 64 games, the training diverges. So the errors of one step are
//! averaged over the hits of a weight.

/// The errors of one weight in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hit {
    pub place: u32,
    count: u32,
    /// The sum of the errors.
    pub sum: f32,
    /// The sum of their absolute values.
    pub size: f32,
}

impl Hit {
    pub fn mean(&self) -> f32 {
        self.sum / self.count as f32
    }
}

/// A slot that no hit uses.
const FREE: u32 = u32::MAX;

/// A hash table from the index of a weight to its hit. Hits are kept in the order of their first error.
pub struct Hits {
    hits: Vec<Hit>,
    /// Indices of hits, or [`FREE`]. At most half of the slots are used, so that a free slot is found quickly.
    slots: Vec<u32>,
    shift: u32,
}

impl Hits {
    /// A table for at most this many hits in a step.
    pub fn new(most: usize) -> Self {
        let slots = (2 * most.max(1)).next_power_of_two();
        Hits { hits: Vec::with_capacity(most), slots: vec![FREE; slots], shift: u32::BITS - slots.trailing_zeros() }
    }

    /// Adds an error.
    #[inline(always)]
    pub fn add(&mut self, place: u32, error: f32) {
        // Multiplicative hashing with 2^32 / golden ratio, so that neighbouring indices get different slots.
        let mut slot = (place.wrapping_mul(0x9E37_79B9) >> self.shift) as usize;
        loop {
            let number = self.slots[slot];
            if number == FREE {
                self.slots[slot] = self.hits.len() as u32;
                self.hits.push(Hit { place, count: 1, sum: error, size: error.abs() });
                return;
            }
            let hit = &mut self.hits[number as usize];
            if hit.place == place {
                hit.count += 1;
                hit.sum += error;
                hit.size += error.abs();
                return;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    pub fn all(&self) -> &[Hit] {
        &self.hits
    }

    /// Removes all hits.
    pub fn clear(&mut self) {
        self.hits.clear();
        self.slots.fill(FREE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;
    use rand::Rng as _;
    use std::collections::HashMap;

    #[test]
    fn hits_are_collected_by_weight_in_the_order_of_arrival() {
        let (mut hits, mut rng) = (Hits::new(500), seeded(4));
        for _ in 0..20 {
            hits.clear();
            let (mut order, mut naive) = (Vec::new(), HashMap::<u32, Vec<f32>>::new());
            for _ in 0..500 {
                let (place, error) = (rng.random_range(0..200) * 65_521, rng.random_range(-4.0..4.0f32));
                hits.add(place, error);
                naive
                    .entry(place)
                    .or_insert_with(|| {
                        order.push(place);
                        Vec::new()
                    })
                    .push(error);
            }
            assert_eq!(order, hits.all().iter().map(|hit| hit.place).collect::<Vec<_>>());
            assert_eq!(order.len(), naive.len());
            for hit in hits.all() {
                let errors = &naive[&hit.place];
                assert_eq!(hit.sum, errors.iter().sum::<f32>());
                assert_eq!(hit.size, errors.iter().map(|error| error.abs()).sum::<f32>());
                assert_eq!(hit.mean(), hit.sum / errors.len() as f32);
            }
        }
    }
}
