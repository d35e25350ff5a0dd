//! Estimates how long a tuning run takes on a number of cores, from a few games and from what its optimizers ask for.

use std::sync::Mutex;
use std::time::Duration;

use super::context::Player;
use super::search_run::SearchJob;
use super::{expected_games, jobs};
use crate::cluster::capacity::Generation;
use crate::experiment::error::Error;
use crate::experiment::runner::Players;
use crate::experiment::trial;
use crate::games::twenty48::Twenty48;
use crate::optimize::{Candidate, Evaluation, NoisyObjective};
use crate::params::InputError;
use crate::rng::{Seeds, Training, scramble};
use crate::spec::Tuning;
use crate::spec::tune::Plan;

/// How long to play with the start of each search.
const TRIAL: Duration = Duration::from_secs(1);

/// The games that a tuning run needs, and how they depend on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningPlan {
    /// Searches that can run side by side.
    pub searches: usize,
    /// The number of generations of a search. It waits for the games of each.
    pub generations: f64,
    /// The games of one generation of all searches together.
    pub generation: Generation,
    /// Games besides training. They do not wait for each other.
    pub other_games: u64,
}

impl TuningPlan {
    /// The time of the whole run on this many cores.
    pub fn seconds(&self, cores: u64) -> f64 {
        let other = self.other_games as f64 * self.generation.seconds_per_game / cores.max(1) as f64;
        self.generations * self.generation.seconds(cores) + other
    }
}

/// Plays a few games of the start on one thread, and runs each optimizer without games to count what it asks for.
pub fn plan(tuning: &Tuning) -> Result<TuningPlan, Error> {
    if matches!(tuning.plan, Plan::Front(_)) {
        return Err(InputError::at("objectives", "--plan works for searches with one objective only").into());
    }
    let jobs = jobs(tuning);
    let (mut games, mut generations, mut seconds) = (0, 0, Vec::new());
    for job in &jobs {
        let asked = Requests { scenarios: tuning.scenario_count(), ..Requests::default() };
        tuning.search(&job.method, job.seed).run(&asked, Vec::new())?;
        let (calls, of_job) = asked.total();
        (games, generations) = (games + of_job, generations + calls);
        // Searches with the same agent play games of the same length.
        if seconds.is_empty() || job.agent.to_string() != jobs[0].agent.to_string() {
            seconds.push(seconds_per_game(tuning, job)?);
        }
    }
    let searches = jobs.len().max(1);
    let generations = generations as f64 / searches as f64;
    let seconds_per_game = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
    let generation = Generation { games: games as f64 / generations.max(1.0), seconds_per_game };
    let other_games = expected_games(tuning, &jobs).saturating_sub(games);
    Ok(TuningPlan { searches, generations, generation, other_games })
}

/// The mean time of a game over the scenarios, which get equally many games.
fn seconds_per_game(tuning: &Tuning, job: &SearchJob) -> Result<f64, Error> {
    let game = Twenty48::new(tuning.game.goal());
    let agents = tuning.agents(&job.agent, &tuning.scenarios)?;
    let (seeds, mut means) = (Seeds::<Training>::new(job.seed), Vec::new());
    for agent in &agents {
        let player = Player { agent: agent.clone(), heuristic: tuning.heuristic.clone() };
        let mut players = Players::against_chance(player.factory(&game)?()?);
        let play = |number: u64| players.play(&game, seeds.game(number).value());
        means.push(trial::seconds_per_game(TRIAL, u64::MAX, play).0);
    }
    Ok(means.iter().sum::<f64>() / means.len().max(1) as f64)
}

/// An objective that returns noise, and counts the evaluations and games that are asked for.
#[derive(Default)]
struct Requests {
    /// Calls and games.
    total: Mutex<(u64, u64)>,
    scenarios: u64,
}

impl Requests {
    fn total(&self) -> (u64, u64) {
        *self.total.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl NoisyObjective for Requests {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let mut total = self.total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *total = (total.0 + 1, total.1 + batch.iter().map(|candidate| candidate.games).sum::<u64>());
        let noise = |candidate: &Candidate| (scramble(candidate.first_game) % 1000) as f64;
        let of = |candidate: &Candidate| Evaluation {
            mean: noise(candidate),
            standard_error: Some(100.0),
            games: candidate.games,
        };
        Ok(batch.iter().map(of).collect())
    }

    fn multiple(&self) -> u64 {
        self.scenarios
    }
}
