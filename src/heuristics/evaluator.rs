//! The evaluator: a compiled heuristic as a search calls it at its horizon.
//!
//! Only [`Evaluator::value`] must be written. Everything else has a plain default, and an evaluator overrides what it
//! can compute faster.

use crate::games::{Game, MOST_REPLIES, Outcome, Reply};

use super::cost::LeafCosts;

/// A compiled heuristic. All values are from the mover's side.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The value of a position, before or after the environment's reply, where `score` has been collected so far.
    fn value(&self, position: G::Position, score: u32) -> f64;

    /// What the answers cost, for the budgets of the agents.
    fn costs(&self) -> LeafCosts {
        LeafCosts::PLAIN
    }

    /// What a game that has ended is worth, where `score` has been collected.
    #[inline(always)]
    fn ended(&self, game: &G, outcome: Outcome, _score: u32) -> f64 {
        game.utility(outcome)
    }

    /// The utility at a horizon after a step: the game's own verdict, or else the floored value.
    fn after_step(&self, game: &G, after: G::Position, score: u32) -> f64 {
        match game.after_step(after) {
            Some(outcome) => self.ended(game, outcome, score),
            None => self.value(after, score).max(G::FLOOR),
        }
    }

    /// The utility at a horizon after a reply.
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

    /// The best last move after each reply to `last.after`, which has not ended the game. Where a game allows it, replies
    /// share what they have in common.
    fn best_after_replies(&self, last: LastMoves<G>, found: &mut ReplyValues) {
        let game = last.game;
        match last.horizon {
            Horizon::Step => last.each_reply(found, |position| self.best_step(game, position, last.score)),
            Horizon::Mean => last.each_move(found, |after, score| self.expected(game, after, score)),
            Horizon::Worst => last.each_move(found, |after, score| self.worst(game, after, score)),
        }
    }
}

/// The end of a search: the replies to `after`, and a last move after each of them.
#[derive(Debug)]
pub struct LastMoves<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The position to which the environment replies.
    pub after: G::Position,
    /// The score collected there.
    pub score: u32,
    /// Where the search ends.
    pub horizon: Horizon,
}

impl<G: Game> Clone for LastMoves<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for LastMoves<'_, G> {}

/// What a last move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// [`Evaluator::after_step`]: the search ends with the move.
    Step,
    /// [`Evaluator::expected`]: the search ends with the replies to the move, and takes their mean.
    Mean,
    /// [`Evaluator::worst`]: the search ends with the replies to the move, and takes the worst.
    Worst,
}

/// The best last move after each reply, in the order of [`Game::replies`]. A search keeps one and fills it again and
/// again.
#[derive(Clone, Debug)]
pub struct ReplyValues {
    best: [f64; MOST_REPLIES],
    replies: usize,
    /// The legal steps after all replies together.
    pub steps: u64,
    /// The replies to all these steps, where the horizon lies behind them.
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

    /// Adds the next reply's value. A reply beyond [`MOST_REPLIES`], which no game that conforms has, is dropped.
    #[inline(always)]
    pub fn push(&mut self, best: Best) {
        if let Some(place) = self.best.get_mut(self.replies) {
            *place = best.value;
            self.replies += 1;
        }
        self.steps += u64::from(best.steps);
        self.leaves += u64::from(best.leaves);
    }

    /// The places of the next `count` values, to be written by the caller.
    #[inline(always)]
    pub fn extend_by(&mut self, count: usize) -> &mut [f64] {
        let start = self.replies;
        self.replies = (start + count).min(MOST_REPLIES);
        &mut self.best[start..self.replies]
    }
}

/// What the mover's last move comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Minus infinity if no step is legal.
    pub value: f64,
    /// How many steps are legal.
    pub steps: u32,
    /// How many replies there are to them, where the horizon lies behind the replies.
    pub leaves: u32,
}

impl Best {
    /// Where no step is legal.
    pub const NONE: Best = Best { value: f64::NEG_INFINITY, steps: 0, leaves: 0 };
}

impl<G: Game> LastMoves<'_, G> {
    /// Asks `best` about one reply after the other.
    #[inline(always)]
    pub fn each_reply(self, found: &mut ReplyValues, best: impl Fn(G::Position) -> Best) {
        found.clear();
        self.game.replies(self.after).for_each(|reply| found.push(best(reply.position)));
    }

    /// Folds over the replies with the values that `found` holds. A reply after which the game is over has the value of
    /// its outcome.
    #[inline(always)]
    pub fn fold_replies<E: Evaluator<G>, A>(
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

    /// Asks `value` about one last move after the other: a position and the score there.
    #[inline(always)]
    pub fn each_move(self, found: &mut ReplyValues, value: impl Fn(G::Position, u32) -> f64) {
        self.each_reply(found, |position| self.best_move(position, &value));
    }

    /// The best of the moves at one position, each worth what `value` says.
    #[inline(always)]
    pub fn best_move(self, position: G::Position, value: impl Fn(G::Position, u32) -> f64) -> Best {
        let mut leaves = 0;
        if self.horizon != Horizon::Step {
            let goes_on = |after: &G::Position| self.game.after_step(*after).is_none();
            let afters = self.game.steps(position).map(|step| step.after).filter(goes_on);
            leaves = afters.map(|after| self.game.replies(after).count() as u32).sum();
        }
        Best { leaves, ..best_of_steps(self.game, position, self.score, value) }
    }
}

/// The best over the steps, one by one.
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
