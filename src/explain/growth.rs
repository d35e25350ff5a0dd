//! How the estimates of Monte Carlo tree search grow, iteration by iteration.
//!
//! The agent does not record its iterations. But with the same seed it does the same first iterations whatever their
//! total number is. So we run it with 1, 2, 3, ... iterations and take its statistics after each run.

use crate::agents::{AgentSpec, Decision};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::params::InputError;

use super::tree::{ChildStatistics, Snapshot};

/// One snapshot for each of the first iterations; after that each has a fifth more iterations than the one before.
const SINGLE: u64 = 30;
/// The last snapshots would take longest, and they differ least. Beyond this many iterations there are none but the last.
const MOST_ITERATIONS: u64 = 5_000;

/// The snapshots up to an agent's decision, which is the last of them; none if the agent is not a tree search that
/// samples.
pub(super) fn snapshots<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    position: G::Position,
    score: u32,
    seed: u64,
    decision: &Decision<G>,
) -> Result<Vec<Snapshot>, InputError> {
    if !spec.kind.has("iterations") {
        return Ok(Vec::new());
    }
    let exploration = spec.options.number("exploration").unwrap_or(1.0);
    let total = decision.samples.iter().map(|sample| sample.runs).sum();
    let mut growth = Vec::new();
    for iterations in schedule(total) {
        let mut agent = with_iterations(spec, iterations)?.build(game)?;
        agent.reset(seed);
        let partial = agent.decide(position, score);
        growth.extend(partial.map(|partial| snapshot(iterations, &partial, exploration)));
    }
    growth.push(snapshot(total, decision, exploration));
    Ok(growth)
}

/// The numbers of iterations of the snapshots before the last.
fn schedule(total: u64) -> impl Iterator<Item = u64> {
    let next = |count: &u64| Some(if *count < SINGLE { count + 1 } else { count + count / 5 });
    std::iter::successors(Some(1), next).take_while(move |count| *count < total.min(MOST_ITERATIONS))
}

/// The same agent with this many iterations and no budget.
fn with_iterations(spec: &AgentSpec, iterations: u64) -> Result<AgentSpec, InputError> {
    let mut given = spec.without_budget()?.given;
    given.insert("iterations".into(), (iterations as i64).into());
    AgentSpec::new(spec.kind.name, given)
}

fn snapshot<G: Game>(iterations: u64, decision: &Decision<G>, exploration: f64) -> Snapshot {
    let statistics: Vec<(u64, f64)> = decision.samples.iter().map(|sample| (sample.runs, sample.mean)).collect();
    Snapshot {
        iterations,
        children: upper_confidence_bounds(&statistics, exploration),
        choice: decision.values.iter().position(|(action, _)| *action == decision.choice).unwrap_or(0),
    }
}

/// The upper confidence bound (UCB1) of each move from its visits and mean: the mean plus
/// `exploration * range * sqrt(ln N / n)` for a move with n of N visits, where `range` is the difference between the
/// largest and the smallest mean. The search prefers moves with a large bound: good ones, and ones rarely visited.
///
/// ```
/// use lab2048::explain::upper_confidence_bounds;
///
/// let children = upper_confidence_bounds(&[(10, 0.0), (10, 1.0), (0, 0.0)], 0.5);
/// assert!(children[1].bound > children[0].bound);
/// assert_eq!(children[2].bound, f64::INFINITY);
/// ```
pub fn upper_confidence_bounds(statistics: &[(u64, f64)], exploration: f64) -> Vec<ChildStatistics> {
    let total: u64 = statistics.iter().map(|(visits, _)| visits).sum();
    let means = || statistics.iter().filter(|(visits, _)| *visits > 0).map(|(_, mean)| *mean);
    let range = means().fold(f64::NEG_INFINITY, f64::max) - means().fold(f64::INFINITY, f64::min);
    let bound = |visits: u64, mean: f64| match visits {
        0 => f64::INFINITY,
        _ => mean + exploration * range * (libm::log(total as f64) / visits as f64).sqrt(),
    };
    let child = |&(visits, mean): &(u64, f64)| ChildStatistics { visits, mean, bound: bound(visits, mean) };
    statistics.iter().map(child).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;

    #[test]
    fn snapshots_grow_to_the_decision() {
        let position = TicTacToe.parse("XO./.../...").unwrap();
        let spec: AgentSpec = "mcts:iterations=200,runs=1".parse().unwrap();
        let mut agent = spec.build(&TicTacToe).unwrap();
        agent.reset(7);
        let decision = agent.decide(position, 0).unwrap();
        let growth = snapshots(&TicTacToe, &spec, position, 0, 7, &decision).unwrap();
        assert!(growth.len() > 30 && growth.is_sorted_by(|a, b| a.iterations < b.iterations));
        let visits = |snapshot: &Snapshot| snapshot.children.iter().map(|child| child.visits).sum::<u64>();
        assert!(growth.is_sorted_by_key(visits));
        let last = growth.last().unwrap();
        let runs: Vec<u64> = decision.samples.iter().map(|sample| sample.runs).collect();
        assert_eq!(last.children.iter().map(|child| child.visits).collect::<Vec<_>>(), runs);
    }

    #[test]
    fn agents_without_iterations_have_no_snapshots() {
        let position = TicTacToe.parse("XO./.../...").unwrap();
        let spec: AgentSpec = "rollout:runs=5".parse().unwrap();
        let decision = spec.build(&TicTacToe).unwrap().decide(position, 0).unwrap();
        assert!(snapshots(&TicTacToe, &spec, position, 0, 7, &decision).unwrap().is_empty());
    }
}
