//! All workers of a leader. Any number of threads can ask for games at once.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::dispatch::Dispatch;
pub use super::dispatch::Urgency;
use super::message::{Answer, Hello, Numbers, Request, game, line, player_lines};
use super::player::PlayerText;
use super::process::{Heard, WorkerProcess, end_all};
use crate::play::GameResult;

/// How often to look for workers that hang.
const TICK: Duration = Duration::from_millis(50);
/// If no worker has greeted by then, the user is told.
const SILENCE: Duration = Duration::from_secs(20);
/// Characters of a wrong line that a message shows.
const SHOWN: usize = 60;

/// Games of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The player's place among the players of the call.
    pub player: usize,
    /// At most [`MOST_GAMES`](super::MOST_GAMES).
    pub seeds: Vec<u64>,
}

/// Why workers cannot play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// None of the workers could be used from the start.
    #[error("{0}")]
    Refused(String),
    /// All workers have ended.
    #[error("{0}")]
    Gone(String),
    /// A worker cannot play what it was asked for.
    #[error("{0}")]
    Failed(String),
}

/// The games of a chunk.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedChunk {
    /// Its place among the chunks of the call.
    pub place: usize,
    /// In the order of its seeds.
    pub games: Vec<GameResult>,
    /// Indices of the games that had two tiles of 32768, which cannot merge. Only a network's games are checked.
    pub met_limit: Vec<usize>,
}

/// The games of a chunk, or why there are none.
pub type ChunkResult = Result<PlayedChunk, PoolError>;

/// Some games that a thread waits for.
struct Call {
    id: u64,
    players: Vec<PlayerText>,
    chunks: Vec<Chunk>,
    urgency: Urgency,
    results: Sender<ChunkResult>,
}

enum Event {
    Worker(usize, Heard),
    Call(Call),
    Withdraw(u64),
    End,
}

/// The workers of a leader.
pub struct WorkerPool {
    events: Sender<Event>,
    threads: Arc<AtomicUsize>,
    calls: AtomicU64,
    leader: Option<JoinHandle<()>>,
}

/// A call in progress. Dropping it withdraws the call.
pub struct RunningCall<'a> {
    pool: &'a WorkerPool,
    id: u64,
    /// The chunks as they are finished, in any order.
    pub results: Receiver<ChunkResult>,
}

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        drop(self.pool.events.send(Event::Withdraw(self.id)));
    }
}

impl WorkerPool {
    /// Starts a worker for each command. `say` gets messages for the user.
    pub fn start(commands: &[String], say: impl Fn(&str) + Send + 'static) -> std::io::Result<Self> {
        let (events, received) = channel();
        let threads = Arc::new(AtomicUsize::new(commands.len().max(1)));
        let mut workers = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            let sender = events.clone();
            let process = WorkerProcess::start(command, move |heard| drop(sender.send(Event::Worker(number, heard))))?;
            workers.push(process);
        }
        let states = commands.iter().map(|command| Worker::new(command)).collect();
        let mut leader = Leader {
            hello: Hello::of_this_process(1),
            workers: states,
            processes: workers,
            dispatch: Dispatch::default(),
            calls: HashMap::new(),
            next_player: 0,
            threads: threads.clone(),
            silent_since: Some(Instant::now()),
            say: Box::new(say),
        };
        let thread = std::thread::Builder::new().spawn(move || leader.run(received))?;
        Ok(WorkerPool { events, threads, calls: AtomicU64::new(0), leader: Some(thread) })
    }

    /// The threads of all workers that have sent their greeting; before the first greeting, the number of workers.
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Asks for games.
    pub fn call(&self, players: Vec<PlayerText>, chunks: Vec<Chunk>, urgency: Urgency) -> RunningCall<'_> {
        let id = self.calls.fetch_add(1, Ordering::Relaxed);
        let (sender, results) = channel();
        drop(self.events.send(Event::Call(Call { id, players, chunks, urgency, results: sender })));
        RunningCall { pool: self, id, results }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        drop(self.events.send(Event::End));
        if let Some(leader) = self.leader.take() {
            drop(leader.join());
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing has been heard yet.
    Starting,
    Playing,
    /// Ended or refused.
    Gone,
}

struct Worker {
    command: String,
    /// Its host, from its greeting.
    host: String,
    state: State,
    /// The players that were described to it.
    knows: BTreeSet<u64>,
    /// Whether it has been used.
    was_accepted: bool,
    /// Why it is not used.
    reason: String,
}

