//! The order in which alpha-beta searches the moves and the replies of an inner node.
//!
//! A cut comes early if the best move, or the worst reply, is searched first. A search of a fixed depth estimates them
//! by the heuristic. Iterative deepening searches the same nodes again with one more ply. So there the table also holds
//! the best child of each node in the previous iteration, which is searched first. From 6 plies on, this needs a fifth
//! to a half less work for the same depth than the order by the heuristic (see `benches/README.md`).

use arrayvec::ArrayVec;

use crate::agents::Steps;
use crate::agents::transposition::Bounds;
use crate::agents::work::Operation;
use crate::games::{Game, MOST_MOVES, MOST_REPLIES, Reply, Step};
use crate::heuristics::Evaluator;

use super::{AlphaBetaSearch, UNCACHED_PLIES};

/// Searches of at least this depth order the children by the heuristic, and use the table. Shallower searches are
/// faster without both (measured).
const HEURISTIC_FROM: u32 = 6;
/// The same limit for the order by the previous iteration, which costs less.
const PREVIOUS_FROM: u32 = 4;
/// Replies are not sorted if at most this many plies are left: sorting them then takes at least as long as searching
/// them (measured).
const UNORDERED_REPLIES: u32 = 3;

/// Which children of an inner node are searched first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ordering {
    /// The order of the game. The table is not used.
    Game,
    /// Moves and replies are sorted by the heuristic.
    Heuristic,
    /// First the best child of the previous iteration. Of the other children, only moves are sorted by the heuristic.
    Previous,
}

impl Ordering {
    /// The order for a search of this depth.
    pub fn of(plies: u32, has_previous: bool) -> Self {
        match has_previous {
            true if plies >= PREVIOUS_FROM => Ordering::Previous,
            false if plies >= HEURISTIC_FROM => Ordering::Heuristic,
            _ => Ordering::Game,
        }
    }
}

/// What a search needs to know of an inner node, besides its position.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub score: u32,
    /// The plies left.
    pub plies: u32,
    pub alpha: f64,
    pub beta: f64,
}

/// The best child of a node for the side that is to play there.
#[derive(Clone, Copy)]
pub(super) struct BestChild {
    pub value: f64,
    /// The index of the child in [`Game::steps`] or [`Game::replies`].
    pub number: usize,
}

/// What the table holds of a node. An entry is found by the position and its distance from the root, so it can be from
/// an earlier iteration. Its bounds hold only for the same number of plies.
#[derive(Clone, Copy, Default)]
pub(super) struct NodeRecord {
    bounds: Bounds,
    plies: u32,
    best_child: u32,
}

impl<G: Game, E: Evaluator<G>> AlphaBetaSearch<G, E> {
    /// The worst reply within the window. `first` is the number of the reply to search first.
    pub(super) fn replies(&mut self, after: G::Position, node: Node, first: Option<usize>) -> BestChild {
        self.meter.charge(Operation::InnerNode, 1);
        let game = self.game.clone();
        let start = BestChild { value: f64::INFINITY, number: 0 };
        if self.ordering == Ordering::Heuristic && node.plies > UNORDERED_REPLIES {
            return self.sorted_replies(after, node, start);
        }
        let Some(first) = first else {
            return self.worst(game.replies(after).enumerate(), node, start);
        };
        let found = self.worst(game.replies(after).nth(first).map(|reply| (first, reply)).into_iter(), node, start);
        if found.value <= node.alpha || self.stopped {
            return found;
        }
        self.worst(game.replies(after).enumerate().filter(|(number, _)| *number != first), node, found)
    }

    fn sorted_replies(&mut self, after: G::Position, node: Node, start: BestChild) -> BestChild {
        // The array is filled in place, because moving it takes time.
        let mut replies: ArrayVec<Reply<G::Position>, MOST_REPLIES> = ArrayVec::new();
        replies.extend(self.game.replies(after));
        self.meter.charge_cost(self.costs.value * replies.len() as u64);
        let value = |reply: &Reply<G::Position>| self.evaluator.value(reply.position, node.score);
        let order: ArrayVec<Ranked, MOST_REPLIES> = ranked(&replies, |reply| self.weighting.of(reply) * value(reply));
        self.worst(order.iter().map(|ranked| (ranked.number, replies[ranked.number])), node, start)
    }

    /// The lowest value of `found` and these replies, which are searched in this order until one of them closes the
    /// window.
    #[inline(always)]
    fn worst(
        &mut self,
        replies: impl Iterator<Item = (usize, Reply<G::Position>)>,
        node: Node,
        mut found: BestChild,
    ) -> BestChild {
        for (number, reply) in replies {
            let beta = node.beta.min(found.value);
            let value = self.weighted(&reply, node.score, node.plies - 1, node.alpha, beta);
            if value < found.value {
                found = BestChild { value, number };
            }
            if found.value <= node.alpha || self.stopped {
                break;
            }
        }
        found
    }

