//! Random: a legal move, each with the same probability.

use rand::Rng as _;

use crate::games::Game;
use crate::params::{InputError, Values as Options};
use crate::rng::{Rng, seeded};

use super::registry::AgentKind;
use super::work::{self, Operation};
use super::{Agent, Decision, Spent, Values};

pub(super) const KIND: AgentKind = AgentKind {
    name: "random",
    summary: "a legal move, each with the same probability",
    cost: "moves chosen",
    params: &[],
};

/// The configuration of random. It has no options.
///
/// ```
/// use lab2048::agents::Random;
/// use lab2048::games::twenty48::{Goal, Twenty48};
///
/// let mut agent = Random.build(&Twenty48::new(Goal::None));
/// agent.reset(7);
/// assert!(agent.decide("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse()?, 0).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Random;

impl Random {
    /// An agent for any game.
    pub fn build<G: Game>(&self, game: &G) -> Box<dyn Agent<G>> {
        Box::new(RandomAgent { game: game.clone(), rng: seeded(0) })
    }
}

struct RandomAgent<G> {
    game: G,
    rng: Rng,
}

impl<G: Game> Agent<G> for RandomAgent<G> {
    fn reset(&mut self, seed: u64) {
        self.rng = seeded(seed);
    }

    fn decide(&mut self, position: G::Position, _: u32) -> Option<Decision<G>> {
        let mut values = Values::<G>::new();
        self.game.steps(position).for_each(|step| values.push((step.action, 0.0)));
        let chosen = values.get(self.rng.random_range(0..values.len().max(1)))?.0;
        Decision::new(values, Spent { nodes: 1, work: work::units(Operation::Decision.cost()) })
            .map(|decision| Decision { choice: chosen, ..decision })
    }
}

pub(super) fn build<G: Game>(game: G, _: &Options) -> Result<Box<dyn Agent<G>>, InputError> {
    Ok(Random.build(&game))
}
