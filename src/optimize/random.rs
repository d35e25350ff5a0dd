//! Random search: the start, then points drawn uniformly from the whole space. It is the baseline for the other
//! optimizers.

use argmin::core::{Error, KV, Problem, Solver};
use rand::Rng as _;

use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "random",
    summary: "uniformly random points, then a race between the best: a baseline",
    params: &[games("20")],
    recommend_by: RecommendBy::Race,
    ranks_generations: false,
    build: |search| Ok(Box::new(Random::new(search))),
};

/// The number of points per iteration: enough games at once to use all cores.
const BATCH: usize = 20;

struct Random {
    /// The start, until it has been evaluated.
    start: Option<Vec<f64>>,
    dimensions: usize,
    rng: Rng,
}

impl Random {
    fn new(search: &Search) -> Self {
        let start = search.space.start();
        Random { dimensions: start.len(), start: Some(start), rng: search.rng() }
    }

    fn draw(&mut self) -> Vec<f64> {
        (0..self.dimensions).map(|_| self.rng.random()).collect()
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for Random {
    fn name(&self) -> &str {
        KIND.name
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        mut state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let points: Vec<Vec<f64>> = (0..BATCH).map(|_| self.start.take().unwrap_or_else(|| self.draw())).collect();
        let costs = problem.bulk_cost(&points)?;
        for (point, cost) in points.into_iter().zip(costs) {
            if cost < state.get_cost() {
                state = state.param(point).cost(cost);
            }
        }
        Ok((state, None))
    }
}
