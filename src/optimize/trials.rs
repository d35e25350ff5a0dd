//! The problem as argmin's solvers see it: points of the unit cube go in, costs come out.
//!
//! Behind that stand the budget and the log of everything that was tried.

use std::borrow::Borrow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use argmin::core::{CostFunction, Error as ArgminError, SyncAlias};

use super::objective::{Candidate, Evaluation, NoisyObjective};
use super::space::Space;

/// One evaluated candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The solver's iteration; 0 is what it evaluates before its first.
    pub generation: u64,
    pub candidate: Candidate,
    pub evaluation: Evaluation,
}

/// There are not enough games left for what was asked. Ends a search; a problem only if it comes at once.
#[derive(Debug, thiserror::Error)]
#[error("a budget of {} games is too small: the first generation takes {needed}{}", budget + reserved, kept(*reserved))]
pub(super) struct BudgetSpent {
    budget: u64,
    needed: u64,
    reserved: u64,
}

fn kept(reserved: u64) -> String {
    if reserved == 0 { String::new() } else { format!(", and {reserved} are kept for a race between finalists") }
}

/// Evaluates what a solver asks for, within its budget.
pub struct Trials<'a> {
    space: &'a Space,
    objective: &'a dyn NoisyObjective,
    games: u64,
    budget: Budget,
    ledger: Mutex<Ledger>,
}

/// Games for the search, and games that are kept for its race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub search: u64,
    pub race: u64,
}

struct Ledger {
    log: Vec<Trial>,
    generation: u64,
    next_game: u64,
}

impl<'a> Trials<'a> {
    /// `games` are played per evaluation unless the solver asks for another number.
    pub(super) fn new(space: &'a Space, objective: &'a dyn NoisyObjective, games: u64, budget: Budget) -> Self {
        let ledger = Ledger { log: Vec::new(), generation: 0, next_game: 0 };
        Trials { space, objective, games, budget, ledger: Mutex::new(ledger) }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin_generation(&self, generation: u64) {
        self.ledger().generation = generation;
    }

    /// How many games have been played.
    pub fn spent(&self) -> u64 {
        self.ledger().next_game
    }

    /// Evaluates points of the unit cube (or its mirror images), all at once.
    pub fn ask<P: Borrow<Vec<f64>>>(&self, points: &[P]) -> Result<Vec<Evaluation>, ArgminError> {
        let mut ledger = self.ledger();
        let needed = self.games.saturating_mul(points.len() as u64);
        let Budget { search: budget, race: reserved } = self.budget;
        if needed > budget.saturating_sub(ledger.next_game) {
            return Err(BudgetSpent { budget, needed, reserved }.into());
        }
        let batch: Vec<Candidate> = (0..)
            .zip(points)
            .map(|(index, point)| Candidate {
                point: self.space.to_user(point.borrow()),
                first_game: ledger.next_game + index * self.games,
                games: self.games,
            })
            .collect();
        let evaluations = evaluate(&batch, self.objective)?;
        let generation = ledger.generation;
        let trials = batch.into_iter().zip(&evaluations);
        ledger.log.extend(trials.map(|(candidate, evaluation)| Trial {
            generation,
            candidate,
            evaluation: *evaluation,
        }));
        ledger.next_game += needed;
        Ok(evaluations)
    }

    /// The log of all trials, when the solver is done.
    pub(super) fn close(self) -> Vec<Trial> {
        let ledger = self.ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        ledger.log
    }
}

impl CostFunction for Trials<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, ArgminError> {
        Ok(self.ask(&[point])?.iter().map(|evaluation| -evaluation.mean).sum())
    }

    fn bulk_cost<P: Borrow<Vec<f64>> + SyncAlias>(&self, points: &[P]) -> Result<Vec<f64>, ArgminError> {
        let points: Vec<&Vec<f64>> = points.iter().map(Borrow::borrow).collect();
        Ok(self.ask(&points)?.iter().map(|evaluation| -evaluation.mean).collect())
    }
}

/// Asks the objective, and checks that every answer can be used.
pub(super) fn evaluate(batch: &[Candidate], objective: &dyn NoisyObjective) -> Result<Vec<Evaluation>, ArgminError> {
    let evaluations = objective.evaluate(batch)?;
    anyhow::ensure!(evaluations.len() == batch.len(), "the objective did not answer for every candidate");
    for (candidate, evaluation) in batch.iter().zip(&evaluations) {
        anyhow::ensure!(evaluation.mean.is_finite(), "the objective has no finite value at {:?}", candidate.point);
    }
    Ok(evaluations)
}
