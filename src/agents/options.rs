//! Options that several agents share.

use crate::params::{Param, ParamType, Values};

use super::budget::Budget;

/// Stands for the game's own default heuristic.
pub(super) const DEFAULT_HEURISTIC: &str = "default";

pub(super) const HEURISTIC: Param = Param {
    name: "heuristic",
    kind: ParamType::Heuristic,
    default: DEFAULT_HEURISTIC,
    help: "what a position is worth at the horizon",
};

pub(super) const OPTIONAL_HEURISTIC: Param = Param {
    name: "heuristic",
    kind: ParamType::Heuristic,
    default: "",
    help: "values positions where a playout is cut short",
};

pub(super) const BUDGET: &[Param] = &[
    Param {
        name: "work",
        kind: ParamType::Integer { min: 1, max: 1_000_000_000_000 },
        default: "",
        help: "budget per move in units of work, about 10 ns each: the same search on any machine",
    },
    Param {
        name: "ms",
        kind: ParamType::Number { min: 0.001, max: 3_600_000.0 },
        default: "",
        help: "budget per move in milliseconds: not repeatable",
    },
];

pub(super) const TREE: &[Param] = &[
    Param {
        name: "depth",
        kind: ParamType::Span { min: 1, max: 60 },
        default: "",
        help: "plies; \"4..6\" is deeper the fewer cells are empty; without it 3, or as deep as a budget allows",
    },
    HEURISTIC,
    Param {
        name: "table",
        kind: ParamType::Integer { min: 0, max: 26 },
        default: "14",
        help: "transposition table of 2^n entries; below 6 none",
    },
];

/// Cuts that give up exactness for speed.
pub(super) const CUTS: &[Param] = &[
    Param {
        name: "partial-cut",
        kind: ParamType::Flag,
        default: "false",
        help: "evaluate at once where 6 or more cells are empty and 2 or fewer plies are left",
    },
    Param {
        name: "min-probability",
        kind: ParamType::Number { min: 0.0, max: 1.0 },
        default: "0",
        help: "evaluate at once after a move on a path less likely than this",
    },
];

/// How deep to look, and at what cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    shallow: u32,
    deep: u32,
    pub budget: Budget,
}

/// What a search to some depth came to.
pub(super) struct Searched<V> {
    pub values: V,
    /// Whether the budget has lasted.
    pub is_finished: bool,
    /// Whether some line went on beyond the depth.
    pub met_horizon: bool,
}

/// Without a depth or a budget.
const DEFAULT_DEPTH: i64 = 3;
/// With a budget and no depth: deeper than any budget reaches.
const UNLIMITED_DEPTH: i64 = 60;

impl Depth {
    pub fn new(options: &Values) -> Self {
        let budget = Budget::new(options);
        let fallback = if budget.is_limited() { UNLIMITED_DEPTH } else { DEFAULT_DEPTH };
        let (shallow, deep) = options.span("depth").unwrap_or((fallback, fallback));
        Depth { shallow: shallow as u32, deep: deep as u32, budget }
    }

    /// The plies to search: all at once without a budget; with one ever deeper while it lasts, and the deepest search that
    /// was finished counts.
    pub fn search<V>(&self, empty_cells: u32, mut search: impl FnMut(u32) -> Searched<V>) -> (V, u32) {
        let most = self.plies(empty_cells);
        if !self.budget.is_limited() {
            return (search(most).values, most);
        }
        let (mut best, mut depth) = (search(1), 1);
        // Where every line has ended before the horizon, a deeper search would be the same.
        while depth < most && best.met_horizon {
            let deeper = search(depth + 1);
            if !deeper.is_finished {
                break;
            }
            (best, depth) = (deeper, depth + 1);
        }
        (best.values, depth)
    }

    /// The plies to search where this many cells are empty. The range is spread over 12 cells, so that `4..6` is 6
    /// plies to 3 empty cells, 5 to 7, and 4 from 8 on.
    pub fn plies(&self, empty_cells: u32) -> u32 {
        self.deep - (self.deep - self.shallow + 1) * empty_cells.min(11) / 12
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::parse_assignments;

    fn depth(text: &str) -> Depth {
        let declared = [TREE, BUDGET].concat();
        Depth::new(&Values::check("search", &declared, &parse_assignments(text).unwrap()).unwrap())
    }

    #[test]
    fn fewer_empty_cells_are_searched_deeper() {
        let plies = |empty| depth("depth=4..6").plies(empty);
        assert_eq!([0, 3, 4, 7, 8, 15].map(plies), [6, 6, 5, 5, 4, 4]);
        assert_eq!([0, 8, 15].map(|empty| depth("depth=5").plies(empty)), [5, 5, 5]);
        assert_eq!(depth("").plies(5), 3);
        assert_eq!(depth("work=100").plies(5), 60);
    }
}
