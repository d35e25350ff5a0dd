//! Agents built in code: a configuration struct and an evaluator, without any text to parse.

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Compiled, Evaluator, Heuristic};

use super::Agent;

/// A configuration from which agents are built.
///
/// ```
/// use lab2048::agents::{AgentConfig, Depth, Expectimax};
/// use lab2048::games::twenty48::{Goal, Twenty48};
/// use lab2048::heuristics::Heuristic;
///
/// let game = Twenty48::new(Goal::None);
/// let heuristic = Heuristic::builder("corner").term(1.0, "mask").param("mask", "snake").term(500.0, "empty").build()?;
/// let agent = Expectimax { depth: Some(Depth::new(3)), ..Expectimax::default() };
/// let board = "2,4,8,16/0,0,0,2/0,0,0,0/0,0,0,0".parse()?;
/// let decision = agent.build_2048(&game, &heuristic).decide(board, 0);
/// assert!(decision.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AgentConfig {
    /// An agent for any game, with an evaluator of that game.
    fn build<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Box<dyn Agent<G>>;

    /// An agent for 2048. The heuristic is compiled first.
    fn build_2048(&self, game: &Twenty48, heuristic: &Heuristic) -> Box<dyn Agent<Twenty48>> {
        match heuristic.compile() {
            Compiled::Lines(evaluator) => self.build(game, evaluator),
            Compiled::Mixed(evaluator) => self.build(game, evaluator),
        }
    }
}
