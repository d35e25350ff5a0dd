//! Reports progress in two places: as bars on the terminal, and in `live.json` for the dashboard.

use std::path::Path;

use super::progress::ProgressBars;
use crate::experiment::Progress;
use crate::learn::Budget;
use crate::optimize::{Candidate, Dimension, Evaluation, Scale};
use crate::play::GameResult;
use crate::report::live::{LiveAgent, LiveFile, estimate};
use crate::spec::{Learning, Tuning};
use crate::stats::{Interval, Moments};

/// Progress bars, and the live state of the same run.
pub struct LiveProgress {
    bars: ProgressBars,
    live: LiveFile,
}

impl LiveProgress {
    /// For a comparison of agents with these labels, which writes into `folder`.
    pub fn of_comparison(labels: &[String], games: u64, folder: &Path, quiet: bool) -> Self {
        let live = LiveFile::start(folder);
        let agent = |label: &String| LiveAgent { agent: label.clone(), ..LiveAgent::default() };
        live.update(|state| state.agents = labels.iter().map(agent).collect());
        LiveProgress { bars: ProgressBars::new(labels, games, quiet), live }
    }

    /// For a tuning run, which writes into `folder`.
    pub fn of_tuning(tuning: &Tuning, folder: &Path, quiet: bool) -> Self {
        let live = LiveFile::start(folder);
        live.update(|state| {
            state.objective = tuning.label();
            state.parameters = tuning.parameter_names();
            let range = |d: &Dimension| (d.low, d.high, d.scale == Scale::Log);
            state.ranges = tuning.space.dimensions().iter().map(range).collect();
        });
        LiveProgress { bars: ProgressBars::new(&[], 0, quiet), live }
    }

    /// For a training, which writes into `folder`.
    pub fn of_training(learning: &Learning, folder: &Path, quiet: bool) -> Self {
        let (live, budget) = (LiveFile::start(folder), learning.settings.budget);
        live.update(|state| {
            state.objective = "Mean score".to_string();
            state.expected = if let Budget::Games(games) = budget { games } else { 0 };
        });
        LiveProgress { bars: ProgressBars::of_training(budget, quiet), live }
    }

    /// Removes the bars from the screen. If the run has ended normally, `live.json` is removed too. Otherwise the file
    /// stays and says how far the run came.
    pub fn finish(&self, is_done: bool) {
        self.bars.clear();
        self.live.close(!is_done);
    }
}

impl Progress for LiveProgress {
    fn expect(&self, games: u64) {
        self.bars.expect(games);
        self.live.update(|state| state.expected = games);
    }

    fn played(&self, player: usize, game: &GameResult) {
        self.bars.played(player, game);
        self.live.update(|state| {
            state.done += 1;
            if let Some(agent) = state.agents.get_mut(player) {
                agent.add(game.score, game.won);
            }
        });
    }

    fn resumed(&self, player: usize, games: &[GameResult]) {
        self.bars.resumed(player, games);
        self.live.update(|state| {
            (state.done, state.replayed) = (state.done + games.len() as u64, state.replayed + games.len() as u64);
            if let Some(agent) = state.agents.get_mut(player) {
                games.iter().for_each(|game| agent.add(game.score, game.won));
            }
        });
    }

    fn evaluated(&self, search: &str, batch: &[Candidate], evaluations: &[Evaluation]) {
        self.live.update(|state| {
            let search = state.search(search);
            for (candidate, evaluation) in batch.iter().zip(evaluations) {
                search.add_evaluation(candidate.first_game, evaluation.mean);
            }
            search.spread = spread(batch);
        });
    }

    fn moved(&self, search: &str, point: &[f64]) {
        self.live.update(|state| state.search(search).point = point.to_vec());
    }

    fn validated(&self, search: &str, training_games: u64, value: &Interval) {
        self.live.update(|state| state.search(search).validation.push((training_games, estimate(*value))));
    }

    fn trained(&self, games: u64, moves: u64, mean_score: f64) {
        self.bars.trained(games, moves, mean_score);
        self.live.update(|state| state.done = games);
    }

    fn say(&self, line: &str) {
        self.bars.say(line);
    }
}

/// The standard deviation of candidates along each parameter.
fn spread(batch: &[Candidate]) -> Vec<f64> {
    let along = |parameter: usize| {
        let values: Vec<f64> = batch.iter().filter_map(|candidate| candidate.point.get(parameter).copied()).collect();
        Moments::of(&values).sd().unwrap_or(0.0)
    };
    (0..batch.first().map_or(0, |candidate| candidate.point.len())).map(along).collect()
}
