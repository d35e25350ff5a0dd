//! Particle swarm, as argmin has it: every particle is drawn to the best point it has seen and the best of all.
//!
//! Like every method that remembers best values, it is led by luck under noise.
//!
//! Reference: M. Clerc, "Standard Particle Swarm Optimisation", 2012 (argmin's factors).

use argmin::core::{Error, KV, PopulationState, Problem, Solver, State as _};
use argmin::kv;
use argmin::solver::particleswarm::{Particle, ParticleSwarm};
use rand_distr::{Distribution, StandardNormal};

use super::{Ending, OptimizerKind, Search, State, Trials, games};
use crate::params::{Param, ParamType};
use crate::rng::Rng;

pub const KIND: OptimizerKind = OptimizerKind {
    name: "particle-swarm",
    summary: "particles drawn to the best points seen",
    params: &[
        Param {
            name: "population",
            kind: ParamType::Integer { min: 2, max: 10_000 },
            default: "20",
            help: "particles",
        },
        games("10"),
        Param {
            name: "spread",
            kind: ParamType::Number { min: 1e-6, max: 1.0 },
            default: "0.2",
            help: "standard deviation of the particles around the start, as a part of each range",
        },
    ],
    ending: Ending::Race,
    build: |search| Ok(Box::new(Swarm::new(search))),
};

type Particles = PopulationState<Particle<Vec<f64>, f64>, f64>;

struct Swarm {
    solver: ParticleSwarm<Vec<f64>, f64, Rng>,
    /// Where the particles begin: the first at the start of the search, the others around it.
    places: Vec<Vec<f64>>,
    /// argmin's own state, which the solver hands on from iteration to iteration.
    particles: Option<Particles>,
}

impl Swarm {
    fn new(search: &Search) -> Self {
        let (start, spread, mut rng) = (search.space.start(), search.number("spread"), search.rng());
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let mut places = vec![start.clone()];
        while places.len() < search.count("population") {
            places.push(start.iter().map(|x| (x + spread * normal()).clamp(0.0, 1.0)).collect());
        }
        let cube = (vec![0.0; start.len()], vec![1.0; start.len()]);
        let solver = ParticleSwarm::new(cube, places.len()).with_rng_generator(rng);
        Swarm { solver, places, particles: None }
    }

    /// Keeps the particles for the next iteration and reports their leader.
    fn keep(&mut self, particles: Particles, state: State) -> (State, Option<KV>) {
        let leader = particles.individual.as_ref().map_or(Vec::new(), |best| best.position.clone());
        let distances = particles.get_population().into_iter().flatten().map(|p| distance(&p.position, &leader));
        let step = distances.sum::<f64>() / (self.places.len() * leader.len()) as f64;
        let state = state.param(leader).cost(particles.get_cost());
        self.particles = Some(particles);
        (state, Some(kv!("step" => step;)))
    }
}

/// The sum of the distances along the axes.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

impl<'a> Solver<Trials<'a>, State> for Swarm {
    fn name(&self) -> &str {
        KIND.name
    }

    fn init(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let costs = problem.bulk_cost(&self.places)?;
        let still = vec![0.0; self.places[0].len()];
        let population = self
            .places
            .iter()
            .zip(costs)
            .map(|(place, cost)| Particle::new(place.clone(), cost, still.clone()))
            .collect();
        let (particles, _) = self.solver.init(problem, Particles::new().population(population))?;
        Ok(self.keep(particles, state))
    }

    fn next_iter(&mut self, problem: &mut Problem<Trials<'a>>, state: State) -> Result<(State, Option<KV>), Error> {
        let particles = self.particles.take().ok_or_else(|| Error::msg("the swarm has not been set up"))?;
        let (particles, _) = self.solver.next_iter(problem, particles)?;
        Ok(self.keep(particles, state))
    }
}
