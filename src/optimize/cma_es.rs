//! CMA-ES with learning-rate adaptation: a normal distribution whose mean and covariance move towards better points.
//!
//! Under noise the ranking of a generation is partly luck. Learning-rate adaptation measures how much of each update is
//! signal. It slows the updates down until they average the noise out. Neither the population nor the number of games
//! per evaluation then needs careful choice. The recommendation is the mean of the distribution.
//!
//! Integers and choices are real coordinates of the distribution. They are rounded when a point is evaluated. A narrow
//! distribution would then never leave its value. The margin of Hamano et al. prevents this: `margin.rs` keeps the
//! probability of another value above a limit.
//!
//! The method uses only ranks, so the scale of the scores does not matter. It assumes that better points have better
//! means.
//!
//! References: N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772 (the update and its constants);
//! M. Nomura, Y. Akimoto, I. Ono, "CMA-ES with Learning Rate Adaptation: Can CMA-ES with Default Population Size Solve
//! Multimodal and Noisy Problems?", GECCO 2023 (the adaptation).
//! R. Hamano, S. Saito, M. Nomura, S. Shirakawa, "CMA-ES with Margin", GECCO 2022 (discrete parameters).

use argmin::core::{Error, KV, Problem, Solver};
use argmin::kv;

use super::margin::Margin;
use super::matrix::{Eigen, Matrix, dot};
use super::normal::standard_normal;
use super::racing::Racing;
use super::space::mirror;
use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

/// The largest population, also after restarts.
pub(super) const MOST_CANDIDATES: i64 = 10_000;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "cma-es",
    summary: "evolution strategy that adapts its covariance, and adapts its learning rate to the noise",
    params: &[
        Param {
            name: "population",
            kind: ParamType::Integer { min: 4, max: MOST_CANDIDATES },
            default: "20",
            help: "candidates per generation",
        },
        games("5"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "initial standard deviation, as a fraction of each range",
        },
        Param {
            name: "rounds",
            kind: ParamType::Integer { min: 1, max: 100 },
            default: "",
            help: "maximum rounds per generation; after the first, only candidates near the middle of the ranking play; default 1",
        },
        Param {
            name: "most-games",
            kind: ParamType::Integer { min: 1, max: 1_000_000 },
            default: "",
            help: "the games per evaluation may grow to this number while the ranks are mostly noise",
        },
    ],
    recommend_by: RecommendBy::Solver,
    ranks_generations: true,
    build: |search| Ok(Box::new(CmaEs::new(search))),
};

/// The distribution, and the averages over past generations that its next update uses, such as the evolution paths.
struct CmaEs {
    weights: Weights,
    mean: Vec<f64>,
    /// Step size.
    sigma: f64,
    /// Covariance divided by the squared step size.
    shape: Matrix,
    sigma_path: Vec<f64>,
    shape_path: Vec<f64>,
    generation: u32,
    mean_rate: LearningRate,
    covariance_rate: LearningRate,
    margin: Margin,
    racing: Racing,
    rng: Rng,
}

impl CmaEs {
    fn new(search: &Search) -> Self {
        let mean = search.space.start();
        let n = mean.len();
        CmaEs {
            weights: Weights::new(n, search.count("population")),
            mean,
            sigma: search.number("spread"),
            shape: Matrix::identity(n),
            sigma_path: vec![0.0; n],
            shape_path: vec![0.0; n],
            generation: 0,
            mean_rate: LearningRate::new(n, 0.1),
            covariance_rate: LearningRate::new(n * n, 0.03),
            margin: Margin::new(&search.space, search.count("population")),
            racing: Racing::new(search),
            rng: search.rng(),
        }
    }

    /// A random point of the distribution. A point outside the cube is replaced by its mirror image, also in the
    /// update. So the distribution learns from the points that were evaluated, and stays inside.
    fn draw(&mut self, roots: &Roots) -> Vec<f64> {
        let normal: Vec<f64> = self.mean.iter().map(|_| standard_normal(&mut self.rng)).collect();
        let steps = self.margin.stretched(&roots.root.times_vector(&normal));
        self.mean.iter().zip(steps).map(|(mean, step)| mirror(mean + self.sigma * step)).collect()
    }

