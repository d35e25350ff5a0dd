//! The methods of learning: how the errors of a step change the weights of one table.
//!
//! `constant`: every weight changes by the rate times the error. `coherence` (temporal coherence): this change is
//! multiplied by |E| / A, where E is the sum of the weight's errors and A the sum of their absolute values. While the
//! errors have the same sign, this factor stays near 1. When the weight has converged, the errors cancel and the factor
//! falls to 0. So no schedule of learning rates is needed.
//!
//! A value is a sum of many weights, so each weight takes an equal share of the error.
//!
//! Reference: Beal and Smith, *Temporal coherence and prediction decay in TD learning* (1999).

use super::hits::Hit;
use super::memory::{Numbers, prefetch};
use crate::params::InputError;

/// How the learning rates of the weights are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The same rate for every weight.
    Constant,
    /// The common rate times |E| / A of each weight.
    Coherence,
}

/// The methods with their names and descriptions.
pub const METHODS: &[(&str, Method, &str)] = &[
    ("constant", Method::Constant, "the same rate for every weight"),
    ("coherence", Method::Coherence, "temporal coherence: each weight has its own rate |E| / A"),
];

impl Method {
    /// The name that users write.
    pub fn name(self) -> &'static str {
        METHODS.iter().find(|(_, method, _)| *method == self).map_or("", |(name, ..)| name)
    }
}

/// The number of hits whose weights are prefetched before the first is read.
const HITS_AHEAD: usize = 24;

/// The state of a method for the weights of one table.
pub enum Memory {
    Nothing,
    /// E and A of each weight. They are stored next to each other, because they are read and written together.
    Coherence(Numbers),
}

impl Memory {
    pub fn new(method: Method, weights: usize) -> Result<Self, InputError> {
        Ok(match method {
            Method::Constant => Memory::Nothing,
            Method::Coherence => Memory::Coherence(Numbers::zeroed(2 * weights)?),
        })
    }

    /// The number of numbers for each weight.
    pub fn per_weight(method: Method) -> usize {
        match method {
            Method::Constant => 0,
            Method::Coherence => 2,
        }
    }

    #[cfg(feature = "files")]
    pub fn numbers(&self) -> Option<&Numbers> {
        match self {
            Memory::Nothing => None,
            Memory::Coherence(numbers) => Some(numbers),
        }
    }

    #[cfg(feature = "files")]
    pub fn numbers_mut(&mut self) -> Option<&mut Numbers> {
        match self {
            Memory::Nothing => None,
            Memory::Coherence(numbers) => Some(numbers),
        }
    }

    /// Changes the weights that were hit. `step` is the learning rate divided by the number of weights of a board.
    pub fn learn(&mut self, weights: &mut [f32], hits: &[Hit], step: f32) {
        match self {
            Memory::Nothing => {
                for (number, hit) in hits.iter().enumerate() {
                    hits.get(number + HITS_AHEAD).inspect(|next| prefetch(weights, next.place as usize));
                    weights[hit.place as usize] += step * hit.mean();
                }
            }
            Memory::Coherence(numbers) => {
                let sums = numbers.as_mut_slice();
                for (number, hit) in hits.iter().enumerate() {
                    if let Some(next) = hits.get(number + HITS_AHEAD) {
                        prefetch(weights, next.place as usize);
                        prefetch(sums, 2 * next.place as usize);
                    }
                    let place = hit.place as usize;
                    let [error, size] = [sums[2 * place], sums[2 * place + 1]];
                    weights[place] += step * own_rate(error, size) * hit.mean();
                    sums[2 * place] = error + hit.sum;
                    sums[2 * place + 1] = size + hit.size;
                }
            }
        }
    }
}

/// |E| / A; a weight that was never hit learns at the full rate.
#[inline(always)]
fn own_rate(error: f32, size: f32) -> f32 {
    if size == 0.0 { 1.0 } else { error.abs() / size }
}

#[cfg(test)]
mod tests {
    use super::super::hits::Hits;
    use super::*;

    fn learner(method: Method) -> (Memory, Vec<f32>) {
        (Memory::new(method, 1024).unwrap(), vec![0.0; 1024])
    }

    fn learn(memory: &mut Memory, weights: &mut [f32], errors: &[(u32, f32)], step: f32) {
        let mut hits = Hits::new(errors.len());
        errors.iter().for_each(|(place, error)| hits.add(*place, *error));
        memory.learn(weights, hits.all(), step);
    }

    #[test]
    fn coherence_rates_are_as_defined() {
        let (mut memory, mut weights) = learner(Method::Coherence);
        // The first error counts in full; the second meets E = 4, A = 4; the third E = 2, A = 6.
        for (error, expected) in [(4.0, 4.0), (-2.0, 4.0 - 2.0), (3.0, 2.0 + 3.0 * 2.0 / 6.0)] {
            learn(&mut memory, &mut weights, &[(5, error)], 1.0);
            assert!((weights[5] - expected).abs() < 1e-6, "{} {expected}", weights[5]);
        }
        let sums = memory.numbers().unwrap().as_slice();
        assert_eq!((sums[10], sums[11]), (5.0, 9.0));
    }

    #[test]
    fn errors_of_one_step_are_averaged_over_the_hits_of_a_weight() {
        for method in [Method::Constant, Method::Coherence] {
            let (mut memory, mut weights) = learner(method);
            learn(&mut memory, &mut weights, &[(1, 8.0), (2, 3.0), (1, 4.0)], 0.5);
            assert_eq!((weights[1], weights[2]), (3.0, 1.5));
        }
    }

    /// From A the mover earns 1 and is in A again or in B, each half the time; from B it earns 4 and the game is over.
    /// So V(B) = 4 and V(A) = 1 + V(A) / 2 + V(B) / 2 = 6.
    #[test]
    fn two_states_converge_to_their_known_values() {
        use rand::Rng as _;
        for (method, step) in [(Method::Constant, 0.005), (Method::Coherence, 1.0)] {
            let ((mut memory, mut weights), mut rng) = (learner(method), crate::rng::seeded(1));
            for _ in 0..20_000 {
                loop {
                    let stays = rng.random_bool(0.5);
                    let next = if stays { weights[0] } else { weights[1] };
                    let error = 1.0 + next - weights[0];
                    learn(&mut memory, &mut weights, &[(0, error)], step);
                    if !stays {
                        break;
                    }
                }
                let error = 4.0 - weights[1];
                learn(&mut memory, &mut weights, &[(1, error)], step);
            }
            assert!((weights[1] - 4.0).abs() < 0.01, "{method:?} {}", weights[1]);
            assert!((weights[0] - 6.0).abs() < 0.2, "{method:?} {}", weights[0]);
        }
    }
}
