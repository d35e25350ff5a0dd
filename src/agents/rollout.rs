//! Rollout: for each legal move play random games to the end; take the move whose games went best.
//!
//! Pure Monte Carlo: the mean final score of random play is the only knowledge. *Sequential halving* spends the same
//! playouts in rounds, each on the better half of the moves that are left. A budget that is too small for whole games
//! cuts them: all moves are cut alike, and a cut game is worth the score so far (or what the heuristic says).
//!
//! References: Abramson (1990) for the expected outcome of random play; Karnin, Koren & Somekh (2013) for sequential
//! halving.

use arrayvec::ArrayVec;

use crate::games::{Game, Step};
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::derive;

use super::budget::{Budget, Meter, Spent, StopFlag};
use super::config::{SamplingConfig, wanted};
use super::finish::{self, Allowance, Batch, Finish, Tally};
use super::playout_config::PlayoutConfig;
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
                name: "shared-runs",
                kind: ParamType::Flag,
                default: "false",
                help: "share the runs between the legal moves instead of playing as many for each",
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

/// The least cost of a round of halving: two blocks of playouts begun, and some steps.
const LEAST_ROUND: Cost = Cost::picoseconds(6_000_000);

/// The configuration of rollout.
///
/// ```
/// use lab2048::agents::{Rollout, SamplingConfig};
/// use lab2048::games::twenty48::{Goal, Twenty48};
///
/// let game = Twenty48::new(Goal::None);
/// let mut agent = Rollout { runs: 50, halving: true, ..Rollout::default() }.build(&game)?;
/// let decision = agent.decide("2,4,8,16/0,0,0,2/0,0,0,0/0,0,0,0".parse()?, 0);
/// assert!(decision.is_some_and(|decision| decision.samples.iter().any(|sample| sample.runs > 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout {
    /// Playouts for each legal move. A budget replaces it.
    pub runs: u32,
    /// Whether the legal moves share the runs, instead of having as many each.
    pub shares_runs: bool,
    /// Whether playouts are spent in rounds, each on the better half of the moves.
    pub halving: bool,
    /// How playouts are played.
    pub playouts: PlayoutConfig,
    /// What a decision may cost.
    pub budget: Budget,
}

impl Default for Rollout {
    fn default() -> Self {
        let (playouts, budget) = (PlayoutConfig::default(), Budget::default());
        Rollout { runs: 100, shares_runs: false, halving: false, playouts, budget }
    }
}

impl SamplingConfig for Rollout {
    fn create<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: Option<E>,
    ) -> Result<Box<dyn Agent<G>>, InputError> {
        let Rollout { runs, shares_runs, halving, playouts, budget } = *self;
        let finish = Finish::new::<G>(evaluator, playouts, 0)?;
        let game = game.clone();
        Ok(Box::new(RolloutAgent { game, finish, runs, shares_runs, halving, budget, seed: 0, decisions: 0 }))
    }
}

struct RolloutAgent<G: Game, E> {
    game: G,
    finish: Finish<E>,
    runs: u32,
    shares_runs: bool,
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
    /// The indices of the moves that are still candidates.
    field: ArrayVec<usize, MOST_MOVES>,
    meter: Meter,
    batches: u64,
}

impl<G: Game, E: Evaluator<G>> RolloutAgent<G, E> {
    fn start(&self, position: G::Position, score: u32) -> Race<G> {
        let steps: ArrayVec<_, MOST_MOVES> = self.game.steps(position).collect();
        let mut meter = self.budget.start();
        meter.charge(Operation::Decision, 1);
        meter.visit(steps.len() as u64);
        Race {
            scores: steps.iter().map(|step| score + step.reward).collect(),
            tallies: Default::default(),
            field: (0..steps.len()).filter(|&i| self.game.after_step(steps[i].after).is_none()).collect(),
            steps,
            meter,
            batches: 0,
        }
    }

