//! What all parts of a tuning run work with.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::measurements::MeasurementLog;
use super::outcome::{Outcome, estimate, evaluation};
use super::runner::{GameBatch, GameRunner};
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::optimize::{Candidate, Evaluation, NoisyObjective};
use crate::params::InputError;
use crate::rng::{Seeds, Stage, Training};
use crate::spec::Tuning;
use crate::spec::tune::with_heuristic;
use crate::stats::Interval;

/// The experiment, the threads and the measurements.
pub(super) struct TuningContext {
    pub tuning: Tuning,
    pub folder: PathBuf,
    pub runner: GameRunner,
    measurements: Mutex<MeasurementLog>,
}

impl TuningContext {
    pub fn new(tuning: Tuning, folder: PathBuf, runner: GameRunner, measurements: MeasurementLog) -> Self {
        TuningContext { tuning, folder, runner, measurements: Mutex::new(measurements) }
    }

    /// The agent with its heuristic at this point.
    pub fn player(&self, agent: &AgentSpec, point: &[f64]) -> Result<AgentSpec, InputError> {
        with_heuristic(agent, &self.tuning.heuristic_at(point)?)
    }

    /// The outcomes of the first games of a stage for each player.
    pub fn measure<S: Stage>(&self, players: &[AgentSpec], games: u64) -> Result<Vec<Vec<Outcome>>, Error> {
        let mut measurements = self.measurements.lock().unwrap_or_else(PoisonError::into_inner);
        measurements.measure(&self.runner, Seeds::<S>::new(self.tuning.seed), players, games)
    }

    /// The objective at each point, on the first games of a stage.
    pub fn estimates<S: Stage>(
        &self,
        agent: &AgentSpec,
        points: &[Vec<f64>],
        games: u64,
    ) -> Result<Vec<Interval>, Error> {
        let players: Vec<AgentSpec> = points.iter().map(|point| self.player(agent, point)).collect::<Result<_, _>>()?;
        let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
        let outcomes = self.measure::<S>(&players, games)?;
        Ok(outcomes.iter().map(|outcomes| estimate(self.tuning.objective, outcomes).unwrap_or(unknown)).collect())
    }
}

/// What an optimizer may look at: training games, and no others.
pub(super) struct Trainer<'a> {
    pub context: &'a TuningContext,
    pub agent: &'a AgentSpec,
    pub seeds: Seeds<Training>,
    /// How many games it has played.
    pub trained: &'a AtomicU64,
}

impl NoisyObjective for Trainer<'_> {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let games_of = |candidate: &Candidate| {
            Ok(GameBatch { agent: self.context.player(self.agent, &candidate.point)?, games: candidate.game_indices() })
        };
        let batches: Vec<GameBatch> = batch.iter().map(games_of).collect::<Result<_, InputError>>()?;
        let played = self.context.runner.play(self.seeds, &batches)?;
        self.trained.fetch_add(batch.iter().map(|candidate| candidate.games).sum(), Ordering::Relaxed);
        let evaluate = |outcomes: &Vec<Outcome>| {
            evaluation(self.context.tuning.objective, outcomes)
                .ok_or_else(|| anyhow::anyhow!("a candidate without games"))
        };
        played.iter().map(evaluate).collect()
    }
}
