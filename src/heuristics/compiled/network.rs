//! A learned network as the heuristic of a search.
//!
//! The other heuristics give a *utility* without a fixed unit, with 0 for a dead board. A network gives an
//! *expectation*: the expected reward of the rest of the game. So the value for a search is the score so far plus the
//! network's value, which is the expected final score. The value of a dead board is the score so far.
//!
//! A network values afterstates. If a search stops after a reply, the value is that of the mover's best move. So a
//! search of an even number of plies sees as far as one of the next odd number.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::reply_moves::{Leaf, MOST_MOVED, Moved, MovedValue, ReplyMoves, goal_in_reach};
use crate::games::twenty48::{Board, Twenty48};
use crate::games::{Game, Outcome};
use crate::heuristics::{
    Best, CallCost, Evaluator, Horizon, LastMoves, LeafCosts, ReplyValues, TermValue, best_of_steps,
};
use crate::learn::Network;

/// A network that agents share.
#[derive(Clone)]
pub struct Learned {
    network: Arc<Network>,
}

/// The number of boards whose weights are prefetched before the first is read: see `learn::choose`.
const AHEAD: usize = 8;

impl Learned {
    /// A heuristic that reads this network.
    pub fn new(network: Arc<Network>) -> Self {
        Learned { network }
    }

    /// The score so far, and the contribution of each pattern.
    pub fn breakdown(&self, after: Board, score: u32) -> Vec<TermValue> {
        let term = |feature: &'static str, label: String, raw: f64| TermValue {
            feature,
            label,
            coefficient: 1.0,
            raw,
            value: raw,
        };
        let patterns = self.network.contributions(after).into_iter();
        let patterns = patterns.map(|part| term("pattern", format!("tuple {}", part.pattern), part.value));
        std::iter::once(term("score", "score so far".into(), f64::from(score))).chain(patterns).collect()
    }

    /// The values of boards, each with its score.
    fn values(&self, boards: &[(Board, u32)]) -> ArrayVec<f64, MOST_MOVED> {
        let prefetch = |(board, _): &(Board, u32)| self.network.prefetch_weights(*board);
        boards.iter().take(AHEAD).for_each(prefetch);
        let value = |(number, &(board, score)): (usize, &(Board, u32))| {
            boards.get(number + AHEAD).iter().for_each(|board| prefetch(board));
            self.value(board, score).max(Twenty48::FLOOR)
        };
        boards.iter().enumerate().map(value).collect()
    }
}

impl Evaluator<Twenty48> for Learned {
    /// The expected final score, where `board` is an afterstate.
    #[inline]
    fn value(&self, board: Board, score: u32) -> f64 {
        f64::from(score) + self.network.value(board)
    }

    /// An estimate: 5 ns for each weight, most of it spent waiting for memory. Several replies lead to the same moved
    /// board, so a reply with four moves needs about three values.
    fn costs(&self) -> LeafCosts {
        let value = 5_000 * self.network.indexer().places_per_board() as u64;
        let moves = CallCost::new(0, 3 * value);
        LeafCosts { expected: moves, worst: moves, last_steps: moves, ..LeafCosts::one_by_one(value, 8, 3) }
    }

    fn ended(&self, game: &Twenty48, outcome: Outcome, score: u32) -> f64 {
        match outcome {
            Outcome::Win => game.utility(outcome),
            Outcome::Draw | Outcome::Loss => f64::from(score),
        }
    }

    fn after_reply(&self, game: &Twenty48, board: Board, score: u32) -> f64 {
        let best = self.best_step(game, board, score);
        if best.steps == 0 { self.ended(game, Twenty48::STUCK, score) } else { best.value }
    }

    fn best_step(&self, game: &Twenty48, board: Board, score: u32) -> Best {
        if goal_in_reach(game, board) {
            return best_of_steps(game, board, score, |after, score| self.value(after, score).max(Twenty48::FLOOR));
        }
        let boards: ArrayVec<(Board, u32), 4> =
            game.steps(board).map(|step| (step.after, score + step.reward)).collect();
        let value = self.values(&boards).into_iter().fold(f64::NEG_INFINITY, f64::max);
        Best { value, steps: boards.len() as u32, leaves: 0 }
    }

