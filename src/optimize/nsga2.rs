//! NSGA-II: a population that spreads along the front of two objectives.
//!
//! A point is dominated if another one is at least as good in both objectives and better in one. Survivors are chosen
//! by the number of fronts above them, and within a front by the distance to their neighbours. Children come from two
//! parents each (simulated binary crossover) and are then changed a little (polynomial mutation).
//!
//! Under noise, a parent with a lucky value would survive for ever. So all parents play fresh games in every
//! generation, and their values are means over all their games. Parents without noise do not play again.
//!
//! Reference: K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A Fast and Elitist Multiobjective Genetic Algorithm:
//! NSGA-II", IEEE Transactions on Evolutionary Computation 6, 2002. The indices of crossover and mutation are theirs.

use rand::Rng as _;

use super::objective::{Candidate, Evaluation};
use super::space::{Space, mirror};
use super::{Error, problem::BudgetSpent};
use crate::rng::{Rng, derive, seeded};

/// Evaluates candidates by two objectives. As for one objective, the result must be a pure function of the candidate.
pub trait TwoObjectives: Sync {
    /// Returns the two evaluations of each candidate, in the same order. Larger is better in both.
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<[Evaluation; 2]>>;
}

/// A search for the front of two objectives.
#[derive(Clone, Debug)]
pub struct FrontSearch {
    /// The search space.
    pub space: Space,
    /// The number of points in the population.
    pub population: usize,
    /// Games per evaluation.
    pub games: u64,
    /// The seed of the solver's randomness.
    pub seed: u64,
    /// The budget in games.
    pub budget: u64,
}

/// A point with its values, over all its games.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontPoint {
    /// In the user's units.
    pub point: Vec<f64>,
    /// Larger is better.
    pub values: [Evaluation; 2],
}

/// The state of the front after a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontStep {
    /// The number of the generation, from 1.
    pub generation: u64,
    /// The number of games so far.
    pub games: u64,
    /// The area that the front dominates, above the worst values of the first generation.
    pub hypervolume: f64,
}

/// One evaluated candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontTrial {
    /// The number of the generation, from 1.
    pub generation: u64,
    /// The candidate that was evaluated.
    pub candidate: Candidate,
    /// The results.
    pub values: [Evaluation; 2],
}

/// The result of a search for a front.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontResult {
    /// The points that no other point of the last population dominates, by rising first value.
    pub front: Vec<FrontPoint>,
    /// One entry for each generation.
    pub history: Vec<FrontStep>,
    /// All evaluations.
    pub trials: Vec<FrontTrial>,
}

/// The distribution indices of crossover and mutation, and the probability of a crossover.
const CROSSOVER_INDEX: f64 = 15.0;
const MUTATION_INDEX: f64 = 20.0;
const CROSSOVER: f64 = 0.9;
/// The random stream of the solver. It is separate from the streams of all games.
const STREAM: u64 = u64::from_be_bytes(*b"nsga2\0\0\0");

impl FrontSearch {
    /// Runs generations until the next one would exceed the budget. `observe` is called after each; an error stops the
    /// search.
    pub fn run(
        &self,
        objectives: &dyn TwoObjectives,
        mut observe: impl FnMut(&FrontStep, &[FrontPoint]) -> anyhow::Result<()>,
    ) -> Result<FrontResult, Error> {
        let mut run = Run::new(self, objectives);
        let mut members = run.first()?;
        let reference = [0, 1].map(|side| worst(&members, side));
        let mut history = Vec::new();
        loop {
            let front = front(&members);
            let (generation, games) = (run.generation, run.next_game);
            let step = FrontStep { generation, games, hypervolume: hypervolume(&front, reference) };
            observe(&step, &front).map_err(Error::Objective)?;
            history.push(step);
            match run.next(members.clone())? {
                Some(next) => members = next,
                None => return Ok(FrontResult { front, history, trials: run.trials }),
            }
        }
    }
}

/// A member of the population.
#[derive(Clone, Debug)]
struct Member {
    /// In the unit cube.
    unit: Vec<f64>,
    found: FrontPoint,
}

impl Member {
    fn value(&self, side: usize) -> f64 {
        self.found.values[side].mean
    }

    fn dominates(&self, other: &Member) -> bool {
        let pairs = [0, 1].map(|side| (self.value(side), other.value(side)));
        pairs.iter().all(|(a, b)| a >= b) && pairs.iter().any(|(a, b)| a > b)
    }

    fn is_noisy(&self) -> bool {
        self.found.values.iter().any(|value| value.standard_error != Some(0.0))
    }
}

