//! Measures the time of a game by playing a few.

use std::time::{Duration, Instant};

use super::contention::CpuTime;
use crate::play::GameResult;

/// The mean time of a game on one core, in seconds, and the first game. Plays at least one game, and continues until
/// the time is over or there are `most` games. Time spent waiting for a processor does not count.
pub(super) fn seconds_per_game(
    time: Duration,
    most: u64,
    mut play: impl FnMut(u64) -> GameResult,
) -> (f64, GameResult) {
    let (begun, before) = (Instant::now(), CpuTime::of_this_thread());
    let first = play(0);
    let mut games = 1;
    while begun.elapsed() < time && games < most {
        play(games);
        games += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let waiting = CpuTime::of_this_thread().zip(before).map_or(0.0, |(after, before)| after.since(before).waiting());
    (seconds * (1.0 - waiting) / games as f64, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_game_is_played_and_at_most_so_many() {
        for (time, most, expected) in [(Duration::ZERO, 5, 1), (Duration::from_secs(1000), 5, 5)] {
            let mut played = Vec::new();
            let game =
                GameResult { seed: 0, score: 0, max_tile: 2, moves: 1, won: false, nodes: 0, work: 0, seconds: 0.0 };
            let (seconds, first) = seconds_per_game(time, most, |number| {
                played.push(number);
                GameResult { seed: number, ..game }
            });
            assert_eq!((played, first.seed), ((0..expected).collect(), 0));
            assert!((0.0..1.0).contains(&seconds));
        }
    }
}
