//! How the tree of Monte Carlo tree search grows, iteration by iteration.
//!
//! The agent does not record its iterations. But with the same seed it does the same first iterations whatever their
//! total number is. So we run it with larger and larger values of its parameter `iterations` and take its tree after
//! each run. The parameter counts valued moves: each iteration (a walk from the root) values all moves of a new
//! position. Snapshots count the walks instead, because these are the visits of the root's moves.

use crate::agents::{Agent, AgentSpec, Decision, SampledNode};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::params::InputError;

use super::tree::{Bound, ChildStatistics, Node, NodeKind, Snapshot, Status};

/// Up to this many valued moves, each run values one more than the run before. Later runs value a fifth more each.
const SINGLE: u64 = 120;
/// Beyond this many valued moves there is only the last snapshot. Late snapshots take longest and differ least.
const MAX_VALUES: u64 = 5_000;
/// The number of nodes in a snapshot: enough for the moves, the replies to the best of them, and the moves after these.
const SNAPSHOT_NODES: usize = 60;

/// The snapshots up to an agent's decision, which is the last of them. There are none if the agent is not Monte Carlo
/// tree search. `agent` has just made the decision.
pub(super) fn snapshots<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    position: G::Position,
    score: u32,
    seed: u64,
    (agent, decision): (&dyn Agent<G>, &Decision<G>),
) -> Result<Vec<Snapshot>, InputError> {
    if !spec.kind.has("iterations") {
        return Ok(Vec::new());
    }
    let total = walks(decision);
    let mut growth: Vec<Snapshot> = Vec::new();
    for values in schedule() {
        let mut agent = with_iterations(spec, values)?.build(game)?;
        agent.reset(seed);
        let Some(partial) = agent.decide(position, score) else { break };
        let done = walks(&partial);
        if done >= total {
            break;
        }
        if growth.last().is_none_or(|last| last.iterations < done) {
            growth.push(snapshot(game, agent.as_ref(), &partial));
        }
    }
    growth.push(snapshot(game, agent, decision));
    Ok(growth)
}

/// The numbers of valued moves after which there is a snapshot.
fn schedule() -> impl Iterator<Item = u64> {
    let next = |count: &u64| Some(if *count < SINGLE { count + 1 } else { count + count / 5 });
    std::iter::successors(Some(1), next).take_while(|count| *count < MAX_VALUES)
}

/// The number of walks from the root in a decision's search.
fn walks<G: Game>(decision: &Decision<G>) -> u64 {
    decision.samples.iter().map(|sample| sample.runs).sum()
}

/// The same agent with this many iterations and no budget.
fn with_iterations(spec: &AgentSpec, iterations: u64) -> Result<AgentSpec, InputError> {
    let mut given = spec.without_budget()?.given;
    given.insert("iterations".into(), (iterations as i64).into());
    AgentSpec::new(spec.kind.name, given)
}

fn snapshot<G: Game>(game: &G, agent: &dyn Agent<G>, decision: &Decision<G>) -> Snapshot {
    let sampled = agent.sampled_tree(SNAPSHOT_NODES);
    let moves = sampled.iter().filter(|node| node.parent == Some(0));
    Snapshot {
        iterations: walks(decision),
        children: moves.map(statistics).collect(),
        choice: choice(decision),
        nodes: nodes(game, &sampled, decision),
    }
}

fn statistics<G: Game>(node: &SampledNode<G>) -> ChildStatistics {
    ChildStatistics { visits: node.visits, mean: node.value, bound: node.bound }
}

fn choice<G: Game>(decision: &Decision<G>) -> usize {
    decision.values.iter().position(|(action, _)| *action == decision.choice).unwrap_or(0)
}

/// Converts the nodes of an agent's tree to those of an explanation.
pub(super) fn nodes<G: Game>(game: &G, sampled: &[SampledNode<G>], decision: &Decision<G>) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(sampled.len());
    for (id, found) in sampled.iter().enumerate() {
        let node = node(game, found, found.parent.and_then(|parent| Some((sampled.get(parent)?, nodes.get(parent)?))));
        nodes.push(node);
        if let Some(parent) = found.parent.and_then(|parent| nodes.get_mut(parent)) {
            parent.children.push(id);
        }
    }
    let by_visits = |&id: &usize| sampled.get(id).map(|node| node.visits);
    for id in 0..nodes.len() {
        // The principal variation follows the most visited nodes. At the root it is the move that the agent plays.
        nodes[id].best = match id {
            0 => nodes[0].children.get(choice(decision)).copied(),
            _ if nodes[id].kind == NodeKind::Chance => None,
            _ => nodes[id].children.iter().copied().max_by_key(by_visits),
        };
    }
    nodes
}

