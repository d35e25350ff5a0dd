//! The evaluator: the interface through which a search calls a compiled heuristic at its horizon.
//!
//! Only [`Evaluator::value`] must be implemented. The other methods have simple defaults, and an evaluator overrides
//! those that it can compute faster.

use crate::games::{Game, MOST_REPLIES, Outcome, Reply};

use super::cost::LeafCosts;

/// A compiled heuristic. All values are from the mover's side.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The value of a position, before or after the environment's reply, with the score so far.
    fn value(&self, position: G::Position, score: u32) -> f64;

    /// The costs of the methods, for the budgets of the agents.
    fn costs(&self) -> LeafCosts {
        LeafCosts::PLAIN
    }

    /// The value of a game that has ended with this outcome and score.
    #[inline(always)]
    fn ended(&self, game: &G, outcome: Outcome, _score: u32) -> f64 {
        game.utility(outcome)
    }

    /// The value at a horizon after a step: that of the outcome if the game has ended, else the heuristic value, raised
    /// to the floor if it is below.
    fn after_step(&self, game: &G, after: G::Position, score: u32) -> f64 {
        match game.after_step(after) {
            Some(outcome) => self.ended(game, outcome, score),
            None => self.value(after, score).max(G::FLOOR),
        }
    }

    /// The value at a horizon after a reply.
    fn after_reply(&self, game: &G, position: G::Position, score: u32) -> f64 {
        match game.verdict(position) {
            Some(outcome) => self.ended(game, outcome, score),
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

    /// The best last move after each reply to `last.after`, which has not ended the game. An evaluator can override
    /// this to compute once what several replies have in common.
    fn best_after_replies(&self, last: LastMoves<G>, found: &mut ReplyValues) {
        let game = last.game;
        match last.horizon {
            Horizon::Step => last.each_reply(found, |position| self.best_step(game, position, last.score)),
            Horizon::Mean => last.each_move(found, |after, score| self.expected(game, after, score)),
            Horizon::Worst => last.each_move(found, |after, score| self.worst(game, after, score)),
        }
    }
}

/// The last plies of a search: the replies to `after`, and a last move after each of them.
#[derive(Debug)]
pub struct LastMoves<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position to which the environment replies.
    pub after: G::Position,
    /// The score so far.
    pub score: u32,
    /// What follows the last move.
    pub horizon: Horizon,
}

impl<G: Game> Clone for LastMoves<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for LastMoves<'_, G> {}

/// Where a search ends, which decides the value of a last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// [`Evaluator::after_step`]: the search ends with the move.
    Step,
    /// [`Evaluator::expected`]: the search ends with the replies to the move, and takes their mean.
    Mean,
    /// [`Evaluator::worst`]: the search ends with the replies to the move, and takes the worst.
    Worst,
}

/// The value of the best last move after each reply, in the order of [`Game::replies`]. A search reuses one of these,
/// so that it allocates nothing at a node.
#[derive(Clone, Debug)]
pub struct ReplyValues {
    best: [f64; MOST_REPLIES],
    replies: usize,
    /// The total number of legal steps after all replies.
    pub steps: u64,
    /// The total number of replies to these steps, if the search ends after those replies; else 0.
    pub leaves: u64,
}

impl Default for ReplyValues {
    fn default() -> Self {
        ReplyValues { best: [0.0; MOST_REPLIES], replies: 0, steps: 0, leaves: 0 }
    }
}

impl ReplyValues {
    /// Removes all values.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.replies, self.steps, self.leaves) = (0, 0, 0);
    }

    /// The value of the best step after each reply; minus infinity where no step is legal.
    #[inline(always)]
    pub fn best(&self) -> &[f64] {
        &self.best[..self.replies]
    }

    /// The number of positions behind the values: the replies, the steps after them, and the leaves.
    #[inline(always)]
    pub fn positions(&self) -> u64 {
        self.replies as u64 + self.steps + self.leaves
    }

    /// Adds the next reply's value. A reply beyond [`MOST_REPLIES`] is dropped. No game that passes the conformance
    /// suite has so many.
    #[inline(always)]
    pub fn push(&mut self, best: Best) {
        if let Some(slot) = self.best.get_mut(self.replies) {
            *slot = best.value;
            self.replies += 1;
        }
        self.steps += u64::from(best.steps);
        self.leaves += u64::from(best.leaves);
    }

    /// The slots of the next `count` values, for the caller to write.
    #[inline(always)]
    pub fn extend_by(&mut self, count: usize) -> &mut [f64] {
        let start = self.replies;
        self.replies = (start + count).min(MOST_REPLIES);
        &mut self.best[start..self.replies]
    }
}

