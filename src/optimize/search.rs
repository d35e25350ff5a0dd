//! One search from start to recommendation, run by argmin's executor.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{
    Error as ArgminError, Executor, KV, Problem, Solver, State as _, TerminationReason, TerminationStatus,
};
use argmin::kv;

use super::objective::{Candidate, Evaluation, NoisyObjective};
use super::space::Space;
use super::trials::{Budget, BudgetSpent, Trial, Trials};
use super::{Ending, Error, Optimizer, OptimizerKind, State, race};
use crate::params::{InputError, Values};
use crate::rng::{Rng, derive, scramble, seeded};

/// What to search, how, and for how long.
#[derive(Clone, Debug)]
pub struct Search {
    pub space: Space,
    pub kind: &'static OptimizerKind,
    pub options: Values,
    pub seed: u64,
    /// In games, the final race included.
    pub budget: u64,
}

/// The leading point after a generation: what the search would recommend now, as far as it can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Waypoint {
    pub generation: u64,
    /// Played so far.
    pub games: u64,
    /// In the user's units.
    pub point: Vec<f64>,
    /// How far the solver looks around, in units of the cube; not every solver can say.
    pub step: Option<f64>,
}

/// Told of every generation as it ends. An error stops the search.
pub type Watcher = Box<dyn FnMut(&Waypoint) -> anyhow::Result<()> + Send>;

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// In the user's units.
    pub recommendation: Vec<f64>,
    pub trajectory: Vec<Waypoint>,
    pub trials: Vec<Trial>,
    /// Empty if the solver needs no race.
    pub race: Vec<Trial>,
}

impl SearchResult {
    /// The trial with the best value, which is mostly luck: to be shown beside the truth, never to be believed.
    pub fn best_seen(&self) -> Option<&Trial> {
        self.trials.iter().rev().max_by(|a, b| a.evaluation.mean.total_cmp(&b.evaluation.mean))
    }
}

impl Search {
    /// A stream of randomness for the solver.
    pub(super) fn rng(&self) -> Rng {
        seeded(derive(self.seed, SOLVER_STREAM))
    }

    pub(super) fn count(&self, option: &str) -> usize {
        self.options.integer(option).map_or(1, |count| count.max(1) as usize)
    }

    pub(super) fn number(&self, option: &str) -> f64 {
        self.options.number(option).unwrap_or(f64::NAN)
    }

    /// Whether the budget is enough for a first generation. Plays no game.
    pub fn check(&self) -> Result<(), InputError> {
        let reached = Arc::new(AtomicBool::new(false));
        let seen = reached.clone();
        let stop: Watcher = Box::new(move |waypoint| {
            seen.store(waypoint.generation > 0, Ordering::Relaxed);
            anyhow::ensure!(waypoint.generation == 0, "seen enough");
            Ok(())
        });
        match self.run(&Rehearsal, vec![stop]) {
            Err(Error::Input(problem)) => Err(problem),
            _ if reached.load(Ordering::Relaxed) => Ok(()),
            _ => {
                let budget = self.budget;
                Err(InputError::at("budget", format!("a budget of {budget} games is too small for one generation")))
            }
        }
    }

    /// Searches until the next generation would exceed the budget.
    pub fn run(&self, objective: &dyn NoisyObjective, watchers: Vec<Watcher>) -> Result<SearchResult, Error> {
        self.run_inner(objective, watchers).map_err(Error::from_argmin)
    }

    fn run_inner(&self, objective: &dyn NoisyObjective, watchers: Vec<Watcher>) -> Result<SearchResult, ArgminError> {
        let reserved = if self.kind.ending == Ending::Race { race::share(self.budget) } else { 0 };
        let games = self.count("games") as u64;
        let budget = Budget { search: self.budget - reserved, race: reserved };
        let trials = Trials::new(&self.space, objective, games, budget);
        let trajectory = Arc::new(Mutex::new(Vec::new()));
        let recorder = Recorder { space: self.space.clone(), watchers, trajectory: trajectory.clone() };
        let solver = Budgeted((self.kind.build)(self)?);
        let mut result = Executor::new(trials, solver)
            .configure(|state: State| state.param(self.space.start()))
            .ctrlc(false)
            .add_observer(recorder, ObserverMode::Always)
            .run()?;
        let trials = result.problem.take_problem().ok_or_else(|| anyhow::anyhow!("the solver kept the problem"))?;
        let trials = trials.close();
        let trajectory = std::mem::take(&mut *trajectory.lock().unwrap_or_else(PoisonError::into_inner));
        let leader = result.state.get_param().map_or_else(|| self.space.start(), Vec::clone);
        let (winner, race) = match self.kind.ending {
            Ending::Settled => (None, Vec::new()),
            Ending::Race => race::run(&trials, reserved, objective)?,
        };
        let recommendation = winner.unwrap_or_else(|| self.space.to_user(&leader));
        Ok(SearchResult { recommendation, trajectory, trials, race })
    }
}

