//! Connect four on the usual board of 6 rows and 7 columns.
//!
//! The mover is `X`, and the environment is the opponent `O`. All replies of `O` are equally likely. A move is the
//! number of a column, 1 to 7 from the left. Positions are written from the top row down.
//!
//! The bitboards are those of John Tromp's fhourstones. A column is 7 bits from the bottom up. The seventh bit is
//! always empty, so that no line continues from one column into the next.

use std::fmt;

use rand::Rng as _;

use super::grid::{self, Sides};
use super::{Cells, Game, Outcome, Reply, Step, TwoPlayer};
use crate::rng::Rng;

const ROWS: usize = 6;
const COLUMNS: usize = 7;
/// The number of bits from one column to the next.
const COLUMN_BITS: usize = ROWS + 1;

/// The lowest cell of each column.
const BOTTOM: u64 = {
    let mut cells = 0;
    let mut column = 0;
    while column < COLUMNS {
        cells |= 1 << (column * COLUMN_BITS);
        column += 1;
    }
    cells
};
/// All 42 cells.
const ALL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The distance in bits between neighbouring cells of a line: vertical, falling diagonal, horizontal, rising diagonal.
const DIRECTIONS: [usize; 4] = [1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1];

/// The cells where a line of four within `cells` starts, in one direction.
fn fours(cells: u64, direction: usize) -> u64 {
    let pairs = cells & (cells >> direction);
    pairs & (pairs >> (2 * direction))
}

fn has_line(cells: u64) -> bool {
    DIRECTIONS.iter().fold(0, |found, &direction| found | fours(cells, direction)) != 0
}

fn count_lines(cells: u64) -> u32 {
    DIRECTIONS.iter().map(|&direction| fours(cells, direction).count_ones()).sum()
}

/// The rules. They have no parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

/// The discs of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    x: u64,
    o: u64,
}

impl Board {
    /// The lowest empty cell of each column that is not full.
    fn landings(self) -> u64 {
        // Adding the bottom row carries through each column to its first empty cell.
        ((self.x | self.o) + BOTTOM) & ALL
    }
}

/// The bit of a cell in reading order from the top left.
fn bit_at(reading: usize) -> u64 {
    1 << (reading % COLUMNS * COLUMN_BITS + (ROWS - 1 - reading / COLUMNS))
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let reading_order =
            |cells: u64| (0..ROWS * COLUMNS).fold(0, |text, cell| text | u64::from(cells & bit_at(cell) != 0) << cell);
        grid::write(f, Sides { x: reading_order(self.x), o: reading_order(self.o) }, ROWS, COLUMNS)
    }
}

