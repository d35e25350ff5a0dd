//! Training: many games in lockstep.
//!
//! A step has two parts. First every game makes a move. All games read the same weights, so they can be divided among
//! threads in any way. Then the errors of all games change the weights. Each table is changed by one thread, in the
//! order of the games. So the result is the same to the last bit on any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::hits::Hits;
use super::index::ORIENTATIONS;
use super::lane::{Finished, Lane};
use super::learner::{Learner, StepOptions, Trace};
use super::memory::{Numbers, check_available};
use super::method::{Memory, Method};
use super::network::Network;
use super::patterns::Patterns;
use super::worker::Worker;
use crate::games::twenty48::{Goal, Twenty48};
use crate::params::InputError;
use crate::rng::{Seeds, Training};

/// The settings of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The patterns of the network.
    pub patterns: Patterns,
    /// Which rates the weights have.
    pub method: Method,
    /// The learning rate: the fraction of an error by which a board's value changes, before the method's own rates.
    pub rate: f64,
    /// The learning rate at the end of the budget. It changes linearly.
    pub final_rate: f64,
    /// The lambda of TD(lambda); 0 for TD(0).
    pub lambda: f64,
    /// The probability of a random move.
    pub epsilon: f64,
    /// The initial value of every board. A high value favours moves that were not tried yet (optimistic
    /// initialization).
    pub initial: f64,
    /// The number of games in lockstep.
    pub batch: usize,
    /// The length of the training.
    pub budget: Budget,
    /// The seed of the experiment, from which the seeds of all games are derived.
    pub seed: u64,
}

/// The length of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many games.
    Games(u64),
    /// This many moves.
    Moves(u64),
}

/// TD(lambda) ignores errors whose share for an afterstate is below this.
const LEAST_SHARE: f64 = 0.1;

impl Settings {
    /// The number of afterstates that an error updates.
    fn reach(&self) -> usize {
        let shares = std::iter::successors(Some(1.0), |share| Some(share * self.lambda));
        shares.take_while(|share| *share >= LEAST_SHARE).count()
    }

    /// The number of floating-point numbers in memory.
    fn numbers(&self) -> usize {
        self.patterns.weights() * (1 + Memory::per_weight(self.method))
    }
}

/// A running training.
pub struct Trainer {
    settings: Settings,
    game: Twenty48,
    seeds: Seeds<Training>,
    pub(super) network: Network,
    pub(super) memories: Vec<Memory>,
    pub(super) learners: Vec<Learner>,
    pub(super) progress: Progress,
    hits: Vec<Hits>,
}

/// The progress of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Progress {
    /// The number of games that have ended.
    pub games: u64,
    /// The number of moves in all games.
    pub moves: u64,
    /// The number of games that have started.
    pub(super) begun: u64,
}

impl Progress {
    /// The fraction of the budget that is used.
    pub fn share(&self, budget: Budget) -> f64 {
        let (done, whole) = match budget {
            Budget::Games(games) => (self.games, games),
            Budget::Moves(moves) => (self.moves, moves),
        };
        (done as f64 / whole.max(1) as f64).min(1.0)
    }
}

impl Trainer {
    /// Starts a training. Fails if there is not enough memory.
    pub fn new(settings: Settings) -> Result<Self, InputError> {
        let what = format!("training {} patterns by {}", settings.patterns.len(), settings.method.name());
        check_available(&what, settings.numbers())?;
        let mut network = Network::new(settings.patterns.clone())?;
        if settings.initial != 0.0 {
            network.fill(settings.initial);
        }
        let memory = |weights: usize| Memory::new(settings.method, weights);
        let memories = network.patterns().iter().map(|pattern| memory(pattern.weights())).collect::<Result<_, _>>()?;
        let most = settings.batch * settings.reach() * ORIENTATIONS;
        let hits = network.tables().iter().map(|_| Hits::new(most)).collect();
        let (game, seeds) = (Twenty48::new(Goal::None), Seeds::new(settings.seed));
        let progress = Progress::default();
        let mut trainer = Trainer { game, seeds, network, memories, learners: Vec::new(), progress, hits, settings };
        trainer.learners = (0..trainer.settings.batch).map(|_| trainer.next_game()).collect();
        Ok(trainer)
    }

