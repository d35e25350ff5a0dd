//! Games with fixed weights, for validation and test.
//!
//! The move with the greatest reward plus value is played (a search of one ply). Each game depends only on its seed, so
//! any thread can play it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::choose::{BOARDS_AHEAD, Moves};
use super::lane::{Finished, Lane};
use super::network::Network;
use crate::games::twenty48::{Goal, Twenty48};
use crate::rng::{Seeds, Stage};

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct Play<S: Stage> {
    /// The seeds of the games.
    pub seeds: Seeds<S>,
    /// The number of games, from the first of the stage.
    pub games: u64,
    /// The number of threads.
    pub threads: usize,
}

/// Plays the first games of a stage and returns them in the order of their numbers. When `stop` is set, running games
/// are abandoned and the result is incomplete.
pub fn play<S: Stage>(network: &Network, plan: Play<S>, stop: &AtomicBool) -> Vec<Finished> {
    let next = AtomicU64::new(0);
    let mut finished: Vec<Finished> = std::thread::scope(|scope| {
        let work = || worker(network, plan, &next, stop);
        let others: Vec<_> = (1..plan.threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        others.into_iter().filter_map(|other| other.join().ok()).fold(own, |all, more| [all, more].concat())
    });
    finished.sort_unstable_by_key(|game| game.number);
    finished
}

/// Plays several games in parallel until no game is left to start. While one game makes its move, the weights of the
/// others arrive in the cache.
fn worker<S: Stage>(network: &Network, plan: Play<S>, next: &AtomicU64, stop: &AtomicBool) -> Vec<Finished> {
    let game = Twenty48::new(Goal::None);
    let start = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < plan.games).then(|| Lane::start(&game, number, plan.seeds.game(number)))
    };
    let mut lanes: Vec<(Lane, Moves)> =
        (0..BOARDS_AHEAD).filter_map(|_| start()).map(|lane| (lane, Moves::new(network))).collect();
    lanes.iter_mut().for_each(|(lane, moves)| moves.prefetch(network, &game, lane.board));
    let mut finished = Vec::new();
    while !lanes.is_empty() && !stop.load(Ordering::Relaxed) {
        lanes.retain_mut(|(lane, moves)| {
            if let Some(best) = moves.best(network) {
                lane.advance(&game, &best);
            } else {
                finished.push(lane.finish());
                let Some(next) = start() else { return false };
                *lane = next;
            }
            moves.prefetch(network, &game, lane.board);
            true
        });
    }
    finished
}
