//! Explains the decision of any agent: the tree of its search, or its estimates of the legal moves.

use crate::agents::{AgentSpec, Decision};
use crate::games::Game;
use crate::heuristics::{Evaluator, EvaluatorTask, Playable};
use crate::params::{InputError, Value, show};

use super::growth;
use super::move_estimates::{MoveEstimate, MoveEstimates};
use super::search::{Algorithm, MOST_VISITED, SearchState, TracedSearch};
use super::tree::{Sides, Status, Tree};

/// Explains an agent's decision at a position. For a tree search the result has at most `max_nodes` nodes of its tree.
/// For Monte Carlo tree search it has the most visited nodes, and for other agents the root and the legal moves. With a
/// budget, the tree has the depth that the agent reached within it.
///
/// ```
/// use lab2048::explain::explain_decision;
/// use lab2048::games::{Game, tic_tac_toe::TicTacToe};
///
/// let position = TicTacToe.parse("XO./.X./O..").unwrap();
/// let agent = "alphabeta:depth=3".parse().unwrap();
/// let tree = explain_decision(&TicTacToe, &agent, position, 0, 1, 100).unwrap();
/// let best = tree.root().best.unwrap();
/// assert_eq!(tree[best].label, "c3");
/// ```
pub fn explain_decision<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    position: G::Position,
    score: u32,
    seed: u64,
    max_nodes: u64,
) -> Result<Tree, InputError> {
    let mut agent = spec.build(game)?;
    agent.reset(seed);
    let decision = agent.decide(position, score).filter(|_| game.verdict(position).is_none());
    let decision = decision.ok_or_else(|| InputError::at("board", format!("no move is legal at {position}")))?;
    let heuristic = spec.heuristic::<G>();
    let name = heuristic.as_ref().map(heuristic_name);
    let tree = match (algorithm_of(spec.kind.name), heuristic) {
        (Some(algorithm), Some(heuristic)) => {
            // The agent turns a budget, or a depth that depends on the empty cells, into plies.
            let depth = decision.depth.unwrap_or(1);
            let trace = Trace { game, spec, algorithm, depth, position, score, max_nodes };
            let tree = game.with_evaluator(&heuristic, trace)?;
            let tree = tree.ok_or_else(|| InputError::at("depth", too_large(depth)))?;
            tree.with_choice(&decision.choice.to_string())
        }
        _ => {
            let growth = growth::snapshots(game, spec, position, score, seed, (agent.as_ref(), &decision))?;
            let sampled = agent.sampled_tree(usize::try_from(max_nodes).unwrap_or(usize::MAX));
            let nodes = growth::nodes(game, &sampled, &decision);
            let tree: Tree = estimates(game, spec, position, decision).into();
            match nodes.is_empty() {
                true => tree,
                false => Tree { growth, nodes, ..tree },
            }
        }
    };
    Ok(Tree { heuristic: name, ..tree })
}

/// The name of a heuristic in the title of a tree: its name, its file, or the name inside its table.
fn heuristic_name(heuristic: &Value) -> String {
    match heuristic.as_table() {
        Some(table) => table.get("name").map_or_else(|| "an unnamed heuristic".into(), show),
        None => show(heuristic),
    }
}

fn too_large(depth: u32) -> String {
    format!("a search of {depth} plies visits more than {MOST_VISITED} nodes here: choose a smaller depth or budget")
}

/// The search that an agent does. Greedy is expectimax that looks one ply ahead.
fn algorithm_of(kind: &str) -> Option<Algorithm> {
    let kind = if kind == "greedy" { Algorithm::Expectimax.name() } else { kind };
    Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == kind)
}

struct Trace<'a, G: Game> {
    game: &'a G,
    spec: &'a AgentSpec,
    algorithm: Algorithm,
    depth: u32,
    position: G::Position,
    score: u32,
    max_nodes: u64,
}

impl<G: Game> EvaluatorTask<G> for Trace<'_, G> {
    type Output = Option<Tree>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Option<Tree> {
        let Trace { game, spec, algorithm, depth, max_nodes, .. } = self;
        let cuts = spec.cuts();
        let stop = |state: &SearchState<G::Position>| {
            cuts.reason(game, state.position, state.mover, state.plies_left, state.probability)
        };
        let search = TracedSearch { game, evaluator: &evaluator, algorithm, depth, stop: &stop, max_nodes };
        search.trace(self.position, self.score).map(|tree| Tree { algorithm: spec.kind.name, ..tree })
    }
}

