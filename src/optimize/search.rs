//! One search from its start to its recommendation. argmin's executor runs it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{
    Error as ArgminError, Executor, KV, Problem, Solver, State as _, TerminationReason, TerminationStatus,
};
use argmin::kv;
use rand::Rng as _;

use super::cma_es::MOST_CANDIDATES;
use super::objective::{Candidate, Evaluation, NoisyObjective};
use super::problem::{Budget, BudgetSpent, SearchProblem, Trial};
use super::space::Space;
use super::{Error, Optimizer, OptimizerKind, RecommendBy, State, race};
use crate::params::{InputError, Values};
use crate::rng::{Rng, derive, scramble, seeded};

/// A search to run: the space, the optimizer with its options, the seed and the budget.
#[derive(Clone, Debug)]
pub struct Search {
    /// The search space.
    pub space: Space,
    /// The optimizer.
    pub kind: &'static OptimizerKind,
    /// The options of the optimizer.
    pub options: Values,
    /// The seed of the solver's randomness.
    pub seed: u64,
    /// The budget in games, including the final race.
    pub budget: u64,
    /// How often the search may restart when an observer asks for it; see [`Signal`].
    pub restarts: u64,
}

/// The solver's current best guess after a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterate {
    /// The number of the generation, from 1; 0 for the start.
    pub generation: u64,
    /// Games played so far.
    pub games: u64,
    /// The point in the user's units.
    pub point: Vec<f64>,
    /// The solver's step size in the unit cube, if it has one.
    pub step: Option<f64>,
}

/// The request of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Continue the search.
    Continue,
    /// The search does not improve: restart at another point, if restarts are left.
    Restart,
}

/// Called after every generation. An error stops the search.
pub type Observer = Box<dyn FnMut(&Iterate) -> anyhow::Result<Signal> + Send>;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The recommended point, in the user's units.
    pub recommendation: Vec<f64>,
    /// One entry per generation.
    pub trajectory: Vec<Iterate>,
    /// All evaluations of the search.
    pub trials: Vec<Trial>,
    /// All evaluations of the race; empty if the solver needs no race.
    pub race: Vec<Trial>,
}

impl SearchResult {
    /// The trial with the best value. That value is mostly luck, so show it beside the true value and do not recommend
    /// it.
    pub fn best_seen(&self) -> Option<&Trial> {
        self.trials.iter().rev().max_by(|a, b| a.evaluation.mean.total_cmp(&b.evaluation.mean))
    }
}

impl Search {
    /// The solver's random generator.
    pub(super) fn rng(&self) -> Rng {
        seeded(derive(self.seed, SOLVER_STREAM))
    }

    pub(super) fn count(&self, option: &str) -> usize {
        self.options.integer(option).map_or(1, |count| count.max(1) as usize)
    }

    pub(super) fn number(&self, option: &str) -> f64 {
        self.options.number(option).unwrap_or(f64::NAN)
    }

    /// Checks that the budget is enough for a first generation, if the games of a candidate are a multiple of this
    /// number. Plays no game.
    pub fn check(&self, multiple: u64) -> Result<(), InputError> {
        let reached = Arc::new(AtomicBool::new(false));
        let seen = reached.clone();
        let stop: Observer = Box::new(move |iterate| {
            seen.store(iterate.generation > 0, Ordering::Relaxed);
            anyhow::ensure!(iterate.generation == 0, "one generation is enough for the check");
            Ok(Signal::Continue)
        });
        match self.run(&RandomObjective { multiple }, vec![stop]) {
            Err(Error::Input(problem)) => Err(problem),
            _ if reached.load(Ordering::Relaxed) => Ok(()),
            _ => {
                let budget = self.budget;
                Err(InputError::at("budget", format!("a budget of {budget} games is too small for one generation")))
            }
        }
    }

    /// Runs generations until the next one would exceed the budget, then makes the recommendation.
    pub fn run(&self, objective: &dyn NoisyObjective, observers: Vec<Observer>) -> Result<SearchResult, Error> {
        self.run_inner(objective, observers).map_err(Error::from_argmin)
    }

    fn run_inner(&self, objective: &dyn NoisyObjective, observers: Vec<Observer>) -> Result<SearchResult, ArgminError> {
        let has_race = self.kind.recommend_by == RecommendBy::Race || self.restarts > 0;
        let reserved = if has_race { race::share(self.budget) } else { 0 };
        let games = self.count("games") as u64 * objective.multiple();
        let budget = Budget { search: self.budget - reserved, race: reserved };
        let problem = SearchProblem::new(&self.space, objective, games, budget);
        let trajectory = Arc::new(Mutex::new(Vec::new()));
        let restarts = Arc::new(Restarts::default());
        let recorder = Recorder {
            space: self.space.clone(),
            observers,
            trajectory: trajectory.clone(),
            restarts: restarts.clone(),
        };
        let solver = Budgeted { solver: (self.kind.build)(self)?, search: self.clone(), restarts: restarts.clone() };
        let mut result = Executor::new(problem, solver)
            .configure(|state: State| state.param(self.space.start()))
            .ctrlc(false)
            .add_observer(recorder, ObserverMode::Always)
            .run()?;
        let problem = result.problem.take_problem().ok_or_else(|| anyhow::anyhow!("the solver kept the problem"))?;
        let trials = problem.into_log();
        let trajectory = std::mem::take(&mut *trajectory.lock().unwrap_or_else(PoisonError::into_inner));
        let last = result.state.get_param().map_or_else(|| self.space.start(), Vec::clone);
        let mut ended = restarts.take_ended();
        let (winner, race) = match self.kind.recommend_by {
            RecommendBy::Race => race::run(&trials, reserved, objective)?,
            RecommendBy::Solver if ended.is_empty() => (None, Vec::new()),
            RecommendBy::Solver => {
                ended.push(last.clone());
                let points = ended.iter().map(|point| self.space.to_user(point)).collect();
                race::between(points, &trials, reserved, objective)?
            }
        };
        let recommendation = winner.unwrap_or_else(|| self.space.to_user(&last));
        Ok(SearchResult { recommendation, trajectory, trials, race })
    }
}