    /// Plays at most `runs` more games from each candidate.
    fn play(&self, race: &mut Race<G>, runs: u32, allowance: Allowance) {
        let afters: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.steps[i].after).collect();
        let scores: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.scores[i]).collect();
        let mut tallies: ArrayVec<_, MOST_MOVES> = race.field.iter().map(|&i| race.tallies[i]).collect();
        let seed = derive(derive(self.seed, self.decisions), race.batches);
        race.batches += 1;
        let batch = Batch { afters: &afters, scores: &scores, runs, seed, allowance };
        self.finish.play(&self.game, &batch, &mut race.meter, &mut tallies);
        for (&i, tally) in race.field.iter().zip(tallies) {
            race.tallies[i] = tally;
        }
    }

    /// Plays until the runs per move, or the budget, are used up. After each round but the last the worse half of the
    /// candidates is dropped, and each round has an equal share.
    fn spend(&self, race: &mut Race<G>, rounds: u32) {
        let total = u64::from(self.runs) * if self.shares_runs { 1 } else { race.field.len() as u64 };
        for round in 0..rounds {
            let allowance = Allowance::share(&race.meter, 1.0 / f64::from(rounds - round));
            let runs = match self.budget.is_limited() {
                true => u32::MAX,
                false => (total / (u64::from(rounds) * race.field.len() as u64)).max(1) as u32,
            };
            self.play(race, runs, allowance);
            if round + 1 < rounds {
                let tallies = race.tallies;
                race.field.sort_by(|&a, &b| tallies[b].mean().total_cmp(&tallies[a].mean()).then(a.cmp(&b)));
                let keep = race.field.len().div_ceil(2);
                race.field.truncate(keep);
            }
        }
    }

    /// Halving ends with two candidates in the last round. A budget that does not pay for a block of playouts in each
    /// round has fewer rounds.
    fn rounds(&self, race: &Race<G>) -> u32 {
        if !self.halving {
            return 1;
        }
        let affordable = finish::left(&race.meter).as_picoseconds() / LEAST_ROUND.as_picoseconds();
        let rounds = race.field.len().next_power_of_two().trailing_zeros();
        rounds.min(u32::try_from(affordable).unwrap_or(u32::MAX)).max(1)
    }

    fn conclude(&self, race: Race<G>) -> Option<Decision<G>> {
        let value = |i: usize, step: &Step<G::Position, G::Move>| match self.game.after_step(step.after) {
            Some(outcome) => self.game.utility(outcome),
            None => race.tallies[i].mean(),
        };
        let values = race.steps.iter().enumerate().map(|(i, step)| (step.action, value(i, step))).collect();
        let mut decision = Decision::new(values, race.meter.spent())?;
        decision.samples = race.tallies[..race.steps.len()].iter().map(Tally::sample).collect();
        if self.halving {
            // A move that was dropped must not be chosen for a lucky early mean.
            let stayed = |i: usize| race.field.contains(&i) || self.game.after_step(race.steps[i].after).is_some();
            let finalists = decision.values.iter().enumerate().filter(|(i, _)| stayed(*i)).map(|(_, value)| *value);
            decision.choice = Decision::<G>::new(finalists.collect(), Spent::default())?.choice;
        }
        Some(decision)
    }
}

impl<G: Game, E: Evaluator<G>> Agent<G> for RolloutAgent<G, E> {
    fn stop_on(&mut self, flag: StopFlag) {
        self.budget.stop = Some(flag);
    }

    fn reset(&mut self, seed: u64) {
        (self.seed, self.decisions) = (seed, 0);
    }

    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        self.decisions += 1;
        let mut race = self.start(position, score);
        if !race.field.is_empty() {
            let rounds = self.rounds(&race);
            self.spend(&mut race, rounds);
        }
        self.conclude(race)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    options: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    let config = Rollout {
        runs: options.integer("runs").unwrap_or(1) as u32,
        shares_runs: options.flag("shared-runs"),
        halving: options.text("allocation") == Some("halving"),
        playouts: PlayoutConfig::new(options),
        budget: Budget::new(options),
    };
    config.create(&game, wanted(evaluator, options))
}
