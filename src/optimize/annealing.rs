//! Simulated annealing, with argmin's solver: random steps; the lower the temperature, the more rarely a worse point is
//! accepted.
//!
//! The temperature is measured in standard errors of one evaluation at the start. So the same options fit scores in the
//! thousands and win rates below one. The length of a step falls with the square root of the temperature.
//!
//! Reference: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.

use argmin::core::{CostFunction, Error, KV, Problem, Solver, State as _};
use argmin::kv;
use argmin::solver::simulatedannealing::{Anneal, SATempFunc, SimulatedAnnealing};

use super::normal::standard_normal;
use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{Param, ParamType};
use crate::rng::{Rng, derive, seeded};

pub const KIND: OptimizerKind = OptimizerKind {
    name: "annealing",
    summary: "simulated annealing: random steps; worse points are accepted while the temperature is high",
    params: &[
        games("20"),
        Param {
            name: "temperature",
            kind: ParamType::Number { min: 1e-6, max: 1e6 },
            default: "1",
            help: "initial temperature, in standard errors of an evaluation at the start",
        },
        Param {
            name: "cooling",
            kind: ParamType::Choice(&["boltzmann", "fast", "exponential"]),
            default: "boltzmann",
            help: "how the temperature falls after k steps: by 1/ln k, 1/k or 0.99^k",
        },
        Param {
            name: "step",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.1",
            help: "initial standard deviation of a step, as a fraction of each range",
        },
    ],
    recommend_by: RecommendBy::Race,
    ranks_generations: false,
    build: |search| Ok(Box::new(Annealing::new(search))),
};

struct Annealing {
    /// The initial temperature in standard errors.
    temperature: f64,
    cooling: SATempFunc<f64>,
    step: f64,
    least: Vec<f64>,
    seed: u64,
    rng: Rng,
    /// The initial temperature in the unit of the objective, and argmin's solver. Set once the noise is known.
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
            temperature: search.number("temperature"),
            cooling,
            step: search.number("step"),
            least: search.space.least_steps(REACH),
            seed: derive(search.seed, STEP_STREAM),
            rng: search.rng(),
            ready: None,
        }
    }
}

/// The least standard deviation of a step along a whole number or a choice, in parts of one value: others stay in reach at
/// any temperature.
const REACH: f64 = 0.5;

/// The steps have a random stream of their own, apart from the one that accepts or rejects them.
const STEP_STREAM: u64 = u64::from_be_bytes(*b"anneal\0\0");

impl<'a> Solver<SearchProblem<'a>, State> for Annealing {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<SearchProblem<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let start = state.get_param().cloned().unwrap_or_default();
        let first = problem.problem("cost_count", |problem| problem.evaluate(&[start]))?;
        let noise = first.iter().find_map(|evaluation| evaluation.standard_error).filter(|error| *error > 0.0);
        let temperature = self.temperature * noise.unwrap_or(1.0);
        let solver = SimulatedAnnealing::new_with_rng(temperature, self.rng.clone())?.with_temp_func(self.cooling);
        self.ready = Some((temperature, solver));
        let cost = first.iter().map(|evaluation| -evaluation.mean).sum();
        Ok((state.cost(cost), Some(kv!("step" => self.step;))))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let (initial, solver) = self.ready.as_mut().ok_or_else(|| Error::msg("annealing has not been set up"))?;
        let inner = problem.take_problem().ok_or_else(|| Error::msg("annealing has no problem"))?;
        let seed = derive(self.seed, state.get_iter());
        let (step, least) = (self.step, self.least.clone());
        let mut neighbourhood = Problem::new(Neighbourhood { inner, seed, step, least, initial: *initial });
        let next = solver.next_iter(&mut neighbourhood, state);
        problem.problem = neighbourhood.take_problem().map(|neighbourhood| neighbourhood.inner);
        let (state, kv) = next?;
        let temperature = kv.as_ref().and_then(|kv| kv.get("t")).and_then(|t| t.get_float()).unwrap_or(*initial);
        Ok((state, Some(kv!("step" => length(self.step, temperature / *initial);))))
    }
}

/// The problem together with the random step that argmin's solver asks for.
struct Neighbourhood<'a> {
    inner: SearchProblem<'a>,
    seed: u64,
    step: f64,
    /// The least standard deviation along each coordinate.
    least: Vec<f64>,
    /// The initial temperature.
    initial: f64,
}

/// The standard deviation of a step at a temperature that is this share of the initial one.
fn length(step: f64, share: f64) -> f64 {
    step * share.clamp(0.0, 1.0).sqrt()
}

impl CostFunction for Neighbourhood<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        self.inner.cost(point)
    }
}

impl Anneal for Neighbourhood<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Float = f64;

    fn anneal(&self, point: &Vec<f64>, temperature: f64) -> Result<Vec<f64>, Error> {
        let length = length(self.step, temperature / self.initial);
        let mut rng = seeded(self.seed);
        let steps = point.iter().zip(&self.least);
        Ok(steps.map(|(x, least)| x + length.max(*least) * standard_normal(&mut rng)).collect())
    }
}
