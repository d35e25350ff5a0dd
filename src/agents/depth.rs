//! The depth of a tree search, and iterative deepening under a budget.

use arrayvec::ArrayVec;

use crate::games::{Game, Outcome};
use crate::params::Values;

use super::budget::Budget;
use super::{MOST_MOVES, is_better};

/// The depth of a search in plies. It can grow as the number of empty cells falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    shallow: u32,
    deep: u32,
}

/// The greatest depth. The plies left must fit into six bits of an entry of the transposition table.
pub(super) const MAX_PLIES: u32 = 60;
/// The depth where the user gives neither a depth nor a budget.
const DEFAULT_DEPTH: u32 = 3;

impl Depth {
    /// The same depth for every position. It is clamped to 1 to 60.
    pub fn new(plies: u32) -> Self {
        Depth::between(plies, plies)
    }

    /// From `shallow` plies on an empty board to `deep` plies on a full one.
    pub fn between(shallow: u32, deep: u32) -> Self {
        let shallow = shallow.clamp(1, MAX_PLIES);
        Depth { shallow, deep: deep.clamp(shallow, MAX_PLIES) }
    }

    /// The depth that the user gave, if any.
    pub(super) fn from_options(options: &Values) -> Option<Self> {
        options.span("depth").map(|(shallow, deep)| Depth::between(shallow as u32, deep as u32))
    }

    /// The given depth. Without one, a search with a budget has no limit of depth, and one without a budget has 3
    /// plies.
    pub(super) fn or_default(depth: Option<Depth>, budget: &Budget) -> Self {
        depth.unwrap_or(Depth::new(if budget.is_limited() { MAX_PLIES } else { DEFAULT_DEPTH }))
    }

    /// The depth at a position with this many empty cells. The range is spread over 0 to 11 empty cells. So `4..6`
    /// means 6 plies with 0 to 3 empty cells, 5 plies with 4 to 7, and 4 plies with 8 or more.
    pub fn plies(&self, empty_cells: u32) -> u32 {
        self.deep - (self.deep - self.shallow + 1) * empty_cells.min(11) / 12
    }
}

/// The values of legal moves.
pub(super) type RootValues = ArrayVec<f64, MOST_MOVES>;
/// An order of the legal moves. A move's number is its index in [`Game::steps`].
pub(super) type MoveOrder = ArrayVec<usize, MOST_MOVES>;

/// The result of a search of the root to one depth.
#[derive(Clone, Debug, Default)]
pub(super) struct RootResult {
    /// The values in the order in which the moves were searched. There are fewer values than moves if the budget ran
    /// out.
    pub values: RootValues,
    /// The number and the value of the best move.
    pub best: (usize, f64),
    /// Whether some line was cut off at the horizon.
    pub met_horizon: bool,
}

impl RootResult {
    /// Adds the value of the next move. Of equally good moves the one with the lowest number is the best.
    #[inline]
    pub fn push_exact(&mut self, number: usize, value: f64) {
        let is_first_of_equals = number < self.best.0 && !is_better(self.best.1, value);
        if self.values.is_empty() || is_better(value, self.best.1) || is_first_of_equals {
            self.best = (number, value);
        }
        self.values.push(value);
    }

    /// Adds the next move's value, or an upper bound if the move is no better than an earlier one.
    #[inline]
    pub fn push_bound(&mut self, number: usize, value: f64) {
        if self.values.is_empty() || is_better(value, self.best.1) {
            self.best = (number, value);
        }
        self.values.push(value);
    }
}

/// The result of iterative deepening.
pub(super) struct DeepeningResult {
    /// The value of each legal move in the deepest search that was completed.
    pub values: RootValues,
    /// The number of the chosen move.
    pub choice: usize,
    /// The depth of the deepest search that was completed.
    pub depth: u32,
}

/// Runs a search at one depth, or at increasing depths under a budget.
pub(super) struct IterativeDeepening<'a, G> {
    pub game: &'a G,
    /// The greatest depth.
    pub max_plies: u32,
    /// Whether a budget limits the search.
    pub is_limited: bool,
    /// The number of legal moves.
    pub moves: usize,
}

impl<G: Game> IterativeDeepening<'_, G> {
    /// Without a budget, searches to the greatest depth at once. With one, searches one ply deeper at a time until the
    /// budget is spent. The arguments of `search` are the depth and the order in which to search the moves.
    #[inline]
    pub fn run(&self, mut search: impl FnMut(u32, &[usize]) -> RootResult) -> DeepeningResult {
        let in_order: MoveOrder = (0..self.moves).collect();
        if self.is_limited {
            return self.deepen(in_order, search);
        }
        let last = search(self.max_plies, &in_order);
        let mut choice = last.best.0;
        if self.is_decided(last.best.1) {
            let mut lengths = LengthPreference::default();
            (1..self.max_plies).for_each(|plies| lengths.record(self, &search(plies, &in_order)));
            choice = lengths.choice(self, &last);
        }
        DeepeningResult { choice, values: last.values, depth: self.max_plies }
    }

    fn deepen(&self, mut order: MoveOrder, mut search: impl FnMut(u32, &[usize]) -> RootResult) -> DeepeningResult {
        // A search of one ply always completes, because no search checks its budget before the second ply.
        let (mut last, mut depth, mut lengths) = (search(1, &order), 1, LengthPreference::default());
        let mut choice = last.best.0;
        // If every line ended before the horizon, a deeper search would find the same values.
        while depth < self.max_plies && last.met_horizon && !self.is_won(last.best.1) {
            lengths.record(self, &last);
            let next_order = best_first(&order, &last);
            let deeper = search(depth + 1, &next_order);
            if deeper.values.len() < self.moves {
                // The best move so far was searched first. So a move with a greater value at this depth is better.
                if deeper.values.len() > 1 {
                    choice = deeper.best.0;
                }
                break;
            }
            choice = lengths.choice(self, &deeper);
            (last, order, depth) = (deeper, next_order, depth + 1);
        }
        DeepeningResult { values: in_game_order(&order, &last), choice, depth }
    }

    /// Whether a value means a certain win in a two-player game.
    fn is_won(&self, value: f64) -> bool {
        G::ADVERSARIAL && !is_better(self.game.utility(Outcome::Win), value)
    }

    /// Whether a value means a certain loss in a two-player game.
    fn is_lost(&self, value: f64) -> bool {
        G::ADVERSARIAL && !is_better(value, self.game.utility(Outcome::Loss))
    }

    fn is_decided(&self, value: f64) -> bool {
        self.is_won(value) || self.is_lost(value)
    }
}

