//! Simulated annealing, as argmin has it: random steps, of which a worse one is taken the more rarely the colder it is.
//!
//! The temperature is measured in units of the noise of one evaluation at the start, so that the same options fit
//! scores in the thousands and win rates below one. Steps shorten with the square root of the temperature.
//!
//! Reference: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.

use argmin::core::{CostFunction, Error, KV, Problem, Solver, State as _};
use argmin::kv;
use argmin::solver::simulatedannealing::{Anneal, SATempFunc, SimulatedAnnealing};
use rand_distr::{Distribution, StandardNormal};

use super::{Ending, OptimizerKind, Search, State, Trials, games};
use crate::params::{Param, ParamType};
use crate::rng::{Rng, derive, seeded};

pub const KIND: OptimizerKind = OptimizerKind {
    name: "annealing",
    summary: "random steps, taken the more willingly the hotter it is",
    params: &[
        games("20"),
        Param {
            name: "temperature",
            kind: ParamType::Number { min: 1e-6, max: 1e6 },
            default: "1",
            help: "at first, in standard errors of an evaluation at the start",
        },
        Param {
            name: "cooling",
            kind: ParamType::Choice(&["boltzmann", "fast", "exponential"]),
            default: "boltzmann",
            help: "temperature after k steps: 1/ln k, 1/k or 0.99^k of the first",
        },
        Param {
            name: "step",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.1",
            help: "first standard deviation of a step, as a part of each range",
        },
    ],
    ending: Ending::Race,
    build: |search| Ok(Box::new(Annealing::new(search))),
};

struct Annealing {
    heat: f64,
    cooling: SATempFunc<f64>,
    step: f64,
    seed: u64,
    rng: Rng,
    /// Set up once the noise is known.
    ready: Option<(f64, SimulatedAnnealing<f64, Rng>)>,
}

impl Annealing {
    fn new(search: &Search) -> Self {
        let cooling = match search.options.text("cooling") {
            Some("fast") => SATempFunc::TemperatureFast,
            Some("exponential") => SATempFunc::Exponential(0.99),
            _ => SATempFunc::Boltzmann,
        };
        Annealing {
            heat: search.number("temperature"),
            cooling,
            step: search.number("step"),
            seed: derive(search.seed, STEP_STREAM),
            rng: search.rng(),
            ready: None,
        }
    }
}

/// Tells the randomness of steps from that of taking them.
const STEP_STREAM: u64 = u64::from_be_bytes(*b"anneal\0\0");

impl<'a> Solver<Trials<'a>, State> for Annealing {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let start = state.get_param().cloned().unwrap_or_default();
        let first = problem.problem("cost_count", |trials| trials.ask(&[start]))?;
        let noise = first.iter().find_map(|evaluation| evaluation.standard_error).filter(|error| *error > 0.0);
        let temperature = self.heat * noise.unwrap_or(1.0);
        let solver = SimulatedAnnealing::new_with_rng(temperature, self.rng.clone())?.with_temp_func(self.cooling);
        self.ready = Some((temperature, solver));
        let cost = first.iter().map(|evaluation| -evaluation.mean).sum();
        Ok((state.cost(cost), Some(kv!("step" => self.step;))))
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let (hottest, solver) = self.ready.as_mut().ok_or_else(|| Error::msg("annealing has not been set up"))?;
        let trials = problem.take_problem().ok_or_else(|| Error::msg("annealing has no problem"))?;
        let seed = derive(self.seed, state.get_iter());
        let mut lent = Problem::new(Neighbourhood { trials, seed, step: self.step, hottest: *hottest });
        let next = solver.next_iter(&mut lent, state);
        problem.problem = lent.take_problem().map(|neighbourhood| neighbourhood.trials);
        let (state, kv) = next?;
        let temperature = kv.as_ref().and_then(|kv| kv.get("t")).and_then(|t| t.get_float()).unwrap_or(*hottest);
        Ok((state, Some(kv!("step" => length(self.step, temperature / *hottest);))))
    }
}

/// The problem, with a way to step from point to point.
struct Neighbourhood<'a> {
    trials: Trials<'a>,
    seed: u64,
    step: f64,
    hottest: f64,
}

fn length(step: f64, warmth: f64) -> f64 {
    step * warmth.clamp(0.0, 1.0).sqrt()
}

impl CostFunction for Neighbourhood<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        self.trials.cost(point)
    }
}

impl Anneal for Neighbourhood<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Float = f64;

    fn anneal(&self, point: &Vec<f64>, temperature: f64) -> Result<Vec<f64>, Error> {
        let length = length(self.step, temperature / self.hottest);
        let mut rng = seeded(self.seed);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        Ok(point.iter().map(|x| x + length * normal()).collect())
    }
}
