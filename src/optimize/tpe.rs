//! TPE, the tree-structured Parzen estimator. It models the density of good points and that of the other points, and
//! evaluates points that are likely under the first model and unlikely under the second.
//!
//! It uses all earlier evaluations, so it suits budgets of a few hundred evaluations. Every model is a mixture of
//! normal kernels around the evaluated points and a uniform part that keeps the whole range possible. The good points
//! are the best quarter: under noise the very best points are mostly lucky, and a larger group averages the luck out.
//! At the end the points with the best values race.
//!
//! The crate `tpe` is not used because it needs a second version of `rand`. The crate `egobox` is not used because it
//! would more than double the number of dependencies.
//!
//! Reference: J. Bergstra, R. Bardenet, Y. Bengio, B. Kegl, "Algorithms for Hyper-Parameter Optimization", NIPS 2011.

use argmin::core::{Error, KV, Problem, Solver};
use rand::Rng as _;

use super::normal::standard_normal;
use super::space::mirror;
use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "tpe",
    summary: "Parzen estimators of good and other points: a surrogate for budgets of a few hundred evaluations",
    params: &[
        games("20"),
        Param {
            name: "batch",
            kind: ParamType::Integer { min: 1, max: 1000 },
            default: "10",
            help: "points that are chosen and evaluated together",
        },
        Param {
            name: "good",
            kind: ParamType::Number { min: 0.01, max: 0.5 },
            default: "0.25",
            help: "the share of the points that count as good",
        },
    ],
    recommend_by: RecommendBy::Race,
    ranks_generations: false,
    build: |search| Ok(Box::new(Tpe::new(search))),
};

/// Random points before the first model, for each dimension.
const RANDOM_POINTS: usize = 3;
/// Points drawn from the good model, of which the most promising one is evaluated (hyperopt's number).
const DRAWN: usize = 24;
/// The maximum number of kernels of a model. The newest points are kept. More would make the model slower without
/// adding much, because the search has moved on from older points.
const MOST_KERNELS: usize = 100;

struct Tpe {
    batch: usize,
    good: f64,
    /// The least width of a kernel along each coordinate: half the part of one discrete value.
    least: Vec<f64>,
    /// All points with their costs, in the order of evaluation.
    known: Vec<(Vec<f64>, f64)>,
    start: Option<Vec<f64>>,
    rng: Rng,
}

impl Tpe {
    fn new(search: &Search) -> Self {
        Tpe {
            batch: search.count("batch"),
            good: search.number("good"),
            least: search.space.least_steps(0.5),
            known: Vec::new(),
            start: Some(search.space.start()),
            rng: search.rng(),
        }
    }

    fn next_point(&mut self, models: Option<&(Parzen, Parzen)>) -> Vec<f64> {
        if let Some(start) = self.start.take() {
            return start;
        }
        let Some((good, others)) = models else {
            return self.least.iter().map(|_| self.rng.random()).collect();
        };
        let drawn: Vec<Vec<f64>> = (0..DRAWN).map(|_| good.draw(&mut self.rng)).collect();
        let log_ratio = |point: &Vec<f64>| good.log_density(point) - others.log_density(point);
        drawn.into_iter().max_by(|a, b| log_ratio(a).total_cmp(&log_ratio(b))).unwrap_or_default()
    }

    /// The models of the good points and of the others; `None` as long as too few points are known.
    fn models(&self) -> Option<(Parzen, Parzen)> {
        if self.known.len() < RANDOM_POINTS * self.least.len() {
            return None;
        }
        let mut order: Vec<usize> = (0..self.known.len()).collect();
        order.sort_by(|a, b| self.known[*a].1.total_cmp(&self.known[*b].1));
        let count = ((self.known.len() as f64 * self.good).ceil() as usize).max(2);
        let (good, others) = order.split_at(count.min(order.len()));
        Some((self.model(good), self.model(others)))
    }

