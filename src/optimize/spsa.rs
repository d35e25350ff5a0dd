//! SPSA: two evaluations estimate the slope along one random diagonal, and the point moves along it.
//!
//! SPSA needs good gains. They are measured: a few pairs of points around the start show how large a difference is and
//! how much of it is noise. The perturbation is increased until the difference exceeds the noise. The first steps are
//! shortened by the share of noise. No gain depends on the budget, so a search can be extended. The recommendation is
//! the mean of the later half of all iterates, which averages out the noise of the last steps.
//!
//! References: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization",
//! IEEE Transactions on Aerospace and Electronic Systems 34, 1998 (the decay of the gains);
//! B. T. Polyak, A. B. Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992.

use argmin::core::{Error, KV, Problem, Solver, State as _};
use argmin::kv;
use rand::Rng as _;

use super::space::mirror;
use super::{Evaluation, OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "spsa",
    summary: "simultaneous perturbation: follows slopes along random diagonals; its gains are measured at the start",
    params: &[
        games("5"),
        Param {
            name: "step",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.05",
            help: "length of the first steps without noise, as a fraction of each range",
        },
    ],
    recommend_by: RecommendBy::Solver,
    ranks_generations: false,
    build: |search| Ok(Box::new(Spsa::new(search))),
};

/// The exponents that Spall recommends for the decay of the step and of the perturbation.
const STEP_DECAY: f64 = 0.602;
const PERTURBATION_DECAY: f64 = 0.101;
/// Spall's stability constant: the step decays slowly for about this many iterations. He advises a tenth of the
/// iterations expected.
const STABILITY: f64 = 100.0;
/// Pairs of points in a measurement: enough to know the size of a difference to within about a quarter.
const PAIRS: usize = 10;
/// The least perturbation of an integer or a choice, as a multiple of the width of one value. From every point of a
/// value's part, one of the two sides then reaches another value.
const REACH: f64 = 0.75;
/// Perturbations to try, as a fraction of each range.
const PERTURBATIONS: [f64; 3] = [0.05, 0.1, 0.2];

struct Spsa {
    /// The length of the first step if there were no noise.
    length: f64,
    gains: Gains,
    point: Vec<f64>,
    /// The least perturbation of each coordinate. It must reach another value of an integer or a choice.
    least: Vec<f64>,
    /// Sums over the first 1, 2, 3, ... iterates. The mean of the iterates between two of them follows from their
    /// difference.
    sums: Vec<Vec<f64>>,
    rng: Rng,
}

/// Step and perturbation at the first iteration. The step is for a difference of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gains {
    step: f64,
    perturbation: f64,
}

impl Spsa {
    fn new(search: &Search) -> Self {
        let gains = Gains { step: 0.0, perturbation: PERTURBATIONS[0] };
        let (point, least) = (search.space.start(), search.space.least_steps(REACH));
        Spsa { length: search.number("step"), gains, point, least, sums: Vec::new(), rng: search.rng() }
    }

    /// A random vector of 1 and -1.
    fn diagonal(&mut self) -> Vec<f64> {
        self.point.iter().map(|_| if self.rng.random() { 1.0 } else { -1.0 }).collect()
    }

    /// Two points for each diagonal, one on either side of the current point.
    fn pairs(&self, diagonals: &[Vec<f64>], perturbation: f64) -> Vec<Vec<f64>> {
        let shifted = |diagonal: &Vec<f64>, sign: f64| -> Vec<f64> {
            let coordinates = self.point.iter().zip(diagonal).zip(&self.least);
            coordinates.map(|((x, side), least)| x + sign * perturbation.max(*least) * side).collect()
        };
        diagonals.iter().flat_map(|d| [shifted(d, 1.0), shifted(d, -1.0)]).collect()
    }

    /// Adds the current point to the sums.
    fn add_iterate(&mut self) {
        let sum = match self.sums.last() {
            Some(earlier) => earlier.iter().zip(&self.point).map(|(sum, x)| sum + x).collect(),
            None => self.point.clone(),
        };
        self.sums.push(sum);
    }

