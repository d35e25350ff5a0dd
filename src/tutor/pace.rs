//! How fast a game goes by itself.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(8);

/// Time between two moves, and how much of it has gone.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    interval: Duration,
    waited: Duration,
}

impl Pace {
    /// From moves a second; out of reach it is as slow or as fast as possible.
    pub fn new(speed: f64) -> Self {
        let seconds = (1.0 / speed).clamp(SHORTEST.as_secs_f64(), LONGEST.as_secs_f64());
        let interval = if seconds.is_finite() { Duration::from_secs_f64(seconds) } else { LONGEST };
        Pace { interval, waited: Duration::ZERO }
    }

    pub fn interval(&self) -> Duration {
        self.interval
    }

    pub fn faster(&mut self) {
        self.interval = (self.interval / 2).max(SHORTEST);
    }

    pub fn slower(&mut self) {
        self.interval = (self.interval * 2).min(LONGEST);
    }

    /// Lets time pass; whether the next move is due.
    pub fn pass(&mut self, time: Duration) -> bool {
        self.waited = (self.waited + time).min(self.interval);
        self.waited >= self.interval
    }

    /// A move was made: the wait begins anew.
    pub fn rest(&mut self) {
        self.waited = Duration::ZERO;
    }

    /// `4 moves/s`, or `one move in 2 s`.
    pub fn label(&self) -> String {
        let seconds = self.interval.as_secs_f64();
        if seconds > 1.0 { format!("one move in {seconds:.0} s") } else { format!("{:.0} moves/s", 1.0 / seconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_due_after_the_interval_and_speeds_stay_in_reach() {
        let mut pace = Pace::new(4.0);
        assert!(!pace.pass(Duration::from_millis(200)) && pace.pass(Duration::from_millis(50)));
        pace.rest();
        assert!(!pace.pass(Duration::from_millis(200)));
        (0..40).for_each(|_| pace.faster());
        assert_eq!(pace.interval(), SHORTEST);
        (0..40).for_each(|_| pace.slower());
        assert_eq!((pace.interval(), pace.label().as_str()), (LONGEST, "one move in 8 s"));
        for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!((SHORTEST..=LONGEST).contains(&Pace::new(speed).interval()));
        }
    }
}
