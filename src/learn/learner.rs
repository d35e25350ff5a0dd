//! A game that a network learns from: the game under way, and the afterstates that its next error is for.

use rand::Rng as _;
use serde::{Deserialize, Serialize};

use super::choose::{Candidate, Moves};
use super::index::ORIENTATIONS;
use super::lane::Lane;
use super::network::Network;
use crate::games::twenty48::Twenty48;

/// The last afterstates of a game as places in the tables, newest first. One is enough for TD(0), where an error is for
/// the last afterstate alone; TD(lambda) tells the ones before it as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// A ring: each afterstate has one entry for each table.
    places: Vec<[u32; ORIENTATIONS]>,
    tables: usize,
    newest: usize,
    filled: usize,
}

impl Trace {
    pub fn new(tables: usize, length: usize) -> Self {
        Trace { places: vec![[0; ORIENTATIONS]; tables * length], tables, newest: 0, filled: 0 }
    }

    fn length(&self) -> usize {
        self.places.len() / self.tables
    }

    fn push(&mut self, places: &[[u32; ORIENTATIONS]]) {
        self.newest = (self.newest + self.length() - 1) % self.length();
        let first = self.newest * self.tables;
        self.places[first..first + self.tables].copy_from_slice(places);
        self.filled = (self.filled + 1).min(self.length());
    }

    /// The places of the afterstate that is `age` moves old.
    fn get(&self, age: usize) -> Option<&[[u32; ORIENTATIONS]]> {
        let first = (self.newest + age) % self.length() * self.tables;
        (age < self.filled).then(|| &self.places[first..first + self.tables])
    }

    /// Forgets all but the newest afterstate.
    fn cut(&mut self) {
        self.filled = self.filled.min(1);
    }

    /// Whether it has this form and all places are in their tables, as after reading it from a file.
    #[cfg(feature = "files")]
    pub fn fits(&self, expected: &Trace, weights: &[usize]) -> bool {
        let is_inside = |(number, places): (usize, &[u32; ORIENTATIONS])| {
            places.iter().all(|place| (*place as usize) < weights[number % weights.len()])
        };
        self.tables == expected.tables
            && self.places.len() == expected.places.len()
            && self.newest < self.length()
            && self.filled <= self.length()
            && self.places.iter().enumerate().all(is_inside)
    }
}

/// A game to learn from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Learner {
    pub lane: Lane,
    pub trace: Trace,
    /// What the last step has shown the value of the afterstate before it to be wrong by.
    #[serde(skip)]
    error: f32,
    /// The age of the newest afterstate that the error is for.
    #[serde(skip)]
    first: usize,
    #[serde(skip)]
    is_over: bool,
    /// Whether the last move was made to explore: later errors say nothing of the afterstates before it.
    has_explored: bool,
}

impl Learner {
    pub fn new(lane: Lane, trace: Trace) -> Self {
        Learner { lane, trace, error: 0.0, first: 0, is_over: false, has_explored: false }
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Makes a move, and notes how wrong the value of the last afterstate was: by the reward of the best move plus the
    /// value after it, or by all of it if the game is over.
    #[inline]
    pub fn step(&mut self, network: &Network, game: &Twenty48, moves: &Moves, board: usize, epsilon: f64) {
        if std::mem::take(&mut self.has_explored) {
            self.trace.cut();
        }
        let before = self.trace.get(0).map_or(0.0, |places| network.value_at(places));
        let Some(best) = moves.best(network, board) else {
            (self.error, self.first, self.is_over) = (-before as f32, 0, true);
            return;
        };
        (self.error, self.first) = ((best.total() - before) as f32, 1);
        let taken = self.explored(network, moves, board, epsilon).unwrap_or(best);
        self.trace.push(moves.places(&taken));
        self.lane.advance(game, &taken);
    }

    fn explored(&mut self, network: &Network, moves: &Moves, board: usize, epsilon: f64) -> Option<Candidate> {
        // Without exploration no number is drawn.
        if epsilon == 0.0 || !self.lane.own.random_bool(epsilon) {
            return None;
        }
        self.has_explored = true;
        let nth = self.lane.own.random_range(0..moves.count(board));
        Some(moves.nth(network, board, nth))
    }

    /// The afterstates that the error is for, by their places in one table, with the error that each is told.
    #[inline(always)]
    pub fn errors(&self, table: usize, lambda: f32) -> impl Iterator<Item = (&[u32; ORIENTATIONS], f32)> {
        let ages = self.first..self.trace.length() - 1 + self.first;
        let entries = ages.map_while(move |age| self.trace.get(age)).map(move |places| &places[table]);
        entries.scan(self.error, move |error, places| {
            let told = *error;
            *error *= lambda;
            Some((places, told))
        })
    }
}