struct Run<'a> {
    search: &'a FrontSearch,
    objectives: &'a dyn TwoObjectives,
    rng: Rng,
    generation: u64,
    next_game: u64,
    trials: Vec<FrontTrial>,
}

impl<'a> Run<'a> {
    fn new(search: &'a FrontSearch, objectives: &'a dyn TwoObjectives) -> Self {
        let rng = seeded(derive(search.seed, STREAM));
        Run { search, objectives, rng, generation: 1, next_game: 0, trials: Vec::new() }
    }

    fn has_games_for(&self, points: usize) -> bool {
        self.search.games.saturating_mul(points as u64) <= self.search.budget.saturating_sub(self.next_game)
    }

    /// Evaluates the first population: the start and random points.
    fn first(&mut self) -> Result<Vec<Member>, Error> {
        let FrontSearch { population, games, budget, .. } = *self.search;
        if !self.has_games_for(population) {
            let needed = games.saturating_mul(population as u64);
            return Err(Error::from_argmin(BudgetSpent { budget, needed, reserved: 0 }.into()));
        }
        let start = self.search.space.start();
        let mut units = vec![start.clone()];
        while units.len() < population {
            units.push(start.iter().map(|_| self.rng.random()).collect());
        }
        self.evaluate(units)
    }

    /// The next population; `None` if there are not enough games left.
    fn next(&mut self, mut members: Vec<Member>) -> Result<Option<Vec<Member>>, Error> {
        let again: Vec<usize> = (0..members.len()).filter(|place| members[*place].is_noisy()).collect();
        if !self.has_games_for(self.search.population + again.len()) {
            return Ok(None);
        }
        self.generation += 1;
        let order = ranked(&members);
        let mut units: Vec<Vec<f64>> = again.iter().map(|place| members[*place].unit.clone()).collect();
        while units.len() < self.search.population + again.len() {
            let parents = [0, 1].map(|_| members[self.tournament(&order)].unit.clone());
            units.push(self.child(&parents));
        }
        let mut played = self.evaluate(units)?;
        let children = played.split_off(again.len());
        for (place, fresh) in again.into_iter().zip(played) {
            let old = &mut members[place].found.values;
            *old = [0, 1].map(|side| old[side].pooled(fresh.found.values[side]));
        }
        members.extend(children);
        let kept: Vec<usize> = ranked(&members).into_iter().take(self.search.population).collect();
        Ok(Some(kept.into_iter().map(|place| members[place].clone()).collect()))
    }

    /// The better of two random members, by their ranks.
    fn tournament(&mut self, order: &[usize]) -> usize {
        let drawn = [0, 1].map(|_| self.rng.random_range(0..order.len()));
        order[drawn[0].min(drawn[1])]
    }

    fn child(&mut self, parents: &[Vec<f64>; 2]) -> Vec<f64> {
        let crosses = self.rng.random_bool(CROSSOVER);
        let mutated = 1.0 / parents[0].len() as f64;
        let mut unit = Vec::new();
        for (a, b) in parents[0].iter().zip(&parents[1]) {
            let mut x = *a;
            if crosses && self.rng.random_bool(0.5) {
                let spread = spread(self.rng.random(), CROSSOVER_INDEX);
                let side = if self.rng.random_bool(0.5) { 1.0 } else { -1.0 };
                x = 0.5 * (a + b) + side * 0.5 * spread * (b - a);
            }
            if self.rng.random_bool(mutated) {
                x += mutation(self.rng.random());
            }
            unit.push(mirror(x));
        }
        unit
    }

    fn evaluate(&mut self, units: Vec<Vec<f64>>) -> Result<Vec<Member>, Error> {
        let games = self.search.games;
        let mut batch = Vec::new();
        for unit in &units {
            let point = self.search.space.to_user(unit);
            batch.push(Candidate { point, first_game: self.next_game, games });
            self.next_game += games;
        }
        let values = self.objectives.evaluate(&batch).map_err(Error::Objective)?;
        if values.len() != batch.len() || values.iter().flatten().any(|value| !value.mean.is_finite()) {
            return Err(Error::Objective(anyhow::anyhow!("the objectives have no finite value for every candidate")));
        }
        let generation = self.generation;
        let trials = batch.iter().zip(&values);
        self.trials.extend(trials.map(|(candidate, values)| FrontTrial {
            generation,
            candidate: candidate.clone(),
            values: *values,
        }));
        let member = |((unit, candidate), values): ((Vec<f64>, Candidate), [Evaluation; 2])| Member {
            unit,
            found: FrontPoint { point: candidate.point, values },
        };
        Ok(units.into_iter().zip(batch).zip(values).map(member).collect())
    }
}

