//! Greedy: the move whose afterstate has the greatest heuristic value. Expectimax and minimax play the same at one ply.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values as Options};

use super::budget::Budget;
use super::config::AgentConfig;
use super::registry::AgentKind;
use super::work::Operation;
use super::{Agent, Decision, Values, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "greedy",
    summary: "the move whose afterstate has the greatest heuristic value",
    cost: "positions visited",
    params: &[&[options::HEURISTIC]],
};

/// The configuration of greedy. It has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Greedy;

impl AgentConfig for Greedy {
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>> {
        Box::new(GreedyAgent { game: game.clone(), evaluator })
    }
}

struct GreedyAgent<G, E> {
    game: G,
    evaluator: E,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for GreedyAgent<G, E> {
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        let mut values = Values::<G>::new();
        self.game.steps(position).for_each(|step| {
            let value = self.evaluator.after_step(&self.game, step.after, score + step.reward);
            values.push((step.action, value));
        });
        let (mut meter, count) = (Budget::default().start(), values.len() as u64);
        meter.visit(count);
        meter.charge(Operation::Decision, 1);
        meter.charge_cost(self.evaluator.costs().value * count);
        Decision::new(values, meter.spent())
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    _: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Greedy.build(&game, evaluator))
}