    /// The best step within the window. `first` is the number of the step to search first. Without a step the game has
    /// ended.
    pub(super) fn steps(&mut self, position: G::Position, node: Node, first: Option<usize>) -> BestChild {
        let game = self.game.clone();
        let start = BestChild { value: f64::NEG_INFINITY, number: 0 };
        let found = match self.ordering == Ordering::Game || node.plies <= UNCACHED_PLIES {
            true => self.best(game.steps(position).enumerate(), node, start),
            false => self.sorted_steps(position, node, first, start),
        };
        if found.value == f64::NEG_INFINITY {
            return BestChild { value: self.evaluator.ended(&self.game, G::STUCK, node.score), number: 0 };
        }
        found
    }

    fn sorted_steps(
        &mut self,
        position: G::Position,
        node: Node,
        first: Option<usize>,
        mut found: BestChild,
    ) -> BestChild {
        let mut steps: Steps<G> = ArrayVec::new();
        steps.extend(self.game.steps(position));
        if let Some((number, step)) = first.and_then(|first| Some((first, *steps.get(first)?))) {
            found = self.best(std::iter::once((number, step)), node, found);
            if found.value >= node.beta || self.stopped {
                return found;
            }
        }
        self.meter.charge_cost(self.costs.value * steps.len() as u64);
        let value = |step: &Step<G::Position, G::Move>| self.evaluator.value(step.after, node.score + step.reward);
        let order: ArrayVec<Ranked, MOST_MOVES> = ranked(&steps, |step| -value(step));
        let others = order.iter().filter(|ranked| Some(ranked.number) != first);
        self.best(others.map(|ranked| (ranked.number, steps[ranked.number])), node, found)
    }

    /// The highest value of `found` and these steps, which are searched in this order until one of them closes the
    /// window.
    #[inline(always)]
    fn best(
        &mut self,
        steps: impl Iterator<Item = (usize, Step<G::Position, G::Move>)>,
        node: Node,
        mut found: BestChild,
    ) -> BestChild {
        for (number, step) in steps {
            let alpha = node.alpha.max(found.value);
            let value = self.after(step.after, node.score + step.reward, node.plies - 1, alpha, node.beta);
            if value > found.value {
                found = BestChild { value, number };
            }
            if found.value >= node.beta || self.stopped {
                break;
            }
        }
        found
    }

    /// The value from the table if it is there. Otherwise the value of `search`, which is then stored. The argument of
    /// `search` is the best child of the previous iteration. The key need not say whose turn it is, because that
    /// follows from the distance from the root.
    #[inline(always)]
    pub(super) fn with_table(
        &mut self,
        key: u64,
        node: Node,
        search: impl FnOnce(&mut Self, Option<usize>) -> BestChild,
    ) -> f64 {
        if self.ordering == Ordering::Game || node.plies <= UNCACHED_PLIES {
            return search(self, None).value;
        }
        self.meter.charge(Operation::TableLookup, 1);
        let place = self.table.as_ref().map(|table| table.place(key, self.plies - node.plies));
        let known = self.table.as_ref().zip(place).and_then(|(table, place)| table.get(place));
        let bounds = known.filter(|known| known.plies == node.plies).map(|known| known.bounds);
        if let Some(value) = bounds.and_then(|bounds| bounds.within(node.alpha, node.beta)) {
            return value;
        }
        let previous = known.filter(|_| self.ordering == Ordering::Previous);
        let BestChild { value, number } = search(self, previous.map(|known| known.best_child as usize));
        if let Some((table, place)) = self.table.as_mut().zip(place) {
            let bounds = Bounds::new(value, node.alpha, node.beta);
            table.put(place, NodeRecord { bounds, plies: node.plies, best_child: number as u32 });
        }
        value
    }

    /// Stores the worst of the replies that [`AlphaBetaSearch::last_moves`] has just valued, if there can be a next
    /// iteration that searches it first.
    #[inline(always)]
    pub(super) fn remember_worst_reply(&mut self, after: G::Position) {
        if Ordering::of(self.plies + 1, self.has_previous()) != Ordering::Previous {
            return;
        }
        self.meter.charge(Operation::TableLookup, 1);
        let weights = self.game.replies(after).map(|reply| self.weighting.of(&reply));
        let mut worst = BestChild { value: f64::INFINITY, number: 0 };
        for (number, (weight, value)) in weights.zip(self.reply_values.best()).enumerate() {
            if weight * value < worst.value {
                worst = BestChild { value: weight * value, number };
            }
        }
        if let Some(table) = &mut self.table {
            let record = NodeRecord { plies: UNCACHED_PLIES, best_child: worst.number as u32, ..NodeRecord::default() };
            table.put(table.place(self.game.key(after), self.plies - UNCACHED_PLIES), record);
        }
    }

    /// Whether there are iterations, and a table that keeps the best children of the previous one.
    pub(super) fn has_previous(&self) -> bool {
        self.budget.is_limited() && self.table.is_some()
    }
}

/// An item of a list and its rank in the order of the search.
struct Ranked {
    rank: f64,
    /// The index of the item in the list.
    number: usize,
}

/// The items by rising rank, so that those most likely to cause a cut come first. Items of equal rank keep their order.
#[inline(always)]
fn ranked<T, const N: usize>(items: &[T], rank: impl Fn(&T) -> f64) -> ArrayVec<Ranked, N> {
    let ranked = items.iter().enumerate().map(|(number, item)| Ranked { rank: rank(item), number });
    let mut order: ArrayVec<Ranked, N> = ranked.collect();
    order.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank).then(a.number.cmp(&b.number)));
    order
}