/// The distance of a child from its parents' mean, as a multiple of half the distance of the parents.
fn spread(chance: f64, index: f64) -> f64 {
    let power = 1.0 / (index + 1.0);
    if chance <= 0.5 { libm::pow(2.0 * chance, power) } else { libm::pow(0.5 / (1.0 - chance), power) }
}

/// A random change of a coordinate, mostly small and at most the whole range.
fn mutation(chance: f64) -> f64 {
    let power = 1.0 / (MUTATION_INDEX + 1.0);
    if chance < 0.5 { libm::pow(2.0 * chance, power) - 1.0 } else { 1.0 - libm::pow(2.0 * (1.0 - chance), power) }
}

/// The indices of the members from best to worst: front by front, and within a front the most isolated first.
fn ranked(members: &[Member]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..members.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_first = |place: &usize| !left.iter().any(|other| members[*other].dominates(&members[*place]));
        let (first, rest): (Vec<usize>, Vec<usize>) = left.iter().partition(|place| is_first(place));
        let distances = crowding(members, &first);
        let mut within: Vec<(usize, f64)> = first.into_iter().zip(distances).collect();
        within.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.extend(within.into_iter().map(|(place, _)| place));
        left = rest;
    }
    order
}

/// For each member of a front, the distance between its neighbours on either side, summed over both objectives.
fn crowding(members: &[Member], front: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    for side in [0, 1] {
        let value = |index: usize| members[front[index]].value(side);
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (Some(first), Some(last)) = (order.first(), order.last()) else { return distances };
        let range = (value(*last) - value(*first)).max(f64::MIN_POSITIVE);
        (distances[*first], distances[*last]) = (f64::INFINITY, f64::INFINITY);
        for three in order.windows(3) {
            distances[three[1]] += (value(three[2]) - value(three[0])) / range;
        }
    }
    distances
}

/// The members that no other one dominates, each point once, by rising first value.
fn front(members: &[Member]) -> Vec<FrontPoint> {
    let is_first = |member: &&Member| !members.iter().any(|other| other.dominates(member));
    let mut front: Vec<FrontPoint> = Vec::new();
    for member in members.iter().filter(is_first) {
        if front.iter().all(|known| known.point != member.found.point) {
            front.push(member.found.clone());
        }
    }
    front.sort_by(|a, b| a.values[0].mean.total_cmp(&b.values[0].mean));
    front
}

fn worst(members: &[Member], side: usize) -> f64 {
    members.iter().map(|member| member.value(side)).fold(f64::INFINITY, f64::min)
}

/// The hypervolume: the area that a front dominates above a reference point.
pub fn hypervolume(front: &[FrontPoint], reference: [f64; 2]) -> f64 {
    let mut corners: Vec<[f64; 2]> = front.iter().map(|point| point.values.map(|value| value.mean)).collect();
    corners.sort_by(|a, b| b[0].total_cmp(&a[0]));
    let (mut area, mut height) = (0.0, reference[1]);
    for [x, y] in corners {
        area += (x - reference[0]).max(0.0) * (y - height).max(0.0);
        height = height.max(y);
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(first: f64, second: f64) -> Member {
        let value = |mean| Evaluation { mean, standard_error: Some(0.0), games: 1 };
        let found = FrontPoint { point: vec![first], values: [value(first), value(second)] };
        Member { unit: vec![first], found }
    }

    #[test]
    fn the_area_under_a_front_is_counted_once() {
        let members = [member(1.0, 3.0), member(2.0, 2.0), member(3.0, 1.0), member(1.5, 1.5)];
        let front = front(&members);
        assert_eq!(front.len(), 3);
        assert_eq!(hypervolume(&front, [0.0, 0.0]), 6.0);
        assert_eq!(hypervolume(&front, [9.0, 9.0]), 0.0);
    }

    #[test]
    fn dominated_points_come_last_and_crowded_ones_after_isolated_ones() {
        let members = [member(0.5, 0.5), member(1.0, 5.0), member(2.9, 3.1), member(3.0, 3.0), member(5.0, 1.0)];
        let order = ranked(&members);
        assert_eq!(order[4], 0);
        assert!(order[..2].contains(&1) && order[..2].contains(&4), "{order:?}");
    }

    #[test]
    fn crossover_and_mutation_stay_small_most_of_the_time() {
        assert_eq!((spread(0.5, 15.0), mutation(0.5)), (1.0, 0.0));
        assert!(mutation(0.9) < 0.1 && mutation(0.1) > -0.1);
        assert!(mutation(0.0) == -1.0 && spread(0.0, 15.0) == 0.0);
    }
}
