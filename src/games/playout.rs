//! Random playouts: both sides play at random until the game ends.

use rand::Rng as _;

use super::{Game, Outcome};
use crate::rng::{derive, seeded};

/// Playouts to be run: `runs` from each of the after-positions.
#[derive(Clone, Copy, Debug)]
pub struct Playouts<'a, P> {
    pub afters: &'a [P],
    pub runs: u32,
    /// Stop each after this many moves of the mover.
    pub cap: Option<u32>,
    pub seed: u64,
}

/// One finished playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished<P> {
    /// Which of the after-positions it began at.
    pub from: usize,
    pub last: P,
    /// Rewards collected after the beginning.
    pub gained: u32,
    pub moves: u32,
    /// `None` if the cap stopped it.
    pub outcome: Option<Outcome>,
}

/// The plain way, for any game: one playout after the other.
pub(super) fn one_at_a_time<G: Game>(
    game: &G,
    batch: Playouts<G::Position>,
    mut sink: impl FnMut(Finished<G::Position>),
) {
    let mut rng = seeded(derive(batch.seed, 0));
    for (from, &after) in batch.afters.iter().enumerate() {
        for _ in 0..batch.runs {
            sink(one(game, after, from, batch.cap, &mut rng));
        }
    }
}

fn one<G: Game>(
    game: &G,
    start: G::Position,
    from: usize,
    cap: Option<u32>,
    rng: &mut crate::rng::Rng,
) -> Finished<G::Position> {
    let (mut after, mut gained, mut moves) = (start, 0, 0);
    loop {
        let finished = |last, outcome| Finished { from, last, gained, moves, outcome };
        if let Some(outcome) = game.after_step(after) {
            return finished(after, Some(outcome));
        }
        let position = game.sample(after, rng);
        if let Some(outcome) = game.verdict(position) {
            return finished(position, Some(outcome));
        }
        if cap.is_some_and(|cap| moves >= cap) {
            return finished(position, None);
        }
        let legal = game.steps(position).count();
        let Some(step) = game.steps(position).nth(rng.random_range(0..legal)) else {
            return finished(position, Some(G::STUCK));
        };
        after = step.after;
        gained += step.reward;
        moves += 1;
    }
}
