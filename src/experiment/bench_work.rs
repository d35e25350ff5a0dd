//! Measures how long a unit of work takes, to check the cost model of [`crate::agents::work`].
//!
//! Every agent decides on the same boards under the same budgets of work. If the weights are right, a unit takes the same
//! time for all of them.

use std::time::Instant;

use super::contention::CpuTime;
use crate::agents::AgentSpec;
use crate::games::Game;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::params::InputError;
use crate::rng::environment;
use crate::stats::Interval;
use crate::stats::quantiles::median_with_range;

/// The budgets of the table.
pub const BUDGETS: [u64; 6] = [300, 1_000, 3_000, 10_000, 30_000, 100_000];

/// The agents of the table: each algorithm with heuristics of each compiled kind. `line-sum` is lines alone, `snake` has
/// tables of cells, and `malaga-1` has features that are not tables.
pub const AGENTS: &[&str] = &[
    "expectimax:heuristic=line-sum",
    "expectimax:heuristic=snake",
    "expectimax:heuristic=malaga-1",
    "minimax:heuristic=line-sum",
    "alphabeta:heuristic=line-sum",
    "alphabeta:heuristic=snake",
    "alphabeta:heuristic=malaga-1",
    "expectiminimax:heuristic=snake",
    "rollout",
    "tree-rollout",
    "tree-rollout:runs=0,moves=3,heuristic=line-sum",
    "mcts",
    "mcts:runs=0,heuristic=line-sum",
];

/// One measurement of a cell of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkTiming {
    /// Nanoseconds for each unit of work.
    pub unit_ns: f64,
    /// The mean share of the budget that decisions spent.
    pub mean_share: f64,
    /// The largest share of the budget that one decision spent.
    pub highest_share: f64,
}

/// All measurements of a cell of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkTimings(pub Vec<WorkTiming>);

impl WorkTimings {
    /// The nanoseconds of a unit.
    pub fn unit_ns(&self) -> Interval {
        median_with_range(&self.0.iter().map(|timing| timing.unit_ns).collect::<Vec<f64>>())
    }

    /// The mean share of the budget that decisions spent.
    pub fn mean_share(&self) -> f64 {
        self.0.iter().map(|timing| timing.mean_share).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The largest share of the budget that one decision spent.
    pub fn highest_share(&self) -> f64 {
        self.0.iter().map(|timing| timing.highest_share).fold(0.0, f64::max)
    }
}

/// Measures an agent under a budget for about this many seconds.
pub fn measure(agent: &str, budget: u64, seconds: f64) -> Result<WorkTiming, InputError> {
    let game = Twenty48::new(Goal::None);
    let separator = if agent.contains(':') { ',' } else { ':' };
    let mut agent = format!("{agent}{separator}work={budget}").parse::<AgentSpec>()?.build(&game)?;
    let boards = boards(&game);
    let mut decide =
        |board: &Board| agent.decide(*board, game.implied_score(*board)).map_or(0, |decision| decision.work);
    // Tables are made and caches are warm before the clock starts.
    boards.iter().for_each(|board| {
        decide(board);
    });
    let (mut work, mut decisions, mut highest) = (0, 0, 0);
    let clock = Clock::start();
    while clock.seconds() < seconds || decisions == 0 {
        for spent in boards.iter().map(&mut decide) {
            (work, decisions, highest) = (work + spent, decisions + 1, highest.max(spent));
        }
    }
    let total = (budget * decisions) as f64;
    Ok(WorkTiming {
        unit_ns: 1e9 * clock.seconds() / work.max(1) as f64,
        mean_share: work as f64 / total,
        highest_share: highest as f64 / budget as f64,
    })
}

/// Measures the processor time of this thread where the system reports it, so that other programs do not count, and
/// wall-clock time elsewhere.
struct Clock {
    began: Instant,
    ran: Option<CpuTime>,
}

impl Clock {
    fn start() -> Self {
        Clock { began: Instant::now(), ran: CpuTime::of_this_thread() }
    }

    fn seconds(&self) -> f64 {
        match (CpuTime::of_this_thread(), self.ran) {
            (Some(now), Some(start)) => now.since(start).ran as f64 / 1e9,
            _ => self.began.elapsed().as_secs_f64(),
        }
    }
}

/// Boards from the middle of games: every 40th position of greedy games.
fn boards(game: &Twenty48) -> Vec<Board> {
    let Ok(mut agent) = "greedy".parse::<AgentSpec>().and_then(|spec| spec.build(game)) else { return vec![] };
    let mut rng = environment(7);
    let (mut board, mut boards) = (game.start(&mut rng), Vec::new());
    for number in 1.. {
        let chosen = agent.decide(board, 0).map(|decision| decision.choice);
        let step = game.steps(board).find(|step| Some(step.action) == chosen);
        board = match step {
            Some(step) => game.sample(step.after, &mut rng),
            None => game.start(&mut rng),
        };
        if number % 40 == 0 && !game.is_stuck(board) {
            boards.push(board);
        }
        if boards.len() == 24 {
            break;
        }
    }
    boards
}
