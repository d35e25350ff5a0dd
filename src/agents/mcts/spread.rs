//! The scale of the exploration bonus: how much the values of a position's moves differ.

/// The typical difference between the best move of a node and the mean of its moves.
#[derive(Clone, Copy, Default)]
pub struct Spread {
    mean: f64,
    count: f64,
}

/// The typical difference is a moving average over about this many nodes.
const SPREAD_MEMORY: f64 = 64.0;
/// A difference is clipped to this many times the typical one. Otherwise one move that may lose the game would make the
/// differences between all others look small.
const SPREAD_OUTLIER: f64 = 4.0;

impl Spread {
    pub fn add(&mut self, difference: f64) {
        let difference = if self.mean > 0.0 { difference.min(SPREAD_OUTLIER * self.mean) } else { difference };
        self.count = (self.count + 1.0).min(SPREAD_MEMORY);
        self.mean += (difference - self.mean) / self.count;
    }

    /// The typical difference. It is 1 while all moves seen so far are equally good.
    pub fn typical(&self) -> f64 {
        if self.mean > 0.0 { self.mean } else { 1.0 }
    }
}
