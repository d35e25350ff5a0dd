//! What an agent, as a user describes it, thinks of a position.

use crate::agents::{AgentSpec, Cuts, Decision};
use crate::games::Game;
use crate::heuristics::{Evaluator, EvaluatorTask, Playable};
use crate::params::Problem;

use super::{Here, Rule, Sampled, Search, Tree};

/// The tree behind an agent's decision, or the statistics of its random games.
pub fn of_agent<G: Playable>(
    game: &G,
    spec: &AgentSpec,
    position: G::Position,
    score: u32,
    seed: u64,
    max_nodes: u64,
) -> Result<Tree, Problem> {
    let mut agent = spec.build(game)?;
    agent.reset(seed);
    let decision = agent.decide(position, score);
    let decision = decision.ok_or_else(|| Problem::at("board", format!("no move is legal at {position}")))?;
    let rule = Rule::ALL.into_iter().find(|rule| rule.name() == spec.kind.name);
    match (rule, decision.depth, spec.heuristic::<G>()) {
        (Some(rule), Some(depth), Some(heuristic)) => {
            let cuts = spec.cuts();
            game.with_evaluator(&heuristic, Trace { game, rule, depth, cuts, position, score, max_nodes })
        }
        _ => Ok(Tree::sampled(
            G::NAME,
            spec.kind.name,
            position.to_string(),
            samples(game, position, &decision),
            decision.nodes,
        )),
    }
}

fn samples<G: Game>(game: &G, position: G::Position, decision: &Decision<G>) -> Vec<Sampled> {
    let moves = game.steps(position).zip(&decision.values).enumerate();
    moves
        .map(|(i, (step, (action, value)))| {
            let sample = decision.samples.get(i).copied().unwrap_or_default();
            Sampled {
                label: action.to_string(),
                board: step.after.to_string(),
                value: *value,
                runs: sample.runs,
                mean: sample.mean,
                sd: sample.sd,
            }
        })
        .collect()
}

struct Trace<'a, G: Game> {
    game: &'a G,
    rule: Rule,
    depth: u32,
    cuts: Cuts,
    position: G::Position,
    score: u32,
    max_nodes: u64,
}

impl<G: Game> EvaluatorTask<G> for Trace<'_, G> {
    type Output = Tree;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Tree {
        let stop = |here: &Here<G::Position>| {
            let stops = self.cuts.apply(self.game, here.position, here.plies_left, here.probability);
            stops.then_some("evaluated early by a cut")
        };
        let Trace { game, rule, depth, max_nodes, .. } = self;
        Search { game, evaluator: &evaluator, rule, depth, stop: &stop, max_nodes }.trace(self.position, self.score)
    }
}
