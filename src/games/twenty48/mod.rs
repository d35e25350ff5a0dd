//! 2048 on a 4x4 board.
//!
//! A move slides all tiles in one direction. Equal tiles that meet merge; a tile merges at most once in a move. A move
//! that does not change the board is illegal. Then a 2 (probability 0.9) or a 4 appears in a random empty cell. Each
//! merge adds the value of the new tile to the score.

mod board;
pub mod playouts;
mod tables;

#[cfg(test)]
pub(crate) mod reference;

use std::fmt;

use rand::RngCore;

pub use board::{Board, rank_of, tile};
pub use tables::{Line, Slid, TOP_RANK, Tables, pack, unpack};

pub use super::Cells;
use super::{Effort, Finished, Game, Outcome, Playouts, Policy, Reply, Step, WIN};
use crate::rng::Rng;

/// The probability that a new tile is a 2.
pub const P2: f64 = 0.9;
/// The probability that a new tile is a 4.
pub const P4: f64 = 0.1;

/// One over the number of empty cells. Looking it up is faster than dividing.
pub const SHARE: [f64; 17] = {
    let mut share = [0.0; 17];
    let mut empty = 1;
    while empty < 17 {
        share[empty] = 1.0 / empty as f64;
        empty += 1;
    }
    share
};

/// A direction, in the order in which ties are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upward.
    Up,
    /// Downward.
    Down,
}

impl Direction {
    /// All directions, in the order of tie-breaking.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// The name that users read and write.
    pub fn name(self) -> &'static str {
        ["left", "right", "up", "down"][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The tile that wins the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The tile of this rank.
    Rank(u8),
    /// Play until no move is left.
    None,
}

impl Goal {
    /// The tile 2048.
    pub const CLASSIC: Goal = Goal::Rank(11);

    /// Whether `board` holds the goal tile.
    #[inline(always)]
    pub fn is_reached(self, board: Board) -> bool {
        match self {
            // A game stops at the first tile of this rank, so there is never a larger one.
            Goal::Rank(rank) => board.cells_of(rank) != 0,
            Goal::None => false,
        }
    }
}

impl std::str::FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Goal::None);
        }
        match rank_of(text) {
            Ok(rank) if rank >= 3 => Ok(Goal::Rank(rank)),
            Ok(_) => Err(format!("goal `{text}` is too small: use a power of two from 8 to 32768, or `none`")),
            Err(why) => Err(format!("goal: {why}; use a power of two from 8 to 32768, or `none`")),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Goal::Rank(rank) => write!(f, "{}", tile(*rank)),
            Goal::None => f.write_str("none"),
        }
    }
}

/// The rules of 2048, with a goal.
#[derive(Clone, Copy)]
pub struct Twenty48 {
    /// The tile that wins.
    pub goal: Goal,
    tables: &'static Tables,
}

impl Twenty48 {
    /// The rules with this goal.
    pub fn new(goal: Goal) -> Self {
        Twenty48 { goal, tables: Tables::get() }
    }

    /// The move tables.
    pub fn tables(&self) -> &'static Tables {
        self.tables
    }

    /// The board after each of the four moves, with its points. Illegal moves are included.
    #[inline(always)]
    pub fn slides(&self, board: Board) -> [(Board, u32); 4] {
        let transposed = board.transposed();
        let ((left, right), (up, down)) = (board.slid(self.tables), transposed.slid(self.tables));
        let (across, along) = (board.points(self.tables), transposed.points(self.tables));
        [(left, across), (right, across), (up.transposed(), along), (down.transposed(), along)]
    }
}

impl fmt::Debug for Twenty48 {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Twenty48 {{ goal: {} }}", self.goal)
    }
}

impl Game for Twenty48 {
    const NAME: &'static str = "2048";
    const SUMMARY: &'static str = "slide and merge tiles on a 4x4 board; the environment adds a 2 or a 4";
    const NOTATION: &'static str = "4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0";
    const STUCK: Outcome = Outcome::Loss;
    const FLOOR: f64 = 0.0;
    const POLICIES: &'static [Policy] = &[Policy::Random, Policy::Merge, Policy::Corner, Policy::Greedy];

    type Position = Board;
    type Move = Direction;

    fn start(&self, rng: &mut Rng) -> Board {
        let first = self.sample(Board::default(), rng);
        self.sample(first, rng)
    }

    #[inline(always)]
    fn steps(&self, board: Board) -> impl Iterator<Item = Step<Board, Direction>> {
        Steps { board, slides: self.slides(board), next: 0 }
    }

    #[inline(always)]
    fn replies(&self, after: Board) -> impl Iterator<Item = Reply<Board>> {
        Replies { after, empty: Cells(after.empty_mask()), share: SHARE[after.empty_count() as usize], four: None }
    }

    #[inline(always)]
    fn reply_count(&self, after: Board) -> usize {
        2 * after.empty_count() as usize
    }

    /// The upper half of one 64-bit random number decides the cell and the lower half the tile. Each probability is
    /// exact to within 2^-28.
    fn sample(&self, after: Board, rng: &mut Rng) -> Board {
        let draw = rng.next_u64();
        let nth = ((draw >> 32) * u64::from(after.empty_count())) >> 32;
        let is_four = f64::from(draw as u32) < P4 * 4_294_967_296.0;
        after.with(after.nth_empty(nth as u32), 1 + u32::from(is_four))
    }

