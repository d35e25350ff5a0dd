//! Particle swarm, with argmin's solver: every particle accelerates towards the best point that it has seen and towards
//! the best point of all particles.
//!
//! Under noise the best values seen are partly luck, so the particles move partly towards points that are not better.
//!
//! Reference: M. Clerc, "Standard Particle Swarm Optimisation", 2012 (argmin's factors).

use argmin::core::{Error, KV, PopulationState, Problem, Solver, State as _};
use argmin::kv;
use argmin::solver::particleswarm::{Particle, ParticleSwarm};

use super::normal::standard_normal;
use super::{OptimizerKind, RecommendBy, Search, SearchProblem, State, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "particle-swarm",
    summary: "particles that move towards the best points seen",
    params: &[
        Param {
            name: "population",
            kind: ParamType::Integer { min: 2, max: 10_000 },
            default: "20",
            help: "number of particles",
        },
        games("10"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "standard deviation of the particles around the start, as a fraction of each range",
        },
    ],
    recommend_by: RecommendBy::Race,
    ranks_generations: false,
    build: |search| Ok(Box::new(Swarm::new(search))),
};

/// The least spread along an integer or a choice, as a multiple of the width of one value. So some particles start with
/// another value.
const REACH: f64 = 0.5;

type Particles = PopulationState<Particle<Vec<f64>, f64>, f64>;

struct Swarm {
    solver: ParticleSwarm<Vec<f64>, f64, Rng>,
    /// The initial positions of the particles: the first at the start of the search, the others around it.
    positions: Vec<Vec<f64>>,
    /// argmin's state of the swarm between two iterations.
    particles: Option<Particles>,
}

impl Swarm {
    fn new(search: &Search) -> Self {
        let (start, spread, mut rng) = (search.space.start(), search.number("spread"), search.rng());
        let least = search.space.least_steps(REACH);
        let mut positions = vec![start.clone()];
        while positions.len() < search.count("population") {
            let near = |(x, least): (&f64, &f64)| (x + spread.max(*least) * standard_normal(&mut rng)).clamp(0.0, 1.0);
            positions.push(start.iter().zip(&least).map(near).collect());
        }
        let cube = (vec![0.0; start.len()], vec![1.0; start.len()]);
        let solver = ParticleSwarm::new(cube, positions.len()).with_rng_generator(rng);
        Swarm { solver, positions, particles: None }
    }

    /// Stores the particles for the next iteration and reports the best point.
    fn store(&mut self, particles: Particles, state: State) -> (State, Option<KV>) {
        let best = particles.individual.as_ref().map_or(Vec::new(), |best| best.position.clone());
        let distances = particles.get_population().into_iter().flatten().map(|p| distance(&p.position, &best));
        let step = distances.sum::<f64>() / (self.positions.len() * best.len()) as f64;
        let state = state.param(best).cost(particles.get_cost());
        self.particles = Some(particles);
        (state, Some(kv!("step" => step;)))
    }
}

/// The Manhattan distance.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

impl<'a> Solver<SearchProblem<'a>, State> for Swarm {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<SearchProblem<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let costs = problem.bulk_cost(&self.positions)?;
        let particle = |(position, cost): (&Vec<f64>, f64)| {
            let velocity = vec![0.0; position.len()];
            Particle::new(position.clone(), cost, velocity)
        };
        let population = self.positions.iter().zip(costs).map(particle).collect();
        let (particles, _) = self.solver.init(problem, Particles::new().population(population))?;
        Ok(self.store(particles, state))
    }

    fn next_iter(
        &mut self,
        problem: &mut Problem<SearchProblem<'a>>,
        state: State,
    ) -> Result<(State, Option<KV>), Error> {
        let particles = self.particles.take().ok_or_else(|| Error::msg("the swarm has not been set up"))?;
        let (particles, _) = self.solver.next_iter(problem, particles)?;
        Ok(self.store(particles, state))
    }
}
