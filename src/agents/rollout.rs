//! Rollout: plays random games from each legal move and takes the move with the best mean result.
//!
//! This is flat Monte Carlo: the mean final score of random play is its only knowledge. *Sequential halving* spends the
//! same number of playouts in rounds, and each round drops the worse half of the moves. If the budget is too small for
//! whole games, the games of all moves are cut at the same point. A cut game counts with its score so far, or with the
//! heuristic value of its last position.
//!
//! Two usual ways to reduce the variance were measured and are not used. With common random numbers, playout n of every
//! move uses the same random numbers. With antithetic draws, every second playout uses 1 - u for each random number u
//! of the one before. Both save more playouts if the scores correlate more strongly, but random games diverge within a
//! few moves. A test below measures a mean correlation of about 0.05 for common and -0.02 for antithetic draws, on
//! boards of real games. So neither would save more than about 5 % of the playouts.
//!
//! References: Abramson (1990) for the expected outcome of random play; Karnin, Koren & Somekh (2013) for sequential
//! halving.

use arrayvec::ArrayVec;

use crate::games::{Game, Step};
use crate::heuristics::{Cost, Evaluator};
use crate::params::{InputError, Param, ParamType, Values as Options};
use crate::rng::derive;

use super::budget::{Budget, Meter, Spent, StopFlag};
use super::config::{SamplingConfig, if_heuristic_given};
use super::leaf::{self, Allowance, LeafEvaluator, PlayoutBatch, Tally};
use super::playout_config::PlayoutConfig;
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, MOST_MOVES, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "rollout",
    summary: "random games from each move; the move with the best mean result",
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
                help: "divide the runs among the legal moves instead of playing that many for each move",
            },
            Param {
                name: "allocation",
                kind: ParamType::Choice(&["uniform", "halving"]),
                default: "uniform",
                help: "the same number of playouts for each move, or rounds that drop the worse half of the moves",
            },
        ],
        leaf::PARAMS,
        options::BUDGET,
    ],
};

/// The least cost of a round of halving: the start of two blocks of playouts, and some steps.
const MIN_ROUND_COST: Cost = Cost::picoseconds(6_000_000);

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
    /// Whether the runs are divided among the legal moves. Otherwise each move has that many.
    pub shares_runs: bool,
    /// Whether to use sequential halving: each round drops the worse half of the moves.
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
        Ok(Box::new(RolloutAgent {
            game: game.clone(),
            leaf_evaluator: LeafEvaluator::new::<G>(evaluator, playouts, 0)?,
            runs,
            shares_runs,
            halving,
            budget,
            seed: 0,
            decisions: 0,
        }))
    }
}

struct RolloutAgent<G: Game, E> {
    game: G,
    leaf_evaluator: LeafEvaluator<E>,
    runs: u32,
    shares_runs: bool,
    halving: bool,
    budget: Budget,
    seed: u64,
    decisions: u64,
}

/// The state of one decision: the moves and the results of their playouts so far.
struct Sampling<G: Game> {
    steps: ArrayVec<Step<G::Position, G::Move>, MOST_MOVES>,
    scores: ArrayVec<u32, MOST_MOVES>,
    tallies: [Tally; MOST_MOVES],
    /// The indices of the moves that are still candidates.
    candidates: ArrayVec<usize, MOST_MOVES>,
    meter: Meter,
    batches: u64,
}

impl<G: Game, E: Evaluator<G>> RolloutAgent<G, E> {
    fn start(&self, position: G::Position, score: u32) -> Sampling<G> {
        let steps: ArrayVec<_, MOST_MOVES> = self.game.steps(position).collect();
        let mut meter = self.budget.start();
        meter.charge(Operation::Decision, 1);
        meter.visit(steps.len() as u64);
        Sampling {
            scores: steps.iter().map(|step| score + step.reward).collect(),
            tallies: Default::default(),
            candidates: (0..steps.len()).filter(|&i| self.game.after_step(steps[i].after).is_none()).collect(),
            steps,
            meter,
            batches: 0,
        }
    }

    /// Plays at most `runs` more games from each candidate.
    fn play(&self, sampling: &mut Sampling<G>, runs: u32, allowance: Allowance) {
        let afters: ArrayVec<_, MOST_MOVES> = sampling.candidates.iter().map(|&i| sampling.steps[i].after).collect();
        let scores: ArrayVec<_, MOST_MOVES> = sampling.candidates.iter().map(|&i| sampling.scores[i]).collect();
        let mut tallies: ArrayVec<_, MOST_MOVES> = sampling.candidates.iter().map(|&i| sampling.tallies[i]).collect();
        let seed = derive(derive(self.seed, self.decisions), sampling.batches);
        sampling.batches += 1;
        let batch = PlayoutBatch { afters: &afters, scores: &scores, runs, seed, allowance };
        self.leaf_evaluator.play(&self.game, &batch, &mut sampling.meter, &mut tallies);
        for (&i, tally) in sampling.candidates.iter().zip(tallies) {
            sampling.tallies[i] = tally;
        }
    }

    /// Plays until the runs or the budget are used up. Each round gets an equal share of them. After each round but the
    /// last, the worse half of the candidates is dropped.
    fn play_rounds(&self, sampling: &mut Sampling<G>, rounds: u32) {
        let total = u64::from(self.runs) * if self.shares_runs { 1 } else { sampling.candidates.len() as u64 };
        for round in 0..rounds {
            let allowance = Allowance::share(&sampling.meter, 1.0 / f64::from(rounds - round));
            let runs = match self.budget.is_limited() {
                true => u32::MAX,
                false => (total / (u64::from(rounds) * sampling.candidates.len() as u64)).max(1) as u32,
            };
            self.play(sampling, runs, allowance);
            let rest = |sampling: &Sampling<G>| allowance.rest(&sampling.meter);
            while !sampling.candidates.is_empty() && self.leaf_evaluator.has_time_for_more(&rest(sampling)) {
                self.play(sampling, runs, rest(sampling));
            }
            if round + 1 < rounds {
                let tallies = sampling.tallies;
                sampling.candidates.sort_by(|&a, &b| tallies[b].mean().total_cmp(&tallies[a].mean()).then(a.cmp(&b)));
                let keep = sampling.candidates.len().div_ceil(2);
                sampling.candidates.truncate(keep);
            }
        }
    }

