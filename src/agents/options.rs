//! Options that several agents share.

use crate::params::{Param, ParamType, Values};

/// The name that stands for the game's default heuristic.
pub(super) const DEFAULT_HEURISTIC: &str = "default";

pub(super) const HEURISTIC: Param = Param {
    name: "heuristic",
    kind: ParamType::Heuristic,
    default: DEFAULT_HEURISTIC,
    help: "evaluates the positions at the horizon of the search",
};

pub(super) const OPTIONAL_HEURISTIC: Param = Param {
    name: "heuristic",
    kind: ParamType::Heuristic,
    default: "",
    help: "evaluates the last position of a playout that is cut short",
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
        help: "budget per move in milliseconds; the moves then depend on the speed of the machine",
    },
];

pub(super) const TREE: &[Param] = &[
    Param {
        name: "depth",
        kind: ParamType::Span { min: 1, max: 60 },
        default: "",
        help: "plies; \"4..6\" searches deeper with fewer empty cells; without it 3, or as deep as a budget allows",
    },
    HEURISTIC,
    Param {
        name: "table",
        kind: ParamType::Integer { min: 0, max: 26 },
        default: "14",
        help: "the transposition table has 2^n entries; below 6 there is no table",
    },
];

/// Cuts that make a search faster and its values inexact.
pub(super) const CUTS: &[Param] = &[
    Param {
        name: "partial-cut",
        kind: ParamType::Flag,
        default: "false",
        help: "evaluate early where 6 or more cells are empty and 2 or fewer plies are left",
    },
    Param {
        name: "min-probability",
        kind: ParamType::Number { min: 0.0, max: 1.0 },
        default: "0",
        help: "evaluate early on paths with a probability below this",
    },
];

/// The default size of the transposition table: 2^14 entries fit into the second-level cache.
pub(super) const DEFAULT_TABLE_BITS: u32 = 14;

/// The size of the transposition table that the user asked for.
pub(super) fn table_bits(options: &Values) -> u32 {
    options.integer("table").map_or(DEFAULT_TABLE_BITS, |bits| bits as u32)
}
