//! Gets the games that a tuning run asks for: from the store if they were played before, and else by playing them.
//!
//! A search is resumed by running its seeded solver again: every game that it asks for is in the store, up to where it was
//! stopped. So no state of a solver is ever saved, and a larger budget continues the same search.

use std::collections::HashMap;

use rayon::prelude::*;

use super::context::{Request, TuningContext};
use crate::agents::Factory;
use crate::experiment::error::Error;
use crate::experiment::runner::{Batch, Players};
use crate::games::twenty48::Twenty48;
use crate::params::InputError;
use crate::play::{GameResult, Opponent};
use crate::rng::{Seeds, Stage};

/// Each thread gets about this many batches, so that all threads end at about the same time.
const BATCHES_PER_THREAD: usize = 8;

/// A request whose games have to be played.
struct Missing {
    /// Its place among the requests.
    place: usize,
    id: u64,
    seeds: Vec<u64>,
    /// Results by their index; games of several threads arrive in any order.
    results: Vec<Option<GameResult>>,
}

impl TuningContext {
    /// The games of each request, in order.
    pub(super) fn play<S: Stage>(&self, seeds: Seeds<S>, requests: &[Request]) -> Result<Vec<Vec<GameResult>>, Error> {
        let mut results: Vec<Option<Vec<GameResult>>> = Vec::with_capacity(requests.len());
        let (mut missing, mut same) = (Vec::<Missing>::new(), HashMap::new());
        for (place, request) in requests.iter().enumerate() {
            let (id, seeds) = (request.player.id(), request.games.clone().map(|game| seeds.game(game).value()));
            let seeds: Vec<u64> = seeds.collect();
            let known = self.runner.recall(0, id, &seeds)?;
            // Two requests for the same games are played once: the second is read from the store afterwards.
            if known.is_none() && same.insert((id, seeds.first().copied()), place).is_none() {
                missing.push(Missing { place, id, results: vec![None; seeds.len()], seeds });
            }
            results.push(known);
        }
        self.play_missing(requests, &mut missing, &mut results)?;
        let repeated = |(request, known): (&Request, Option<Vec<GameResult>>)| match known {
            Some(games) => Ok(games),
            None => {
                let seeds: Vec<u64> = request.games.clone().map(|game| seeds.game(game).value()).collect();
                let lost = || Error::Failed("stored games have disappeared; run again".into());
                self.runner.recall(0, request.player.id(), &seeds)?.ok_or_else(lost)
            }
        };
        requests.iter().zip(results).map(repeated).collect()
    }

    fn play_missing(
        &self,
        requests: &[Request],
        missing: &mut [Missing],
        results: &mut [Option<Vec<GameResult>>],
    ) -> Result<(), Error> {
        let factory = |missing: &Missing| requests[missing.place].player.factory(&self.game);
        let factories: Vec<Factory<Twenty48>> =
            self.runner.pool().install(|| missing.par_iter().map(factory).collect::<Result<_, InputError>>())?;
        let build =
            |player: usize| Ok(Players { agent: factories[player]()?, opponent: Opponent::Chance, opening: None });
        let batches = batches(missing, self.runner.threads());
        self.runner.play(&self.game, &build, batches.into_iter().map(Ok), |batch, games| {
            let request = &mut missing[batch.player];
            for (place, game) in (batch.place..).zip(games) {
                request.results[place] = Some(game);
            }
            let whole: Option<Vec<GameResult>> = request.results.iter().copied().collect();
            if let Some(games) = &whole {
                self.runner.store().append(request.id, games)?;
                results[request.place] = whole;
            }
            Ok(())
        })
    }
}

/// The missing games, divided so that all threads have work until the end.
fn batches(missing: &[Missing], threads: usize) -> Vec<Batch> {
    let games: usize = missing.iter().map(|request| request.seeds.len()).sum();
    let size = (games / (threads * BATCHES_PER_THREAD)).max(1);
    let of_request = |(player, request): (usize, &Missing)| {
        let chunks = request.seeds.chunks(size).enumerate();
        chunks.map(|(chunk, seeds)| Batch { player, place: chunk * size, seeds: seeds.to_vec() }).collect::<Vec<_>>()
    };
    missing.iter().enumerate().flat_map(of_request).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_missing_game_is_in_one_batch_at_its_place() {
        let request = |place: usize, games: u64| Missing {
            place,
            id: 0,
            seeds: (0..games).collect(),
            results: vec![None; games as usize],
        };
        for threads in [1, 2, 8] {
            let missing = [request(0, 1), request(1, 100), request(2, 7)];
            let batches = batches(&missing, threads);
            for (player, request) in missing.iter().enumerate() {
                let own = batches.iter().filter(|batch| batch.player == player);
                let seeds: Vec<u64> = own.clone().flat_map(|batch| batch.seeds.clone()).collect();
                assert_eq!(seeds, request.seeds);
                assert!(own.into_iter().all(|batch| batch.seeds[0] == batch.place as u64));
            }
            assert!(batches.len() >= threads * BATCHES_PER_THREAD);
        }
    }
}