    /// The number of rounds. With halving, two candidates are left in the last round. If the budget is too small for a
    /// block of playouts in each round, there are fewer rounds.
    fn rounds(&self, sampling: &Sampling<G>) -> u32 {
        if !self.halving {
            return 1;
        }
        let affordable = leaf::budget_left(&sampling.meter).as_picoseconds() / MIN_ROUND_COST.as_picoseconds();
        let rounds = sampling.candidates.len().next_power_of_two().trailing_zeros();
        rounds.min(u32::try_from(affordable).unwrap_or(u32::MAX)).max(1)
    }

    fn decision(&self, sampling: Sampling<G>) -> Option<Decision<G>> {
        let value = |i: usize, step: &Step<G::Position, G::Move>| match self.game.after_step(step.after) {
            Some(outcome) => self.game.utility(outcome),
            None => sampling.tallies[i].mean(),
        };
        let values = sampling.steps.iter().enumerate().map(|(i, step)| (step.action, value(i, step))).collect();
        let mut decision = Decision::new(values, sampling.meter.spent())?;
        decision.samples = sampling.tallies[..sampling.steps.len()].iter().map(Tally::sample).collect();
        if self.halving {
            // A dropped move must not be chosen even if its mean, from fewer playouts, is the greatest.
            let is_candidate =
                |i: usize| sampling.candidates.contains(&i) || self.game.after_step(sampling.steps[i].after).is_some();
            let finalists =
                decision.values.iter().enumerate().filter(|(i, _)| is_candidate(*i)).map(|(_, value)| *value);
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
        let mut sampling = self.start(position, score);
        if !sampling.candidates.is_empty() {
            let rounds = self.rounds(&sampling);
            self.play_rounds(&mut sampling, rounds);
        }
        self.decision(sampling)
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
    config.create(&game, if_heuristic_given(evaluator, options))
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use crate::games::Game;
    use crate::games::twenty48::{Board, Goal, Twenty48};
    use crate::rng::seeded;
    use crate::stats::Moments;
    use crate::stats::means::correlation;

    /// Numbers from 0 to 1, or 1 minus these numbers.
    fn draws(seed: u64, antithetic: bool) -> impl FnMut() -> f64 {
        let mut rng = seeded(seed);
        move || {
            let draw: f64 = rng.random();
            // 1 - 0 would be 1, which is outside the range.
            if antithetic { (1.0 - draw).min(0.999_999) } else { draw }
        }
    }

    fn with_random_tile(after: Board, draw: &mut impl FnMut() -> f64) -> Board {
        let cell = after.nth_empty((draw() * f64::from(after.empty_count())) as u32);
        after.with(cell, if draw() < 0.1 { 2 } else { 1 })
    }

    /// The score of a random game from an afterstate.
    fn playout(game: &Twenty48, mut after: Board, mut draw: impl FnMut() -> f64) -> f64 {
        let mut score = 0;
        loop {
            let steps: Vec<_> = game.steps(with_random_tile(after, &mut draw)).collect();
            let Some(step) = steps.get((draw() * steps.len() as f64) as usize) else { return f64::from(score) };
            (after, score) = (step.after, score + step.reward);
        }
    }

    fn scores(game: &Twenty48, after: Board, runs: u64, antithetic: bool) -> Vec<f64> {
        (0..runs).map(|seed| playout(game, after, draws(seed, antithetic))).collect()
    }

    /// The afterstates of every 40th board of a game that is played by 10 playouts for each move.
    fn sampled_choices(game: &Twenty48, seed: u64) -> Vec<Vec<Board>> {
        let (mut draw, mut after, mut choices) = (draws(seed, false), Board::default(), Vec::new());
        for number in 1.. {
            let steps: Vec<_> = game.steps(with_random_tile(after, &mut draw)).collect();
            let mean = |after| Moments::of(&scores(game, after, 10, false)).mean().unwrap_or(0.0);
            let values = steps.iter().map(|step| (f64::from(step.reward) + mean(step.after), step.after));
            let Some((_, best)) = values.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            after = best;
            if number % 40 == 0 {
                choices.push(steps.iter().map(|step| step.after).collect());
            }
        }
        choices
    }

    #[test]
    fn common_and_antithetic_draws_hardly_correlate_the_scores_of_playouts() {
        let game = Twenty48::new(Goal::None);
        let (mut common, mut antithetic) = (Vec::new(), Vec::new());
        for choices in (1..4).flat_map(|seed| sampled_choices(&game, seed)) {
            let first = scores(&game, choices[0], 500, false);
            antithetic.extend(correlation(&first, &scores(&game, choices[0], 500, true)));
            let others = choices[1..].iter().map(|after| scores(&game, *after, 500, false));
            common.extend(others.filter_map(|other| correlation(&first, &other)));
        }
        assert!(common.len() > 50 && antithetic.len() > 25, "{} {}", common.len(), antithetic.len());
        let [common, antithetic] = [common, antithetic].map(|found| Moments::of(&found).mean().unwrap());
        assert!((0.01..0.1).contains(&common), "{common}");
        assert!(antithetic.abs() < 0.03, "{antithetic}");
    }
}