    /// The mean of the later half of the iterates.
    fn average(&self) -> Vec<f64> {
        let half = self.sums.len() / 2;
        match (self.sums.last(), half.checked_sub(1).and_then(|end| self.sums.get(end))) {
            (Some(all), Some(early)) => {
                let later = (self.sums.len() - half) as f64;
                all.iter().zip(early).map(|(all, early)| (all - early) / later).collect()
            }
            _ => self.point.clone(),
        }
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for Spsa {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<SearchProblem<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        for perturbation in PERTURBATIONS {
            let diagonals: Vec<Vec<f64>> = (0..PAIRS).map(|_| self.diagonal()).collect();
            let points = self.pairs(&diagonals, perturbation);
            let noise = NoiseMeasurement::of(&problem.problem("cost_count", |problem| problem.evaluate(&points))?);
            self.gains = noise.gains(self.length, perturbation);
            if noise.signal() > noise.noise {
                break;
            }
        }
        Ok((state, Some(kv!("step" => self.gains.perturbation;))))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let iteration = state.get_iter() as f64;
        let perturbation = self.gains.perturbation / libm::pow(iteration + 1.0, PERTURBATION_DECAY);
        let decay = libm::pow((STABILITY + 1.0) / (STABILITY + iteration + 1.0), STEP_DECAY);
        let diagonal = self.diagonal();
        let costs = problem.bulk_cost(&self.pairs(std::slice::from_ref(&diagonal), perturbation))?;
        let difference = costs.iter().copied().reduce(|above, below| above - below).unwrap_or(0.0);
        // The slope is the difference divided by the perturbation. It is unknown beyond the perturbation, so the step
        // is not longer than that.
        let step = self.gains.step * decay * difference * self.gains.perturbation / perturbation;
        let step = step.clamp(-perturbation, perturbation);
        for (x, side) in self.point.iter_mut().zip(&diagonal) {
            *x = mirror(*x - step * side);
        }
        self.add_iterate();
        Ok((state.param(self.average()).cost(costs.iter().sum::<f64>() / 2.0), Some(kv!("step" => perturbation;))))
    }
}

/// Mean squares over pairs of evaluations.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NoiseMeasurement {
    /// The mean square of the difference within a pair.
    difference: f64,
    /// The part of it that noise explains.
    noise: f64,
}

impl NoiseMeasurement {
    fn of(evaluations: &[Evaluation]) -> Self {
        let pairs = (evaluations.len() / 2).max(1) as f64;
        let difference: f64 = evaluations.chunks_exact(2).map(|pair| (pair[0].mean - pair[1].mean).powi(2)).sum();
        let noise: f64 = evaluations.iter().filter_map(|each| each.standard_error).map(|error| error.powi(2)).sum();
        NoiseMeasurement { difference: difference / pairs, noise: noise / pairs }
    }

    /// The part of the mean square that noise does not explain.
    fn signal(self) -> f64 {
        (self.difference - self.noise).max(0.0)
    }

    /// Gains with which a typical difference makes a step of `length`, shortened by the share of noise in it.
    fn gains(self, length: f64, perturbation: f64) -> Gains {
        let share = if self.difference > 0.0 { (self.signal() / self.difference).sqrt() } else { 0.0 };
        let typical = if self.difference > 0.0 { self.difference.sqrt() } else { 1.0 };
        Gains { step: length * share.max(LEAST_SHARE) / typical, perturbation }
    }
}

/// Even if the measurement shows nothing but noise, the search must be able to leave its start.
const LEAST_SHARE: f64 = 0.2;

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(above: f64, below: f64, error: f64) -> [Evaluation; 2] {
        [above, below].map(|mean| Evaluation { mean, standard_error: Some(error), games: 10 })
    }

    #[test]
    fn noise_shortens_steps_and_the_unit_of_the_objective_does_not_matter() {
        let clear = NoiseMeasurement::of(&pair(110.0, 90.0, 1.0));
        let noisy = NoiseMeasurement::of(&pair(110.0, 90.0, 13.0));
        let in_thousands = NoiseMeasurement::of(&pair(0.110, 0.090, 0.001));
        assert!(noisy.gains(0.05, 0.1).step < 0.5 * clear.gains(0.05, 0.1).step);
        assert!((in_thousands.gains(0.05, 0.1).step / clear.gains(0.05, 0.1).step - 1000.0).abs() < 1e-6);
        // A difference of 20 without noise moves the point by the length asked for.
        assert!((clear.gains(0.05, 0.1).step * 20.0 - 0.05).abs() < 1e-3);
    }

    #[test]
    fn a_flat_objective_still_gives_finite_gains() {
        let flat = NoiseMeasurement::of(&pair(0.0, 0.0, 0.0)).gains(0.05, 0.1);
        assert!(flat.step.is_finite() && flat.step > 0.0);
    }
}
