//! Plays batches of games in parallel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::Error;
use super::progress::Progress;
use crate::agents::Agent;
use crate::cluster::{Chunk, PlayerText, Urgency, WorkerPool};
use crate::games::Game;
use crate::params::InputError;
use crate::play::{GameResult, Match, Opponent, Turn};
use crate::store::GameStore;

/// How often the runner looks at the stop flag while it waits for games.
const TICK: Duration = Duration::from_millis(100);
/// Finished batches that may wait to be stored before the threads have to wait.
const BACKLOG: usize = 64;
/// Players that each thread keeps ready. Compiling a heuristic takes milliseconds, so it should not be done for each batch.
const READY: usize = 8;

/// An agent and its opponent.
pub(super) struct Players<G: Game> {
    pub agent: Box<dyn Agent<G>>,
    pub opponent: Opponent<G>,
    /// The random moves that each game begins with.
    pub opening: Option<u32>,
}

impl<G: Game> Players<G> {
    /// A player of a game in which chance replies and not an opponent.
    pub fn against_chance(agent: Box<dyn Agent<G>>) -> Self {
        Players { agent, opponent: Opponent::Chance, opening: None }
    }

    pub fn play(&mut self, game: &G, seed: u64) -> GameResult {
        self.play_observed(game, seed, |_| {})
    }

    /// As [`Players::play`], and shows every move to `observe`.
    pub fn play_observed(&mut self, game: &G, seed: u64, observe: impl FnMut(&Turn<G>)) -> GameResult {
        let mut players = Match { game, agent: self.agent.as_mut(), opponent: &mut self.opponent };
        players.play_after(self.opening, seed, observe).result
    }
}

/// Some games of one player.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    /// The number of the player in the experiment or in the request.
    pub player: usize,
    /// The caller's number for the batch.
    pub place: usize,
    pub seeds: Vec<u64>,
}

/// Builds the player with this number. Called on the threads that play.
pub(super) type BuildPlayers<'a, G> = &'a (dyn Fn(usize) -> Result<Players<G>, InputError> + Sync);

/// The threads of a run, its store of finished games and its progress.
pub(super) struct GameRunner {
    threads: usize,
    pool: rayon::ThreadPool,
    store: Mutex<GameStore>,
    /// The workers that play the games; `None` if the threads of this process play them.
    workers: Option<WorkerPool>,
    stop: &'static AtomicBool,
    pub progress: Arc<dyn Progress>,
    done: AtomicU64,
    expected: AtomicU64,
}