    /// Updates the distribution, scaled by the learning rates. `steps` are those of the generation, best first.
    fn learn(&mut self, roots: &Roots, steps: &[&Vec<f64>]) {
        let (mean, sigma, shape) = self.update(roots, steps);
        let old_covariance = self.shape.scaled(self.sigma * self.sigma);
        let mean_change: Vec<f64> = mean.iter().zip(&self.mean).map(|(new, old)| new - old).collect();
        let covariance_change = shape.scaled(sigma * sigma).plus(-1.0, &old_covariance);

        // Both changes in coordinates in which the old distribution is standard normal (Nomura et al., eq. 8).
        let local = roots.inverse.scaled(1.0 / self.sigma);
        let local_mean = local.times_vector(&mean_change);
        let local_covariance = local.times(&covariance_change).times(&local).scaled(1.0 / 2.0f64.sqrt());
        let before = self.mean_rate.rate;
        let mean_rate = self.mean_rate.adapt(&local_mean);
        let covariance_rate = self.covariance_rate.adapt(local_covariance.cells());

        add_scaled(&mut self.mean, mean_rate, &self.margin.stretched(&mean_change));
        self.set_covariance(&old_covariance.plus(covariance_rate, &covariance_change));
        // A mean with a smaller learning rate needs longer steps for the same progress (Nomura et al., eq. 19).
        self.sigma = (self.sigma * before / mean_rate).min(MAX_SIGMA);
        let spreads: Vec<f64> = (0..self.mean.len()).map(|i| self.sigma * self.shape.at(i, i).sqrt()).collect();
        self.margin.keep(&mut self.mean, &spreads);
    }

    /// The update of plain CMA-ES: mean, step size and shape at full learning rate.
    fn update(&mut self, roots: &Roots, steps: &[&Vec<f64>]) -> (Vec<f64>, f64, Matrix) {
        let w = &self.weights;
        self.generation = self.generation.saturating_add(1);
        let step = w.mean_step(steps);

        let keep = 1.0 - w.c_sigma;
        let gain = (w.c_sigma * (2.0 - w.c_sigma) * w.mass).sqrt();
        scale_and_add(&mut self.sigma_path, keep, gain, &roots.inverse.times_vector(&step));
        let length = dot(&self.sigma_path, &self.sigma_path).sqrt();
        let settled = (1.0 - libm::pow(keep, 2.0 * f64::from(self.generation))).sqrt();
        // A very long path means that the step size is about to grow. Then the rank-one update of the shape is stalled.
        let is_short = length / settled < (1.4 + 2.0 / (w.n + 1.0)) * w.expected_length;

        let gain = if is_short { (w.c_c * (2.0 - w.c_c) * w.mass).sqrt() } else { 0.0 };
        scale_and_add(&mut self.shape_path, 1.0 - w.c_c, gain, &step);
        let missed = if is_short { 0.0 } else { w.c_1 * w.c_c * (2.0 - w.c_c) };
        let mut shape = self.shape.scaled(1.0 - w.c_1 - w.c_mu + missed);
        shape = shape.plus(w.c_1, &Matrix::outer(&self.shape_path));
        for (step, weight) in steps.iter().zip(&w.each) {
            shape = shape.plus(w.c_mu * weight, &Matrix::outer(step));
        }

        let sigma = self.sigma * libm::exp(w.c_sigma / w.damping * (length / w.expected_length - 1.0));
        let mut mean = self.mean.clone();
        add_scaled(&mut mean, self.sigma, &step);
        (mean, sigma, shape)
    }