impl Worker {
    fn new(command: &str) -> Self {
        let (command, host, reason) = (command.to_string(), String::new(), String::new());
        Worker { command, host, state: State::Starting, knows: BTreeSet::new(), was_accepted: false, reason }
    }
}

/// A call while it is being played.
struct OpenCall {
    call: Call,
    /// The number of its first player among all players that were described to workers.
    first_player: u64,
    left: usize,
}

/// The thread that assigns games to workers. It never waits for a worker.
struct Leader {
    hello: Hello,
    workers: Vec<Worker>,
    processes: Vec<WorkerProcess>,
    dispatch: Dispatch,
    calls: HashMap<u64, OpenCall>,
    next_player: u64,
    threads: Arc<AtomicUsize>,
    /// When the workers were started; `None` if one has answered, or if the user has been told that none has.
    silent_since: Option<Instant>,
    say: Box<dyn Fn(&str) + Send>,
}

impl Leader {
    fn run(&mut self, events: Receiver<Event>) {
        loop {
            match events.recv_timeout(TICK) {
                Ok(Event::Worker(worker, Heard::Line(text))) => self.hear(worker, &text),
                Ok(Event::Worker(worker, Heard::Ended(how))) => self.lose(worker, &how),
                Ok(Event::Call(call)) => self.begin(call),
                Ok(Event::Withdraw(call)) => self.end_call(call),
                Ok(Event::End) | Err(RecvTimeoutError::Disconnected) => return end_all(&mut self.processes),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.warn_of_silence();
            self.hand_out();
        }
    }

    fn warn_of_silence(&mut self) {
        let is_silent = self.workers.iter().all(|worker| worker.state == State::Starting);
        if is_silent && self.silent_since.is_some_and(|since| since.elapsed() < SILENCE) {
            return;
        }
        if self.silent_since.take().is_some() && is_silent {
            let command = self.workers.first().map_or("", |worker| worker.command.as_str());
            let why = "it may wait for a password, a host or free processors";
            (self.say)(&format!("no worker has answered for {} s; `{command}`: {why}", SILENCE.as_secs()));
        }
    }

    fn name(&self, worker: usize) -> String {
        match self.workers.get(worker) {
            Some(Worker { host, .. }) if !host.is_empty() => format!("worker {worker} on {host}"),
            Some(Worker { command, .. }) => format!("worker {worker} (`{command}`)"),
            None => format!("worker {worker}"),
        }
    }

    fn hear(&mut self, worker: usize, text: &str) {
        let Some(state) = self.workers.get(worker).map(|worker| worker.state) else { return };
        match (state, serde_json::from_str(text)) {
            (State::Gone, _) => {}
            (State::Starting, Ok(Answer::Hello(hello))) => self.greet(worker, hello),
            (State::Playing, Ok(Answer::Played { id, games, met_limit })) => self.take(worker, id, games, met_limit),
            (State::Playing, Ok(Answer::Failed { id, why })) => {
                let error = PoolError::Failed(format!("{}: {why}", self.name(worker)));
                if let Some((call, _)) = self.dispatch.answered(worker, id, Instant::now()) {
                    self.fail(call, error);
                }
            }
            (_, _) => {
                let shown: String = text.chars().take(SHOWN).collect();
                let advice = match state {
                    State::Starting => {
                        "instead of its greeting: the command must print nothing but what the worker says"
                    }
                    _ => "which is not an answer",
                };
                self.refuse(worker, &format!("said `{shown}` {advice}"));
            }
        }
    }

    fn greet(&mut self, worker: usize, hello: Hello) {
        if let Some(state) = self.workers.get_mut(worker) {
            state.host.clone_from(&hello.host);
        }
        if let Some(objection) = self.hello.objection(&hello) {
            return self.refuse(worker, &objection);
        }
        if let Some(state) = self.workers.get_mut(worker) {
            (state.state, state.was_accepted) = (State::Playing, true);
        }
        self.dispatch.add_worker(worker, hello.threads);
        self.threads.store(self.dispatch.threads(), Ordering::Relaxed);
    }

    /// Stops using a worker. It ends when its input is closed.
    fn refuse(&mut self, worker: usize, why: &str) {
        if let Some(process) = self.processes.get_mut(worker) {
            process.close();
        }
        self.lose(worker, why);
    }

    /// Handles the end of a worker: its games go to others.
    fn lose(&mut self, worker: usize, how: &str) {
        let reason = format!("{} {how}", self.name(worker));
        let Some(state) = self.workers.get_mut(worker).filter(|worker| worker.state != State::Gone) else { return };
        let had_begun = state.state == State::Playing;
        (state.state, state.reason) = (State::Gone, reason.clone());
        let lost = self.dispatch.remove_worker(worker);
        let moved = if lost > 0 { "; others play its games" } else { "" };
        let is_last = self.workers.iter().all(|worker| worker.state == State::Gone);
        if had_begun || !is_last {
            (self.say)(&format!("{reason}{moved}"));
        }
        self.threads.store(self.dispatch.threads().max(1), Ordering::Relaxed);
        if is_last {
            let open: Vec<u64> = self.calls.keys().copied().collect();
            open.into_iter().for_each(|call| self.fail(call, self.all_gone()));
        }
    }

    /// The error if no worker is left.
    fn all_gone(&self) -> PoolError {
        if !self.workers.iter().any(|worker| worker.was_accepted) {
            let reasons: Vec<&str> = self.workers.iter().map(|worker| worker.reason.as_str()).collect();
            let shown = reasons.iter().take(3).copied().collect::<Vec<_>>().join("; ");
            return PoolError::Refused(format!("no worker can be used: {shown}"));
        }
        let last = self.workers.iter().map(|worker| worker.reason.as_str()).next_back().unwrap_or_default();
        PoolError::Gone(format!("all workers have ended ({last}); run the same command again to continue"))
    }

    fn begin(&mut self, call: Call) {
        let first_player = self.next_player;
        self.next_player += call.players.len() as u64;
        if self.workers.iter().all(|worker| worker.state == State::Gone) {
            return drop(call.results.send(Err(self.all_gone())));
        }
        self.dispatch.add_call(call.id, call.chunks.len(), call.urgency);
        let left = call.chunks.len();
        self.calls.insert(call.id, OpenCall { call, first_player, left });
    }

    fn fail(&mut self, call: u64, error: PoolError) {
        if let Some(open) = self.calls.get(&call) {
            drop(open.call.results.send(Err(error)));
        }
        self.end_call(call);
    }

    /// Removes a call and its players.
    fn end_call(&mut self, call: u64) {
        self.dispatch.withdraw(call);
        let Some(open) = self.calls.remove(&call) else { return };
        let players = open.first_player..open.first_player + open.call.players.len() as u64;
        for (worker, process) in self.workers.iter_mut().zip(&self.processes) {
            let known: Vec<u64> = worker.knows.range(players.clone()).copied().collect();
            let lines: String = known.iter().map(|player| line(&Request::Forget { player: *player })).collect();
            if worker.state == State::Playing && !lines.is_empty() {
                process.write(lines);
                worker.knows.retain(|player| !players.contains(player));
            }
        }
    }

    fn hand_out(&mut self) {
        while let Some((worker, id, call, chunk)) = self.dispatch.next(Instant::now()) {
            let Some(open) = self.calls.get(&call) else { continue };
            let Some(Chunk { player, seeds }) = open.call.chunks.get(chunk) else { continue };
            let number = open.first_player + *player as u64;
            let (Some(state), Some(text)) = (self.workers.get_mut(worker), open.call.players.get(*player)) else {
                continue;
            };
            let mut lines = String::new();
            if state.knows.insert(number) {
                lines = player_lines(number, &line(text));
            }
            lines += &line(&Request::Play { id, player: number, seeds: seeds.clone() });
            self.processes[worker].write(lines);
        }
    }

    /// Sends the games of an answer to the caller.
    fn take(&mut self, worker: usize, id: u64, games: Vec<Numbers>, met_limit: Vec<usize>) {
        let Some((call, place)) = self.dispatch.answered(worker, id, Instant::now()) else { return };
        let name = self.name(worker);
        let Some(open) = self.calls.get_mut(&call) else { return };
        let Some(Chunk { seeds, .. }) = open.call.chunks.get(place) else { return };
        if games.len() != seeds.len() {
            let why = format!("{name} sent {} games instead of {}", games.len(), seeds.len());
            return self.fail(call, PoolError::Failed(why));
        }
        let games = seeds.iter().zip(games).map(|(seed, numbers)| game(*seed, numbers)).collect();
        drop(open.call.results.send(Ok(PlayedChunk { place, games, met_limit })));
        open.left -= 1;
        if open.left == 0 {
            self.end_call(call);
        }
    }
}
