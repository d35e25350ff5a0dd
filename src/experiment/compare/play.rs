//! Playing the missing blocks on all threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::schedule::{ABREAST, Schedule};
use crate::agents::Agent;
use crate::experiment::blocks::{Block, Blocks, GameResult};
use crate::experiment::error::Error;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::play::{Match, Opponent, Turn};
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask};

/// How an agent fares so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AgentProgress {
    pub games: u64,
    pub wins: u64,
    pub moves: u64,
    pub seconds: f64,
}

/// Is told how a run gets on.
pub trait Watch {
    /// Called several times a second, with the standing of each agent in the order of the experiment.
    fn tick(&mut self, _standings: &[AgentProgress]) {}
}

/// Watches nothing.
impl Watch for () {}

/// A standing that many threads add to.
#[derive(Debug, Default)]
struct Tally {
    games: AtomicU64,
    wins: AtomicU64,
    moves: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Tally {
    fn add(&self, row: &GameResult) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.wins.fetch_add(row.won.into(), Ordering::Relaxed);
        self.moves.fetch_add(row.moves.into(), Ordering::Relaxed);
        self.nanoseconds.fetch_add((row.seconds * 1e9) as u64, Ordering::Relaxed);
    }

    fn standing(&self) -> AgentProgress {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let seconds = read(&self.nanoseconds) as f64 / 1e9;
        AgentProgress { games: read(&self.games), wins: read(&self.wins), moves: read(&self.moves), seconds }
    }
}

/// Between two looks at the stop flag and the standings.
const TICK: Duration = Duration::from_millis(100);
/// Finished blocks that may wait for the disk before players have to.
const BACKLOG: usize = 64;

/// Plays every block that is not there yet. Players compute, and this thread alone writes: a stop request can be obeyed at
/// once, with no write under way.
pub(super) fn play_missing(
    comparison: &Arc<Comparison>,
    blocks: &Blocks,
    pool: &rayon::ThreadPool,
    stop: &AtomicBool,
    watch: &mut dyn Watch,
) -> Result<(), Error> {
    let schedule = Schedule::new(comparison);
    let tallies: Arc<Vec<Tally>> = Arc::new(comparison.entrants.iter().map(|_| Tally::default()).collect());
    let missing = missing(&schedule, blocks, &tallies)?;
    let before: u64 = tallies.iter().map(|tally| tally.standing().games).sum();
    let finished = comparison.game.with(Start { comparison, schedule, missing, tallies: &tallies, pool });
    let standings = || tallies.iter().map(Tally::standing).collect::<Vec<_>>();
    let mut done = before;
    loop {
        match finished.recv_timeout(TICK) {
            Ok(block) => {
                let (block, rows) = block?;
                blocks.write(block, &rows)?;
                done += rows.len() as u64;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        watch.tick(&standings());
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted { done, games: comparison.games * comparison.entrants.len() as u64 });
        }
    }
}

/// What is left to play; what has been played goes into the tallies.
fn missing(schedule: &Schedule, blocks: &Blocks, tallies: &[Tally]) -> Result<Vec<Block>, Error> {
    let mut missing = Vec::new();
    for block in schedule.playing_order() {
        match blocks.read(block, schedule.range(block))? {
            Some(rows) => rows.iter().for_each(|row| tallies[block.entrant].add(row)),
            None => missing.push(block),
        }
    }
    Ok(missing)
}

type Finished = Result<(Block, Vec<GameResult>), InputError>;

/// Sets the threads to work, and returns where their blocks arrive.
struct Start<'a> {
    comparison: &'a Arc<Comparison>,
    schedule: Schedule,
    missing: Vec<Block>,
    tallies: &'a Arc<Vec<Tally>>,
    pool: &'a rayon::ThreadPool,
}

impl GameTask for Start<'_> {
    type Output = Receiver<Finished>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let (sender, receiver) = sync_channel(BACKLOG);
        let crew = Crew {
            game,
            comparison: self.comparison.clone(),
            schedule: self.schedule,
            missing: Mutex::new(self.missing.into_iter()),
            tallies: self.tallies.clone(),
        };
        self.pool.spawn_broadcast(move |_| crew.work(&sender));
        receiver
    }
}

/// What the playing threads share.
struct Crew<G> {
    game: G,
    comparison: Arc<Comparison>,
    schedule: Schedule,
    missing: Mutex<std::vec::IntoIter<Block>>,
    tallies: Arc<Vec<Tally>>,
}

impl<G: Playable> Crew<G> {
    /// One thread's work: block after block, until none is left or nobody waits for more.
    fn work(&self, sender: &SyncSender<Finished>) {
        let mut bench = Vec::new();
        while let Some(block) = self.next() {
            let finished = self.player(&mut bench, block.entrant).map(|player| (block, self.play(player, block)));
            if sender.send(finished).is_err() {
                return;
            }
        }
    }

    fn next(&self) -> Option<Block> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// The agent's player, kept ready while its group is at play.
    fn player<'b>(&self, bench: &'b mut Vec<Player<G>>, entrant: usize) -> Result<&'b mut Player<G>, InputError> {
        if bench.first().is_some_and(|player| player.entrant / ABREAST != entrant / ABREAST) {
            bench.clear();
        }
        if let Some(seat) = bench.iter().position(|player| player.entrant == entrant) {
            return Ok(&mut bench[seat]);
        }
        bench.push(Player::new(&self.game, &self.comparison, entrant)?);
        let seat = bench.len() - 1;
        Ok(&mut bench[seat])
    }

    fn play(&self, player: &mut Player<G>, block: Block) -> Vec<GameResult> {
        let seeds = Seeds::<Stage>::new(self.comparison.seed);
        let play = |game| {
            let row = player.play(&self.game, game, seeds.game(game).value(), |_| {});
            self.tallies[block.entrant].add(&row);
            row
        };
        self.schedule.range(block).map(play).collect()
    }
}

/// An agent and its opponent.
pub(super) struct Player<G: Playable> {
    entrant: usize,
    agent: Box<dyn Agent<G>>,
    opponent: Opponent<G>,
}

impl<G: Playable> Player<G> {
    pub fn new(game: &G, comparison: &Comparison, entrant: usize) -> Result<Self, InputError> {
        let opponent = match &comparison.opponent {
            Some(opponent) => Opponent::Agent(opponent.build(game)?),
            None => Opponent::Chance,
        };
        Ok(Player { entrant, agent: comparison.entrants[entrant].agent.build(game)?, opponent })
    }

    pub fn play(&mut self, game: &G, number: u64, seed: u64, observe: impl FnMut(&Turn<G>)) -> GameResult {
        let mut players = Match { game, agent: self.agent.as_mut(), opponent: &mut self.opponent };
        let played = players.play(seed, observe);
        GameResult {
            game: number,
            seed,
            score: played.score,
            max_tile: played.max_tile,
            moves: played.moves,
            won: played.won,
            nodes: played.nodes,
            seconds: played.seconds,
        }
    }
}
