//! From an agent as the user writes it to the tree of what it does.

use crate::agents::{AgentSpec, Decision};
use crate::games::Game;
use crate::heuristics::{Evaluator, EvaluatorTask, Playable};
use crate::params::InputError;

use super::judgement::{Judged, Judgement};
use super::search::{Here, MOST_VISITED, Rule, TracedSearch};
use super::tree::{Status, Tree};

/// What an agent makes of a position: its search tree, at most `max_nodes` of it, or what it thinks of each move.
pub fn of_agent<G: Playable>(
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
    match (rule_of(spec.kind.name), spec.heuristic::<G>()) {
        (Some(rule), Some(heuristic)) => {
            // A budget or a depth by empty cells has been turned into plies by the agent itself.
            let depth = decision.depth.unwrap_or(1);
            let trace = Trace { game, spec, rule, depth, position, score, max_nodes };
            let tree = game.with_evaluator(&heuristic, trace)?;
            let tree = tree.ok_or_else(|| InputError::at("depth", too_large(depth)))?;
            Ok(tree.with_choice(&decision.choice.to_string()))
        }
        _ => Ok(judge(game, spec, position, decision).into()),
    }
}

fn too_large(depth: u32) -> String {
    format!("a search of {depth} plies visits more than {MOST_VISITED} nodes here, too many to follow: look less deep")
}

/// The search behind an agent. Greedy is expectimax that looks one ply ahead.
fn rule_of(kind: &str) -> Option<Rule> {
    let kind = if kind == "greedy" { Rule::Expectimax.name() } else { kind };
    Rule::ALL.into_iter().find(|rule| rule.name() == kind)
}

struct Trace<'a, G: Game> {
    game: &'a G,
    spec: &'a AgentSpec,
    rule: Rule,
    depth: u32,
    position: G::Position,
    score: u32,
    max_nodes: u64,
}

impl<G: Game> EvaluatorTask<G> for Trace<'_, G> {
    type Output = Option<Tree>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Option<Tree> {
        let Trace { game, spec, rule, depth, max_nodes, .. } = self;
        let cuts = spec.cuts();
        let stop =
            |here: &Here<G::Position>| cuts.reason(game, here.position, here.mover, here.plies_left, here.probability);
        let search = TracedSearch { game, evaluator: &evaluator, rule, depth, stop: &stop, max_nodes };
        search.trace(self.position, self.score).map(|tree| Tree { algorithm: spec.kind.name, ..tree })
    }
}

fn judge<G: Game>(game: &G, spec: &AgentSpec, position: G::Position, decision: Decision<G>) -> Judgement {
    let status = |index: usize, after| match (game.after_step(after), decision.samples.get(index)) {
        (Some(outcome), _) => Status::Ended(outcome),
        (None, Some(sample)) => Status::Sampled { runs: sample.runs, mean: sample.mean, sd: sample.sd },
        (None, None) => Status::Judged,
    };
    let steps = game.steps(position).zip(&decision.values).enumerate();
    let moves = steps.map(|(index, (step, &(action, value)))| Judged {
        label: action.to_string(),
        board: step.after.to_string(),
        value,
        status: status(index, step.after),
    });
    Judgement {
        game: G::NAME,
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
    use crate::explain::{Bound, Format, render};
    use crate::games::connect_four::ConnectFour;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::seeded;

    fn ask<G: Playable>(game: &G, agent: &str, position: G::Position) -> Result<Tree, InputError> {
        of_agent(game, &agent.parse()?, position, 100, 5, 200)
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
    }

    /// The tree says of the root and of every move what the agent says.
    fn check_agreement<G: Playable>(game: &G, agent: &str, position: G::Position) {
        let tree = ask(game, agent, position).unwrap();
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
    fn trees_agree_with_the_agents() {
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
    fn a_finished_game_has_no_move_to_explain() {
        let dead = Twenty48::new(Goal::None).parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2").unwrap();
        assert!(ask(&Twenty48::new(Goal::None), "minimax", dead).unwrap_err().message.contains("no move is legal"));
        let lost = TicTacToe.parse("XX./OOO/..X").unwrap();
        assert!(ask(&TicTacToe, "rollout", lost).unwrap_err().message.contains("no move is legal"));
    }

    #[test]
    fn early_stops_are_named() {
        let game = Twenty48::new(Goal::None);
        let start = game.start(&mut seeded(1));
        let text = render(&ask(&game, "expectimax:depth=3,partial-cut=true", start).unwrap(), Format::Text);
        assert!(text.contains("heuristic: partial cut"), "{text}");
    }
}