/// The agent's estimate of every legal move.
fn estimates<G: Game>(game: &G, spec: &AgentSpec, position: G::Position, decision: Decision<G>) -> MoveEstimates {
    let status = |index: usize, after| match (game.after_step(after), decision.samples.get(index)) {
        (Some(outcome), _) => Status::Ended(outcome),
        (None, Some(sample)) => Status::Sampled { runs: sample.runs, mean: sample.mean, sd: sample.sd },
        (None, None) => Status::Reported,
    };
    let steps = game.steps(position).zip(&decision.values).enumerate();
    let moves = steps.map(|(index, (step, &(action, value)))| MoveEstimate {
        label: action.to_string(),
        board: step.after.to_string(),
        value,
        status: status(index, step.after),
    });
    MoveEstimates {
        game: G::NAME,
        sides: Sides::of::<G>(),
        algorithm: spec.kind.name,
        board: position.to_string(),
        moves: moves.collect(),
        choice: decision.values.iter().position(|(action, _)| *action == decision.choice).unwrap_or(0),
        spent: decision.nodes,
        unit: spec.kind.cost,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::tests::midgame;
    use crate::explain::{Bound, Format, NodeKind, render};
    use crate::games::connect_four::ConnectFour;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::seeded;

    fn explain<G: Playable>(game: &G, agent: &str, position: G::Position) -> Result<Tree, InputError> {
        explain_decision(game, &agent.parse()?, position, 100, 5, 200)
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }

    /// The tree has the agent's choice and the agent's value of every move.
    fn check_agreement<G: Playable>(game: &G, agent: &str, position: G::Position) {
        let tree = explain(game, agent, position).unwrap();
        let mut player = agent.parse::<AgentSpec>().unwrap().build(game).unwrap();
        player.reset(5);
        let decision = player.evaluate(position, 100).unwrap();
        let best = tree.root().best.map(|id| tree[id].label.clone());
        assert_eq!(best, Some(decision.choice.to_string()), "{agent} at {position}");
        for (&child, (action, value)) in tree.root().children.iter().zip(&decision.values) {
            let node = &tree[child];
            let found = node.value.unwrap();
            assert_eq!(node.label, action.to_string());
            match node.bound {
                Bound::AtMost => {
                    assert!(found >= value - 1e-9 * value.abs(), "{agent} at {position}: {found}, {value}")
                }
                _ => assert!(close(found, *value), "{agent} at {position}: {found}, {value}"),
            }
        }
    }

    #[test]
    fn trees_have_the_choices_and_values_of_the_agents() {
        let mut rng = seeded(21);
        let agents = [
            "minimax:depth=3",
            "alphabeta:depth=4",
            "expectimax:depth=3",
            "expectimax:depth=4,partial-cut=true,min-probability=0.01",
            "expectiminimax:depth=2..4",
            "expectimax:work=2000",
            "greedy",
            "random",
            "rollout:runs=20",
            "tree-rollout:runs=2",
            "mcts:iterations=200",
        ];
        for agent in agents {
            for moves in [0, 2, 3] {
                check_agreement(&TicTacToe, agent, midgame(&TicTacToe, moves, &mut rng));
                check_agreement(&ConnectFour, agent, midgame(&ConnectFour, 4 * moves, &mut rng));
            }
            for game in [Twenty48::new(Goal::None), Twenty48::new(Goal::Rank(6))] {
                for moves in [3, 20, 60] {
                    check_agreement(&game, agent, midgame(&game, moves, &mut rng));
                }
            }
        }
    }

    #[test]
    fn explaining_a_finished_game_is_an_error() {
        let dead = Twenty48::new(Goal::None).parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2").unwrap();
        assert!(explain(&Twenty48::new(Goal::None), "minimax", dead).unwrap_err().message.contains("no move is legal"));
        let lost = TicTacToe.parse("XX./OOO/..X").unwrap();
        assert!(explain(&TicTacToe, "rollout", lost).unwrap_err().message.contains("no move is legal"));
    }

    #[test]
    fn the_reason_for_an_early_stop_is_shown() {
        let game = Twenty48::new(Goal::None);
        let start = game.start(&mut seeded(1));
        let text = render(&explain(&game, "expectimax:depth=3,partial-cut=true", start).unwrap(), Format::Text);
        assert!(text.contains("heuristic: partial cut"), "{text}");
    }

    #[test]
    fn the_title_names_the_heuristic() {
        let start = TicTacToe.start(&mut seeded(1));
        let title = explain(&TicTacToe, "alphabeta:depth=2", start).unwrap().title();
        assert!(title.starts_with("alphabeta on tic-tac-toe with open-lines, 2 plies: "), "{title}");
    }

    #[test]
    fn min_nodes_have_no_probabilities() {
        let start = TicTacToe.start(&mut seeded(1));
        for (agent, has_probabilities) in [("alphabeta:depth=2", false), ("expectimax:depth=2", true)] {
            let tree = explain(&TicTacToe, agent, start).unwrap();
            let replies: Vec<_> = tree.nodes().iter().filter(|node| node.depth == 2).collect();
            assert!(!replies.is_empty());
            assert!(replies.iter().all(|node| node.probability.is_some() == has_probabilities), "{agent}");
            let text = render(&tree, Format::Text);
            assert_eq!(text.contains(", p 0."), has_probabilities, "{text}");
        }
    }

    #[test]
    fn monte_carlo_tree_search_shows_visits_means_and_bounds() {
        let position = TicTacToe.parse("XO./.X./O..").unwrap();
        let tree = explain(&TicTacToe, "mcts:iterations=60,runs=1", position).unwrap();
        let moves: Vec<_> = tree.root().children.iter().map(|&child| &tree[child]).collect();
        for node in moves.iter().filter(|node| node.label != "c3") {
            assert_eq!(node.kind, NodeKind::Min);
            assert!(matches!(node.status, Status::Visited(child) if child.bound >= Some(child.mean)), "{node:?}");
        }
        let text = render(&tree, Format::Text);
        assert!(text.contains(" visits, mean ") && text.contains("UCB") && text.contains("iterations"), "{text}");
    }

    #[test]
    fn monte_carlo_tree_search_takes_budgets() {
        let start = TicTacToe.start(&mut seeded(1));
        let tree = explain(&TicTacToe, "mcts:work=20000", start).unwrap();
        assert!(!tree.growth.is_empty() && tree.root().children.len() == 9);
    }
}
