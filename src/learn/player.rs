//! Games with fixed weights: how validation and test games are played.
//!
//! The best move by reward plus value, at one ply. Each game depends on its seed alone, so it does not matter which
//! thread plays it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::choose::{BOARDS_AHEAD, Moves};
use super::lane::{Finished, Lane};
use super::network::Network;
use crate::games::twenty48::{Goal, Twenty48};
use crate::rng::{Seeds, Stage};

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct Play<S: Stage> {
    /// Where the seeds of the games come from.
    pub seeds: Seeds<S>,
    /// How many games, from the first of the stage.
    pub games: u64,
    /// How many threads play.
    pub threads: usize,
}

/// Plays the games of a stage from the first, in the order of their numbers. When `stop` is set, games under way are
/// given up and the result is incomplete.
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

/// Plays several games side by side until no game is left to start.
fn worker<S: Stage>(network: &Network, plan: Play<S>, next: &AtomicU64, stop: &AtomicBool) -> Vec<Finished> {
    let game = Twenty48::new(Goal::None);
    let start = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < plan.games).then(|| Lane::start(&game, number, plan.seeds.game(number)))
    };
    let mut lanes: Vec<Lane> = (0..BOARDS_AHEAD).filter_map(|_| start()).collect();
    let (mut moves, mut finished) = (Moves::new(network), Vec::new());
    while !lanes.is_empty() && !stop.load(Ordering::Relaxed) {
        moves.prefetch(network, &game, lanes.iter().map(|lane| lane.board));
        let mut is_over = false;
        for (number, lane) in lanes.iter_mut().enumerate() {
            match moves.best(network, number) {
                Some(best) => lane.advance(&game, &best),
                None => is_over = true,
            }
        }
        if is_over {
            let (over, going): (Vec<Lane>, Vec<Lane>) = lanes.into_iter().partition(|lane| lane.board.is_dead());
            // A board that died by its last tile is found out at the next look: all that are dead now are over.
            lanes = going.into_iter().chain(over.iter().filter_map(|_| start())).collect();
            finished.extend(over.iter().map(Lane::finish));
        }
    }
    finished
}