impl GameRunner {
    pub fn new(
        threads: usize,
        store: GameStore,
        stop: &'static AtomicBool,
        progress: Arc<dyn Progress>,
    ) -> Result<Self, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Failed(format!("cannot start {threads} threads: {error}")))?;
        let (store, done, expected) = (Mutex::new(store), AtomicU64::new(0), AtomicU64::new(0));
        Ok(GameRunner { threads, pool, store, workers: None, stop, progress, done, expected })
    }

    /// The same runner with the workers that these commands start, if there are any.
    pub fn with_workers(self, commands: &[String]) -> Result<Self, Error> {
        if commands.is_empty() {
            return Ok(self);
        }
        let progress = self.progress.clone();
        let workers = WorkerPool::start(commands, move |line| progress.say(line))?;
        Ok(GameRunner { workers: Some(workers), ..self })
    }

    pub fn workers(&self) -> Option<&WorkerPool> {
        self.workers.as_ref()
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn pool(&self) -> &rayon::ThreadPool {
        &self.pool
    }

    pub fn store(&self) -> MutexGuard<'_, GameStore> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Announces about how many games there will be.
    pub fn expect(&self, games: u64) {
        self.expected.store(games, Ordering::Relaxed);
        self.progress.expect(games);
    }

    /// Games of an earlier run, if they are all in the store.
    pub fn recall(&self, player: usize, id: u64, seeds: &[u64]) -> Result<Option<Vec<GameResult>>, Error> {
        let known = self.store().read(id, seeds)?;
        if let Some(games) = &known {
            self.done.fetch_add(games.len() as u64, Ordering::Relaxed);
            self.progress.resumed(player, games);
        }
        Ok(known)
    }

    /// Fails if the user has stopped the run.
    pub fn check_stop(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) { Err(self.interrupted()) } else { Ok(()) }
    }

    pub fn interrupted(&self) -> Error {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Error::Interrupted { done: read(&self.done), games: read(&self.expected).max(read(&self.done)) }
    }

    /// Plays all batches. A thread takes the next batch when it is free. `finished` is called on the calling thread for
    /// each batch, in the order in which they end. Batches are taken one at a time, so their list may be long.
    pub fn play<G: Game>(
        &self,
        game: &G,
        build: BuildPlayers<G>,
        batches: impl Iterator<Item = Result<Batch, Error>> + Send,
        mut finished: impl FnMut(Batch, Vec<GameResult>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let batches = Mutex::new(batches);
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.pool.in_place_scope(|scope| {
            let (sender, receiver) = sync_channel(BACKLOG);
            for _ in 0..self.threads {
                let sender = sender.clone();
                scope.spawn(|_| self.work(game, build, next, sender));
            }
            drop(sender);
            // When this loop ends, the receiver is dropped and the threads stop after their current game.
            loop {
                self.check_stop()?;
                match receiver.recv_timeout(TICK) {
                    Ok(played) => {
                        let (batch, games): (Batch, Vec<GameResult>) = played?;
                        finished(batch, games)?;
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return self.check_stop(),
                }
            }
        })
    }

    /// As [`GameRunner::play`], by workers. The batches must be short enough for them.
    pub fn play_elsewhere(
        &self,
        workers: &WorkerPool,
        players: Vec<PlayerText>,
        batches: Vec<Batch>,
        urgency: Urgency,
        mut finished: impl FnMut(Batch, Vec<GameResult>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let chunk = |batch: &Batch| Chunk { player: batch.player, seeds: batch.seeds.clone() };
        let call = workers.call(players, batches.iter().map(chunk).collect(), urgency);
        let mut left = batches.len();
        while left > 0 {
            self.check_stop()?;
            let (place, games) = match call.results.recv_timeout(TICK) {
                Ok(played) => played?,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Failed("all workers have stopped".into())),
            };
            let Some(batch) = batches.get(place) else { continue };
            self.done.fetch_add(games.len() as u64, Ordering::Relaxed);
            games.iter().for_each(|game| self.progress.played(batch.player, game));
            finished(batch.clone(), games)?;
            left -= 1;
        }
        Ok(())
    }

    /// Plays batches on one thread, until none is left or the receiver is dropped.
    fn work<G: Game>(
        &self,
        game: &G,
        build: BuildPlayers<G>,
        next: impl Fn() -> Option<Result<Batch, Error>>,
        sender: SyncSender<Result<(Batch, Vec<GameResult>), Error>>,
    ) {
        let mut ready: Vec<(usize, Players<G>)> = Vec::new();
        while let Some(batch) = next() {
            let played = batch.and_then(|batch| {
                let players = take_players(&mut ready, batch.player, build)?;
                match self.play_batch(game, players, &batch) {
                    ControlFlow::Continue(games) => Ok((batch, games)),
                    ControlFlow::Break(()) => Err(self.interrupted()),
                }
            });
            let failed = played.is_err();
            if sender.send(played).is_err() || failed {
                return;
            }
        }
    }

    /// Plays the games of a batch, unless the user stops the run.
    fn play_batch<G: Game>(
        &self,
        game: &G,
        players: &mut Players<G>,
        batch: &Batch,
    ) -> ControlFlow<(), Vec<GameResult>> {
        let mut games = Vec::with_capacity(batch.seeds.len());
        for seed in &batch.seeds {
            if self.stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let played = players.play(game, *seed);
            self.done.fetch_add(1, Ordering::Relaxed);
            self.progress.played(batch.player, &played);
            games.push(played);
        }
        ControlFlow::Continue(games)
    }
}

/// The player with this number, either one that is ready or a new one.
fn take_players<'r, G: Game>(
    ready: &'r mut Vec<(usize, Players<G>)>,
    player: usize,
    build: BuildPlayers<G>,
) -> Result<&'r mut Players<G>, InputError> {
    match ready.iter().position(|(number, _)| *number == player) {
        // The last one is the one used most recently.
        Some(place) => ready[place..].rotate_left(1),
        None => {
            if ready.len() == READY {
                ready.remove(0);
            }
            ready.push((player, build(player)?));
        }
    }
    let last = ready.len() - 1;
    Ok(&mut ready[last].1)
}