/// Answers at random, to see what a solver asks for.
struct Rehearsal;

impl NoisyObjective for Rehearsal {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let answer = |candidate: &Candidate| Evaluation {
            mean: (scramble(candidate.first_game) >> 32) as f64,
            standard_error: Some(1.0),
            games: candidate.games,
        };
        Ok(batch.iter().map(answer).collect())
    }
}

/// Tells the solver's randomness from every game's.
const SOLVER_STREAM: u64 = u64::from_be_bytes(*b"optimize");

/// Lets any solver end well when the budget does, and counts its generations.
struct Budgeted(Optimizer);

impl Budgeted {
    fn report(problem: &Problem<Trials<'_>>, kv: Option<KV>) -> Option<KV> {
        let spent = problem.problem.as_ref().map_or(0, Trials::spent);
        Some(kv.unwrap_or_default().merge(kv!("games" => spent;)))
    }
}

impl<'a> Solver<Trials<'a>, State> for Budgeted {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn init(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), ArgminError> {
        let (state, kv) = self.0.init(problem, state)?;
        Ok((state, Self::report(problem, kv)))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<Trials<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), ArgminError> {
        if let Some(trials) = &problem.problem {
            trials.begin_generation(state.get_iter() + 1);
        }
        let before = state.clone();
        match self.0.next_iter(problem, state) {
            Ok((state, kv)) => Ok((state, Self::report(problem, kv))),
            Err(error) if error.is::<BudgetSpent>() && problem.problem.as_ref().is_some_and(|t| t.spent() > 0) => {
                Ok((before.terminate_with(TerminationReason::SolverExit("budget spent".into())), None))
            }
            Err(error) => Err(error),
        }
    }

    fn terminate(&mut self, state: &State) -> TerminationStatus {
        self.0.terminate(state)
    }
}

/// Writes down the trajectory and tells the watchers.
struct Recorder {
    space: Space,
    watchers: Vec<Watcher>,
    trajectory: Arc<Mutex<Vec<Waypoint>>>,
}

impl Recorder {
    fn record(&mut self, generation: u64, state: &State, kv: &KV) -> Result<(), ArgminError> {
        let Some(leader) = state.get_param() else { return Ok(()) };
        let games = kv.get("games").and_then(|games| games.get_uint()).unwrap_or(0);
        let step = kv.get("step").and_then(|step| step.get_float());
        let waypoint = Waypoint { generation, games, point: self.space.to_user(leader), step };
        for watcher in &mut self.watchers {
            watcher(&waypoint)?;
        }
        self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).push(waypoint);
        Ok(())
    }
}

impl Observe<State> for Recorder {
    fn observe_init(&mut self, _name: &str, state: &State, kv: &KV) -> Result<(), ArgminError> {
        self.record(0, state, kv)
    }

    fn observe_iter(&mut self, state: &State, kv: &KV) -> Result<(), ArgminError> {
        if state.terminated() {
            return Ok(());
        }
        self.record(state.get_iter() + 1, state, kv)
    }
}

impl Error {
    fn from_argmin(error: ArgminError) -> Self {
        if let Some(spent) = error.downcast_ref::<BudgetSpent>() {
            return Error::Input(InputError::at("budget", spent.to_string()));
        }
        match error.downcast::<InputError>() {
            Ok(problem) => Error::Input(problem),
            Err(error) => error.downcast::<Error>().unwrap_or_else(Error::Objective),
        }
    }
}
