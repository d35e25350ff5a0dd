//! Simulated annealing: random steps. A worse point is accepted more rarely as the temperature falls.
//!
//! A better point is always accepted, and a worse one with the probability 1 / (1 + exp(difference / temperature)).
//! This is what argmin's solver of this name does. Here exponentials and logarithms come from `libm`, so a search is
//! the same on every CPU.
//!
//! The temperature is measured in standard errors of one evaluation at the start. So the same options fit scores in the
//! thousands and win rates below one. The length of a step falls with the square root of the temperature.
//!
//! Reference: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.

use argmin::core::{Error, KV, Problem, Solver, State as _};
use argmin::kv;
use rand::Rng as _;

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
            help: "how the temperature falls after k steps: by 1/ln(k+1), 1/(k+1) or 0.99^(k+1)",
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
    /// The initial temperature: before `init` in standard errors, then in the unit of the objective.
    temperature: f64,
    cooling: Cooling,
    step: f64,
    /// The least standard deviation of a step along each coordinate.
    least: Vec<f64>,
    /// The seed of the steps.
    seed: u64,
    /// The random numbers that accept or reject steps.
    rng: Rng,
}

#[derive(Clone, Copy, Debug)]
enum Cooling {
    Boltzmann,
    Fast,
    Exponential,
}

impl Cooling {
    /// The temperature after this many steps.
    fn temperature(self, initial: f64, steps: u64) -> f64 {
        let next = steps as f64 + 1.0;
        match self {
            _ if steps == 0 => initial,
            Cooling::Boltzmann => initial / libm::log(next),
            Cooling::Fast => initial / next,
            Cooling::Exponential => initial * libm::pow(0.99, next),
        }
    }
}

impl Annealing {
    fn new(search: &Search) -> Self {
        let cooling = match search.options.text("cooling") {
            Some("fast") => Cooling::Fast,
            Some("exponential") => Cooling::Exponential,
            _ => Cooling::Boltzmann,
        };
        Annealing {
            temperature: search.number("temperature"),
            cooling,
            step: search.number("step"),
            least: search.space.least_steps(REACH),
            seed: derive(search.seed, STEP_STREAM),
            rng: search.rng(),
        }
    }

    /// The standard deviation of a step after this many steps.
    fn step_length(&self, steps: u64) -> f64 {
        let share = self.cooling.temperature(self.temperature, steps) / self.temperature;
        self.step * share.clamp(0.0, 1.0).sqrt()
    }

    /// Whether to accept a point whose cost is higher by `increase`.
    fn accepts(&mut self, increase: f64, steps: u64) -> bool {
        let chance: f64 = self.rng.random();
        let temperature = self.cooling.temperature(self.temperature, steps);
        increase < 0.0 || 1.0 / (1.0 + libm::exp(increase / temperature)) > chance
    }
}

/// The least standard deviation of a step along an integer or a choice, as a multiple of the width of one value. So
/// other values can be reached at any temperature.
const REACH: f64 = 0.5;

/// The random stream of the steps. It is separate from the stream that accepts or rejects them.
const STEP_STREAM: u64 = u64::from_be_bytes(*b"anneal\0\0");

impl<'a> Solver<SearchProblem<'a>, State> for Annealing {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<SearchProblem<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let start = state.get_param().cloned().unwrap_or_default();
        let first = problem.problem("cost_count", |problem| problem.evaluate(&[start]))?;
        let noise = first.iter().find_map(|evaluation| evaluation.standard_error).filter(|error| *error > 0.0);
        self.temperature *= noise.unwrap_or(1.0);
        let cost = first.iter().map(|evaluation| -evaluation.mean).sum();
        Ok((state.cost(cost), Some(kv!("step" => self.step;))))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        mut state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let steps = state.get_iter();
        let point = state.take_param().ok_or_else(|| Error::msg("annealing has no point"))?;
        let (cost, length) = (state.get_cost(), self.step_length(steps));
        let mut rng = seeded(derive(self.seed, steps));
        let mut moved = |(x, least): (&f64, &f64)| x + length.max(*least) * standard_normal(&mut rng);
        let next: Vec<f64> = point.iter().zip(&self.least).map(&mut moved).collect();
        let next_cost = problem.cost(&next)?;
        let (point, cost) = if self.accepts(next_cost - cost, steps) { (next, next_cost) } else { (point, cost) };
        Ok((state.param(point).cost(cost), Some(kv!("step" => self.step_length(steps + 1);))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_fall_as_described() {
        let after = |cooling: Cooling| [0, 1, 9].map(|steps| cooling.temperature(1.0, steps));
        assert_eq!(after(Cooling::Fast), [1.0, 0.5, 0.1]);
        assert_eq!(after(Cooling::Boltzmann), [1.0, 1.0 / libm::log(2.0), 1.0 / libm::log(10.0)]);
        assert_eq!(after(Cooling::Exponential), [1.0, libm::pow(0.99, 2.0), libm::pow(0.99, 10.0)]);
    }

    #[test]
    fn worse_points_are_accepted_with_their_probability() {
        let rng = seeded(1);
        let mut annealing =
            Annealing { temperature: 2.0, cooling: Cooling::Fast, step: 0.1, least: Vec::new(), seed: 0, rng };
        let mut rate = |increase: f64| (0..20_000).filter(|_| annealing.accepts(increase, 0)).count() as f64 / 20_000.0;
        assert_eq!(rate(-1.0), 1.0);
        // 1 / (1 + e^(increase / 2)), within five standard errors.
        assert!((rate(0.0) - 0.5).abs() < 0.018);
        assert!((rate(2.0) - 0.268_941).abs() < 0.016);
    }
}