    fn best_after_replies(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        let LastMoves { game, after, score, horizon } = last;
        match horizon {
            Horizon::Mean => last.each_move(found, |after, score| self.expected(game, after, score)),
            Horizon::Worst => last.each_move(found, |after, score| self.worst(game, after, score)),
            Horizon::Step if goal_in_reach(game, after) => {
                last.each_reply(found, |board| self.best_step(game, board, score))
            }
            Horizon::Step => self.fill_in_batch(last, found),
        }
    }
}

impl Learned {
    /// Values each moved board once, even if several replies lead to it, and prefetches the weights of all boards.
    fn fill_in_batch(&self, last: LastMoves<Twenty48>, found: &mut ReplyValues) {
        let mut moved = MovedBoards { score: last.score, boards: ArrayVec::new() };
        let choices = ReplyMoves::new(last.game, last.after).choices(&mut moved);
        let values = self.values(&moved.boards);
        choices.best(found, |number: u8| match number {
            0 => Leaf::ILLEGAL,
            number => Leaf { value: values[usize::from(number) - 1], replies: 0 },
        });
    }
}

/// Collects the moved boards. A board is represented by its number, counted from 1, and an illegal move by 0.
struct MovedBoards {
    score: u32,
    boards: ArrayVec<(Board, u32), MOST_MOVED>,
}

impl MovedValue for MovedBoards {
    type Value = u8;
    const ILLEGAL: u8 = 0;
    const SKIP_ILLEGAL: bool = true;

    fn of(&mut self, moved: &Moved) -> u8 {
        self.boards.push((moved.board(), self.score + moved.points()));
        self.boards.len() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::Goal;
    use crate::games::twenty48::tests::random_board;
    use crate::learn::Patterns;
    use crate::rng::seeded;
    use rand::Rng as _;

    fn learned() -> Learned {
        let mut network = Network::new(Patterns::parse("rows").unwrap()).unwrap();
        let mut rng = seeded(9);
        for table in network.tables_mut() {
            table.as_mut_slice().iter_mut().for_each(|weight| *weight = rng.random_range(0.0..50.0));
        }
        Learned::new(Arc::new(network))
    }

    #[test]
    fn shared_work_changes_no_value() {
        let (learned, mut rng) = (learned(), seeded(4));
        for goal in [Goal::None, Goal::Rank(11)] {
            let game = Twenty48::new(goal);
            for _ in 0..2000 {
                let (after, score) = (random_board(&mut rng), rng.random_range(0..1000));
                if after.empty_count() == 0 || game.after_step(after).is_some() {
                    continue;
                }
                let last = LastMoves { game: &game, after, score, horizon: Horizon::Step };
                let mut found = ReplyValues::default();
                learned.best_after_replies(last, &mut found);
                let plain =
                    |board| best_of_steps(&game, board, score, |after, score| learned.value(after, score)).value;
                let expected: Vec<f64> = game.replies(after).map(|reply| plain(reply.position)).collect();
                assert_eq!(found.best(), expected, "{after}");
            }
        }
    }

    #[test]
    fn a_dead_board_is_worth_the_score_so_far() {
        let game = Twenty48::new(Goal::None);
        let dead = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2".parse().unwrap();
        assert_eq!(learned().after_reply(&game, dead, 40), 40.0);
    }

    #[test]
    fn terms_add_up_to_the_value() {
        let (learned, board) = (learned(), "2,4,2,4/4,2,4,2/0,0,0,0/0,0,0,2".parse().unwrap());
        let terms = learned.breakdown(board, 12);
        assert_eq!(
            terms.iter().map(|term| term.label.as_str()).collect::<Vec<_>>(),
            ["score so far", "tuple 0123", "tuple 4567"]
        );
        assert_eq!(terms.iter().map(|term| term.value).sum::<f64>(), learned.value(board, 12));
    }
}
