//! What all parts of a tuning run work with.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::arena::{Arena, Lot};
use super::notebook::Notebook;
use super::outcome::{Outcome, estimate, evaluation};
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::optimize::{Candidate, Evaluation, Objective};
use crate::params::Problem;
use crate::rng::{Seeds, Stage, Training};
use crate::spec::Tuning;
use crate::spec::tune::with_heuristic;
use crate::stats::Interval;

/// The experiment, the threads and the notebook.
pub(super) struct Lab {
    pub tuning: Tuning,
    pub folder: PathBuf,
    pub arena: Arena,
    notebook: Mutex<Notebook>,
}

impl Lab {
    pub fn new(tuning: Tuning, folder: PathBuf, arena: Arena, notebook: Notebook) -> Self {
        Lab { tuning, folder, arena, notebook: Mutex::new(notebook) }
    }

    /// The agent with its heuristic at this point.
    pub fn player(&self, agent: &AgentSpec, point: &[f64]) -> Result<AgentSpec, Problem> {
        with_heuristic(agent, &self.tuning.heuristic_at(point)?)
    }

    /// The outcomes of the first games of a stage for each player.
    pub fn measure<S: Stage>(&self, players: &[AgentSpec], games: u64) -> Result<Vec<Vec<Outcome>>, Error> {
        let mut notebook = self.notebook.lock().unwrap_or_else(PoisonError::into_inner);
        notebook.measure(&self.arena, Seeds::<S>::new(self.tuning.seed), players, games)
    }

    /// The aim at each point, on the first games of a stage.
    pub fn estimates<S: Stage>(
        &self,
        agent: &AgentSpec,
        points: &[Vec<f64>],
        games: u64,
    ) -> Result<Vec<Interval>, Error> {
        let players: Vec<AgentSpec> = points.iter().map(|point| self.player(agent, point)).collect::<Result<_, _>>()?;
        let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
        let outcomes = self.measure::<S>(&players, games)?;
        Ok(outcomes.iter().map(|outcomes| estimate(self.tuning.aim, outcomes).unwrap_or(unknown)).collect())
    }
}

/// What an optimizer may look at: training games, and no others.
pub(super) struct Trainer<'a> {
    pub lab: &'a Lab,
    pub agent: &'a AgentSpec,
    pub seeds: Seeds<Training>,
    /// How many games it has played.
    pub trained: &'a AtomicU64,
}

impl Objective for Trainer<'_> {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let lot = |candidate: &Candidate| {
            Ok(Lot { agent: self.lab.player(self.agent, &candidate.point)?, games: candidate.game_indices() })
        };
        let lots: Vec<Lot> = batch.iter().map(lot).collect::<Result<_, Problem>>()?;
        let played = self.lab.arena.play(self.seeds, &lots)?;
        self.trained.fetch_add(batch.iter().map(|candidate| candidate.games).sum(), Ordering::Relaxed);
        let evaluate = |outcomes: &Vec<Outcome>| {
            evaluation(self.lab.tuning.aim, outcomes).ok_or_else(|| anyhow::anyhow!("a candidate without games"))
        };
        played.iter().map(evaluate).collect()
    }
}
