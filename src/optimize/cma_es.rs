//! CMA-ES with learning-rate adaptation: a normal distribution moves towards better points and takes their shape.
//!
//! Under noise the ranking of a generation is partly luck. Learning-rate adaptation measures how much of each update is
//! signal and slows down until the updates average the noise out, so nobody has to choose the number of games per
//! evaluation or the population with care. The recommendation is the distribution's mean.
//!
//! Assumes nothing but that better points have better means on the whole; ranks only, so any scale of scores will do.
//!
//! References: N. Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772 (the update and its constants);
//! M. Nomura, Y. Akimoto, I. Ono, "CMA-ES with Learning Rate Adaptation: Can CMA-ES with Default Population Size Solve
//! Multimodal and Noisy Problems?", GECCO 2023 (the adaptation).

use argmin::core::{Error, KV, Problem, Solver};
use argmin::kv;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rand_distr::{Distribution, StandardNormal};

use super::space::mirror;
use super::{Ending, OptimizerKind, Search, State, Trials, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "cma-es",
    summary: "evolution strategy that adapts its shape and, to the noise, its learning rate",
    params: &[
        Param {
            name: "population",
            kind: ParamType::Integer { min: 4, max: 10_000 },
            default: "20",
            help: "candidates per generation",
        },
        games("5"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "first standard deviation, as a part of each range",
        },
    ],
    ending: Ending::Settled,
    build: |search| Ok(Box::new(CmaEs::new(search))),
};

/// The distribution and what its next update needs to know of the past.
struct CmaEs {
    weights: Weights,
    mean: DVector<f64>,
    /// Step size.
    sigma: f64,
    /// Covariance without the step size.
    shape: DMatrix<f64>,
    sigma_path: DVector<f64>,
    shape_path: DVector<f64>,
    generation: i32,
    mean_rate: LearningRate,
    covariance_rate: LearningRate,
    rng: Rng,
}

impl CmaEs {
    fn new(search: &Search) -> Self {
        let mean = DVector::from_vec(search.space.start());
        let n = mean.len();
        CmaEs {
            weights: Weights::new(n, search.count("population")),
            mean,
            sigma: search.number("spread"),
            shape: DMatrix::identity(n, n),
            sigma_path: DVector::zeros(n),
            shape_path: DVector::zeros(n),
            generation: 0,
            mean_rate: LearningRate::new(n, 0.1),
            covariance_rate: LearningRate::new(n * n, 0.03),
            rng: search.rng(),
        }
    }

    /// A point of the distribution. Beyond the cube its mirror image stands in for it, in the update too: the
    /// distribution learns from where the games were played, and stays inside.
    fn draw(&mut self, frame: &Frame) -> DVector<f64> {
        let normal = DVector::from_fn(self.mean.len(), |_, _| StandardNormal.sample(&mut self.rng));
        (&self.mean + &frame.root * normal * self.sigma).map(mirror)
    }

    /// Moves to where the update leads, as far as the learning rates trust it. `steps` are the generation's, best
    /// first.
    fn learn(&mut self, frame: &Frame, steps: &[&DVector<f64>]) {
        let (mean, sigma, shape) = self.update(frame, steps);
        let old_covariance = &self.shape * self.sigma.powi(2);
        let mean_change = mean - &self.mean;
        let covariance_change = shape * sigma.powi(2) - &old_covariance;

        // Both changes as the old distribution sees them: there a unit is the same in every direction (their eq. 8).
        let local = &frame.inverse_root / self.sigma;
        let local_mean = &local * &mean_change;
        let local_covariance = &local * &covariance_change * &local / 2.0f64.sqrt();
        let before = self.mean_rate.rate;
        let mean_rate = self.mean_rate.adapt(local_mean);
        let covariance_rate = self.covariance_rate.adapt(DVector::from_column_slice(local_covariance.as_slice()));

        self.mean += mean_change * mean_rate;
        self.set_covariance(old_covariance + covariance_change * covariance_rate);
        // A slower mean wants a longer step to be as far along (their eq. 19).
        self.sigma = (self.sigma * before / mean_rate).min(WIDEST);
    }

