//! Provides the games that a tuning run asks for: from the store if they were played before, and otherwise by playing
//! them.
//!
//! A search is resumed by running its seeded solver again: every game that it asks for is in the store, up to where it was
//! stopped. So no state of a solver is ever saved, and a larger budget continues the same search.

use std::collections::HashMap;

use rayon::prelude::*;

use super::context::{Player, Request, TuningContext};
use crate::agents::Factory;
use crate::cluster::{AgentText, MOST_GAMES, PlayerText, Urgency};
use crate::experiment::error::Error;
use crate::experiment::runner::{Batch, Players};
use crate::games::twenty48::Twenty48;
use crate::params::InputError;
use crate::play::GameResult;
use crate::rng::{Seeds, Stage, Validation};

/// Each thread gets about this many batches, so that all threads end at about the same time.
const BATCHES_PER_THREAD: usize = 8;

/// A request whose games have to be played.
struct Missing {
    /// Its place among the requests.
    place: usize,
    id: u64,
    seeds: Vec<u64>,
    /// The results by index. Games of several threads arrive in any order.
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
        // Workers play validation games only when they are idle, so that these games delay no training games.
        let urgency = if S::TAG == Validation::TAG { Urgency::WhenIdle } else { Urgency::Now };
        self.play_missing(requests, &mut missing, &mut results, urgency)?;
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
        urgency: Urgency,
    ) -> Result<(), Error> {
        let players: Vec<&Player> = missing.iter().map(|missing| requests[missing.place].player).collect();
        let here = (self.runner.threads(), usize::MAX);
        let (threads, most) = self.runner.workers().map_or(here, |workers| (workers.threads(), MOST_GAMES));
        let batches = batches(missing, threads, most);
        let finished = |batch: Batch, games: Vec<GameResult>| {
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
        };
        match self.runner.workers() {
            Some(workers) => {
                let text = |player: &&Player| {
                    PlayerText::Agent(AgentText::new(&self.game, &player.agent, player.heuristic.as_ref()))
                };
                let players = players.iter().map(text).collect();
                self.runner.play_elsewhere(workers, players, batches, urgency, finished)
            }
            None => {
                let factories = self.factories(&players)?;
                let build = |player: usize| Ok(Players::against_chance(factories[player]()?));
                self.runner.play(&self.game, &build, batches.into_iter().map(Ok), finished)
            }
        }
    }

    /// The factory of each player. Compiling heuristics takes a while, so it is done on all threads.
    fn factories(&self, players: &[&Player]) -> Result<Vec<Factory<Twenty48>>, InputError> {
        let factory = |player: &&Player| player.factory(&self.game);
        self.runner.pool().install(|| players.par_iter().map(factory).collect())
    }
}

/// Divides the missing games into batches of at most `most` games, so that all threads have work until the end.
fn batches(missing: &[Missing], threads: usize, most: usize) -> Vec<Batch> {
    let games: usize = missing.iter().map(|request| request.seeds.len()).sum();
    let size = (games / (threads * BATCHES_PER_THREAD)).clamp(1, most);
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
            let batches = batches(&missing, threads, 12);
            assert!(batches.iter().all(|batch| batch.seeds.len() <= 12));
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
