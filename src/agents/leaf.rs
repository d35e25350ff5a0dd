//! How the Monte Carlo agents value an afterstate: by playouts, or by a heuristic a few plies below it.

use std::time::Instant;

use crate::games::{Effort, Finished, Game, Playouts, Policy, Reply};
use crate::heuristics::{Cost, Evaluator, Horizon, LastMoves, ReplyValues};
use crate::params::{InputError, Param, ParamType};

use super::Sample;
use super::budget::{Meter, StopFlag};
use super::playout_config::{PlayoutConfig, Statistic};
use super::work::Operation;

pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "policy",
        kind: ParamType::Choice(Policy::NAMES),
        default: "random",
        help: "how moves are chosen in playouts: at random, mostly merges, mostly towards a corner, or by reward",
    },
    Param {
        name: "statistic",
        kind: ParamType::Choice(&["score", "win", "survival"]),
        default: "score",
        help: "the value of a playout: its final score, 1 for a win, or its number of moves",
    },
    Param {
        name: "cap",
        kind: ParamType::Integer { min: 0, max: 1_000_000 },
        default: "",
        help: "stop each playout after this many moves; without it 10 if there is a heuristic, else no limit",
    },
    super::options::OPTIONAL_HEURISTIC,
];

/// The parameter `leaf-plies`. Each agent has its own default.
pub(super) const fn leaf_plies(default: &'static str) -> Param {
    Param {
        name: "leaf-plies",
        kind: ParamType::Integer { min: 0, max: 3 },
        default,
        help: "depth in plies of the full search below each leaf that has no playouts",
    }
}

/// The default cap of playouts with a heuristic. Without a cap every playout would reach the end of the game, and the
/// heuristic would never be used.
const HEURISTIC_CAP: u32 = 10;

/// Values the afterstates at the leaves of a Monte Carlo search.
pub(super) struct LeafEvaluator<E> {
    statistic: Statistic,
    policy: Policy,
    cap: Option<u32>,
    evaluator: Option<E>,
    leaf_plies: i64,
}

/// Afterstates from which to run playouts.
pub(super) struct PlayoutBatch<'a, P> {
    pub afters: &'a [P],
    /// The score so far at each afterstate.
    pub scores: &'a [u32],
    /// The greatest number of playouts from each afterstate.
    pub runs: u32,
    pub seed: u64,
    pub allowance: Allowance,
}

impl<E> LeafEvaluator<E> {
    /// Fails if the game's playouts do not support the policy.
    pub fn new<G: Game>(evaluator: Option<E>, playouts: PlayoutConfig, leaf_plies: u32) -> Result<Self, InputError> {
        let PlayoutConfig { policy, statistic, cap } = playouts;
        if !G::POLICIES.contains(&policy) {
            let why = format!("the playouts of {} have no policy `{}`", G::NAME, policy.name());
            return Err(InputError::at("policy", why));
        }
        let cap = cap.or(evaluator.is_some().then_some(HEURISTIC_CAP));
        Ok(LeafEvaluator { statistic, policy, cap, evaluator, leaf_plies: i64::from(leaf_plies) })
    }

    /// Runs playouts from each afterstate, adds their values to `tallies`, and charges the meter.
    pub fn play<G: Game>(&self, game: &G, batch: &PlayoutBatch<G::Position>, meter: &mut Meter, tallies: &mut [Tally])
    where
        E: Evaluator<G>,
    {
        let &PlayoutBatch { afters, scores, runs, seed, allowance } = batch;
        let ending = self.last_position_cost();
        let runs = runs.min(self.affordable_runs(afters.len(), allowance, ending));
        let playouts = Playouts { afters, runs, cap: self.cap, policy: self.policy, seed };
        let mut moves = 0;
        let effort = game.playouts(
            playouts,
            |spent| allowance.after(playout_cost(spent, ending)),
            |finished| {
                moves += u64::from(finished.moves);
                tallies[finished.from].add(self.playout_value(game, &finished, scores[finished.from]));
            },
        );
        meter.visit(moves + effort.games);
        meter.charge_cost(playout_cost(effort, ending));
    }

