//! The optimization problem for argmin's solvers: it maps points of the unit cube to costs.
//!
//! It also checks the budget and logs every evaluation.

use std::borrow::Borrow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use argmin::core::{CostFunction, Error as ArgminError, SyncAlias};

use super::objective::{Candidate, Evaluation, NoisyObjective};
use super::space::Space;

/// One evaluated candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The solver's iteration, from 1; 0 for evaluations before the first iteration.
    pub generation: u64,
    /// The candidate that was evaluated.
    pub candidate: Candidate,
    /// The result.
    pub evaluation: Evaluation,
}

/// There are not enough games left for the next batch. This ends a search. It is an error only for the first batch.
#[derive(Debug, thiserror::Error)]
#[error("a budget of {} games is too small: the first generation takes {needed}{}", budget + reserved, race_note(*reserved))]
pub(super) struct BudgetSpent {
    pub budget: u64,
    pub needed: u64,
    pub reserved: u64,
}

fn race_note(reserved: u64) -> String {
    if reserved == 0 { String::new() } else { format!(", and {reserved} are kept for a race between finalists") }
}

/// The objective as an argmin problem, with a budget and a log of all evaluations.
pub struct SearchProblem<'a> {
    space: &'a Space,
    objective: &'a dyn NoisyObjective,
    /// Games per evaluation.
    games: u64,
    budget: Budget,
    progress: Mutex<Progress>,
}

/// How many games the search may play, and how many are reserved for the race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub search: u64,
    pub race: u64,
}

/// Everything that changes during a search.
struct Progress {
    log: Vec<Trial>,
    generation: u64,
    next_game: u64,
}

impl<'a> SearchProblem<'a> {
    /// A problem with this number of games per evaluation. A solver can ask for a multiple of it.
    pub(super) fn new(space: &'a Space, objective: &'a dyn NoisyObjective, games: u64, budget: Budget) -> Self {
        let progress = Progress { log: Vec::new(), generation: 0, next_game: 0 };
        SearchProblem { space, objective, games, budget, progress: Mutex::new(progress) }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin_generation(&self, generation: u64) {
        self.progress().generation = generation;
    }

    /// The number of games played.
    pub fn spent(&self) -> u64 {
        self.progress().next_game
    }

    /// Evaluates points of the unit cube as one batch. Points outside the cube are reflected into it.
    pub fn evaluate<P: Borrow<Vec<f64>>>(&self, points: &[P]) -> Result<Vec<Evaluation>, ArgminError> {
        self.evaluate_times(points, 1)
    }

    /// As [`SearchProblem::evaluate`], with `times` times the usual number of games for each point.
    pub fn evaluate_times<P: Borrow<Vec<f64>>>(
        &self,
        points: &[P],
        times: u64,
    ) -> Result<Vec<Evaluation>, ArgminError> {
        let mut progress = self.progress();
        let games = self.games.saturating_mul(times);
        let needed = games.saturating_mul(points.len() as u64);
        let Budget { search: budget, race: reserved } = self.budget;
        if needed > budget.saturating_sub(progress.next_game) {
            return Err(BudgetSpent { budget, needed, reserved }.into());
        }
        let batch: Vec<Candidate> = (0..)
            .zip(points)
            .map(|(index, point)| Candidate {
                point: self.space.to_user(point.borrow()),
                first_game: progress.next_game + index * games,
                games,
            })
            .collect();
        let evaluations = evaluate(&batch, self.objective)?;
        let generation = progress.generation;
        let trials = batch.into_iter().zip(&evaluations);
        progress.log.extend(trials.map(|(candidate, evaluation)| Trial {
            generation,
            candidate,
            evaluation: *evaluation,
        }));
        progress.next_game += needed;
        Ok(evaluations)
    }

    /// Ends the search, and returns all its evaluations.
    pub(super) fn into_log(self) -> Vec<Trial> {
        self.progress.into_inner().unwrap_or_else(PoisonError::into_inner).log
    }
}

impl CostFunction for SearchProblem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, ArgminError> {
        Ok(self.evaluate(&[point])?.iter().map(|evaluation| -evaluation.mean).sum())
    }

    fn bulk_cost<P: Borrow<Vec<f64>> + SyncAlias>(&self, points: &[P]) -> Result<Vec<f64>, ArgminError> {
        let points: Vec<&Vec<f64>> = points.iter().map(Borrow::borrow).collect();
        Ok(self.evaluate(&points)?.iter().map(|evaluation| -evaluation.mean).collect())
    }
}

/// Evaluates a batch, and checks that there is a finite value for every candidate.
pub(super) fn evaluate(batch: &[Candidate], objective: &dyn NoisyObjective) -> Result<Vec<Evaluation>, ArgminError> {
    let evaluations = objective.evaluate(batch)?;
    anyhow::ensure!(evaluations.len() == batch.len(), "the objective did not answer for every candidate");
    for (candidate, evaluation) in batch.iter().zip(&evaluations) {
        anyhow::ensure!(evaluation.mean.is_finite(), "the objective has no finite value at {:?}", candidate.point);
    }
    Ok(evaluations)
}
