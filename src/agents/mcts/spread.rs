//! The scale of values: how much the moves of a position differ.

/// The typical difference between the best move of a node and the mean of its moves.
#[derive(Clone, Copy, Default)]
pub struct Spread {
    mean: f64,
    count: f64,
}

/// How many of the latest nodes the typical difference goes back.
const SPREAD_MEMORY: f64 = 64.0;
/// A difference larger than this many typical ones counts as this many. One move that may lose the game would
/// otherwise hide the differences between all others.
const SPREAD_OUTLIER: f64 = 4.0;

impl Spread {
    pub fn add(&mut self, difference: f64) {
        let difference = if self.mean > 0.0 { difference.min(SPREAD_OUTLIER * self.mean) } else { difference };
        self.count = (self.count + 1.0).min(SPREAD_MEMORY);
        self.mean += (difference - self.mean) / self.count;
    }

    /// 1 as long as all moves are equally good.
    pub fn typical(&self) -> f64 {
        if self.mean > 0.0 { self.mean } else { 1.0 }
    }
}