    /// How many playouts from each of the afterstates can be begun and ended within the allowance. Only the number of
    /// capped playouts is limited: most of their cost is their start and end, but the allowance limits only moves.
    fn affordable_runs(&self, afters: usize, allowance: Allowance, ending: Cost) -> u32 {
        let Some(cap) = self.cap else { return u32::MAX };
        let once = Operation::PlayoutBatch.cost() + Operation::PlayoutStep.cost() * u64::from(cap);
        let left = allowance.limit.min(time_left(allowance.deadline)).saturating_sub(once).as_picoseconds();
        let one_run = (Operation::PlayoutGame.cost() + ending).as_picoseconds() * afters.max(1) as u64;
        u32::try_from(left / one_run).unwrap_or(u32::MAX).max(1)
    }

    /// Whether there is time for another batch of capped playouts. Their number is computed from the cost of each, so a
    /// machine that is faster than the calibration machine has time left after a batch.
    pub fn has_time_for_more(&self, allowance: &Allowance) -> bool {
        let Some(cap) = self.cap.filter(|_| allowance.deadline.is_some() && !allowance.is_stopped()) else {
            return false;
        };
        let batch = Operation::PlayoutBatch.cost() + Operation::PlayoutStep.cost() * u64::from(cap);
        allowance.limit.min(time_left(allowance.deadline)) > batch + batch
    }

    /// The cost of evaluating the last position of a playout.
    fn last_position_cost<G: Game>(&self) -> Cost
    where
        E: Evaluator<G>,
    {
        self.evaluator.as_ref().map_or(Cost::ZERO, |evaluator| evaluator.costs().value)
    }

    /// The value of a playout that started with this score.
    pub fn playout_value<G: Game>(&self, game: &G, finished: &Finished<G::Position>, score: u32) -> f64
    where
        E: Evaluator<G>,
    {
        let total = score + finished.gained;
        match (&self.evaluator, finished.outcome) {
            (Some(evaluator), Some(outcome)) => evaluator.ended(game, outcome, total),
            (Some(evaluator), None) => evaluator.after_reply(game, finished.last, total),
            (None, outcome) => match self.statistic {
                Statistic::Score => match outcome {
                    Some(outcome) => game.final_score(total, outcome) as f64,
                    None => f64::from(total),
                },
                Statistic::Win => f64::from(u8::from(outcome.is_some_and(|o| game.is_won(finished.last, o)))),
                Statistic::Survival => f64::from(finished.moves),
            },
        }
    }

    /// The value of a position at which the game has ended; `None` if it goes on.
    #[inline]
    pub fn outcome_value<G: Game>(&self, game: &G, last: G::Position, score: u32, is_after_step: bool) -> Option<f64>
    where
        E: Evaluator<G>,
    {
        let outcome = if is_after_step { game.after_step(last) } else { game.verdict(last) }?;
        Some(self.playout_value(game, &Finished { from: 0, last, gained: 0, moves: 0, outcome: Some(outcome) }, score))
    }

    /// The value of an afterstate by a search of `leaf_plies` with the heuristic. The game must go on there.
    pub fn heuristic_value<G: Game>(&self, game: &G, after: G::Position, score: u32, meter: &mut Meter) -> f64
    where
        E: Evaluator<G>,
    {
        let Some(evaluator) = &self.evaluator else { return 0.0 };
        let (costs, replies) = (evaluator.costs(), game.reply_count(after));
        match self.leaf_plies {
            0 => {
                meter.visit(1);
                meter.charge_cost(costs.value);
                evaluator.value(after, score).max(G::FLOOR)
            }
            1 if G::ADVERSARIAL => {
                meter.visit(replies as u64);
                meter.charge_cost(costs.worst.of(replies));
                evaluator.worst(game, after, score)
            }
            1 => {
                meter.visit(replies as u64);
                meter.charge_cost(costs.expected.of(replies));
                evaluator.expected(game, after, score)
            }
            _ => {
                let start = if G::ADVERSARIAL { f64::INFINITY } else { 0.0 };
                self.fold_replies(game, after, score, meter, start, |so_far, reply, value| match G::ADVERSARIAL {
                    true => so_far.min(value),
                    false => so_far + reply.probability * value,
                })
            }
        }
    }

