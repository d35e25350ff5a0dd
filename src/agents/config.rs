//! Building agents in code from a configuration struct and an evaluator, without parsing text.

use crate::games::Game;
use crate::games::twenty48::Twenty48;
use crate::heuristics::{Compiled, Evaluator, Heuristic};
use crate::params::{InputError, Values};

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

/// The configuration of a Monte Carlo agent. Such an agent does not need a heuristic.
///
/// Building fails if the game does not support the configuration, or if the agent would need too much memory.
pub trait SamplingConfig {
    /// An agent with an evaluator, or without one.
    fn create<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: Option<E>)
    -> Result<Box<dyn Agent<G>>, InputError>;

    /// An agent that uses only the results of its playouts.
    fn build<G: Game>(&self, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        self.create(game, None::<NoHeuristic>)
    }

    /// An agent with an evaluator of the game.
    fn build_with<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: E) -> Result<Box<dyn Agent<G>>, InputError> {
        self.create(game, Some(evaluator))
    }

    /// An agent for 2048 with a heuristic, which is compiled first.
    fn build_2048(&self, game: &Twenty48, heuristic: &Heuristic) -> Result<Box<dyn Agent<Twenty48>>, InputError> {
        match heuristic.compile() {
            Compiled::Lines(evaluator) => self.build_with(game, evaluator),
            Compiled::Mixed(evaluator) => self.build_with(game, evaluator),
        }
    }
}

/// The evaluator type of agents without a heuristic. No agent calls it.
#[derive(Clone, Debug)]
pub(super) struct NoHeuristic;

impl<G: Game> Evaluator<G> for NoHeuristic {
    fn value(&self, _: G::Position, _: u32) -> f64 {
        0.0
    }
}

/// The evaluator if the options name a heuristic, else `None`.
pub(super) fn if_heuristic_given<E>(evaluator: E, options: &Values) -> Option<E> {
    options.get("heuristic").map(|_| evaluator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{AgentSpec, Mcts, PlayoutConfig, Random, Rollout, TreeRollout};
    use crate::games::Policy;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Board, Goal};

    fn boards() -> [(Board, u32); 2] {
        let board = |text: &str| text.parse().unwrap();
        [(board("2,4,8,16/0,0,0,2/0,0,0,0/0,0,0,0"), 0), (board("2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2"), 3000)]
    }

    /// The defaults of the configuration structs must equal the defaults of the parameters.
    #[test]
    fn default_configurations_play_as_agents_built_by_name() {
        let game = Twenty48::new(Goal::None);
        let (rollout, tree_rollout, mcts) = (Rollout::default(), TreeRollout::default(), Mcts::default());
        let built = [
            ("random", Ok(Random.build(&game))),
            ("rollout", rollout.build(&game)),
            ("tree-rollout", tree_rollout.build(&game)),
            ("mcts", mcts.build(&game)),
        ];
        for (name, built) in built {
            let (mut built, mut named) = (built.unwrap(), name.parse::<AgentSpec>().unwrap().build(&game).unwrap());
            for (position, score) in boards() {
                let decisions = [&mut built, &mut named].map(|agent| {
                    agent.reset(9);
                    agent.decide(position, score).map(|decision| (decision.choice, decision.values, decision.work))
                });
                assert_eq!(decisions[0], decisions[1], "{name}");
            }
        }
        let unknown = Rollout { playouts: PlayoutConfig { policy: Policy::Corner, ..rollout.playouts }, ..rollout };
        assert!(unknown.build(&TicTacToe).is_err_and(|error| error.message.contains("no policy `corner`")));
    }
}