    #[inline(always)]
    fn after_step(&self, after: Board) -> Option<Outcome> {
        self.goal.is_reached(after).then_some(Outcome::Win)
    }

    #[inline(always)]
    fn after_reply(&self, _: Board) -> Option<Outcome> {
        None
    }

    fn is_stuck(&self, board: Board) -> bool {
        board.is_dead()
    }

    fn utility(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => WIN,
            Outcome::Draw | Outcome::Loss => 0.0,
        }
    }

    fn final_score(&self, rewards: u32, _: Outcome) -> i64 {
        i64::from(rewards)
    }

    /// Without a goal, a game that reached 2048 counts as won, although it went on.
    fn is_won(&self, last: Board, _: Outcome) -> bool {
        let Goal::Rank(rank) = (match self.goal {
            Goal::None => Goal::CLASSIC,
            goal => goal,
        }) else {
            return false;
        };
        last.max_rank() >= rank
    }

    fn without_goal(&self) -> Option<Self> {
        (self.goal != Goal::None).then(|| Twenty48::new(Goal::None))
    }

    fn max_tile(&self, board: Board) -> u32 {
        tile(board.max_rank())
    }

    fn limit_note(&self, board: Board) -> Option<&'static str> {
        board.at_limit().then_some("two tiles of 32768 cannot merge, as a board holds no larger tile")
    }

    fn empty_cells(&self, board: Board) -> u32 {
        board.empty_count()
    }

    fn implied_score(&self, board: Board) -> u32 {
        board.potential()
    }

    #[inline(always)]
    fn key(&self, board: Board) -> u64 {
        board.0
    }

    /// For example `4 at b2`: the tile, then the column letter and the row number from the top left.
    fn reply_label(&self, after: Board, position: Board) -> String {
        let Some(cell) = (0..16).find(|&cell| after.rank(cell) != position.rank(cell)) else { return "nothing".into() };
        let column = ["a", "b", "c", "d"][cell % 4];
        format!("{} at {column}{}", tile(position.rank(cell)), cell / 4 + 1)
    }

    fn playouts(
        &self,
        batch: Playouts<Board>,
        left: impl FnMut(Effort) -> Effort,
        sink: impl FnMut(Finished<Board>),
    ) -> Effort {
        playouts::run(self, batch, left, sink)
    }

    fn parse(&self, text: &str) -> Result<Board, String> {
        text.parse()
    }
}

/// The replies to a board: in each empty cell a 2, then a 4.
struct Replies {
    after: Board,
    empty: Cells,
    share: f64,
    /// The cell for which the 2 has been returned and the 4 has not.
    four: Option<u64>,
}

impl Replies {
    #[inline(always)]
    fn two(&self, cell: u64) -> Reply<Board> {
        Reply { probability: P2 * self.share, weight: P2, position: self.after.with(cell, 1) }
    }

    #[inline(always)]
    fn four(&self, cell: u64) -> Reply<Board> {
        Reply { probability: P4 * self.share, weight: P4, position: self.after.with(cell, 2) }
    }
}

impl Iterator for Replies {
    type Item = Reply<Board>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(cell) = self.four.take() {
            return Some(self.four(cell));
        }
        let cell = self.empty.next()?;
        self.four = Some(cell);
        Some(self.two(cell))
    }

    /// Every node of a search runs this loop. An adapter such as `flat_map` is not always inlined there.
    #[inline(always)]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, start: A, mut f: F) -> A {
        let mut so_far = start;
        if let Some(cell) = self.four {
            so_far = f(so_far, self.four(cell));
        }
        let mut empty = self.empty.0;
        while empty != 0 {
            let cell = empty & empty.wrapping_neg();
            empty ^= cell;
            for reply in [self.two(cell), self.four(cell)] {
                so_far = f(so_far, reply);
            }
        }
        so_far
    }
}

/// The legal steps from a board.
struct Steps {
    board: Board,
    slides: [(Board, u32); 4],
    next: usize,
}

impl Steps {
    /// The step in one direction, if it is legal and the iterator has not yet passed it.
    #[inline(always)]
    fn at(&self, index: usize) -> Option<Step<Board, Direction>> {
        let (after, reward) = self.slides[index];
        let is_legal = index >= self.next && after != self.board;
        is_legal.then_some(Step { action: Direction::ALL[index], after, reward })
    }
}

impl Iterator for Steps {
    type Item = Step<Board, Direction>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        while self.next < 4 {
            let step = self.at(self.next);
            self.next += 1;
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// The loop is unrolled by hand, because the compiler does not unroll it and every node of a search runs it.
    #[inline(always)]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, start: A, mut f: F) -> A {
        let mut so_far = start;
        if let Some(step) = self.at(0) {
            so_far = f(so_far, step);
        }
        if let Some(step) = self.at(1) {
            so_far = f(so_far, step);
        }
        if let Some(step) = self.at(2) {
            so_far = f(so_far, step);
        }
        if let Some(step) = self.at(3) {
            so_far = f(so_far, step);
        }
        so_far
    }
}

/// A table with one entry for each line, on the heap.
pub fn boxed_table<T: Clone + Default>() -> Box<[T; 1 << 16]> {
    match vec![T::default(); 1 << 16].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("a vector of 65,536 entries has 65,536 entries"),
    }
}

#[cfg(test)]
pub(crate) mod tests;