/// A column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl Column {
    fn of(bit: u64) -> Self {
        Column((bit.trailing_zeros() as usize / COLUMN_BITS) as u8)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl Game for ConnectFour {
    const NAME: &'static str = "connect-four";
    const SUMMARY: &'static str = "four in a line on 6 rows of 7; X moves, O replies";
    const NOTATION: &'static str = "......./......./......./......./...O.../..XXO..";
    const STUCK: Outcome = Outcome::Draw;
    const ADVERSARIAL: bool = true;
    const FLOOR: f64 = f64::NEG_INFINITY;

    type Position = Board;
    type Move = Column;

    fn start(&self, _rng: &mut Rng) -> Board {
        Board::default()
    }

    fn steps(&self, position: Board) -> impl Iterator<Item = Step<Board, Column>> {
        Cells(position.landings()).map(move |bit| Step {
            action: Column::of(bit),
            after: Board { x: position.x | bit, ..position },
            reward: 0,
        })
    }

    fn replies(&self, after: Board) -> impl Iterator<Item = Reply<Board>> {
        let landings = after.landings();
        let probability = 1.0 / f64::from(landings.count_ones());
        Cells(landings).map(move |bit| Reply {
            probability,
            weight: 1.0,
            position: Board { o: after.o | bit, ..after },
        })
    }

    fn sample(&self, after: Board, rng: &mut Rng) -> Board {
        let landings = after.landings();
        let chosen = rng.random_range(0..landings.count_ones().max(1));
        match Cells(landings).nth(chosen as usize) {
            Some(bit) => Board { o: after.o | bit, ..after },
            None => after,
        }
    }

    fn after_step(&self, after: Board) -> Option<Outcome> {
        if has_line(after.x) {
            return Some(Outcome::Win);
        }
        (after.landings() == 0).then_some(Outcome::Draw)
    }

    fn after_reply(&self, position: Board) -> Option<Outcome> {
        has_line(position.o).then_some(Outcome::Loss)
    }

    fn is_stuck(&self, position: Board) -> bool {
        position.landings() == 0
    }

    fn empty_cells(&self, position: Board) -> u32 {
        (ROWS * COLUMNS) as u32 - (position.x | position.o).count_ones()
    }

    /// The mover's discs plus the mask of all discs. The sum encodes the height of each column and the owners of its
    /// discs (Pons 2017).
    fn key(&self, position: Board) -> u64 {
        position.x + (position.x | position.o)
    }

    fn utility(&self, outcome: Outcome) -> f64 {
        super::two_player_utility(outcome)
    }

    fn final_score(&self, _rewards: u32, outcome: Outcome) -> i64 {
        super::two_player_utility(outcome) as i64
    }

    fn reply_label(&self, after: Board, position: Board) -> String {
        format!("O {}", Column::of(position.o & !after.o))
    }

    fn seen_by_opponent(&self, after: Board) -> Option<Board> {
        Some(Self::swapped(after))
    }

    fn parse(&self, text: &str) -> Result<Board, String> {
        let sides = grid::read(text, ROWS, COLUMNS)?;
        let cells = |text: u64| Cells(text).fold(0, |cells, bit| cells | bit_at(bit.trailing_zeros() as usize));
        let board = Board { x: cells(sides.x), o: cells(sides.o) };
        let all = board.x | board.o;
        if let Some(gap) = Cells(all & !BOTTOM).find(|&bit| all & (bit >> 1) == 0) {
            let row = ROWS - gap.trailing_zeros() as usize % COLUMN_BITS;
            return Err(format!(
                "the disc in column {}, row {row} from the top, has an empty cell below it",
                Column::of(gap)
            ));
        }
        grid::check_counts(sides)?;
        grid::check_lines(has_line(board.x), has_line(board.o))?;
        Ok(board)
    }
}

impl TwoPlayer for ConnectFour {
    const LINES: u32 = 69;

    fn swapped(position: Board) -> Board {
        Board { x: position.o, o: position.x }
    }

    fn open_lines(position: Board) -> i32 {
        count_lines(ALL & !position.o) as i32 - count_lines(ALL & !position.x) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::conformance::conformance;

    const GAME: ConnectFour = ConnectFour;

    /// The number of sequences of `plies` moves. A finished game has no more moves.
    fn perft(position: Board, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        if GAME.verdict(position).is_some() {
            return 0;
        }
        GAME.steps(position).map(|step| perft_after(step.after, plies - 1)).sum()
    }

    fn perft_after(after: Board, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        if GAME.after_step(after).is_some() {
            return 0;
        }
        GAME.replies(after).map(|reply| perft(reply.position, plies - 1)).sum()
    }

    #[test]
    fn perft_counts_are_the_known_ones() {
        // Powers of 7 until a column can be full: with 7 plies, 7^7 minus the 7 ways to choose one column 7 times.
        let counts: Vec<u64> = (1..=8).map(|plies| perft(Board::default(), plies)).collect();
        assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
    }

    #[test]
    fn it_conforms() {
        conformance(&GAME, 2, 60);
    }

    #[test]
    fn there_are_69_lines() {
        assert_eq!(count_lines(ALL), ConnectFour::LINES);
        assert_eq!(ALL.count_ones() as usize, ROWS * COLUMNS);
    }

    /// Whether four of `cells` form a line, checked from every cell in every direction.
    fn naive_has_line(cells: u64) -> bool {
        let has = |row: i32, column: i32| {
            (0..ROWS as i32).contains(&row)
                && (0..COLUMNS as i32).contains(&column)
                && cells & bit_at(row as usize * COLUMNS + column as usize) != 0
        };
        (0..ROWS as i32).any(|row| {
            (0..COLUMNS as i32).any(|column| {
                [(0, 1), (1, 0), (1, 1), (1, -1)]
                    .iter()
                    .any(|(down, right)| (0..4).all(|i| has(row + i * down, column + i * right)))
            })
        })
    }

    #[test]
    fn lines_equal_those_of_a_cell_by_cell_search() {
        let mut rng = crate::rng::seeded(3);
        let mut found = 0;
        for _ in 0..20_000 {
            let cells = rng.random::<u64>() & rng.random::<u64>() & ALL;
            assert_eq!(has_line(cells), naive_has_line(cells), "{cells:#x}");
            found += u32::from(has_line(cells));
        }
        assert!((1_000..19_000).contains(&found), "the sample must have boards with and without a line: {found}");
    }

    #[test]
    fn outcomes_are_seen_from_x() {
        let lost = GAME.parse("......./......./......./......./XXX..../OOOOX..").unwrap();
        assert_eq!(GAME.verdict(lost), Some(Outcome::Loss));
        let winning = GAME.parse("......./......./......./......./OOO..../XXX....").unwrap();
        let won = GAME.steps(winning).nth(3).unwrap();
        assert_eq!((won.action.to_string().as_str(), GAME.after_step(won.after)), ("4", Some(Outcome::Win)));
        let full = GAME.parse("XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX").map(|board| GAME.verdict(board));
        assert_eq!(full, Ok(Some(Outcome::Draw)));
    }

    #[test]
    fn impossible_boards_are_refused() {
        for (text, part) in [
            ("......./.......", "2 rows"),
            ("......./......./......./......./......./...X..Q", "`Q`"),
            ("......./......./......./......./...O.../..X....", "column 4, row 5 from the top"),
            ("......./......./......./......./......./..XX...", "2 X and 0 O"),
            ("......./......./......./......./OOOO.../XXXX...", "both"),
            ("......./......./......./......./OOO.O../XXXX...", "column 5"),
            ("......./......./......./......./OOO..../XXXXO..", "X has a finished line"),
        ] {
            let error = GAME.parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn open_lines_are_counted() {
        // 3 lines go through a corner: horizontal, vertical and diagonal.
        let position = GAME.parse("......./......./......./......./......./O......").unwrap();
        assert_eq!(ConnectFour::open_lines(position), -3);
        assert_eq!(ConnectFour::open_lines(ConnectFour::swapped(position)), 3);
    }
}
