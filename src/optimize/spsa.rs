//! Simultaneous perturbation: the slope along one random diagonal, from two evaluations, is the next step.
//!
//! SPSA stands or falls with its gains. They are taken from a probe: a few pairs around the start show how large a
//! difference is and how much of it is noise. The perturbation is widened until there is something to see, and the
//! first steps are as long as the signal deserves. No gain depends on the budget, so a search can be extended. The
//! recommendation is the mean of the later half of all iterates, which averages the noise of the last steps out.
//!
//! References: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization",
//! IEEE Transactions on Aerospace and Electronic Systems 34, 1998 (the decay of the gains);
//! B. T. Polyak, A. B. Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992.

use argmin::core::{Error, KV, Problem, Solver, State as _};
use argmin::kv;
use rand::Rng as _;

use super::space::mirror;
use super::{Ending, Evaluation, OptimizerKind, Search, State, Trials, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "spsa",
    summary: "follows the slope along random diagonals, with gains from a probe of the noise",
    params: &[
        games("5"),
        Param {
            name: "step",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.05",
            help: "length of the first steps if there were no noise, as a part of each range",
        },
    ],
    ending: Ending::Settled,
    build: |search| Ok(Box::new(Spsa::new(search))),
};

/// Spall's practical exponents of the decay of step and perturbation.
const STEP_DECAY: f64 = 0.602;
const PERTURBATION_DECAY: f64 = 0.101;
/// Iterations before the step begins to decay in earnest; Spall advises a tenth of those expected.
const STABILITY: f64 = 100.0;
/// Pairs in a probe: enough to tell the size of a difference within a quarter or so.
const PROBE_PAIRS: usize = 10;
/// Perturbations tried by the probe, as a part of each range.
const PERTURBATIONS: [f64; 3] = [0.05, 0.1, 0.2];

struct Spsa {
    /// Of the first step, if all of a difference were signal.
    length: f64,
    gains: Gains,
    point: Vec<f64>,
    /// Of all iterates up to each, so that the mean of any stretch is one difference.
    sums: Vec<Vec<f64>>,
    rng: Rng,
}

/// Step and perturbation at the first iteration, the step per unit of difference.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gains {
    step: f64,
    perturbation: f64,
}

impl Spsa {
    fn new(search: &Search) -> Self {
        let gains = Gains { step: 0.0, perturbation: PERTURBATIONS[0] };
        Spsa { length: search.number("step"), gains, point: search.space.start(), sums: Vec::new(), rng: search.rng() }
    }

    fn diagonal(&mut self) -> Vec<f64> {
        self.point.iter().map(|_| if self.rng.random() { 1.0 } else { -1.0 }).collect()
    }

    /// Points on both sides along each diagonal.
    fn pairs(&self, diagonals: &[Vec<f64>], perturbation: f64) -> Vec<Vec<f64>> {
        let shifted = |diagonal: &Vec<f64>, by: f64| -> Vec<f64> {
            self.point.iter().zip(diagonal).map(|(x, side)| x + by * side).collect()
        };
        diagonals.iter().flat_map(|d| [shifted(d, perturbation), shifted(d, -perturbation)]).collect()
    }

    /// Writes the current iterate down.
    fn remember(&mut self) {
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

impl<'a> Solver<Trials<'a>, State> for Spsa {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        for perturbation in PERTURBATIONS {
            let diagonals: Vec<Vec<f64>> = (0..PROBE_PAIRS).map(|_| self.diagonal()).collect();
            let points = self.pairs(&diagonals, perturbation);
            let probe = Probe::of(&problem.problem("cost_count", |trials| trials.ask(&points))?);
            self.gains = probe.gains(self.length, perturbation);
            if probe.signal() > probe.noise {
                break;
            }
        }
        Ok((state, Some(kv!("step" => self.gains.perturbation;))))
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let iteration = state.get_iter() as f64;
        let perturbation = self.gains.perturbation / (iteration + 1.0).powf(PERTURBATION_DECAY);
        let slowing = ((STABILITY + 1.0) / (STABILITY + iteration + 1.0)).powf(STEP_DECAY);
        let diagonal = self.diagonal();
        let costs = problem.bulk_cost(&self.pairs(std::slice::from_ref(&diagonal), perturbation))?;
        let difference = costs.iter().copied().reduce(|above, below| above - below).unwrap_or(0.0);
        // The slope is the difference by the perturbation; a step longer than the perturbation would be a leap of
        // faith.
        let step = self.gains.step * slowing * difference * self.gains.perturbation / perturbation;
        let step = step.clamp(-perturbation, perturbation);
        for (x, side) in self.point.iter_mut().zip(&diagonal) {
            *x = mirror(*x - step * side);
        }
        self.remember();
        Ok((state.param(self.average()).cost(costs.iter().sum::<f64>() / 2.0), Some(kv!("step" => perturbation;))))
    }
}

/// Mean squares over pairs of evaluations.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Probe {
    /// Of the difference within a pair.
    difference: f64,
    /// Of the noise in that difference.
    noise: f64,
}

impl Probe {
    fn of(evaluations: &[Evaluation]) -> Self {
        let pairs = (evaluations.len() / 2).max(1) as f64;
        let difference: f64 = evaluations.chunks_exact(2).map(|pair| (pair[0].mean - pair[1].mean).powi(2)).sum();
        let noise: f64 = evaluations.iter().filter_map(|each| each.standard_error).map(|error| error.powi(2)).sum();
        Probe { difference: difference / pairs, noise: noise / pairs }
    }

    fn signal(self) -> f64 {
        (self.difference - self.noise).max(0.0)
    }

    /// Steps of the given length per typical difference, shortened by the part of it that is noise.
    fn gains(self, length: f64, perturbation: f64) -> Gains {
        let trust = if self.difference > 0.0 { (self.signal() / self.difference).sqrt() } else { 0.0 };
        let typical = if self.difference > 0.0 { self.difference.sqrt() } else { 1.0 };
        Gains { step: length * trust.max(LEAST_TRUST) / typical, perturbation }
    }
}

/// Even where the probe saw nothing but noise, the search must be able to leave its start.
const LEAST_TRUST: f64 = 0.2;

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(above: f64, below: f64, error: f64) -> [Evaluation; 2] {
        [above, below].map(|mean| Evaluation { mean, standard_error: Some(error), games: 10 })
    }

    #[test]
    fn steps_shorten_with_the_noise_and_do_not_depend_on_the_unit() {
        let clear = Probe::of(&pair(110.0, 90.0, 1.0));
        let noisy = Probe::of(&pair(110.0, 90.0, 13.0));
        let in_thousands = Probe::of(&pair(0.110, 0.090, 0.001));
        assert!(noisy.gains(0.05, 0.1).step < 0.5 * clear.gains(0.05, 0.1).step);
        assert!((in_thousands.gains(0.05, 0.1).step / clear.gains(0.05, 0.1).step - 1000.0).abs() < 1e-6);
        // A difference of 20 without noise moves by the length asked for.
        assert!((clear.gains(0.05, 0.1).step * 20.0 - 0.05).abs() < 1e-3);
    }

    #[test]
    fn a_flat_probe_still_gives_finite_gains() {
        let flat = Probe::of(&pair(0.0, 0.0, 0.0)).gains(0.05, 0.1);
        assert!(flat.step.is_finite() && flat.step > 0.0);
    }
}
