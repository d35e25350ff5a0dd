//! Playouts: the mover plays by a simple policy and the environment by its probabilities, until the game ends.

use rand::Rng as _;

use super::{Game, Outcome};
use crate::rng::{Rng, derive, seeded};

/// How the mover chooses its moves in a playout. The environment replies by its own probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Every legal move is equally likely.
    #[default]
    Random,
    /// A move that merges tiles is several times as likely as one that does not.
    Merge,
    /// A move towards the corner of the largest tile is several times as likely as one away from it.
    Corner,
    /// The move with the greatest reward. If several have it, each of them is equally likely.
    Greedy,
}

impl Policy {
    /// Every policy, with the name that a user writes.
    pub const NAMES: &'static [&'static str] = &["random", "merge", "corner", "greedy"];

    /// The policy of this name.
    pub fn named(name: &str) -> Option<Policy> {
        let policies = [Policy::Random, Policy::Merge, Policy::Corner, Policy::Greedy];
        Policy::NAMES.iter().position(|known| *known == name).map(|index| policies[index])
    }

    /// The name that a user writes.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Merge => "merge",
            Policy::Corner => "corner",
            Policy::Greedy => "greedy",
        }
    }
}

/// The playouts to run, in at most `runs` rounds. In each round one playout starts from each afterstate.
#[derive(Clone, Copy, Debug)]
pub struct Playouts<'a, P> {
    /// The afterstates from which the playouts start.
    pub afters: &'a [P],
    /// The maximum number of playouts from each of them.
    pub runs: u32,
    /// Stop each playout after this many moves of the mover.
    pub cap: Option<u32>,
    /// How the mover chooses its moves.
    pub policy: Policy,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The number of operations that playouts have used, or may still use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Playouts started.
    pub games: u64,
    /// Steps of a block in which many games move at once.
    pub block_steps: u64,
    /// Moves of games that are played one at a time.
    pub single_moves: u64,
}

impl Effort {
    /// No limit.
    pub const UNLIMITED: Effort = Effort { games: u64::MAX, block_steps: u64::MAX, single_moves: u64::MAX };
}

/// One finished playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finished<P> {
    /// The index of the afterstate from which it started.
    pub from: usize,
    /// The position in which it ended.
    pub last: P,
    /// The sum of the rewards during the playout.
    pub gained: u32,
    /// The number of moves of the mover.
    pub moves: u32,
    /// `None` if the cap or the end of the budget stopped it.
    pub outcome: Option<Outcome>,
}

/// Runs playouts one after another: see [`Game::playouts`].
///
/// The arguments of `play` are an afterstate, the maximum number of moves, and the random generator.
pub(super) fn one_at_a_time<P: Copy>(
    batch: Playouts<P>,
    mut left: impl FnMut(Effort) -> Effort,
    mut sink: impl FnMut(Finished<P>),
    mut play: impl FnMut(P, u64, &mut Rng) -> Finished<P>,
) -> Effort {
    let mut rng = seeded(derive(batch.seed, 0));
    let mut effort = Effort::default();
    for _ in 0..batch.runs {
        for (from, &after) in batch.afters.iter().enumerate() {
            let moves_left = left(effort).single_moves;
            if moves_left == 0 && effort.games >= batch.afters.len() as u64 {
                return effort;
            }
            let cap = batch.cap.map_or(moves_left, |cap| moves_left.min(u64::from(cap)));
            let finished = play(after, cap, &mut rng);
            effort.games += 1;
            effort.single_moves += u64::from(finished.moves);
            sink(Finished { from, ..finished });
        }
    }
    effort
}

/// One playout of any game by the random policy, of at most `cap` moves.
pub(super) fn play_randomly<G: Game>(game: &G, start: G::Position, cap: u64, rng: &mut Rng) -> Finished<G::Position> {
    let (mut after, mut gained, mut moves) = (start, 0, 0);
    loop {
        let finished = |last, outcome| Finished { from: 0, last, gained, moves, outcome };
        if let Some(outcome) = game.after_step(after) {
            return finished(after, Some(outcome));
        }
        let position = game.sample(after, rng);
        if let Some(outcome) = game.verdict(position) {
            return finished(position, Some(outcome));
        }
        if u64::from(moves) >= cap {
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