    /// The update of plain CMA-ES: mean, step size and shape as they would become at full learning rate.
    fn update(&mut self, frame: &Frame, steps: &[&DVector<f64>]) -> (DVector<f64>, f64, DMatrix<f64>) {
        let w = &self.weights;
        self.generation = self.generation.saturating_add(1);
        let step: DVector<f64> = w.recombine(steps, |step| (*step).clone());

        let keep = 1.0 - w.c_sigma;
        let gain = (w.c_sigma * (2.0 - w.c_sigma) * w.mass).sqrt();
        self.sigma_path = &self.sigma_path * keep + &frame.inverse_root * &step * gain;
        let length = self.sigma_path.norm();
        let settled = (1.0 - keep.powi(self.generation.saturating_mul(2))).sqrt();
        let calm = length / settled < (1.4 + 2.0 / (w.n + 1.0)) * w.expected_length;

        let gain = if calm { (w.c_c * (2.0 - w.c_c) * w.mass).sqrt() } else { 0.0 };
        self.shape_path = &self.shape_path * (1.0 - w.c_c) + &step * gain;
        let missed = if calm { 0.0 } else { w.c_1 * w.c_c * (2.0 - w.c_c) };
        let shape = &self.shape * (1.0 - w.c_1 - w.c_mu + missed)
            + &self.shape_path * self.shape_path.transpose() * w.c_1
            + w.recombine(steps, |step| *step * step.transpose()) * w.c_mu;

        let sigma = self.sigma * (w.c_sigma / w.damping * (length / w.expected_length - 1.0)).exp();
        (&self.mean + step * self.sigma, sigma, shape)
    }

    /// Splits a covariance into a shape of determinant 1 and a step size.
    fn set_covariance(&mut self, covariance: DMatrix<f64>) {
        let symmetric = (&covariance + covariance.transpose()) * 0.5;
        let frame = Frame::of(&symmetric);
        let log_volume: f64 = frame.lengths.iter().map(|length| length.ln()).sum();
        self.sigma = (log_volume / self.weights.n).exp();
        self.shape = frame.matrix() / self.sigma.powi(2);
    }
}

impl<'a> Solver<Trials<'a>, State> for CmaEs {
    fn name(&self) -> &str {
        KIND.name
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let frame = Frame::of(&self.shape);
        let points: Vec<DVector<f64>> = (0..self.weights.population).map(|_| self.draw(&frame)).collect();
        let steps: Vec<DVector<f64>> = points.iter().map(|point| (point - &self.mean) / self.sigma).collect();
        let points: Vec<Vec<f64>> = points.iter().map(|point| point.as_slice().to_vec()).collect();
        let costs = problem.bulk_cost(&points)?;
        let mut ranked: Vec<(f64, &DVector<f64>)> = costs.iter().copied().zip(&steps).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ranked: Vec<&DVector<f64>> = ranked.into_iter().map(|(_, step)| step).collect();
        self.learn(&frame, &ranked);
        let mean_cost = costs.iter().sum::<f64>() / costs.len() as f64;
        let state = state.param(self.mean.as_slice().to_vec()).cost(mean_cost);
        Ok((state, Some(kv!("step" => self.sigma;))))
    }
}

/// A step this long covers the whole cube; without a limit a flat objective would let it grow for ever.
const WIDEST: f64 = 1.0;

/// The constants of CMA-ES, all from Hansen's tutorial, table 1.
struct Weights {
    n: f64,
    population: usize,
    /// Of the better half, best first; they sum to 1.
    each: Vec<f64>,
    /// How many equal weights these are worth.
    mass: f64,
    c_sigma: f64,
    damping: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// Of a standard normal vector.
    expected_length: f64,
}

impl Weights {
    fn new(dimensions: usize, population: usize) -> Self {
        let n = dimensions as f64;
        let raw: Vec<f64> =
            (1..=population / 2).map(|rank| ((population as f64 + 1.0) / 2.0).ln() - (rank as f64).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let each: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mass = 1.0 / each.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mass + 2.0) / (n + mass + 5.0);
        let c_1 = 2.0 / ((n + 1.3).powi(2) + mass);
        Weights {
            n,
            population,
            each,
            mass,
            c_sigma,
            damping: 1.0 + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n),
            c_1,
            c_mu: (2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0).powi(2) + mass)).min(1.0 - c_1),
            expected_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }

    /// The weighted sum of something over the better half.
    fn recombine<T>(&self, steps: &[&DVector<f64>], each: impl Fn(&&DVector<f64>) -> T) -> T
    where
        T: std::ops::Mul<f64, Output = T> + std::ops::Add<T, Output = T>,
    {
        let first = each(&steps[0]) * self.each[0];
        steps.iter().zip(&self.each).skip(1).fold(first, |sum, (step, weight)| sum + each(step) * *weight)
    }
}

