//! How the Monte Carlo agents value an after-position: by playouts, or by a heuristic a few plies below it.

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
        help: "what a playout is worth: its final score, 1 for a win, or the moves it lasted",
    },
    Param {
        name: "cap",
        kind: ParamType::Integer { min: 0, max: 1_000_000 },
        default: "",
        help: "stop each playout after this many moves; 10 if there is a heuristic, else none",
    },
    super::options::OPTIONAL_HEURISTIC,
];

/// How far below a leaf to search, with the default that suits the agent.
pub(super) const fn leaf_plies(default: &'static str) -> Param {
    Param {
        name: "leaf-plies",
        kind: ParamType::Integer { min: 0, max: 3 },
        default,
        help: "plies searched in full below each leaf that the heuristic alone values",
    }
}

/// The cap of playouts that end with a heuristic. Without a cap they would all be played to the end of the game, and
/// the heuristic would never be asked.
const HEURISTIC_CAP: u32 = 10;

/// Values after-positions.
pub(super) struct Finish<E> {
    statistic: Statistic,
    policy: Policy,
    cap: Option<u32>,
    evaluator: Option<E>,
    leaf_plies: i64,
}

/// After-positions to be played out.
pub(super) struct Batch<'a, P> {
    pub afters: &'a [P],
    /// The score collected at each.
    pub scores: &'a [u32],
    /// The most playouts from each.
    pub runs: u32,
    pub seed: u64,
    pub allowance: Allowance,
}

impl<E> Finish<E> {
    /// An error if the game's playouts do not have the policy.
    pub fn new<G: Game>(evaluator: Option<E>, playouts: PlayoutConfig, leaf_plies: u32) -> Result<Self, InputError> {
        let PlayoutConfig { policy, statistic, cap } = playouts;
        if !G::POLICIES.contains(&policy) {
            let why = format!("the playouts of {} have no policy `{}`", G::NAME, policy.name());
            return Err(InputError::at("policy", why));
        }
        let cap = cap.or(evaluator.is_some().then_some(HEURISTIC_CAP));
        Ok(Finish { statistic, policy, cap, evaluator, leaf_plies: i64::from(leaf_plies) })
    }

    /// Plays from each after-position, adds what the games are worth to `tallies`, and charges the meter.
    pub fn play<G: Game>(&self, game: &G, batch: &Batch<G::Position>, meter: &mut Meter, tallies: &mut [Tally])
    where
        E: Evaluator<G>,
    {
        let &Batch { afters, scores, runs, seed, allowance } = batch;
        let ending = self.cost_of_ending();
        let playouts = Playouts { afters, runs, cap: self.cap, policy: self.policy, seed };
        let mut moves = 0;
        let effort = game.playouts(
            playouts,
            |spent| allowance.after(cost(spent, ending)),
            |finished| {
                moves += u64::from(finished.moves);
                tallies[finished.from].add(self.worth(game, &finished, scores[finished.from]));
            },
        );
        meter.visit(moves + effort.games);
        meter.charge_cost(cost(effort, ending));
    }

    /// The cost of valuing the last position of a playout.
    fn cost_of_ending<G: Game>(&self) -> Cost
    where
        E: Evaluator<G>,
    {
        self.evaluator.as_ref().map_or(Cost::ZERO, |evaluator| evaluator.costs().value)
    }

    /// What a playout is worth that began with this score.
    pub fn worth<G: Game>(&self, game: &G, finished: &Finished<G::Position>, score: u32) -> f64
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

    /// What a position is worth at which the game has ended, if it has.
    pub fn ended<G: Game>(&self, game: &G, last: G::Position, score: u32, is_after_step: bool) -> Option<f64>
    where
        E: Evaluator<G>,
    {
        let outcome = if is_after_step { game.after_step(last) } else { game.verdict(last) }?;
        Some(self.worth(game, &Finished { from: 0, last, gained: 0, moves: 0, outcome: Some(outcome) }, score))
    }

    /// The heuristic's value of an after-position at which the game goes on.
    pub fn leaf<G: Game>(&self, game: &G, after: G::Position, score: u32, meter: &mut Meter) -> f64
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

    /// Folds the replies with the value of each, two or three plies below the after-position.
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
        let mut found = ReplyValues::default();
        let last = LastMoves { game, after, score, horizon };
        evaluator.best_after_replies(last, &mut found);
        meter.visit(found.best().len() as u64 + found.steps + found.leaves);
        meter.charge_cost(evaluator.costs().of_last_moves(horizon, found.best().len()));
        last.fold_replies(evaluator, &found, start, fold)
    }

    /// Whether the replies to a leaf have values of their own: see [`Finish::fold_replies`].
    pub fn values_replies(&self) -> bool {
        self.leaf_plies > 1
    }
}

/// The cost of playouts, each of which ends with a valuation of this cost.
fn cost(effort: Effort, ending: Cost) -> Cost {
    Operation::PlayoutBatch.cost()
        + (Operation::PlayoutGame.cost() + ending) * effort.games
        + Operation::PlayoutStep.cost() * effort.block_steps
        + Operation::PlayoutMove.cost() * effort.single_moves
}

/// What a batch of playouts may cost. Playouts under way when it is spent are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    limit: Cost,
    deadline: Option<Instant>,
    stop: Option<StopFlag>,
}

impl Allowance {
    /// All that is left of the budget.
    pub fn all(meter: &Meter) -> Self {
        Allowance { limit: meter.left(), deadline: meter.deadline(), stop: meter.stop_flag() }
    }

    /// This part of what is left.
    pub fn share(meter: &Meter, part: f64) -> Self {
        let now = Instant::now();
        Allowance {
            limit: Cost::picoseconds((meter.left().as_picoseconds() as f64 * part) as u64),
            deadline: meter.deadline().map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(part)),
            stop: meter.stop_flag(),
        }
    }

    /// For playouts that should not be cut: what is left and `more`.
    pub fn with_overdraft(meter: &Meter, more: Cost) -> Self {
        Allowance { limit: meter.left().saturating_add(more), deadline: None, stop: meter.stop_flag() }
    }

    /// What may follow when this much is spent.
    fn after(&self, spent: Cost) -> Effort {
        if self.stop.is_some_and(StopFlag::is_set) {
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

/// What is left of a budget of work and of one of time, whichever is less.
pub(super) fn left(meter: &Meter) -> Cost {
    meter.left().min(time_left(meter.deadline()))
}

/// The time until the deadline as the cost of operations on the machine of calibration.
fn time_left(deadline: Option<Instant>) -> Cost {
    let Some(deadline) = deadline else { return Cost::picoseconds(u64::MAX) };
    let nanoseconds = deadline.saturating_duration_since(Instant::now()).as_nanos();
    Cost::picoseconds(u64::try_from(nanoseconds).unwrap_or(u64::MAX).saturating_mul(1000))
}

/// Values of playouts, added up.
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

    /// The mean and the greatest of what decisions spend, as parts of the budget.
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
                assert!(greatest <= 1.5, "{spec} spends {greatest:.3} of {work} for one move");
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
    fn a_policy_of_another_game_is_refused() {
        let spec = "rollout:policy=corner".parse::<AgentSpec>().unwrap();
        let error = spec.build(&crate::games::tic_tac_toe::TicTacToe).err().unwrap();
        assert_eq!(error.key.as_deref(), Some("policy"));
    }
}
