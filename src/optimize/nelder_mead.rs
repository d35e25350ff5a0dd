//! The simplex method of Nelder and Mead, with argmin's solver: of n + 1 points, the worst is reflected through the
//! others.
//!
//! It compares single values without regard to noise, so a lucky vertex stays the best one. It therefore needs many
//! games per evaluation.
//!
//! Reference: J. A. Nelder, R. Mead, "A Simplex Method for Function Minimization", Computer Journal 7, 1965.

use argmin::core::{CostFunction, Error, KV, Problem, Solver};
use argmin::solver::neldermead;

use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{InputError, Param, ParamType};

pub const KIND: OptimizerKind = OptimizerKind {
    name: "nelder-mead",
    summary: "downhill simplex; it ignores noise, so give it many games per evaluation",
    params: &[
        games("100"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "edge length of the first simplex, as a fraction of each range",
        },
    ],
    recommend_by: RecommendBy::Race,
    ranks_generations: false,
    build: |search| Ok(Box::new(NelderMead::new(search)?)),
};

struct NelderMead {
    vertices: Vec<Vec<f64>>,
    simplex: neldermead::NelderMead<Vec<f64>, f64>,
}

impl NelderMead {
    fn new(search: &Search) -> Result<Self, InputError> {
        let start = search.space.start();
        let spread = search.number("spread");
        let least = search.space.least_steps(1.0);
        let mut vertices = vec![start.clone()];
        for axis in 0..start.len() {
            let mut vertex = start.clone();
            // An edge along an integer or a choice must reach the next value.
            let spread = spread.max(least[axis]);
            // The edge points away from the nearer end of the range, so that the vertex stays inside.
            vertex[axis] += if start[axis] > 0.5 { -spread } else { spread };
            vertices.push(vertex);
        }
        // Equal values come from chance or from a win rate of 0, not from convergence. So only the budget ends the
        // search.
        let simplex = neldermead::NelderMead::new(vertices.clone())
            .with_sd_tolerance(0.0)
            .map_err(|error| InputError::new(error.to_string()))?;
        Ok(NelderMead { vertices, simplex })
    }
}

impl<'a> Solver<SearchProblem<'a>, State> for NelderMead {
    fn name(&self) -> &str {
        KIND.name
    }

    /// Evaluates the first simplex as one batch. argmin's own `init` would ask for one vertex at a time, and it panics
    /// on an error.
    fn init(&mut self, problem: &mut Problem<SearchProblem<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let costs = problem.bulk_cost(&self.vertices)?;
        let known = KnownCosts(std::mem::take(&mut self.vertices).into_iter().zip(costs).collect());
        self.simplex.init(&mut Problem::new(known), state)
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), Error> {
        self.simplex.next_iter(problem, state)
    }
}

/// A problem whose costs are known already.
struct KnownCosts(Vec<(Vec<f64>, f64)>);

impl CostFunction for KnownCosts {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.0.iter().find(|(known, _)| known == point).map_or(f64::INFINITY, |(_, cost)| *cost))
    }
}