/// The axes of a covariance.
struct Frame {
    axes: DMatrix<f64>,
    lengths: DVector<f64>,
    root: DMatrix<f64>,
    inverse_root: DMatrix<f64>,
}

impl Frame {
    fn of(covariance: &DMatrix<f64>) -> Self {
        let n = covariance.nrows();
        let (axes, squares) = SymmetricEigen::try_new(covariance.clone(), f64::EPSILON, 1000 * n)
            .filter(|eigen| eigen.eigenvalues.iter().all(|value| value.is_finite()))
            .map_or((DMatrix::identity(n, n), DVector::repeat(n, FLATTEST)), |e| (e.eigenvectors, e.eigenvalues));
        let lengths = squares.map(|square| square.max(FLATTEST).sqrt());
        let root = &axes * DMatrix::from_diagonal(&lengths);
        let inverse_root = &axes * DMatrix::from_diagonal(&lengths.map(f64::recip)) * axes.transpose();
        Frame { axes, lengths, root, inverse_root }
    }

    fn matrix(&self) -> DMatrix<f64> {
        &self.axes * DMatrix::from_diagonal(&self.lengths.map(|length| length * length)) * self.axes.transpose()
    }
}

/// Variances below this are rounding errors; kept away from 0 so that every direction stays open.
const FLATTEST: f64 = 1e-20;

/// How far to follow updates of one kind, given how much of them is signal.
struct LearningRate {
    rate: f64,
    /// How fast the averages forget; 0.1 for the mean and 0.03 for the covariance (Nomura et al., section 4.1).
    forget: f64,
    /// Running mean of the updates, and of their squared length.
    drift: DVector<f64>,
    power: f64,
}

impl LearningRate {
    /// The signal-to-noise ratio aimed at, in units of the rate, and the rate's own damping (ibid.).
    const TARGET: f64 = 1.4;
    const DAMPING: f64 = 0.1;

    fn new(dimensions: usize, forget: f64) -> Self {
        LearningRate { rate: 1.0, forget, drift: DVector::zeros(dimensions), power: 0.0 }
    }

    /// Takes in an update, in local coordinates, and returns the rate to apply it with.
    fn adapt(&mut self, update: DVector<f64>) -> f64 {
        let b = self.forget;
        self.power = self.power * (1.0 - b) + update.norm_squared() * b;
        self.drift = &self.drift * (1.0 - b) + update * b;
        let drift = self.drift.norm_squared();
        let signal = drift - b / (2.0 - b) * self.power;
        let noise = self.power - drift;
        let ratio = if noise > 0.0 { signal / noise } else { f64::INFINITY };
        let excess = (ratio / Self::TARGET / self.rate - 1.0).clamp(-1.0, 1.0);
        self.rate = (self.rate * ((Self::DAMPING * self.rate).min(b) * excess).exp()).min(1.0);
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_drift_keeps_its_rate_and_pure_noise_loses_it() {
        let mut rng = crate::rng::seeded(1);
        let mut noisy = LearningRate::new(4, 0.1);
        let mut steady = LearningRate::new(4, 0.1);
        for _ in 0..300 {
            noisy.adapt(DVector::from_fn(4, |_, _| StandardNormal.sample(&mut rng)));
            steady.adapt(DVector::repeat(4, 0.5));
        }
        assert!(noisy.rate < 0.1, "{}", noisy.rate);
        assert!(steady.rate > 0.9, "{}", steady.rate);
    }

    #[test]
    fn weights_of_the_better_half_fall_and_sum_to_one() {
        let weights = Weights::new(8, 20);
        assert_eq!(weights.each.len(), 10);
        assert!(weights.each.is_sorted_by(|a, b| a > b));
        assert!((weights.each.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // Hansen's tutorial: the mass of the weights is about 0.3 of the population.
        assert!((5.0..7.0).contains(&weights.mass), "{}", weights.mass);
    }

    #[test]
    fn a_frame_gives_back_its_matrix() {
        let matrix = DMatrix::from_row_slice(2, 2, &[4.0, 1.0, 1.0, 3.0]);
        let frame = Frame::of(&matrix);
        assert!((frame.matrix() - &matrix).norm() < 1e-12);
        assert!((&frame.root * frame.root.transpose() - &matrix).norm() < 1e-12);
        let one = &frame.inverse_root * &matrix * &frame.inverse_root;
        assert!((one - DMatrix::identity(2, 2)).norm() < 1e-12);
    }
}
