//! How deep a tree search looks, and iterative deepening under a budget.

use arrayvec::ArrayVec;

use crate::games::{Game, Outcome};
use crate::params::Values;

use super::budget::Budget;
use super::{MOST_MOVES, is_better};

/// The plies that a search looks ahead: more of them where fewer cells are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    shallow: u32,
    deep: u32,
}

/// The deepest search: the plies left fit into the entries of the transposition table.
pub(super) const MOST_PLIES: u32 = 60;
/// Without a depth or a budget.
const DEFAULT_DEPTH: u32 = 3;

impl Depth {
    /// The same number of plies everywhere, from 1 to 60; other numbers are moved to the nearest of these.
    pub fn new(plies: u32) -> Self {
        Depth::between(plies, plies)
    }

    /// From `shallow` plies on an empty board to `deep` plies on a full one.
    pub fn between(shallow: u32, deep: u32) -> Self {
        let shallow = shallow.clamp(1, MOST_PLIES);
        Depth { shallow, deep: deep.clamp(shallow, MOST_PLIES) }
    }

    /// The depth that the user gave. Without one, a budget alone limits the search.
    pub(super) fn from_options(options: &Values) -> Option<Self> {
        options.span("depth").map(|(shallow, deep)| Depth::between(shallow as u32, deep as u32))
    }

    /// The depth in use where the user may have left it open.
    pub(super) fn or_default(depth: Option<Depth>, budget: &Budget) -> Self {
        depth.unwrap_or(Depth::new(if budget.is_limited() { MOST_PLIES } else { DEFAULT_DEPTH }))
    }

    /// The plies to search where this many cells are empty. The range is spread over 12 cells, so that `4..6` is 6
    /// plies to 3 empty cells, 5 to 7, and 4 from 8 on.
    pub fn plies(&self, empty_cells: u32) -> u32 {
        self.deep - (self.deep - self.shallow + 1) * empty_cells.min(11) / 12
    }
}

/// The values of legal moves.
pub(super) type RootValues = ArrayVec<f64, MOST_MOVES>;
/// Legal moves by their numbers in the order of [`Game::steps`].
pub(super) type MoveOrder = ArrayVec<usize, MOST_MOVES>;

/// What a search of the root to some depth found.
#[derive(Clone, Debug, Default)]
pub(super) struct Searched {
    /// In the order in which the moves were searched. The values end where the budget did.
    pub values: RootValues,
    /// The number and the value of the best move.
    pub best: (usize, f64),
    /// Whether some line went on beyond the depth.
    pub met_horizon: bool,
}

impl Searched {
    /// Adds the value of the next move. Of equals the one with the lower number is the best.
    #[inline]
    pub fn push_exact(&mut self, number: usize, value: f64) {
        let is_first_of_equals = number < self.best.0 && !is_better(self.best.1, value);
        if self.values.is_empty() || is_better(value, self.best.1) || is_first_of_equals {
            self.best = (number, value);
        }
        self.values.push(value);
    }

    /// Adds the next move's value, or a bound where the move is no better than an earlier one.
    #[inline]
    pub fn push_bound(&mut self, number: usize, value: f64) {
        if self.values.is_empty() || is_better(value, self.best.1) {
            self.best = (number, value);
        }
        self.values.push(value);
    }
}

/// What iterative deepening found.
pub(super) struct Deepened {
    /// The value of each legal move by the deepest search that was finished.
    pub values: RootValues,
    pub choice: usize,
    /// The plies of the deepest search that was finished.
    pub depth: u32,
}

/// A search to be run at one depth or at several.
pub(super) struct Deepening<'a, G> {
    pub game: &'a G,
    /// The most plies.
    pub most: u32,
    /// Whether a budget decides how deep to go.
    pub is_limited: bool,
    pub moves: usize,
}

impl<G: Game> Deepening<'_, G> {
    /// Without a budget, searches the most plies at once. With one, searches one ply deeper at a time until the budget is
    /// spent. `search` takes the plies and the moves in the order in which to search them.
    #[inline]
    pub fn run(&self, mut search: impl FnMut(u32, &[usize]) -> Searched) -> Deepened {
        let in_order: MoveOrder = (0..self.moves).collect();
        if self.is_limited {
            return self.deepen(in_order, search);
        }
        let last = search(self.most, &in_order);
        let mut choice = last.best.0;
        if self.is_decided(last.best.1) {
            let mut lengths = Lengths::default();
            (1..self.most).for_each(|plies| lengths.note(self, &search(plies, &in_order)));
            choice = lengths.choice(self, &last);
        }
        Deepened { choice, values: last.values, depth: self.most }
    }

    fn deepen(&self, mut order: MoveOrder, mut search: impl FnMut(u32, &[usize]) -> Searched) -> Deepened {
        // One ply always fits: no search checks its budget before the second.
        let (mut last, mut depth, mut lengths) = (search(1, &order), 1, Lengths::default());
        let mut choice = last.best.0;
        // Where every line has ended before the horizon, a deeper search would find the same.
        while depth < self.most && last.met_horizon && !self.is_won(last.best.1) {
            lengths.note(self, &last);
            let next_order = best_first(&order, &last);
            let deeper = search(depth + 1, &next_order);
            if deeper.values.len() < self.moves {
                // The best move so far was searched first. So a move that was found better at the same depth is better.
                if deeper.values.len() > 1 {
                    choice = deeper.best.0;
                }
                break;
            }
            choice = lengths.choice(self, &deeper);
            (last, order, depth) = (deeper, next_order, depth + 1);
        }
        Deepened { values: in_game_order(&order, &last), choice, depth }
    }

    /// Whether a value is a certain win in a game for two.
    fn is_won(&self, value: f64) -> bool {
        G::ADVERSARIAL && !is_better(self.game.utility(Outcome::Win), value)
    }

    /// Whether a value is a certain loss in a game for two.
    fn is_lost(&self, value: f64) -> bool {
        G::ADVERSARIAL && !is_better(value, self.game.utility(Outcome::Loss))
    }

    fn is_decided(&self, value: f64) -> bool {
        self.is_won(value) || self.is_lost(value)
    }
}

