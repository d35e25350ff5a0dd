//! Where games are played: many players' games at once, on all threads.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::outcome::Outcome;
use crate::agents::{AgentSpec, Factory};
use crate::experiment::error::Error;
use crate::games::twenty48::Twenty48;
use crate::play::{Match, Opponent};
use crate::rng::{Seeds, Stage};

/// Is told how a run gets on, from any thread.
pub trait Watch: Send + Sync {
    /// About how many games there will be in all.
    fn expect(&self, _games: u64) {}

    /// So many more games are done; `replayed` ones were known from an earlier run.
    fn advance(&self, _games: u64, _replayed: bool) {}

    /// Something that the user may want to know now.
    fn say(&self, _line: &str) {}
}

/// Watches nothing.
impl Watch for () {}

/// Threads, and what all games have in common.
pub(super) struct GameRunner {
    game: Twenty48,
    pool: rayon::ThreadPool,
    stop: &'static AtomicBool,
    watch: Arc<dyn Watch>,
    done: AtomicU64,
    expected: AtomicU64,
}

/// A player and the games it plays, by index.
pub(super) struct GameBatch {
    pub agent: AgentSpec,
    pub games: Range<u64>,
}

impl GameRunner {
    pub fn new(
        game: Twenty48,
        threads: usize,
        stop: &'static AtomicBool,
        watch: Arc<dyn Watch>,
    ) -> Result<Self, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Failed(format!("cannot start {threads} threads: {error}")))?;
        Ok(GameRunner { game, pool, stop, watch, done: AtomicU64::new(0), expected: AtomicU64::new(0) })
    }

    pub fn expect(&self, games: u64) {
        self.expected.store(games, Ordering::Relaxed);
        self.watch.expect(games);
    }

    /// Counts games that an earlier run has played.
    pub fn replayed(&self, games: u64) {
        self.done.fetch_add(games, Ordering::Relaxed);
        self.watch.advance(games, true);
    }

    pub fn say(&self, line: &str) {
        self.watch.say(line);
    }

    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Plays the games of every batch, and returns the outcomes lot by batch, in the order of the games. The unit of work
    /// is one game of one player, so that a single lot keeps all threads busy too.
    pub fn play<S: Stage>(&self, seeds: Seeds<S>, batches: &[GameBatch]) -> Result<Vec<Vec<Outcome>>, Error> {
        self.pool.install(|| {
            let players: Vec<Factory<Twenty48>> =
                batches.par_iter().map(|batch| batch.agent.factory(&self.game)).collect::<Result<_, _>>()?;
            let pairs: Vec<(&Factory<Twenty48>, u64)> = players
                .iter()
                .zip(batches)
                .flat_map(|(player, batch)| batch.games.clone().map(move |game| (player, game)))
                .collect();
            let played: Result<Vec<Outcome>, Error> =
                pairs.into_par_iter().map(|(player, game)| self.play_one(player, seeds.game(game).value())).collect();
            let mut played = played?.into_iter();
            let take =
                |batch: &GameBatch| played.by_ref().take((batch.games.end - batch.games.start) as usize).collect();
            Ok(batches.iter().map(take).collect())
        })
    }

    fn play_one(&self, player: &Factory<Twenty48>, seed: u64) -> Result<Outcome, Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted { done: self.done(), games: self.expected.load(Ordering::Relaxed) });
        }
        let mut agent = player()?;
        let mut players = Match { game: &self.game, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
        let played = players.play(seed, |_| {});
        self.done.fetch_add(1, Ordering::Relaxed);
        self.watch.advance(1, false);
        Ok(Outcome {
            score: played.score,
            max_tile: played.max_tile,
            moves: played.moves,
            won: played.won,
            nodes: played.nodes,
        })
    }
}
