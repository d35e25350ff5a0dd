//! Features: quantities of a board. A heuristic of 2048 is a sum of features with coefficients.
//!
//! **To add a feature**: one file here with a `FEATURE`, and one line in [`FEATURES`].
//!
//! Logarithms and powers come from the crate `libm`. Those of the system differ in the last bit between processors, and
//! one bit is enough for two machines to play different games.
//!
//! Each feature declares an example value: its value with default parameters on [`EXAMPLE_BOARD`] at [`EXAMPLE_SCORE`].

mod alive;
mod empty;
mod mask;
mod max_tile;
mod merges;
mod monotonicity;
mod rank_powers;
mod rising;
mod score;
mod similarity;
mod smoothness;
mod snoes;
mod sum;

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::games::MOST_REPLIES;
use crate::games::twenty48::{Board, Line, TOP_RANK, tile, unpack};
use crate::heuristics::{CallCost, Cost};
use crate::params::{InputError, Param, Values, unknown};

pub use mask::{MASKS, NamedMask, read as read_mask};

/// The board of the example values: two 4s and two 2s.
pub const EXAMPLE_BOARD: &str = "4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0";
/// The score that goes with [`EXAMPLE_BOARD`].
pub const EXAMPLE_SCORE: u32 = 8;

/// The number of ranks that a cell can hold, with 0 for an empty cell.
pub const RANKS: usize = TOP_RANK as usize + 1;

/// Every feature that a heuristic can use.
pub const FEATURES: &[Feature] = &[
    score::FEATURE,
    empty::EMPTY,
    empty::LN_EMPTY,
    mask::MASK,
    mask::EMPTY_MASK,
    smoothness::FEATURE,
    similarity::FEATURE,
    max_tile::FEATURE,
    sum::FEATURE,
    monotonicity::FEATURE,
    merges::FEATURE,
    rank_powers::FEATURE,
    rising::FEATURE,
    snoes::SNOES_RATIO,
    snoes::SQUARE_SUM_PER_EMPTY,
    alive::FEATURE,
];

/// The feature with this name.
pub fn find(name: &str) -> Result<&'static Feature, InputError> {
    FEATURES
        .iter()
        .find(|feature| feature.name == name)
        .ok_or_else(|| InputError::at("feature", unknown("feature", name, FEATURES.iter().map(|feature| feature.name))))
}

/// The declaration of a feature.
pub struct Feature {
    /// The name that users write.
    pub name: &'static str,
    /// Its formula, in one line.
    pub formula: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// The raw value on the example board with default parameters.
    pub example: f64,
    /// Whether a parameter is used, given the others.
    pub uses: fn(&Values, &str) -> bool,
    /// Builds the feature with these parameters.
    pub build: fn(&Values) -> Result<FeatureShape, InputError>,
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The `uses` function of features that always use all their parameters.
fn uses_all(_: &Values, _: &str) -> bool {
    true
}

/// The parts of a position that a feature depends on. All shapes except [`FeatureShape::Board`] are compiled to tables,
/// which are fast.
#[derive(Clone)]
pub enum FeatureShape {
    /// The score itself.
    Score,
    /// A sum over the cells. The table has a value for each cell and rank.
    Cells(Arc<CellTable>),
    /// A sum over the four rows and the four columns.
    EachLine(Arc<dyn LineValue>),
    /// A function of the number of empty cells and the largest rank, optionally multiplied by ln(score).
    Counts {
        /// Whether the value is multiplied by ln(score).
        times_ln_score: bool,
        /// The values.
        table: Arc<CountTable>,
    },
    /// Any other function of the board.
    Board(Arc<dyn BoardValue>),
}

/// The costs of a [`BoardValue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCost {
    /// The cost of one board.
    pub alone: Cost,
    /// The cost of each board if many are valued together.
    pub in_batch: Cost,
    /// The cost of all replies to a board.
    pub replies: CallCost,
}

/// A feature that is a function of the whole board.
pub trait BoardValue: Send + Sync {
    /// The value of one board.
    fn of(&self, board: Board) -> f64;

    /// The cost of the value.
    fn cost(&self) -> BoardCost {
        BoardCost {
            alone: Cost::picoseconds(30_000),
            in_batch: Cost::picoseconds(30_000),
            replies: CallCost::new(0, 30_000),
        }
    }

    /// Adds `coefficient` times the value of each board to its sum. Valuing many boards together can be faster than one
    /// after another.
    fn add_to(&self, boards: &[Board], coefficient: f64, sums: &mut [f64]) {
        for (sum, &board) in sums.iter_mut().zip(boards) {
            *sum += coefficient * self.of(board);
        }
    }

    /// As [`BoardValue::add_to`] for all replies to a board, in the order of the game.
    fn add_to_replies(&self, after: Board, coefficient: f64, sums: &mut [f64]) {
        let replies: ArrayVec<Board, MOST_REPLIES> = after.replies().collect();
        self.add_to(&replies, coefficient, sums);
    }
}

impl<F: Fn(Board) -> f64 + Send + Sync> BoardValue for F {
    fn of(&self, board: Board) -> f64 {
        self(board)
    }
}

