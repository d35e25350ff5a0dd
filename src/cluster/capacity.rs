//! Estimates how long a search takes on a number of cores, and how busy they are.
//!
//! A search waits at the end of every generation for its last game. With latency L, work W, cores C and mean game g, a
//! generation takes about L + max(W/C + 1.5 g, 3 g): the last game begins when the others are nearly done, and a long game
//! takes about three times as long as the mean.

/// The time to send a generation to the workers and to receive their answers, in seconds.
const LATENCY: f64 = 0.015;

/// The games that a search asks for at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// Games that can be played side by side.
    pub games: f64,
    /// The mean time of a game on one core, in seconds.
    pub seconds_per_game: f64,
}

impl Generation {
    /// The time of a generation on this many cores.
    pub fn seconds(&self, cores: u64) -> f64 {
        let game = self.seconds_per_game;
        LATENCY + (self.work() / cores.max(1) as f64 + 1.5 * game).max(3.0 * game)
    }

    /// The share of the time in which the cores play.
    pub fn busy(&self, cores: u64) -> f64 {
        self.work() / cores.max(1) as f64 / self.seconds(cores)
    }

    /// The time of all games on one core.
    fn work(&self) -> f64 {
        self.games * self.seconds_per_game
    }
}

/// Powers of two up to a number of cores, and the number itself.
pub fn steps_up_to(cores: u64) -> Vec<u64> {
    let powers = std::iter::successors(Some(1_u64), |last| last.checked_mul(2)).take_while(|power| *power < cores);
    powers.chain([cores]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_busy_while_there_are_many_games_for_each() {
        let at = |seconds_per_game: f64, cores: u64| {
            (100.0 * Generation { games: 1600.0, seconds_per_game }.busy(cores)).round()
        };
        // 3 plies on 16 cores; 7 plies on 64, 256 and 1,024.
        assert_eq!([at(0.002, 16), at(1.5, 64), at(1.5, 256), at(1.5, 1024)], [92.0, 94.0, 81.0, 51.0]);
    }

    #[test]
    fn the_steps_end_with_the_number_itself() {
        assert_eq!(steps_up_to(1), [1]);
        assert_eq!(steps_up_to(6), [1, 2, 4, 6]);
        assert_eq!(steps_up_to(8), [1, 2, 4, 8]);
    }
}