    fn model(&self, places: &[usize]) -> Parzen {
        let mut places = places.to_vec();
        places.sort();
        let newest = &places[places.len().saturating_sub(MOST_KERNELS)..];
        Parzen::new(newest.iter().map(|place| self.known[*place].0.clone()).collect(), &self.least)
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for Tpe {
    fn name(&self) -> &str {
        KIND.name
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        mut state: State,
    ) -> Result<(State, Option<KV>), Error> {
        // All points of a batch use the same models.
        let models = self.models();
        let points: Vec<Vec<f64>> = (0..self.batch).map(|_| self.next_point(models.as_ref())).collect();
        let costs = problem.bulk_cost(&points)?;
        for (point, cost) in points.into_iter().zip(costs) {
            if cost < state.get_cost() {
                state = state.param(point.clone()).cost(cost);
            }
            self.known.push((point, cost));
        }
        Ok((state, None))
    }
}

/// A mixture of normal kernels. A kernel is the product of one normal density for each coordinate, so a drawn point is
/// near an evaluated point.
struct Parzen {
    centres: Vec<Vec<f64>>,
    widths: Vec<f64>,
}

impl Parzen {
    fn new(centres: Vec<Vec<f64>>, least: &[f64]) -> Self {
        let widths = (0..least.len()).map(|axis| width(&centres, axis).max(least[axis])).collect();
        Parzen { centres, widths }
    }

    /// A random point: near one of the centres or, with the weight of one centre, uniform.
    fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        match self.centres.get(rng.random_range(0..=self.centres.len())) {
            Some(centre) => {
                let near = |(x, width): (&f64, &f64)| mirror(x + width * standard_normal(rng));
                centre.iter().zip(&self.widths).map(near).collect()
            }
            None => self.widths.iter().map(|_| rng.random()).collect(),
        }
    }

    /// The logarithm of the density, the uniform part included.
    fn log_density(&self, point: &[f64]) -> f64 {
        let kernel = |centre: &Vec<f64>| {
            let along = |((x, mean), width): ((&f64, &f64), &f64)| {
                let z = (x - mean) / width;
                -0.5 * z * z - libm::log(width * ROOT_OF_TWO_PI)
            };
            libm::exp(point.iter().zip(centre).zip(&self.widths).map(along).sum())
        };
        let sum: f64 = self.centres.iter().map(kernel).sum();
        libm::log((sum + 1.0) / (self.centres.len() + 1) as f64)
    }
}

const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631_000_2;
/// The narrowest kernel: a hundredth of the range.
const NARROWEST: f64 = 0.01;

/// Scott's rule for the width of a kernel: the spread divided by a power of the number of points.
fn width(centres: &[Vec<f64>], axis: usize) -> f64 {
    let n = centres.len().max(1) as f64;
    let mean = centres.iter().map(|centre| centre[axis]).sum::<f64>() / n;
    let variance = centres.iter().map(|centre| (centre[axis] - mean).powi(2)).sum::<f64>() / n;
    let dimensions = centres.first().map_or(1, Vec::len) as f64;
    (variance.sqrt() * libm::pow(n, -1.0 / (dimensions + 4.0))).max(NARROWEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;

    #[test]
    fn a_model_is_dense_where_its_points_are() {
        let centres: Vec<Vec<f64>> = (0..20).map(|i| vec![0.3 + 0.001 * f64::from(i), 0.7]).collect();
        let model = Parzen::new(centres, &[0.0, 0.0]);
        assert!(model.log_density(&[0.31, 0.7]) > model.log_density(&[0.5, 0.7]) + 2.0);
        let mut rng = seeded(1);
        let near = (0..200).filter(|_| (model.draw(&mut rng)[0] - 0.31).abs() < 0.1).count();
        assert!((150..200).contains(&near), "{near}");
    }

    #[test]
    fn the_width_of_kernels_falls_with_the_number_of_points() {
        let points = |n: u32| (0..n).map(|i| vec![f64::from(i % 2)]).collect::<Vec<_>>();
        assert!(width(&points(10), 0) > width(&points(1000), 0));
        assert_eq!(width(&[vec![0.5]], 0), NARROWEST);
    }
}