    /// Splits a covariance into a shape of determinant 1 and a step size.
    fn set_covariance(&mut self, covariance: &Matrix) {
        let n = covariance.size();
        let symmetric =
            Matrix::from_fn(n, |row, column| 0.5 * (covariance.at(row, column) + covariance.at(column, row)));
        let eigen = decompose(&symmetric);
        let log_volume: f64 = eigen.values.iter().map(|variance| 0.5 * libm::log(*variance)).sum();
        self.sigma = libm::exp(log_volume / self.weights.n);
        self.shape = eigen.rebuilt(|variance| variance / (self.sigma * self.sigma));
    }
}

fn add_scaled(vector: &mut [f64], factor: f64, other: &[f64]) {
    scale_and_add(vector, 1.0, factor, other);
}

fn scale_and_add(vector: &mut [f64], keep: f64, factor: f64, other: &[f64]) {
    for (x, y) in vector.iter_mut().zip(other) {
        *x = keep * *x + factor * y;
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for CmaEs {
    fn name(&self) -> &str {
        KIND.name
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let roots = Roots::of(&self.shape);
        let points: Vec<Vec<f64>> = (0..self.weights.population).map(|_| self.draw(&roots)).collect();
        let step = |point: &Vec<f64>| -> Vec<f64> {
            let steps: Vec<f64> = point.iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect();
            self.margin.unstretched(&steps)
        };
        let steps: Vec<Vec<f64>> = points.iter().map(step).collect();
        let costs = self.racing.costs(problem, &points, self.weights.each.len())?;
        let mut ranked: Vec<(f64, &Vec<f64>)> = costs.iter().copied().zip(&steps).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ranked: Vec<&Vec<f64>> = ranked.into_iter().map(|(_, step)| step).collect();
        self.learn(&roots, &ranked);
        let mean_cost = costs.iter().sum::<f64>() / costs.len() as f64;
        let state = state.param(self.mean.clone()).cost(mean_cost);
        Ok((state, Some(kv!("step" => self.sigma;))))
    }
}

/// The largest step size: a step of this length covers the whole cube. Without a limit, the step size would grow for
/// ever on a flat objective.
const MAX_SIGMA: f64 = 1.0;

/// The constants of CMA-ES, all from table 1 of Hansen's tutorial.
struct Weights {
    n: f64,
    population: usize,
    /// The weights of the better half, best first; they sum to 1.
    each: Vec<f64>,
    /// The variance-effective selection mass: the number of equal weights with the same variance.
    mass: f64,
    c_sigma: f64,
    damping: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// The expected length of a standard normal vector.
    expected_length: f64,
}

impl Weights {
    fn new(dimensions: usize, population: usize) -> Self {
        let n = dimensions as f64;
        let weight = |rank: usize| libm::log((population as f64 + 1.0) / 2.0) - libm::log(rank as f64);
        let raw: Vec<f64> = (1..=population / 2).map(weight).collect();
        let sum: f64 = raw.iter().sum();
        let each: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mass = 1.0 / each.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mass + 2.0) / (n + mass + 5.0);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mass);
        Weights {
            n,
            population,
            each,
            mass,
            c_sigma,
            damping: 1.0 + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n),
            c_1,
            c_mu: (2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0) * (n + 2.0) + mass)).min(1.0 - c_1),
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }

    /// The weighted mean of the better half of the steps.
    fn mean_step(&self, steps: &[&Vec<f64>]) -> Vec<f64> {
        let mut mean = vec![0.0; steps.first().map_or(0, |step| step.len())];
        for (step, weight) in steps.iter().zip(&self.each) {
            add_scaled(&mut mean, *weight, step);
        }
        mean
    }
}

/// The symmetric square root of a covariance and its inverse. The symmetric root does not depend on the order and the
/// signs of the eigenvectors.
struct Roots {
    root: Matrix,
    inverse: Matrix,
}

impl Roots {
    fn of(covariance: &Matrix) -> Self {
        let eigen = decompose(covariance);
        Roots { root: eigen.rebuilt(f64::sqrt), inverse: eigen.rebuilt(|variance| 1.0 / variance.sqrt()) }
    }
}

