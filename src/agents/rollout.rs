//! Rollout: for each legal move play random games to the end; take the move whose games went best.
//!
//! Pure Monte Carlo: the mean final score of random play is the only knowledge. *Sequential halving* spends the same
//! playouts in rounds, each on the better half of the moves that are left.
//!
//! References: Abramson (1990) for the expected outcome of random play; Karnin, Koren & Somekh (2013) for sequential
//! halving.

use arrayvec::ArrayVec;

use crate::games::{Game, Step};
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::derive;

use super::budget::{Budget, Meter, Spent};
use super::finish::{self, Finish, Tally};
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, MOST_MOVES, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "rollout",
    summary: "random games from each move; the move whose games went best",
    cost: "moves played in playouts",
    params: &[
        &[
            Param {
                name: "runs",
                kind: ParamType::Integer { min: 1, max: 10_000_000 },
                default: "100",
                help: "playouts per legal move (a budget replaces it)",
            },
            Param {
                name: "allocation",
                kind: ParamType::Choice(&["uniform", "halving"]),
                default: "uniform",
                help: "spend playouts evenly, or in rounds on the better half",
            },
        ],
        finish::PARAMS,
        options::BUDGET,
    ],
};

/// The most playouts per move between two looks at the budget: one block of the batch engine.
const CHUNK: u64 = 32;

struct Rollout<G: Game, E> {
    game: G,
    finish: Finish<E>,
    runs: u32,
    halving: bool,
    budget: Budget,
    seed: u64,
    decisions: u64,
}

/// One decision under way.
struct Race<G: Game> {
    steps: ArrayVec<Step<G::Position, G::Move>, MOST_MOVES>,
    scores: ArrayVec<u32, MOST_MOVES>,
    tallies: [Tally; MOST_MOVES],
    /// Moves still in the running, by index.
    field: ArrayVec<usize, MOST_MOVES>,
    meter: Meter,
    spent: Cost,
    batches: u64,
}

impl<G: Game, E: Evaluator<G>> Rollout<G, E> {
    fn start(&self, position: G::Position, score: u32) -> Race<G> {
        let steps: ArrayVec<_, MOST_MOVES> = self.game.steps(position).collect();
        Race {
            scores: steps.iter().map(|step| score + step.reward).collect(),
            tallies: Default::default(),
            field: (0..steps.len()).filter(|&i| self.game.after_step(steps[i].after).is_none()).collect(),
            steps,
            meter: self.budget.start(),
            spent: Cost::ZERO,
            batches: 0,
        }
    }

    /// Plays `runs` more games from each move in the running.
    fn play(&self, race: &mut Race<G>, runs: u32) {
        let afters: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.steps[i].after).collect();
        let scores: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.scores[i]).collect();
        let mut tallies: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.tallies[i]).collect();
        let seed = derive(derive(self.seed, self.decisions), race.batches);
        race.batches += 1;
        let moves = self.finish.play(&self.game, &afters, &scores, runs, seed, &mut tallies);
        // A playout that is over at once is charged as one move, so that a budget always ends.
        let cost = Operation::PlayoutMove.cost() * (moves + u64::from(runs) * afters.len() as u64);
        race.meter.visit(moves);
        race.meter.charge_cost(cost);
        race.spent = race.spent + cost;
        for (&i, tally) in race.field.iter().zip(tallies) {
            race.tallies[i] = tally;
        }
    }

    /// Plays until the runs per move, or the budget, are used up.
    fn spend(&self, race: &mut Race<G>) {
        if !self.budget.is_limited() {
            return self.play(race, self.runs);
        }
        // One playout of each move shows what they cost; then as many at a time as the rest of the budget pays for.
        let mut played = 0;
        while !race.meter.is_spent() {
            let left = race.meter.left().as_picoseconds();
            let cost = race.spent.as_picoseconds().checked_div(played).unwrap_or(u64::MAX).max(1);
            let runs = (left / cost).clamp(1, CHUNK);
            self.play(race, runs as u32);
            played += runs;
        }
    }

    /// Sequential halving: an equal share for each round, the worse half out after each.
    fn halve(&self, race: &mut Race<G>) {
        let total = self.runs as usize * race.field.len();
        let rounds = race.field.len().next_power_of_two().trailing_zeros().max(1) as usize;
        for _ in 0..rounds {
            let runs = (total / (rounds * race.field.len())).max(1);
            self.play(race, runs as u32);
            let tallies = race.tallies;
            race.field.sort_by(|&a, &b| tallies[b].mean().total_cmp(&tallies[a].mean()).then(a.cmp(&b)));
            let keep = race.field.len().div_ceil(2);
            race.field.truncate(keep);
        }
    }

    fn conclude(&self, race: Race<G>) -> Option<Decision<G>> {
        // Under halving a move that was dropped must not win by a lucky early mean: the moves are ranked by how long
        // they stayed, which its playouts count.
        let most = race.tallies.iter().map(Tally::runs).max().unwrap_or(0);
        let value = |i: usize, step: &Step<G::Position, G::Move>| match self.game.after_step(step.after) {
            Some(outcome) => self.game.utility(outcome),
            None => race.tallies[i].mean(),
        };
        let values = race.steps.iter().enumerate().map(|(i, step)| (step.action, value(i, step))).collect();
        let mut decision = Decision::new(values, race.meter.spent())?;
        decision.samples = race.tallies[..race.steps.len()].iter().map(Tally::sample).collect();
        let stayed = |i: usize| race.tallies[i].runs() == most || self.game.after_step(race.steps[i].after).is_some();
        if self.halving {
            let finalists = decision.values.iter().enumerate().filter(|(i, _)| stayed(*i)).map(|(_, value)| *value);
            decision.choice = Decision::<G>::new(finalists.collect(), Spent::default())?.choice;
        }
        Some(decision)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Rollout<G, E> {
    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions) = (seed, 0);
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        let mut race = self.start(position, score);
        if !race.field.is_empty() {
            if self.halving { self.halve(&mut race) } else { self.spend(&mut race) }
        }
        self.conclude(race)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let budget = Budget::new(options);
    let halving = options.text("allocation") == Some("halving");
    if halving && budget.is_limited() {
        return Err(InputError::at("allocation", "rollout: `allocation = halving` takes `runs`, not `work` or `ms`"));
    }
    let runs = options.integer("runs").unwrap_or(1) as u32;
    let finish = Finish::new(evaluator, options);
    Ok(Box::new(Rollout { game, finish, runs, halving, budget, seed: 0, decisions: 0 }))
}
