//! Nelder and Mead's simplex, as argmin has it: n + 1 points, the worst reflected through the others.
//!
//! It believes every value it sees, so a lucky vertex stays in the lead: it wants many games per evaluation.
//!
//! Reference: J. A. Nelder, R. Mead, "A Simplex Method for Function Minimization", Computer Journal 7, 1965.

use argmin::core::{CostFunction, Error, KV, Problem, Solver};
use argmin::solver::neldermead;

use super::{Ending, OptimizerKind, Search, State, Trials, games};
use crate::params::{InputError, Param, ParamType};

pub const KIND: OptimizerKind = OptimizerKind {
    name: "nelder-mead",
    summary: "downhill simplex; believes what it sees, so give it many games per evaluation",
    params: &[
        games("100"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "edge of the first simplex, as a part of each range",
        },
    ],
    ending: Ending::Race,
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
        let mut vertices = vec![start.clone()];
        for axis in 0..start.len() {
            let mut vertex = start.clone();
            // Towards the farther end of the range.
            vertex[axis] += if start[axis] > 0.5 { -spread } else { spread };
            vertices.push(vertex);
        }
        // Equal values are luck or a win rate of 0, not convergence: only the budget ends the search.
        let simplex = neldermead::NelderMead::new(vertices.clone())
            .with_sd_tolerance(0.0)
            .map_err(|error| InputError::new(error.to_string()))?;
        Ok(NelderMead { vertices, simplex })
    }
}

impl<'a> Solver<Trials<'a>, State> for NelderMead {
    fn name(&self) -> &str {
        KIND.name
    }

    /// Evaluates the first simplex in one go. argmin's own start would ask for it vertex by vertex, and cannot bear an
    /// error.
    fn init(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let costs = problem.bulk_cost(&self.vertices)?;
        let known = Known(std::mem::take(&mut self.vertices).into_iter().zip(costs).collect());
        self.simplex.init(&mut Problem::new(known), state)
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        self.simplex.next_iter(problem, state)
    }
}

/// Points whose costs are known already.
struct Known(Vec<(Vec<f64>, f64)>);

impl CostFunction for Known {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.0.iter().find(|(known, _)| known == point).map_or(f64::INFINITY, |(_, cost)| *cost))
    }
}