    /// Folds over the replies to an afterstate and their values, each found by a search of one or two plies.
    pub fn fold_replies<G: Game, A>(
        &self,
        game: &G,
        after: G::Position,
        score: u32,
        meter: &mut Meter,
        start: A,
        fold: impl FnMut(A, &Reply<G::Position>, f64) -> A,
    ) -> A
    where
        E: Evaluator<G>,
    {
        let Some(evaluator) = &self.evaluator else { return start };
        let horizon = match self.leaf_plies {
            0..=2 => Horizon::Step,
            _ if G::ADVERSARIAL => Horizon::Worst,
            _ => Horizon::Mean,
        };
        let mut reply_values = ReplyValues::default();
        let last = LastMoves { game, after, score, horizon };
        let folded = last.fold_best(evaluator, &mut reply_values, start, fold);
        meter.visit(reply_values.positions());
        meter.charge_cost(evaluator.costs().of_last_moves(horizon, reply_values.best().len()));
        folded
    }

    /// Whether [`LeafEvaluator::fold_replies`] gives each reply to a leaf its own value.
    pub fn has_reply_values(&self) -> bool {
        self.leaf_plies > 1
    }
}

/// The cost of playouts. `ending` is the cost of evaluating the last position of each.
fn playout_cost(effort: Effort, ending: Cost) -> Cost {
    Operation::PlayoutBatch.cost()
        + (Operation::PlayoutGame.cost() + ending) * effort.games
        + Operation::PlayoutStep.cost() * effort.block_steps
        + Operation::PlayoutMove.cost() * effort.single_moves
}

/// The budget of a batch of playouts. Playouts that are running when it is spent are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    limit: Cost,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
}

impl Allowance {
    /// The whole rest of the decision's budget.
    pub fn all(meter: &Meter) -> Self {
        Allowance { limit: meter.left(), deadline: meter.deadline(), stop: meter.stop_flag() }
    }

    /// This fraction of the rest of the decision's budget.
    pub fn share(meter: &Meter, part: f64) -> Self {
        let now = Instant::now();
        Allowance {
            limit: Cost::picoseconds((meter.left().as_picoseconds() as f64 * part) as u64),
            deadline: meter.deadline().map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(part)),
            stop: meter.stop_flag(),
        }
    }

    /// The same, without what was spent since it was given.
    pub fn rest(self, meter: &Meter) -> Self {
        Allowance { limit: self.limit.min(meter.left()), ..self }
    }

    /// The rest of the budget plus `more`, without a deadline, for playouts that should not be cut.
    pub fn with_overdraft(meter: &Meter, more: Cost) -> Self {
        Allowance { limit: meter.left().saturating_add(more), deadline: None, stop: meter.stop_flag() }
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopFlag::is_set)
    }

    /// The operations that are still allowed when this much is spent.
    fn after(&self, spent: Cost) -> Effort {
        if self.is_stopped() {
            return Effort::default();
        }
        let left = self.limit.saturating_sub(spent).min(time_left(self.deadline)).as_picoseconds();
        let times = |operation: Operation| left / operation.cost().as_picoseconds();
        Effort {
            games: u64::MAX,
            block_steps: times(Operation::PlayoutStep),
            single_moves: times(Operation::PlayoutMove),
        }
    }
}

/// The rest of the budget of work or of the budget of time, whichever is smaller.
pub(super) fn budget_left(meter: &Meter) -> Cost {
    meter.left().min(time_left(meter.deadline()))
}

