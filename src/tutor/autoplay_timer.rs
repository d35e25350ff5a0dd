//! The timer of games that play by themselves.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(8);

/// The time between two moves, and how much of it has passed.
#[derive(Clone, Copy, Debug)]
pub struct AutoplayTimer {
    interval: Duration,
    waited: Duration,
}

impl AutoplayTimer {
    /// From a speed in moves per second, limited to the possible range.
    pub fn new(speed: f64) -> Self {
        let seconds = (1.0 / speed).clamp(SHORTEST.as_secs_f64(), LONGEST.as_secs_f64());
        let interval = if seconds.is_finite() { Duration::from_secs_f64(seconds) } else { LONGEST };
        AutoplayTimer { interval, waited: Duration::ZERO }
    }

    /// The time between two moves.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// Doubles the speed.
    pub fn faster(&mut self) {
        self.interval = (self.interval / 2).max(SHORTEST);
    }

    /// Halves the speed.
    pub fn slower(&mut self) {
        self.interval = (self.interval * 2).min(LONGEST);
    }

    /// Adds time. Returns whether the next move is due.
    pub fn advance(&mut self, time: Duration) -> bool {
        self.waited = (self.waited + time).min(self.interval);
        self.waited >= self.interval
    }

    /// Starts the wait for the next move.
    pub fn restart(&mut self) {
        self.waited = Duration::ZERO;
    }

    /// The speed as text: `4 moves/s` or `one move in 2 s`.
    pub fn label(&self) -> String {
        let seconds = self.interval.as_secs_f64();
        if seconds > 1.0 { format!("one move in {seconds:.0} s") } else { format!("{:.0} moves/s", 1.0 / seconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_due_after_the_interval_and_the_speed_is_limited() {
        let mut timer = AutoplayTimer::new(4.0);
        assert!(!timer.advance(Duration::from_millis(200)) && timer.advance(Duration::from_millis(50)));
        timer.restart();
        assert!(!timer.advance(Duration::from_millis(200)));
        (0..40).for_each(|_| timer.faster());
        assert_eq!(timer.interval(), SHORTEST);
        (0..40).for_each(|_| timer.slower());
        assert_eq!((timer.interval(), timer.label().as_str()), (LONGEST, "one move in 8 s"));
        for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!((SHORTEST..=LONGEST).contains(&AutoplayTimer::new(speed).interval()));
        }
    }
}