/// Converts one node. `parent` is its parent in the agent's tree and in the explanation.
fn node<G: Game>(game: &G, found: &SampledNode<G>, parent: Option<(&SampledNode<G>, &Node)>) -> Node {
    let after_move = if G::ADVERSARIAL { NodeKind::Min } else { NodeKind::Chance };
    let label = match (found.action, parent) {
        (Some(action), _) => action.to_string(),
        (None, Some((parent, _))) => game.reply_label(parent.position, found.position),
        (None, None) => String::new(),
    };
    let over = if found.action.is_some() { game.after_step(found.position) } else { game.after_reply(found.position) };
    Node {
        kind: if found.action.is_some() { after_move } else { NodeKind::Max },
        depth: parent.map_or(0, |(_, parent)| parent.depth + 1),
        parent: found.parent,
        children: Vec::new(),
        label,
        // An opponent chooses its reply, so the reply has no probability.
        probability: found.probability.filter(|_| !G::ADVERSARIAL),
        weight: None,
        board: found.position.to_string(),
        value: Some(found.value),
        bound: Bound::Exact,
        window: None,
        status: match (over, parent) {
            (Some(outcome), _) => Status::Ended(outcome),
            (None, Some(_)) => Status::Visited(statistics(found)),
            (None, None) => Status::Expanded,
        },
        best: None,
        omitted: found.omitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};

    fn grown<G: Playable>(game: &G, agent: &str, position: G::Position) -> (Decision<G>, Vec<Snapshot>) {
        let spec: AgentSpec = agent.parse().unwrap();
        let mut agent = spec.build(game).unwrap();
        agent.reset(7);
        let decision = agent.decide(position, 0).unwrap();
        let growth = snapshots(game, &spec, position, 0, 7, (agent.as_ref(), &decision)).unwrap();
        (decision, growth)
    }

    #[test]
    fn snapshots_grow_to_the_decision() {
        let position = TicTacToe.parse("XO./.../...").unwrap();
        let (decision, growth) = grown(&TicTacToe, "mcts:iterations=200,runs=1,batch=1", position);
        let visits = |snapshot: &Snapshot| snapshot.children.iter().map(|child| child.visits).sum::<u64>();
        assert!(growth.iter().all(|snapshot| visits(snapshot) == snapshot.iterations));
        // At first every snapshot has one walk more than the one before.
        let first = growth.iter().take(10).map(|snapshot| snapshot.iterations);
        assert_eq!(first.collect::<Vec<_>>(), (7..17).collect::<Vec<_>>());
        let steps = growth.windows(2).map(|pair| pair[1].iterations - pair[0].iterations);
        assert!(growth.len() > 20 && steps.into_iter().all(|step| (1..=8).contains(&step)));
        let last = growth.last().unwrap();
        let runs: Vec<u64> = decision.samples.iter().map(|sample| sample.runs).collect();
        assert_eq!(last.children.iter().map(|child| child.visits).collect::<Vec<_>>(), runs);
    }

    #[test]
    fn the_tree_grows_below_the_moves_of_the_root() {
        let game = Twenty48::new(Goal::None);
        let board = game.parse("2,4,8,16/0,0,0,2/0,0,0,0/0,0,0,0").unwrap();
        let (_, growth) = grown(&game, "mcts:iterations=400,runs=1", board);
        let depth = |snapshot: &Snapshot| snapshot.nodes.iter().map(|node| node.depth).max();
        assert_eq!(growth.first().and_then(depth), Some(1));
        assert!(growth.last().and_then(depth) >= Some(3));
        let last = &growth.last().unwrap().nodes;
        for (id, node) in last.iter().enumerate().skip(1) {
            let parent = &last[node.parent.unwrap()];
            assert!(node.parent.unwrap() < id && parent.children.contains(&id) && node.depth == parent.depth + 1);
            assert_eq!(node.probability.is_some(), parent.kind == NodeKind::Chance);
        }
    }

    #[test]
    fn an_opponent_has_its_own_bounds_and_no_probabilities() {
        let position = TicTacToe.parse("XO./.../...").unwrap();
        let (_, growth) = grown(&TicTacToe, "mcts:iterations=300,runs=1", position);
        let replies = growth.last().unwrap().nodes.iter().filter(|node| node.depth == 2);
        let bounds = replies.filter_map(|node| match node.status {
            Status::Visited(found) => Some((node.probability, found.mean, found.bound.unwrap())),
            _ => None,
        });
        let bounds: Vec<_> = bounds.collect();
        assert!(
            !bounds.is_empty() && bounds.iter().all(|(by_chance, mean, bound)| by_chance.is_none() && bound <= mean)
        );
    }

    #[test]
    fn agents_without_iterations_have_no_snapshots() {
        let position = TicTacToe.parse("XO./.../...").unwrap();
        assert!(grown(&TicTacToe, "rollout:runs=5", position).1.is_empty());
    }
}