/// Values indexed by cell, then by rank.
pub type CellTable = [[f64; RANKS]; 16];
/// Values indexed by number of empty cells, then by largest rank.
pub type CountTable = [[f64; RANKS]; 17];

impl FeatureShape {
    fn cells(value: impl Fn(usize, u8) -> f64) -> Self {
        FeatureShape::Cells(Arc::new(std::array::from_fn(|cell| by_rank(|rank| value(cell, rank)))))
    }

    fn each_line(value: impl LineValue + 'static) -> Self {
        FeatureShape::EachLine(Arc::new(value))
    }

    fn counts(times_ln_score: bool, value: impl Fn(usize, u8) -> f64) -> Self {
        let table = std::array::from_fn(|empty| by_rank(|max| value(empty, max)));
        FeatureShape::Counts { times_ln_score, table: Arc::new(table) }
    }

    fn board(value: impl BoardValue + 'static) -> Self {
        FeatureShape::Board(Arc::new(value))
    }

    /// The value without its coefficient, computed directly from the definition.
    pub fn raw(&self, board: Board, score: u32) -> f64 {
        match self {
            FeatureShape::Score => f64::from(score),
            FeatureShape::Cells(table) => {
                table.iter().zip(board.ranks()).map(|(ranks, rank)| ranks[usize::from(rank)]).sum()
            }
            FeatureShape::EachLine(value) => lines(board).map(|line| value.at(unpack(line))).into_iter().sum(),
            FeatureShape::Counts { times_ln_score, table } => {
                let count = table[board.empty_count() as usize][usize::from(board.max_rank())];
                if *times_ln_score { times(count, libm::log(f64::from(score))) } else { count }
            }
            FeatureShape::Board(value) => value.of(board),
        }
    }
}

/// The product. Here 0 times minus infinity, the logarithm of a score of 0, is 0 and not NaN.
pub fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// The four rows, then the four columns.
pub fn lines(board: Board) -> [Line; 8] {
    let ([a, b, c, d], [e, f, g, h]) = (board.rows(), board.transposed().rows());
    [a, b, c, d, e, f, g, h]
}

/// A value of a line that does not depend on the line's place on the board.
pub trait LineValue: Send + Sync {
    /// The value of a line.
    fn at(&self, ranks: [u8; 4]) -> f64;

    /// Adds `coefficient` times the value of every line to the table. This method is compiled for each feature, so that
    /// the loop has no dynamic calls. A tuner builds many tables, so this must be fast.
    fn add_to(&self, table: &mut [f64; 1 << 16], coefficient: f64) {
        for (line, sum) in table.iter_mut().enumerate() {
            *sum += coefficient * self.at(unpack(line as Line));
        }
    }
}

impl<F: Fn([u8; 4]) -> f64 + Send + Sync> LineValue for F {
    fn at(&self, ranks: [u8; 4]) -> f64 {
        self(ranks)
    }
}

fn by_rank(value: impl Fn(u8) -> f64) -> [f64; RANKS] {
    std::array::from_fn(|rank| value(rank as u8))
}

/// The value of a tile by its rank, as the parameter `tile` defines it: the value itself, its base-2 logarithm, or its
/// power, which is the parameter `power_name`. An empty cell has 0.
fn tile_value(values: &Values, power_name: &str) -> impl Fn(u8) -> f64 {
    let power = match values.text("tile") {
        Some("log2") => None,
        Some("power") => values.number(power_name),
        _ => Some(1.0),
    };
    move |rank| match (rank, power) {
        (0, _) => 0.0,
        (_, None) => f64::from(rank),
        (_, Some(power)) => libm::pow(f64::from(tile(rank)), power),
    }
}

/// rank^power for each rank; 0 for an empty cell, for every power.
fn rank_powers(power: f64) -> [f64; RANKS] {
    by_rank(|rank| if rank == 0 { 0.0 } else { libm::pow(f64::from(rank), power) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a feature with these parameters.
    pub(super) fn raw(feature: &Feature, assignments: &str, board: &str, score: u32) -> f64 {
        let table = crate::params::parse_assignments(assignments).unwrap();
        let values = Values::check(feature.name, feature.params, &table).unwrap();
        (feature.build)(&values).unwrap().raw(board.parse().unwrap(), score)
    }

    #[test]
    fn every_example_value_is_right() {
        for feature in FEATURES {
            let raw = raw(feature, "", EXAMPLE_BOARD, EXAMPLE_SCORE);
            assert!((raw - feature.example).abs() < 1e-12, "{}: {raw}", feature.name);
        }
    }

    #[test]
    fn names_are_unique_and_the_nearest_is_suggested() {
        for (i, feature) in FEATURES.iter().enumerate() {
            assert!(FEATURES[..i].iter().all(|other| other.name != feature.name), "{}", feature.name);
        }
        assert!(find("smothness").unwrap_err().message.contains("did you mean `smoothness`"));
    }

    #[test]
    fn every_parameter_has_help_and_a_default() {
        for param in FEATURES.iter().flat_map(|feature| feature.params) {
            assert!(!param.help.is_empty() && !param.default.is_empty(), "{}", param.name);
        }
    }
}