    fn next_game(&mut self) -> Learner {
        let number = self.progress.begun;
        self.progress.begun += 1;
        Learner::new(Lane::start(&self.game, number, self.seeds.game(number)), self.empty_trace())
    }

    /// A trace with room for one more afterstate than an error updates, because the newest has no error yet.
    pub(super) fn empty_trace(&self) -> Trace {
        Trace::new(self.network.tables().len(), self.settings.reach() + 1)
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The current network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The progress.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether the budget is used.
    pub fn is_done(&self) -> bool {
        self.progress.share(self.settings.budget) >= 1.0
    }

    /// Trains until this many games have ended in total, the budget is used, or `stop` is set. `on_end` is called for
    /// every game that ends, with the progress at that time. Pauses do not change the result of a training.
    pub fn train(
        &mut self,
        games: u64,
        threads: &Threads,
        stop: &AtomicBool,
        mut on_end: impl FnMut(Finished, Progress) + Send,
    ) {
        let mut workers: Vec<Worker> = (0..threads.count()).map(|_| Worker::new(&self.network)).collect();
        threads.run(|| {
            while self.progress.games < games && !self.is_done() && !stop.load(Ordering::Relaxed) {
                self.step(&mut workers, &mut on_end);
            }
        });
    }

    /// One move of every game.
    fn step(&mut self, workers: &mut [Worker], on_end: &mut impl FnMut(Finished, Progress)) {
        self.make_moves(workers);
        self.change_weights(workers);
        self.progress.moves += workers.iter().map(|worker| worker.moves).sum::<u64>();
        if workers.iter().any(|worker| worker.ended > 0) {
            self.replace_ended_games(on_end);
        }
    }

    fn replace_ended_games(&mut self, on_end: &mut impl FnMut(Finished, Progress)) {
        for number in 0..self.learners.len() {
            if self.learners[number].is_over() {
                self.progress.games += 1;
                on_end(self.learners[number].lane.finish(), self.progress);
                self.learners[number] = self.next_game();
            }
        }
    }

    /// The first part of a step: every game makes a move. All games read the same weights.
    fn make_moves(&mut self, workers: &mut [Worker]) {
        let Trainer { network, game, settings, learners, .. } = self;
        let (network, game) = (&*network, &*game);
        let options = StepOptions { lambda: settings.lambda as f32, epsilon: settings.epsilon };
        let share = learners.len().div_ceil(workers.len());
        let work = |(learners, worker): (&mut [Learner], &mut Worker)| {
            worker.make_moves(network, game, learners, options);
        };
        if workers.len() == 1 {
            learners.chunks_mut(share).zip(workers).for_each(work);
        } else {
            learners.par_chunks_mut(share).zip(workers).for_each(work);
        }
    }

    /// The second part of a step: each table is changed by one thread, in the order of the games.
    fn change_weights(&mut self, workers: &[Worker]) {
        let step = (self.rate() / self.network.indexer().places_per_board() as f64) as f32;
        let work = |(number, ((table, memory), hits)): (usize, ((&mut Numbers, &mut Memory), &mut Hits))| {
            hits.clear();
            for (places, error) in workers.iter().flat_map(|worker| worker.updates(number)) {
                places.iter().for_each(|place| hits.add(*place, error));
            }
            memory.learn(table.as_mut_slice(), hits.all(), step);
        };
        let (tables, memories, hits) = (self.network.tables_mut(), &mut self.memories, &mut self.hits);
        if workers.len() == 1 {
            tables.iter_mut().zip(memories).zip(hits).enumerate().for_each(work);
        } else {
            tables.par_iter_mut().zip(memories).zip(hits).enumerate().for_each(work);
        }
    }

    /// The current learning rate.
    fn rate(&self) -> f64 {
        let (first, last) = (self.settings.rate, self.settings.final_rate);
        if first == last { first } else { first + (last - first) * self.progress.share(self.settings.budget) }
    }
}

/// The threads to train on.
pub struct Threads {
    /// `None` for the calling thread alone.
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// Starts this many threads. With one, the calling thread does the work.
    pub fn new(count: usize) -> Result<Self, InputError> {
        let pool = (count > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(count).build()).transpose();
        Ok(Threads { pool: pool.map_err(|error| InputError::new(format!("cannot start {count} threads: {error}")))? })
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    fn run(&self, work: impl FnOnce() + Send) {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

#[cfg(test)]
#[path = "trainer_tests.rs"]
mod tests;