/// Prefers the shorter win and the longer loss. All wins have the same value, and so have all losses. But a win that is
/// seen at a smaller depth is shorter, and a loss that is not yet seen at a greater depth is longer.
#[derive(Default)]
struct Lengths {
    first_win: Option<usize>,
    last_alive: Option<usize>,
}

impl Lengths {
    /// Takes note of the searches before the last, in the order of their depths.
    fn note<G: Game>(&mut self, deepening: &Deepening<G>, searched: &Searched) {
        let (number, value) = searched.best;
        if deepening.is_won(value) {
            self.first_win.get_or_insert(number);
        } else if !deepening.is_lost(value) {
            self.last_alive = Some(number);
        }
    }

    fn choice<G: Game>(&self, deepening: &Deepening<G>, last: &Searched) -> usize {
        let alive = self.last_alive.filter(|_| deepening.is_lost(last.best.1));
        self.first_win.or(alive).unwrap_or(last.best.0)
    }
}

/// The moves in the order in which to search them next: the best first, then by value. Equals keep their order.
fn best_first(order: &MoveOrder, searched: &Searched) -> MoveOrder {
    let mut valued: ArrayVec<(usize, f64), MOST_MOVES> =
        order.iter().copied().zip(searched.values.iter().copied()).collect();
    valued.sort_by(|a, b| (b.0 == searched.best.0).cmp(&(a.0 == searched.best.0)).then(b.1.total_cmp(&a.1)));
    valued.into_iter().map(|(number, _)| number).collect()
}

/// The values by the numbers of the moves.
fn in_game_order(order: &MoveOrder, searched: &Searched) -> RootValues {
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
    fn fewer_empty_cells_are_searched_deeper() {
        let plies = |empty| depth("depth=4..6").plies(empty);
        assert_eq!([0, 3, 4, 7, 8, 15].map(plies), [6, 6, 5, 5, 4, 4]);
        assert_eq!([0, 8, 15].map(|empty| depth("depth=5").plies(empty)), [5, 5, 5]);
        assert_eq!(depth("").plies(5), 3);
        assert_eq!(depth("work=100").plies(5), MOST_PLIES);
    }

    /// Runs iterative deepening over two moves whose values at each depth are given; the budget ends with the values.
    fn deepen(by_depth: &[&[f64]]) -> (usize, u32) {
        let game = Twenty48::new(Goal::None);
        let deepening = Deepening { game: &game, most: by_depth.len() as u32, is_limited: true, moves: 2 };
        let found = deepening.run(|plies, order| {
            let mut searched = Searched { met_horizon: true, ..Searched::default() };
            let values = order.iter().zip(by_depth[plies as usize - 1]);
            values.for_each(|(&number, &value)| searched.push_exact(number, value));
            searched
        });
        (found.choice, found.depth)
    }

    #[test]
    fn an_unfinished_search_counts_once_two_moves_can_be_compared() {
        assert_eq!(deepen(&[&[2.0, 1.0], &[1.0, 3.0]]), (1, 2));
        assert_eq!(deepen(&[&[2.0, 1.0], &[1.0]]), (0, 1));
        assert_eq!(deepen(&[&[1.0, 2.0], &[1.0]]), (1, 1));
        assert_eq!(deepen(&[&[2.0, 1.0], &[]]), (0, 1));
    }

    #[test]
    fn the_best_move_is_searched_first() {
        let mut searched = Searched::default();
        [1.0, 3.0, 3.0, 4.0].into_iter().enumerate().for_each(|(number, value)| searched.push_exact(number, value));
        let order: MoveOrder = (0..4).collect();
        let next = best_first(&order, &searched);
        assert_eq!(next.as_slice(), [3, 1, 2, 0]);
        assert_eq!(in_game_order(&order, &searched).as_slice(), [1.0, 3.0, 3.0, 4.0]);
    }
}
