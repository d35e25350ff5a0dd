//! Speed: how many moves a second, on one core or on several.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::agents::{Agent, AgentSpec};
use crate::games::twenty48::playouts::random_games;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::games::{Effort, Game, Playouts, Policy};
use crate::params::InputError;
use crate::rng::{Rng, derive, environment};

/// Something to measure.
#[derive(Debug)]
pub struct Task {
    pub name: &'static str,
    /// In JSON.
    pub key: &'static str,
    pub plies: Option<u32>,
    pub unit: &'static str,
    work: Work,
}

#[derive(Debug)]
enum Work {
    /// Random games, counted in moves.
    RandomMoves,
    RandomGames,
    /// Playouts from mid-game boards, 100 for each legal move.
    Rollouts,
    /// Games of an agent, counted in moves.
    Agent(&'static str),
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub per_second: f64,
}

const fn agent(name: &'static str, key: &'static str, plies: u32, spec: &'static str) -> Task {
    let plies = if plies == 0 { None } else { Some(plies) };
    Task { name, key, plies, unit: "moves/s", work: Work::Agent(spec) }
}

const EXPECTIMAX: &str = "expectimax_moves_per_second";
const ALPHABETA: &str = "alphabeta_moves_per_second";
const MINIMAX: &str = "minimax_moves_per_second";

/// Everything that is measured. Searches use `line-sum`.
pub const TASKS: &[Task] = &[
    Task {
        name: "random moves",
        key: "random_moves_per_second",
        plies: None,
        unit: "moves/s",
        work: Work::RandomMoves,
    },
    Task {
        name: "random games",
        key: "random_games_per_second",
        plies: None,
        unit: "games/s",
        work: Work::RandomGames,
    },
    Task {
        name: "rollouts, 100 per move",
        key: "rollouts_per_second",
        plies: None,
        unit: "rollouts/s",
        work: Work::Rollouts,
    },
    agent("expectimax, 2 plies", EXPECTIMAX, 2, "expectimax:depth=2"),
    agent("expectimax, 3 plies", EXPECTIMAX, 3, "expectimax:depth=3"),
    agent("expectimax, 4 plies", EXPECTIMAX, 4, "expectimax:depth=4"),
    agent("expectimax, 5 plies", EXPECTIMAX, 5, "expectimax:depth=5"),
    agent("expectimax, 6 plies", EXPECTIMAX, 6, "expectimax:depth=6"),
    agent("expectimax, 7 plies", EXPECTIMAX, 7, "expectimax:depth=7"),
    agent("alphabeta, 4 plies", ALPHABETA, 4, "alphabeta:depth=4"),
    agent("alphabeta, 6 plies", ALPHABETA, 6, "alphabeta:depth=6"),
    agent("minimax, 4 plies", MINIMAX, 4, "minimax:depth=4"),
    agent("minimax, 6 plies", MINIMAX, 6, "minimax:depth=6"),
    agent("mcts, 100 iterations", "mcts_moves_per_second", 0, "mcts:iterations=100"),
];

impl Task {
    /// On this many threads at once, for about this long.
    pub fn measure(&self, seconds: f64, threads: usize) -> Result<Measured, InputError> {
        let mut workers = (0..threads).map(|index| self.worker(index as u64)).collect::<Result<Vec<_>, _>>()?;
        let duration = Duration::from_secs_f64(seconds);
        let start = Barrier::new(threads);
        let run = |worker: &mut Box<dyn Worker>| {
            // Tables are made and caches warm before the clock starts.
            worker.work(Duration::ZERO);
            start.wait();
            let began = Instant::now();
            worker.work(duration) as f64 / began.elapsed().as_secs_f64()
        };
        let per_second = std::thread::scope(|scope| {
            let run = &run;
            let handles: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || run(worker))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or(0.0)).sum()
        });
        Ok(Measured { per_second })
    }

    fn worker(&self, seed: u64) -> Result<Box<dyn Worker>, InputError> {
        Ok(match self.work {
            Work::RandomMoves => Box::new(Random { seed, count_games: false }),
            Work::RandomGames => Box::new(Random { seed, count_games: true }),
            Work::Rollouts => Box::new(Rollouts { boards: boards(seed), seed }),
            Work::Agent(spec) => {
                let game = Twenty48::new(Goal::None);
                let mut rng = environment(seed);
                let board = game.start(&mut rng);
                Box::new(Games { agent: spec.parse::<AgentSpec>()?.build(&game)?, game, rng, board, score: 0 })
            }
        })
    }
}