/// The time until the deadline, as a cost on the calibration machine.
fn time_left(deadline: Option<Instant>) -> Cost {
    let Some(deadline) = deadline else { return Cost::picoseconds(u64::MAX) };
    let nanoseconds = deadline.saturating_duration_since(Instant::now()).as_nanos();
    Cost::picoseconds(u64::try_from(nanoseconds).unwrap_or(u64::MAX).saturating_mul(1000))
}

/// The count, the sum and the sum of squares of playout values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    runs: u64,
    sum: f64,
    squares: f64,
}

impl Tally {
    pub fn add(&mut self, value: f64) {
        self.runs += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn mean(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.sum / self.runs as f64 }
    }

    pub fn sample(&self) -> Sample {
        let (runs, mean) = (self.runs as f64, self.mean());
        let variance = (self.squares - runs * mean * mean) / (runs - 1.0).max(1.0);
        Sample { runs: self.runs, mean, sd: variance.max(0.0).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use crate::agents::AgentSpec;
    use crate::games::Game;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::environment;

    const STARTS: [&str; 3] = [
        "0,2,0,0/0,0,0,0/0,0,0,2/0,0,0,0",
        "2,4,8,2/8,64,32,4/0,0,256,16/0,0,4,0",
        "1024,256,64,8/128,32,16,4/8,4,2,16/2,8,0,4",
    ];

    /// The mean and the maximum cost of a decision, as fractions of the budget.
    fn spending(spec: &str, work: u64) -> (f64, f64) {
        let game = Twenty48::new(Goal::None);
        let colon = if spec.contains(':') { ',' } else { ':' };
        let mut agent = format!("{spec}{colon}work={work}").parse::<AgentSpec>().unwrap().build(&game).unwrap();
        let (mut sum, mut greatest, mut count) = (0.0, 0.0_f64, 0.0);
        for (seed, start) in (0..).zip(STARTS) {
            let (mut rng, mut board, mut score) = (environment(seed), start.parse().unwrap(), 0);
            agent.reset(seed);
            for _ in 0..25 {
                let Some(decision) = agent.decide(board, score) else { break };
                let part = decision.work as f64 / work as f64;
                (sum, greatest, count) = (sum + part, greatest.max(part), count + 1.0);
                let step = game.steps(board).find(|step| step.action == decision.choice).unwrap();
                (board, score) = (game.sample(step.after, &mut rng), score + step.reward);
            }
        }
        (sum / count, greatest)
    }

    #[test]
    fn budgets_are_kept_and_used() {
        for spec in [
            "rollout",
            "rollout:allocation=halving",
            "rollout:policy=merge",
            "rollout:policy=greedy",
            "rollout:heuristic=line-sum",
            "tree-rollout",
            "tree-rollout:moves=3,runs=0,heuristic=line-sum",
            "tree-rollout:moves=8,width=100",
            "mcts",
            "mcts:backup=expectimax,batch=1",
            "mcts:runs=0,heuristic=line-sum,leaf-plies=2,backup=expectimax",
        ] {
            for work in [300, 1_000, 3_000, 20_000] {
                let (mean, greatest) = spending(spec, work);
                let most = if work < 1_000 { 1.10 } else { 1.03 };
                assert!((0.9..=most).contains(&mean), "{spec} spends {mean:.3} of {work}");
                assert!(greatest <= 1.5, "{spec} spends {greatest:.3} of {work} on one move");
            }
        }
    }

    #[test]
    fn a_tree_too_large_for_memory_is_refused() {
        let game = Twenty48::new(Goal::None);
        let spec = "tree-rollout:moves=8,width=100".parse::<AgentSpec>().unwrap();
        let error = spec.build(&game).err().unwrap();
        assert_eq!(error.key.as_deref(), Some("moves"));
        assert!(error.message.contains("fewer"), "{}", error.message);
    }

    #[test]
    fn a_policy_that_the_game_does_not_support_is_refused() {
        let spec = "rollout:policy=corner".parse::<AgentSpec>().unwrap();
        let error = spec.build(&crate::games::tic_tac_toe::TicTacToe).err().unwrap();
        assert_eq!(error.key.as_deref(), Some("policy"));
    }
}
