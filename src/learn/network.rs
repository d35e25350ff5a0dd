//! An n-tuple network: tables of weights. The value of a board is a sum of weights.
//!
//! Each pattern has a table with a weight for every combination of ranks in its cells. The value of an afterstate is
//! the sum of one weight for each pattern and orientation. Sums are taken in a fixed order, so that the value is the
//! same to the last bit on every machine.

use super::index::{Indexer, ORIENTATIONS};
use super::memory::{Numbers, check_available, prefetch};
use super::patterns::Patterns;
use crate::games::twenty48::Board;
use crate::params::InputError;

/// Tables of weights.
pub struct Network {
    patterns: Patterns,
    indexer: Indexer,
    tables: Vec<Numbers>,
}

/// The contribution of one pattern to a board's value.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The pattern's cells.
    pub pattern: String,
    /// The sum over its eight orientations.
    pub value: f64,
}

impl Network {
    /// A network whose weights are all 0.
    pub fn new(patterns: Patterns) -> Result<Self, InputError> {
        check_available(&format!("a network of {} patterns", patterns.len()), patterns.weights())?;
        let tables = patterns.iter().map(|pattern| Numbers::zeroed(pattern.weights())).collect::<Result<_, _>>()?;
        Ok(Network { indexer: Indexer::new(&patterns), patterns, tables })
    }

    /// Sets every weight so that all boards have this value.
    pub fn fill(&mut self, value: f64) {
        let weight = (value / self.indexer.places_per_board() as f64) as f32;
        self.tables.iter_mut().for_each(|table| table.as_mut_slice().fill(weight));
    }

    /// The patterns, in the order of the tables.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The object that computes the indices of a board's weights in the tables.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// The weights of each pattern.
    pub fn tables(&self) -> &[Numbers] {
        &self.tables
    }

    /// The weights of each pattern, mutable.
    pub fn tables_mut(&mut self) -> &mut [Numbers] {
        &mut self.tables
    }

    /// The value of an afterstate.
    #[inline(always)]
    pub fn value(&self, after: Board) -> f64 {
        let sums = self.tables.iter().zip(self.indexer.each(after)).map(|(table, places)| sum(table, &places));
        sums.fold(0.0, |value, sum| value + sum)
    }

    /// The contribution of each pattern to the value.
    pub fn contributions(&self, after: Board) -> Vec<Contribution> {
        let sums = self.tables.iter().zip(self.indexer.each(after)).map(|(table, places)| sum(table, &places));
        let named = self.patterns.iter().zip(sums);
        named.map(|(pattern, value)| Contribution { pattern: pattern.to_string(), value }).collect()
    }

    /// Prefetches the weights of an afterstate, and stores their indices in `places`.
    #[inline(always)]
    pub fn prefetch(&self, after: Board, places: &mut [[u32; ORIENTATIONS]]) {
        let tables = self.tables.iter().zip(self.indexer.each(after));
        for (stored, (table, found)) in places.iter_mut().zip(tables) {
            found.iter().for_each(|place| prefetch(table.as_slice(), *place as usize));
            *stored = found;
        }
    }

    /// As [`Network::prefetch`], without storing the indices.
    #[inline(always)]
    pub fn prefetch_weights(&self, after: Board) {
        for (table, places) in self.tables.iter().zip(self.indexer.each(after)) {
            places.iter().for_each(|place| prefetch(table.as_slice(), *place as usize));
        }
    }

    /// The value of the afterstate with these indices.
    #[inline(always)]
    pub fn value_at(&self, places: &[[u32; ORIENTATIONS]]) -> f64 {
        let sums = self.tables.iter().zip(places).map(|(table, places)| sum(table, places));
        sums.fold(0.0, |value, sum| value + sum)
    }
}

/// The sum over the eight orientations of one pattern. It adds in pairs, because a chain of additions would be slower.
#[inline(always)]
fn sum(table: &Numbers, places: &[u32; ORIENTATIONS]) -> f64 {
    let table = table.as_slice();
    let weight = |orientation: usize| table[places[orientation] as usize];
    let pair = |first: usize| weight(first) + weight(first + 1);
    f64::from((pair(0) + pair(2)) + (pair(4) + pair(6)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::tests::random_board;
    use crate::rng::seeded;
    use rand::Rng as _;

    /// A network with random weights.
    fn random(patterns: &str, seed: u64) -> Network {
        let mut network = Network::new(Patterns::parse(patterns).unwrap()).unwrap();
        let mut rng = seeded(seed);
        for table in network.tables_mut() {
            table.as_mut_slice().iter_mut().for_each(|weight| *weight = rng.random_range(-10.0..10.0));
        }
        network
    }

    #[test]
    fn all_orientations_have_the_same_value() {
        let (network, mut rng) = (random("0123 4567 0145", 1), seeded(2));
        for _ in 0..100 {
            let board = random_board(&mut rng);
            let value = network.value(board);
            for image in board.symmetries() {
                assert!((network.value(image) - value).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn values_are_sums_of_contributions_and_of_prefetched_weights() {
        let (network, mut rng) = (random("rows", 1), seeded(2));
        for _ in 0..100 {
            let board = random_board(&mut rng);
            let parts = network.contributions(board);
            assert_eq!(parts.len(), 2);
            let sum: f64 = parts.iter().map(|part| part.value).sum();
            assert_eq!(sum, network.value(board));
            let mut places = [[0; ORIENTATIONS]; 2];
            network.prefetch(board, &mut places);
            assert_eq!(network.value_at(&places), network.value(board));
        }
    }

    #[test]
    fn filling_gives_every_board_the_value() {
        let mut network = Network::new(Patterns::parse("rows").unwrap()).unwrap();
        network.fill(1600.0);
        assert_eq!(network.value("2,4,8,16/0,0,0,0/2,0,0,0/0,0,0,0".parse().unwrap()), 1600.0);
    }
}