/// Returns random values. It shows how many evaluations a solver needs, without playing games.
struct RandomObjective {
    multiple: u64,
}

impl NoisyObjective for RandomObjective {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let evaluation = |candidate: &Candidate| Evaluation {
            mean: (scramble(candidate.first_game) >> 32) as f64,
            standard_error: Some(1.0),
            games: candidate.games,
        };
        Ok(batch.iter().map(evaluation).collect())
    }

    fn multiple(&self) -> u64 {
        self.multiple
    }
}

/// The random stream of the solver. It is separate from the streams of all games.
const SOLVER_STREAM: u64 = u64::from_be_bytes(*b"optimize");

/// Whether an observer has asked for a restart, and the searches that restarts have ended.
#[derive(Default)]
struct Restarts {
    wanted: AtomicBool,
    /// The last points of these searches, in the unit cube.
    ended: Mutex<Vec<Vec<f64>>>,
}

impl Restarts {
    fn ended(&self) -> std::sync::MutexGuard<'_, Vec<Vec<f64>>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_ended(&self) -> Vec<Vec<f64>> {
        std::mem::take(&mut *self.ended())
    }
}

/// Wraps a solver: ends it without an error when the budget is spent, counts its generations, and restarts it when an
/// observer asks for it.
struct Budgeted {
    solver: Optimizer,
    search: Search,
    restarts: Arc<Restarts>,
}

/// The random stream of a restart. It is separate from the stream of the search before it.
const RESTART_STREAM: u64 = u64::from_be_bytes(*b"restart\0");

impl Budgeted {
    /// If a restart is due, replaces the solver by one with twice the population at a random point, as IPOP-CMA-ES does
    /// (A. Auger, N. Hansen, "A Restart CMA Evolution Strategy With Increasing Population Size", 2005).
    fn restart(&mut self, state: State) -> Result<State, ArgminError> {
        let mut ended = self.restarts.ended();
        if !self.restarts.wanted.swap(false, Ordering::Relaxed) || ended.len() as u64 >= self.search.restarts {
            return Ok(state);
        }
        ended.push(state.get_param().cloned().unwrap_or_else(|| self.search.space.start()));
        self.search.seed = derive(self.search.seed, RESTART_STREAM);
        let mut rng = self.search.rng();
        let start: Vec<f64> = self.search.space.dimensions().iter().map(|_| rng.random()).collect();
        self.search.space = self.search.space.clone().starting_at(start.clone());
        let population = (2 * self.search.count("population") as i64).min(MOST_CANDIDATES);
        let population = crate::params::Value::Integer(population);
        let (options, kind) = (&self.search.options, self.search.kind);
        self.search.options = options.with(kind.name, kind.params, "population", population)?;
        self.solver = (kind.build)(&self.search)?;
        Ok(state.param(start))
    }

    fn report(problem: &Problem<SearchProblem<'_>>, kv: Option<KV>) -> Option<KV> {
        let spent = problem.problem.as_ref().map_or(0, SearchProblem::spent);
        Some(kv.unwrap_or_default().merge(kv!("games" => spent;)))
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for Budgeted {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn init(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), ArgminError> {
        let (state, kv) = self.solver.init(problem, state)?;
        Ok((state, Self::report(problem, kv)))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), ArgminError> {
        if let Some(inner) = &problem.problem {
            inner.begin_generation(state.get_iter() + 1);
        }
        let state = self.restart(state)?;
        let before = state.clone();
        match self.solver.next_iter(problem, state) {
            Ok((state, kv)) => Ok((state, Self::report(problem, kv))),
            Err(error) if error.is::<BudgetSpent>() && problem.problem.as_ref().is_some_and(|t| t.spent() > 0) => {
                Ok((before.terminate_with(TerminationReason::SolverExit("budget spent".into())), None))
            }
            Err(error) => Err(error),
        }
    }

    fn terminate(&mut self, state: &State) -> TerminationStatus {
        self.solver.terminate(state)
    }
}

/// Records the trajectory and calls the observers.
struct Recorder {
    space: Space,
    observers: Vec<Observer>,
    trajectory: Arc<Mutex<Vec<Iterate>>>,
    restarts: Arc<Restarts>,
}

impl Recorder {
    fn record(&mut self, generation: u64, state: &State, kv: &KV) -> Result<(), ArgminError> {
        let Some(point) = state.get_param() else { return Ok(()) };
        let games = kv.get("games").and_then(|games| games.get_uint()).unwrap_or(0);
        let step = kv.get("step").and_then(|step| step.get_float());
        let iterate = Iterate { generation, games, point: self.space.to_user(point), step };
        for observer in &mut self.observers {
            if observer(&iterate)? == Signal::Restart {
                self.restarts.wanted.store(true, Ordering::Relaxed);
            }
        }
        self.trajectory.lock().unwrap_or_else(PoisonError::into_inner).push(iterate);
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
    pub(super) fn from_argmin(error: ArgminError) -> Self {
        if let Some(spent) = error.downcast_ref::<BudgetSpent>() {
            return Error::Input(InputError::at("budget", spent.to_string()));
        }
        match error.downcast::<InputError>() {
            Ok(problem) => Error::Input(problem),
            Err(error) => error.downcast::<Error>().unwrap_or_else(Error::Objective),
        }
    }
}
