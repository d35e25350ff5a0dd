//! A training game: the game itself, and the afterstates that its next error changes.

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use super::choose::{Candidate, Moves};
use super::index::ORIENTATIONS;
use super::lane::Lane;
use super::network::Network;
use crate::games::twenty48::Twenty48;

/// The eligibility trace of a game: its last afterstates as indices into the tables, newest first, with the sum of
/// errors of each.
///
/// In TD(lambda) an afterstate is updated by its own error, the next error times lambda, the one after it times lambda
/// squared, and so on. Here these errors are added up, and the afterstate is updated once, when the share of the next
/// error would be negligible. So TD(lambda) updates no more weights than TD(0), which uses only the own error.
///
/// Reference: Jaskowski, *Mastering 2048 with delayed temporal coherence learning* (2016).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// A ring buffer: each afterstate has one entry for each table.
    places: Vec<[u32; ORIENTATIONS]>,
    /// The sum of errors of each afterstate, in the same ring buffer.
    errors: Vec<f32>,
    tables: usize,
    newest: usize,
    filled: usize,
}

impl Trace {
    pub fn new(tables: usize, length: usize) -> Self {
        let (places, errors) = (vec![[0; ORIENTATIONS]; tables * length], vec![0.0; length]);
        Trace { places, errors, tables, newest: 0, filled: 0 }
    }

    fn length(&self) -> usize {
        self.errors.len()
    }

    fn push(&mut self, places: &[[u32; ORIENTATIONS]]) {
        self.newest = self.newest.checked_sub(1).unwrap_or(self.length() - 1);
        let first = self.newest * self.tables;
        self.places[first..first + self.tables].copy_from_slice(places);
        self.errors[self.newest] = 0.0;
        self.filled = (self.filled + 1).min(self.length());
    }

    /// The index in the ring buffer of the afterstate that is `age` moves old.
    #[inline(always)]
    fn number(&self, age: usize) -> usize {
        let number = self.newest + age;
        if number < self.length() { number } else { number - self.length() }
    }

    /// The table indices and the error of the afterstate that is `age` moves old.
    #[inline(always)]
    fn get(&self, age: usize) -> Option<(&[[u32; ORIENTATIONS]], f32)> {
        let number = self.number(age);
        let places = number * self.tables..(number + 1) * self.tables;
        (age < self.filled).then(|| (&self.places[places], self.errors[number]))
    }

    /// Adds an error to the newest afterstate, and its decayed shares to the older ones.
    #[inline(always)]
    fn add(&mut self, error: f32, lambda: f32) {
        let mut share = error;
        for age in 0..self.filled {
            let number = self.number(age);
            self.errors[number] += share;
            share *= lambda;
        }
    }

    /// Removes the afterstates of this age and older.
    fn forget(&mut self, age: usize) {
        self.filled = self.filled.min(age);
    }

    /// Whether it has the expected size and all indices are within their tables. A trace from a file must be checked.
    #[cfg(feature = "files")]
    pub fn fits(&self, expected: &Trace, weights: &[usize]) -> bool {
        let is_inside = |(number, places): (usize, &[u32; ORIENTATIONS])| {
            places.iter().all(|place| (*place as usize) < weights[number % weights.len()])
        };
        self.tables == expected.tables
            && self.places.len() == expected.places.len()
            && self.errors.len() == expected.errors.len()
            && self.newest < self.length()
            && self.filled <= self.length()
            && self.places.iter().enumerate().all(is_inside)
    }
}

/// A training game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learner {
    pub lane: Lane,
    pub trace: Trace,
    /// The age of the newest afterstate whose errors are complete. The next step removes it and the older ones.
    first: usize,
    #[serde(skip)]
    is_over: bool,
}

/// The parameters of a training step.
#[derive(Clone, Copy, Debug)]
pub struct StepOptions {
    /// The factor by which an error decays from an afterstate to the one before.
    pub lambda: f32,
    /// The probability of a random move.
    pub epsilon: f64,
}

impl Learner {
    pub fn new(lane: Lane, trace: Trace) -> Self {
        let first = trace.length();
        Learner { lane, trace, first, is_over: false }
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Makes a move and adds the error of the last afterstate's value to the trace. The error is the reward of the best
    /// move plus the value after it, minus the old value. If the game is over, the error is minus the old value.
    #[inline]
    pub fn step(&mut self, network: &Network, game: &Twenty48, moves: &Moves, options: StepOptions) {
        self.trace.forget(self.first);
        let before = self.trace.get(0).map_or(0.0, |(places, _)| network.value_at(places));
        let best = moves.best(network);
        self.trace.add((best.map_or(0.0, |best| best.total()) - before) as f32, options.lambda);
        let Some(best) = best else {
            (self.first, self.is_over) = (0, true);
            return;
        };
        let explored = self.explored(network, moves, options.epsilon);
        // Errors after an exploratory move say nothing about the afterstates before it.
        self.first = if explored.is_some() { 1 } else { self.trace.length() - 1 };
        let taken = explored.unwrap_or(best);
        self.trace.push(moves.places(&taken));
        self.lane.advance(game, &taken);
    }

    fn explored(&mut self, network: &Network, moves: &Moves, epsilon: f64) -> Option<Candidate> {
        // Without exploration no random number is drawn.
        if epsilon == 0.0 || !self.lane.own.random_bool(epsilon) {
            return None;
        }
        let nth = self.lane.own.random_range(0..moves.count());
        Some(moves.nth(network, nth))
    }

    /// The afterstates whose errors are complete: their indices in each table, with their errors.
    #[inline(always)]
    pub fn ready_updates(&self) -> impl Iterator<Item = (&[[u32; ORIENTATIONS]], f32)> {
        (self.first..self.trace.length()).map_while(|age| self.trace.get(age))
    }
}
