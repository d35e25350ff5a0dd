//! Heuristics: what a position is worth when the search stops.

mod compiled;
mod cost;
pub mod features;
mod file;
mod heuristic;
pub mod open_lines;
mod presets;
mod twenty48;

use crate::games::{Game, Reply};
use crate::params::InputError;

pub use compiled::{Compiled, LineSum, Mixed};
pub use cost::{Cost, LeafCosts};
pub use heuristic::{Heuristic, Term, TermValue};
pub use presets::{PRESETS, Preset, preset};

/// A compiled heuristic: what a search calls at its horizon. All values are from the mover's side.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The value of a position, before or after the environment's reply, where `score` has been collected so far.
    fn value(&self, position: G::Position, score: u32) -> f64;

    /// What the answers cost, for the budgets of the agents.
    fn costs(&self) -> LeafCosts {
        LeafCosts::one_by_one(Cost::picoseconds(10_000), 8, 4)
    }

    /// The utility at the horizon after a step: the game's own verdict, or else the floored value.
    fn after_step(&self, game: &G, after: G::Position, score: u32) -> f64 {
        match game.after_step(after) {
            Some(outcome) => game.utility(outcome),
            None => self.value(after, score).max(G::FLOOR),
        }
    }

    /// The utility at the horizon after a reply.
    fn after_reply(&self, game: &G, position: G::Position, score: u32) -> f64 {
        match game.verdict(position) {
            Some(outcome) => game.utility(outcome),
            None => self.value(position, score).max(G::FLOOR),
        }
    }

    /// The mean of [`Evaluator::after_reply`] over the replies to `after`, which has not ended the game.
    fn expected(&self, game: &G, after: G::Position, score: u32) -> f64 {
        mean_reply(self, game, after, score)
    }

    /// The least of [`Evaluator::after_reply`] over the replies to `after`, which has not ended the game.
    fn worst(&self, game: &G, after: G::Position, score: u32) -> f64 {
        worst_reply(self, game, after, score)
    }

    /// The best of [`Evaluator::after_step`] over the legal steps.
    #[inline(always)]
    fn best_step(&self, game: &G, position: G::Position, score: u32) -> Best {
        best_of_steps(game, position, score, |after, score| self.value(after, score).max(G::FLOOR))
    }

    /// Folds the replies, in the order of [`Game::replies`], with the best step at each. Where a game allows it, replies
    /// share what they have in common.
    #[inline(always)]
    fn fold_best<A>(&self, last: LastMoves<G>, start: A, fold: impl FnMut(A, &Reply<G::Position>, Best) -> A) -> A {
        let LastMoves { game, score, horizon, .. } = last;
        match horizon {
            Horizon::Step => last.fold_replies(|position| self.best_step(game, position, score), start, fold),
            Horizon::Mean => last.fold_by(|after, score| self.expected(game, after, score), start, fold),
            Horizon::Worst => last.fold_by(|after, score| self.worst(game, after, score), start, fold),
        }
    }
}

/// The end of a search: replies to `after` and a last move after each.
#[derive(Debug)]
pub struct LastMoves<'a, G: Game> {
    pub game: &'a G,
    pub after: G::Position,
    pub score: u32,
    pub horizon: Horizon,
}

/// What a last move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// [`Evaluator::after_step`].
    Step,
    /// [`Evaluator::expected`].
    Mean,
    /// [`Evaluator::worst`].
    Worst,
}

impl<G: Game> LastMoves<'_, G> {
    /// One by one, with what `best` says of each reply.
    #[inline(always)]
    pub fn fold_replies<A>(
        self,
        best: impl Fn(G::Position) -> Best,
        start: A,
        mut fold: impl FnMut(A, &Reply<G::Position>, Best) -> A,
    ) -> A {
        self.game.replies(self.after).fold(start, |so_far, reply| fold(so_far, &reply, best(reply.position)))
    }

    /// One by one, where a step is worth the `value` of the position and score after it.
    #[inline(always)]
    pub fn fold_by<A>(
        self,
        value: impl Fn(G::Position, u32) -> f64,
        start: A,
        fold: impl FnMut(A, &Reply<G::Position>, Best) -> A,
    ) -> A {
        let (game, score) = (self.game, self.score);
        self.fold_replies(|position| best_of_steps(game, position, score, &value), start, fold)
    }
}

/// What the mover's last move comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Minus infinity if no step is legal.
    pub value: f64,
    /// How many steps are legal.
    pub steps: u32,
}

/// The best over the steps, one by one.
#[inline(always)]
pub fn best_of_steps<G: Game>(
    game: &G,
    position: G::Position,
    score: u32,
    value: impl Fn(G::Position, u32) -> f64,
) -> Best {
    game.steps(position).fold(Best { value: f64::NEG_INFINITY, steps: 0 }, |best, step| {
        let score = score + step.reward;
        let value = match game.after_step(step.after) {
            Some(outcome) => game.utility(outcome),
            None => value(step.after, score),
        };
        Best { value: best.value.max(value), steps: best.steps + 1 }
    })
}

/// The mean over the replies, one by one.
#[inline(always)]
pub fn mean_reply<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
    game.replies(after)
        .fold(0.0, |sum, reply| sum + reply.probability * evaluator.after_reply(game, reply.position, score))
}

/// The worst of the replies, one by one.
#[inline(always)]
pub fn worst_reply<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
    game.replies(after)
        .fold(f64::INFINITY, |worst, reply| worst.min(evaluator.after_reply(game, reply.position, score)))
}

/// Something to be done with an evaluator whose type is not known yet.
pub trait EvaluatorTask<G: Game> {
    type Output;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Self::Output;
}

/// A game that has heuristics, so that every agent can play it.
pub trait Playable: Game {
    /// What an agent uses when the user names none.
    const DEFAULT_HEURISTIC: &'static str;

    /// The names that [`Playable::with_evaluator`] knows, with what each is.
    fn heuristics() -> Vec<Named>;

    /// The value of a position under the heuristic that the user named, and the terms that add up to it.
    fn breakdown(
        &self,
        heuristic: &crate::params::Value,
        position: Self::Position,
        score: u32,
    ) -> Result<(f64, Vec<TermValue>), InputError>;

    /// Runs `task` with the heuristic that the user named: the one place where a name becomes a type, so that the
    /// searches are compiled for each kind of evaluator.
    fn with_evaluator<T: EvaluatorTask<Self>>(
        &self,
        heuristic: &crate::params::Value,
        task: T,
    ) -> Result<T::Output, InputError>;
}

/// A heuristic as `lab2048 list` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: &'static str,
    pub summary: &'static str,
}
