//! Greedy: the move whose after-position the heuristic likes best; expectimax and minimax at one ply.

use crate::games::Game;
use crate::heuristics::Evaluator;
use crate::params::{InputError, Values as Options};

use super::registry::AgentKind;
use super::{Agent, Decision, Values, options};

pub(super) const KIND: AgentKind = AgentKind {
    name: "greedy",
    summary: "the move whose after-position the heuristic likes best",
    cost: "positions visited",
    params: &[&[options::HEURISTIC]],
};

struct Greedy<G, E> {
    game: G,
    evaluator: E,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Greedy<G, E> {
    fn decide(&mut self, position: G::Position, score: u32) -> Option<Decision<G>> {
        let values: Values<G> = self
            .game
            .steps(position)
            .map(|step| (step.action, self.evaluator.after_step(&self.game, step.after, score + step.reward)))
            .collect();
        let nodes = values.len() as u64;
        Decision::new(values, nodes)
    }
}

pub(super) fn build<G: Game, E: Evaluator<G>>(
    game: G,
    evaluator: E,
    _: &Options,
) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Box::new(Greedy { game, evaluator }))
}
