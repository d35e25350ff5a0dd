//! Measures speed: how many moves a second, on one core or on several.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::contention::CpuTime;
use crate::agents::{Agent, AgentSpec};
use crate::games::twenty48::playouts::random_games;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::games::{Effort, Game, Playouts, Policy};
use crate::params::InputError;
use crate::rng::{Rng, derive, environment};
use crate::stats::Interval;
use crate::stats::quantiles::median_with_range;

/// Something to measure.
#[derive(Debug)]
pub struct Task {
    /// Its name in the printed table.
    pub name: &'static str,
    /// The key of the result in JSON.
    pub key: &'static str,
    /// The depth of the search, for agents that have one.
    pub plies: Option<u32>,
    /// What is counted for each second.
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

/// The speeds of all repeats of a measurement.
#[derive(Clone, Debug)]
pub struct Measured {
    /// For each repeat, in units a second.
    pub speeds: Vec<f64>,
    /// The processor time of all threads, where the system reports it.
    pub cpu: Option<CpuTime>,
}

/// Repeats that differ by more than this share of their median are called unsteady.
const UNSTEADY: f64 = 0.2;

impl Measured {
    /// The median over the repeats, with its interval.
    pub fn speed(&self) -> Interval {
        median_with_range(&self.speeds)
    }

    /// The spread of the repeats as a share of their median, if it is large.
    pub fn unsteady(&self) -> Option<f64> {
        let speed = self.speed();
        let spread = (speed.high - speed.low) / speed.estimate;
        (spread > UNSTEADY).then_some(spread)
    }
}

const fn agent(name: &'static str, key: &'static str, plies: u32, spec: &'static str) -> Task {
    let plies = if plies == 0 { None } else { Some(plies) };
    Task { name, key, plies, unit: "moves/s", work: Work::Agent(spec) }
}

const EXPECTIMAX: &str = "expectimax_moves_per_second";
const ALPHABETA: &str = "alphabeta_moves_per_second";
const MINIMAX: &str = "minimax_moves_per_second";

/// Everything that is measured. Searches use the heuristic `line-sum`.
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
    /// Measures `repeats` times for about `seconds` each, on this many threads at once.
    pub fn measure(&self, seconds: f64, threads: usize, repeats: usize) -> Result<Measured, InputError> {
        let mut workers = (0..threads).map(|index| self.worker(index as u64)).collect::<Result<Vec<_>, _>>()?;
        // Makes tables and fills caches before the clock starts.
        for worker in &mut workers {
            worker.work(Duration::ZERO);
        }
        let mut measured = Measured { speeds: Vec::new(), cpu: None };
        for _ in 0..repeats {
            let threads = run_once(&mut workers, Duration::from_secs_f64(seconds));
            measured.speeds.push(threads.iter().map(|(speed, _)| speed).sum());
            let used = threads.into_iter().filter_map(|(_, cpu)| cpu).reduce(CpuTime::plus);
            measured.cpu = [measured.cpu, used].into_iter().flatten().reduce(CpuTime::plus);
        }
        Ok(measured)
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

/// Runs every worker on its own thread. All start together. Returns the speed and the processor time of each.
fn run_once(workers: &mut [Box<dyn Worker>], duration: Duration) -> Vec<(f64, Option<CpuTime>)> {
    let start = Barrier::new(workers.len());
    let run = |worker: &mut Box<dyn Worker>| {
        start.wait();
        let (before, began) = (CpuTime::of_this_thread(), Instant::now());
        let speed = worker.work(duration) as f64 / began.elapsed().as_secs_f64();
        let used = CpuTime::of_this_thread().zip(before).map(|(after, before)| after.since(before));
        (speed, used)
    };
    std::thread::scope(|scope| {
        let run = &run;
        let handles: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(move || run(worker))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap_or((0.0, None))).collect()
    })
}

trait Worker: Send {
    /// Works for about this long, at least one step. Returns how many units were done.
    fn work(&mut self, duration: Duration) -> u64;
}

/// Repeats `step` until the time is over. Returns the sum of what the steps returned.
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

/// Boards from the middle of games in which the tiles are kept in a corner.
fn boards(seed: u64) -> Vec<Board> {
    let game = Twenty48::new(Goal::None);
    let mut rng = environment(seed);
    let mut board = game.start(&mut rng);
    let mut boards = Vec::new();
    for number in 0.. {
        // Down or left if possible, else right or up: this fills a corner.
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
        // Reading the clock takes time at a million moves a second, so it is read once in 16 moves.
        until(duration, || (0..16).map(|_| self.play()).sum())
    }
}

impl Games {
    /// Plays one move, or starts a new game if no move is left. Returns the number of moves.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(speeds: &[f64]) -> Measured {
        Measured { speeds: speeds.to_vec(), cpu: None }
    }

    #[test]
    fn the_speed_is_the_median_and_not_the_best() {
        let speed = measured(&[90.0, 100.0, 101.0, 99.0, 180.0, 98.0, 102.0]).speed();
        assert_eq!((speed.estimate, speed.low, speed.high), (100.0, 90.0, 180.0));
        let few = measured(&[90.0, 100.0, 104.0]).speed();
        assert_eq!((few.estimate, few.low, few.high), (100.0, 90.0, 104.0));
    }

    #[test]
    fn unsteady_repeats_are_noticed() {
        assert_eq!(measured(&[99.0, 100.0, 101.0]).unsteady(), None);
        assert!(measured(&[60.0, 100.0, 101.0]).unsteady().unwrap() > 0.4);
    }

    #[test]
    fn every_repeat_is_measured() {
        let found = TASKS[3].measure(0.001, 2, 3).unwrap();
        assert_eq!(found.speeds.len(), 3);
        assert!(found.speeds.iter().all(|speed| *speed > 0.0));
    }
}
