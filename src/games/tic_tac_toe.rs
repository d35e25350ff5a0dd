//! Noughts and crosses (tic-tac-toe), which is small enough to search completely.
//!
//! The mover is `X`, and the environment is the opponent `O`. All replies of `O` are equally likely. So expectimax
//! plays against a random opponent and minimax against a perfect one.
//!
//! Cells are named by column letter and row number from the top left: `a1` is the first cell, `b2` the centre, `c3`
//! the last.

use std::fmt;

use rand::Rng as _;

use super::grid::{self, Sides};
use super::{Cells, Game, Outcome, Reply, Step, TwoPlayer};
use crate::rng::Rng;

const SIDE: usize = 3;
const ALL: u64 = 0b111_111_111;

/// Rows, columns and diagonals.
const LINES: [u64; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// One bit for each of the 512 sets of cells. It is set if the set contains a line.
const HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells <= ALL {
        let mut line = 0;
        while line < LINES.len() {
            if cells & LINES[line] == LINES[line] {
                table[(cells >> 6) as usize] |= 1 << (cells & 63);
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

fn has_line(cells: u64) -> bool {
    HAS_LINE[(cells >> 6) as usize] >> (cells & 63) & 1 == 1
}

/// The rules. They have no parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// The cells of both sides, one bit for each cell in reading order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    x: u16,
    o: u16,
}

impl Board {
    fn empty_cells(self) -> u64 {
        !u64::from(self.x | self.o) & ALL
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        grid::write(f, Sides { x: self.x.into(), o: self.o.into() }, SIDE, SIDE)
    }
}

/// A cell, by its index in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    fn of(bit: u64) -> Self {
        Cell(bit.trailing_zeros() as u8)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (row, column) = (self.0 / SIDE as u8, self.0 % SIDE as u8);
        write!(f, "{}{}", (b'a' + column) as char, row + 1)
    }
}

impl Game for TicTacToe {
    const NAME: &'static str = "tic-tac-toe";
    const SUMMARY: &'static str = "noughts and crosses; X moves, O replies";
    const NOTATION: &'static str = "X.O/.X./..O";
    const STUCK: Outcome = Outcome::Draw;
    const ADVERSARIAL: bool = true;
    const FLOOR: f64 = f64::NEG_INFINITY;

    type Position = Board;
    type Move = Cell;

    fn start(&self, _rng: &mut Rng) -> Board {
        Board::default()
    }

    fn steps(&self, position: Board) -> impl Iterator<Item = Step<Board, Cell>> {
        Cells(position.empty_cells()).map(move |bit| Step {
            action: Cell::of(bit),
            after: Board { x: position.x | bit as u16, ..position },
            reward: 0,
        })
    }

    fn replies(&self, after: Board) -> impl Iterator<Item = Reply<Board>> {
        let cells = after.empty_cells();
        let probability = 1.0 / f64::from(cells.count_ones());
        Cells(cells).map(move |bit| Reply {
            probability,
            weight: 1.0,
            position: Board { o: after.o | bit as u16, ..after },
        })
    }

    fn sample(&self, after: Board, rng: &mut Rng) -> Board {
        let cells = after.empty_cells();
        let chosen = rng.random_range(0..cells.count_ones().max(1));
        match Cells(cells).nth(chosen as usize) {
            Some(bit) => Board { o: after.o | bit as u16, ..after },
            None => after,
        }
    }

    fn after_step(&self, after: Board) -> Option<Outcome> {
        if has_line(after.x.into()) {
            return Some(Outcome::Win);
        }
        (after.empty_cells() == 0).then_some(Outcome::Draw)
    }

    fn after_reply(&self, position: Board) -> Option<Outcome> {
        has_line(position.o.into()).then_some(Outcome::Loss)
    }

    fn is_stuck(&self, position: Board) -> bool {
        position.empty_cells() == 0
    }

    fn empty_cells(&self, position: Board) -> u32 {
        position.empty_cells().count_ones()
    }

    fn key(&self, position: Board) -> u64 {
        u64::from(position.x) << 16 | u64::from(position.o)
    }

    fn utility(&self, outcome: Outcome) -> f64 {
        super::two_player_utility(outcome)
    }

    fn final_score(&self, _rewards: u32, outcome: Outcome) -> i64 {
        super::two_player_utility(outcome) as i64
    }

    fn reply_label(&self, after: Board, position: Board) -> String {
        format!("O {}", Cell::of((position.o & !after.o).into()))
    }

    fn seen_by_opponent(&self, after: Board) -> Option<Board> {
        Some(Self::swapped(after))
    }

    fn parse(&self, text: &str) -> Result<Board, String> {
        let sides = grid::read(text, SIDE, SIDE)?;
        grid::check_counts(sides)?;
        grid::check_lines(has_line(sides.x), has_line(sides.o))?;
        Ok(Board { x: sides.x as u16, o: sides.o as u16 })
    }
}

impl TwoPlayer for TicTacToe {
    const LINES: u32 = LINES.len() as u32;

    fn swapped(position: Board) -> Board {
        Board { x: position.o, o: position.x }
    }

    fn open_lines(position: Board) -> i32 {
        let open = |cells: u16| LINES.iter().filter(|&&line| line & u64::from(cells) == 0).count() as i32;
        open(position.o) - open(position.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conformance::conformance;

    const GAME: TicTacToe = TicTacToe;

    fn board(text: &str) -> Board {
        GAME.parse(text).unwrap()
    }

    /// The number of complete games from a position with X to move, and its minimax value.
    fn solve(position: Board) -> (u64, f64) {
        if let Some(outcome) = GAME.verdict(position) {
            return (1, GAME.utility(outcome));
        }
        GAME.steps(position).fold((0, f64::NEG_INFINITY), |(games, best), step| {
            let (more, value) = solve_after(step.after);
            (games + more, best.max(value))
        })
    }

    fn solve_after(after: Board) -> (u64, f64) {
        if let Some(outcome) = GAME.after_step(after) {
            return (1, GAME.utility(outcome));
        }
        GAME.replies(after).fold((0, f64::INFINITY), |(games, worst), reply| {
            let (more, value) = solve(reply.position);
            (games + more, worst.min(value))
        })
    }

    #[test]
    fn it_has_255168_games_and_is_a_draw() {
        assert_eq!(solve(Board::default()), (255_168, 0.0));
    }

    #[test]
    fn it_conforms() {
        conformance(&GAME, 1, 200);
    }

    #[test]
    fn outcomes_are_seen_from_x() {
        let after = GAME.steps(board("XX./OO./...")).next().unwrap();
        assert_eq!((after.action.to_string().as_str(), GAME.after_step(after.after)), ("c1", Some(Outcome::Win)));
        assert_eq!(GAME.verdict(board("XX./OOO/..X")), Some(Outcome::Loss));
        assert_eq!(GAME.verdict(board("XOX/OXO/OXO")), Some(Outcome::Draw));
        assert_eq!(
            [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| GAME.final_score(0, outcome)),
            [1, 0, -1]
        );
    }

    #[test]
    fn impossible_boards_are_refused() {
        for (text, part) in [
            ("X.O/.X.", "2 rows"),
            ("X.O/.X./..Z", "`Z`"),
            ("X.O/.X./...", "2 X and 1 O"),
            ("XXX/OOO/...", "both"),
            ("XXX/OO./..O", "X has a finished line"),
        ] {
            let error = GAME.parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn open_lines_are_counted() {
        // X in the centre blocks 4 of O's 8 lines; O in a corner blocks 3 of X's 8 lines.
        assert_eq!(TicTacToe::open_lines(board("O../.X./...")), 5 - 4);
        assert_eq!(TicTacToe::open_lines(Board::default()), 0);
        let position = board("O../.X./...");
        assert_eq!(TicTacToe::open_lines(TicTacToe::swapped(position)), -TicTacToe::open_lines(position));
    }
}