/// The best last move of the mover at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Its value; minus infinity if no step is legal.
    pub value: f64,
    /// The number of legal steps.
    pub steps: u32,
    /// The number of replies to these steps, if the search ends after those replies; else 0.
    pub leaves: u32,
}

impl Best {
    /// The result if no step is legal.
    pub const NONE: Best = Best { value: f64::NEG_INFINITY, steps: 0, leaves: 0 };
}

impl<G: Game> LastMoves<'_, G> {
    /// Calls `best` for each reply and stores the results.
    #[inline(always)]
    pub fn each_reply(self, found: &mut ReplyValues, best: impl Fn(G::Position) -> Best) {
        found.clear();
        self.game.replies(self.after).for_each(|reply| found.push(best(reply.position)));
    }

    /// Finds the best last move after each reply, stores the values in `found`, and folds over the replies with them. A
    /// reply that ends the game has the value of its outcome.
    #[inline(always)]
    pub fn fold_best<E: Evaluator<G>, A>(
        self,
        evaluator: &E,
        found: &mut ReplyValues,
        start: A,
        combine: impl FnMut(A, &Reply<G::Position>, f64) -> A,
    ) -> A {
        evaluator.best_after_replies(self, found);
        self.fold_replies(evaluator, found, start, combine)
    }

    #[inline(always)]
    fn fold_replies<E: Evaluator<G>, A>(
        self,
        evaluator: &E,
        found: &ReplyValues,
        start: A,
        mut combine: impl FnMut(A, &Reply<G::Position>, f64) -> A,
    ) -> A {
        let (best, mut next) = (found.best(), 0);
        self.game.replies(self.after).fold(start, |so_far, reply| {
            let value = best.get(next).copied().unwrap_or(f64::NEG_INFINITY);
            next += 1;
            let value = match self.game.after_reply(reply.position) {
                Some(outcome) => evaluator.ended(self.game, outcome, self.score),
                None if value == f64::NEG_INFINITY => evaluator.ended(self.game, G::STUCK, self.score),
                None => value,
            };
            combine(so_far, &reply, value)
        })
    }

    /// Finds the best last move after each reply. `value` gets the position after a move and the score there.
    #[inline(always)]
    pub fn each_move(self, found: &mut ReplyValues, value: impl Fn(G::Position, u32) -> f64) {
        self.each_reply(found, |position| self.best_move(position, &value));
    }

    /// The best of the moves at one position, by `value`.
    #[inline(always)]
    pub fn best_move(self, position: G::Position, value: impl Fn(G::Position, u32) -> f64) -> Best {
        let mut leaves = 0;
        if self.horizon != Horizon::Step {
            leaves = self.game.steps(position).fold(0, |leaves, step| match self.game.after_step(step.after) {
                None => leaves + self.game.reply_count(step.after) as u32,
                Some(_) => leaves,
            });
        }
        Best { leaves, ..best_of_steps(self.game, position, self.score, value) }
    }
}

/// The best of the steps, each valued on its own.
#[inline(always)]
pub fn best_of_steps<G: Game>(
    game: &G,
    position: G::Position,
    score: u32,
    value: impl Fn(G::Position, u32) -> f64,
) -> Best {
    game.steps(position).fold(Best::NONE, |best, step| {
        let score = score + step.reward;
        let value = match game.after_step(step.after) {
            Some(outcome) => game.utility(outcome),
            None => value(step.after, score),
        };
        Best { value: best.value.max(value), steps: best.steps + 1, leaves: 0 }
    })
}

/// The mean over the replies, each valued on its own.
#[inline(always)]
pub fn mean_reply<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
    game.replies(after)
        .fold(0.0, |sum, reply| sum + reply.probability * evaluator.after_reply(game, reply.position, score))
}

/// The worst of the replies, each valued on its own.
#[inline(always)]
pub fn worst_reply<G: Game, E: Evaluator<G>>(evaluator: &E, game: &G, after: G::Position, score: u32) -> f64 {
    game.replies(after)
        .fold(f64::INFINITY, |worst, reply| worst.min(evaluator.after_reply(game, reply.position, score)))
}