/// Prefers the shortest win and the longest loss. Values do not show the length: all wins have the same value, and so
/// have all losses. The shortest win is found by the shallowest search that finds any win. The move that loses last is
/// the best move of the deepest search that finds no loss yet.
#[derive(Default)]
struct LengthPreference {
    /// The winning move of the shallowest search that found a win.
    first_win: Option<usize>,
    /// The best move of the deepest search that found neither a win nor a loss.
    last_undecided: Option<usize>,
}

impl LengthPreference {
    /// Records the result of a search. The searches before the last must be recorded in the order of their depths.
    fn record<G: Game>(&mut self, deepening: &IterativeDeepening<G>, searched: &RootResult) {
        let (number, value) = searched.best;
        if deepening.is_won(value) {
            self.first_win.get_or_insert(number);
        } else if !deepening.is_lost(value) {
            self.last_undecided = Some(number);
        }
    }

    fn choice<G: Game>(&self, deepening: &IterativeDeepening<G>, last: &RootResult) -> usize {
        let latest_loss = self.last_undecided.filter(|_| deepening.is_lost(last.best.1));
        self.first_win.or(latest_loss).unwrap_or(last.best.0)
    }
}

/// The order in which to search the moves next: the best move first, then by falling value. Equal moves keep their
/// order.
fn best_first(order: &MoveOrder, searched: &RootResult) -> MoveOrder {
    let mut valued: ArrayVec<(usize, f64), MOST_MOVES> =
        order.iter().copied().zip(searched.values.iter().copied()).collect();
    valued.sort_by(|a, b| (b.0 == searched.best.0).cmp(&(a.0 == searched.best.0)).then(b.1.total_cmp(&a.1)));
    valued.into_iter().map(|(number, _)| number).collect()
}

/// The values sorted by the numbers of their moves.
fn in_game_order(order: &MoveOrder, searched: &RootResult) -> RootValues {
    let value_of = |number: usize| order.iter().zip(&searched.values).find(|(moved, _)| **moved == number);
    (0..order.len()).filter_map(value_of).map(|(_, value)| *value).collect()
}

#[cfg(test)]
mod tests {
    use super::super::options::{BUDGET, TREE};
    use super::*;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::params::parse_assignments;

    fn depth(text: &str) -> Depth {
        let declared = [TREE, BUDGET].concat();
        let options = Values::check("search", &declared, &parse_assignments(text).unwrap()).unwrap();
        Depth::or_default(Depth::from_options(&options), &Budget::new(&options))
    }

    #[test]
    fn boards_with_fewer_empty_cells_are_searched_deeper() {
        let plies = |empty| depth("depth=4..6").plies(empty);
        assert_eq!([0, 3, 4, 7, 8, 15].map(plies), [6, 6, 5, 5, 4, 4]);
        assert_eq!([0, 8, 15].map(|empty| depth("depth=5").plies(empty)), [5, 5, 5]);
        assert_eq!(depth("").plies(5), 3);
        assert_eq!(depth("work=100").plies(5), MAX_PLIES);
    }

    /// Runs iterative deepening over two moves with given values for each depth. The budget is spent when the values
    /// end.
    fn deepen(by_depth: &[&[f64]]) -> (usize, u32) {
        let game = Twenty48::new(Goal::None);
        let deepening =
            IterativeDeepening { game: &game, max_plies: by_depth.len() as u32, is_limited: true, moves: 2 };
        let found = deepening.run(|plies, order| {
            let mut searched = RootResult { met_horizon: true, ..RootResult::default() };
            let values = order.iter().zip(by_depth[plies as usize - 1]);
            values.for_each(|(&number, &value)| searched.push_exact(number, value));
            searched
        });
        (found.choice, found.depth)
    }

    #[test]
    fn an_incomplete_search_counts_if_it_has_compared_two_moves() {
        assert_eq!(deepen(&[&[2.0, 1.0], &[1.0, 3.0]]), (1, 2));
        assert_eq!(deepen(&[&[2.0, 1.0], &[1.0]]), (0, 1));
        assert_eq!(deepen(&[&[1.0, 2.0], &[1.0]]), (1, 1));
        assert_eq!(deepen(&[&[2.0, 1.0], &[]]), (0, 1));
    }

    #[test]
    fn the_best_move_is_searched_first() {
        let mut searched = RootResult::default();
        [1.0, 3.0, 3.0, 4.0].into_iter().enumerate().for_each(|(number, value)| searched.push_exact(number, value));
        let order: MoveOrder = (0..4).collect();
        let next = best_first(&order, &searched);
        assert_eq!(next.as_slice(), [3, 1, 2, 0]);
        assert_eq!(in_game_order(&order, &searched).as_slice(), [1.0, 3.0, 3.0, 4.0]);
    }
}