trait Worker: Send {
    /// Works for this long, a little at least, and counts what it did.
    fn work(&mut self, duration: Duration) -> u64;
}

/// Repeats `step`, which counts what it did, until time is up.
fn until(duration: Duration, mut step: impl FnMut() -> u64) -> u64 {
    let began = Instant::now();
    let mut count = 0;
    loop {
        count += step();
        if began.elapsed() >= duration {
            return count;
        }
    }
}

struct Random {
    seed: u64,
    count_games: bool,
}

impl Worker for Random {
    fn work(&mut self, duration: Duration) -> u64 {
        until(duration, || {
            self.seed = derive(self.seed, 1);
            let totals = random_games(20_000, self.seed);
            if self.count_games { totals.games } else { totals.moves }
        })
    }
}

/// Boards from the middle of games of a decent player.
fn boards(seed: u64) -> Vec<Board> {
    let game = Twenty48::new(Goal::None);
    let mut rng = environment(seed);
    let mut board = game.start(&mut rng);
    let mut boards = Vec::new();
    for number in 0.. {
        // Down and left, with right and up where needed, fills a corner.
        let order = [3, 0, 1, 2];
        let slides = game.slides(board);
        let Some(next) = order.into_iter().map(|direction| slides[direction].0).find(|after| *after != board) else {
            board = game.start(&mut rng);
            continue;
        };
        board = game.sample(next, &mut rng);
        if number % 50 == 49 && !game.is_stuck(board) {
            boards.push(board);
        }
        if boards.len() == 16 {
            break;
        }
    }
    boards
}

struct Rollouts {
    boards: Vec<Board>,
    seed: u64,
}

impl Worker for Rollouts {
    fn work(&mut self, duration: Duration) -> u64 {
        let game = Twenty48::new(Goal::None);
        let mut turn = 0;
        until(duration, || {
            let board = self.boards[turn % self.boards.len()];
            turn += 1;
            self.seed = derive(self.seed, 1);
            let afters: Vec<Board> = game.steps(board).map(|step| step.after).collect();
            let mut count = 0;
            let batch = Playouts { afters: &afters, runs: 100, cap: None, policy: Policy::Random, seed: self.seed };
            game.playouts(batch, |_| Effort::UNLIMITED, |_| count += 1);
            count
        })
    }
}

struct Games {
    game: Twenty48,
    agent: Box<dyn Agent<Twenty48>>,
    rng: Rng,
    board: Board,
    score: u32,
}

impl Worker for Games {
    fn work(&mut self, duration: Duration) -> u64 {
        // The clock is read once in 16 moves: at a million moves a second it would be seen.
        until(duration, || (0..16).map(|_| self.play()).sum())
    }
}

impl Games {
    /// One move; a new game if there is none.
    fn play(&mut self) -> u64 {
        let decision = self.agent.decide(self.board, self.score);
        let step =
            decision.and_then(|decision| self.game.steps(self.board).find(|step| step.action == decision.choice));
        match step {
            Some(step) => {
                self.board = self.game.sample(step.after, &mut self.rng);
                self.score += step.reward;
                1
            }
            None => {
                (self.board, self.score) = (self.game.start(&mut self.rng), 0);
                0
            }
        }
    }
}
