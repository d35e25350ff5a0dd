//! Random search: points drawn evenly from the whole space, the start first. The baseline that others must beat.

use argmin::core::{Error, KV, Problem, Solver};
use rand::Rng as _;

use super::{Ending, OptimizerKind, Search, State, Trials, games};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "random",
    summary: "evenly drawn points, then a race between the best: a baseline",
    params: &[games("20")],
    ending: Ending::Race,
    build: |search| Ok(Box::new(Random::new(search))),
};

/// Points asked at once, enough to keep all cores busy with games.
const BATCH: usize = 20;

struct Random {
    /// Not asked yet.
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

impl<'a> Solver<Trials<'a>, State> for Random {
    fn name(&self) -> &str {
        KIND.name
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, mut state: State) -> Result<(State, Option<KV>), Error> {
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