/// The principal axes of a covariance and the variance along each, at least [`LEAST_VARIANCE`].
fn decompose(covariance: &Matrix) -> Eigen {
    let n = covariance.size();
    let fallback = || Eigen { values: vec![LEAST_VARIANCE; n], vectors: Matrix::identity(n) };
    let mut eigen = Eigen::of(covariance).unwrap_or_else(fallback);
    eigen.values.iter_mut().for_each(|variance| *variance = variance.max(LEAST_VARIANCE));
    eigen
}

/// Smaller variances are rounding errors. The limit keeps them above 0, so that the search can move in every direction.
const LEAST_VARIANCE: f64 = 1e-20;

/// The learning rate of the mean or of the covariance, adapted to the signal-to-noise ratio of the updates.
struct LearningRate {
    rate: f64,
    /// The weight of the newest update in the averages; 0.1 for the mean and 0.03 for the covariance (Nomura et al.,
    /// section 4.1).
    forget: f64,
    /// Running mean of the updates, and of their squared length.
    drift: Vec<f64>,
    power: f64,
}

impl LearningRate {
    /// The target signal-to-noise ratio, in units of the rate, and the damping of the rate (ibid.).
    const TARGET: f64 = 1.4;
    const DAMPING: f64 = 0.1;

    fn new(dimensions: usize, forget: f64) -> Self {
        LearningRate { rate: 1.0, forget, drift: vec![0.0; dimensions], power: 0.0 }
    }

    /// Adapts the rate to an update, given in local coordinates, and returns the rate to apply to it.
    fn adapt(&mut self, update: &[f64]) -> f64 {
        let b = self.forget;
        self.power = self.power * (1.0 - b) + dot(update, update) * b;
        scale_and_add(&mut self.drift, 1.0 - b, b, update);
        let drift = dot(&self.drift, &self.drift);
        let signal = drift - b / (2.0 - b) * self.power;
        let noise = self.power - drift;
        let ratio = if noise > 0.0 { signal / noise } else { f64::INFINITY };
        let excess = (ratio / Self::TARGET / self.rate - 1.0).clamp(-1.0, 1.0);
        self.rate = (self.rate * libm::exp((Self::DAMPING * self.rate).min(b) * excess)).min(1.0);
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_stays_for_a_steady_drift_and_falls_for_pure_noise() {
        let mut rng = crate::rng::seeded(1);
        let mut noisy = LearningRate::new(4, 0.1);
        let mut steady = LearningRate::new(4, 0.1);
        for _ in 0..300 {
            let noise: Vec<f64> = (0..4).map(|_| standard_normal(&mut rng)).collect();
            noisy.adapt(&noise);
            steady.adapt(&[0.5; 4]);
        }
        assert!(noisy.rate < 0.1, "{}", noisy.rate);
        assert!(steady.rate > 0.9, "{}", steady.rate);
    }

    #[test]
    fn weights_of_the_better_half_decrease_and_sum_to_one() {
        let weights = Weights::new(8, 20);
        assert_eq!(weights.each.len(), 10);
        assert!(weights.each.is_sorted_by(|a, b| a > b));
        assert!((weights.each.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // Hansen's tutorial: the mass of the weights is about 0.3 of the population.
        assert!((5.0..7.0).contains(&weights.mass), "{}", weights.mass);
    }

    #[test]
    fn roots_multiply_to_the_covariance_and_to_the_identity() {
        let covariance = Matrix::from_fn(2, |row, column| [[4.0, 1.0], [1.0, 3.0]][row][column]);
        let roots = Roots::of(&covariance);
        let difference = |a: &Matrix, b: &Matrix| a.plus(-1.0, b).cells().iter().map(|cell| cell.abs()).sum::<f64>();
        assert!(difference(&roots.root.times(&roots.root), &covariance) < 1e-12);
        let identity = roots.inverse.times(&covariance).times(&roots.inverse);
        assert!(difference(&identity, &Matrix::identity(2)) < 1e-12);
        assert_eq!(decompose(&covariance.scaled(f64::NAN)).values, [LEAST_VARIANCE; 2]);
    }
}
