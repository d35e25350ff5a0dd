//! The board of 2048: sixteen ranks in one 64-bit word.

use std::fmt;
use std::hint::select_unpredictable;

use super::Cells;
use super::tables::{Line, TOP_RANK, Tables, unpack};

/// Sixteen cells of four bits, row by row from the top left in the lowest bits. A cell holds its tile's rank: 0 for
/// empty, k for the tile 2^k.
///
/// **The limit**: four bits hold ranks up to 15, so 32768 is the largest tile. Two tiles of 32768 do not merge; they
/// stay next to each other like different tiles. Until two of them meet, the rules are exactly those of 2048. A final
/// board with two of them shows that the limit was reached ([`Board::at_limit`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board(pub u64);

/// The lowest bit of every cell.
const ONES: u64 = 0x1111_1111_1111_1111;

/// The potential of each pair of cells, indexed by their byte; see [`Board::potential`].
const POTENTIALS: [u32; 256] = {
    let mut potentials = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        potentials[pair] = potential_of(pair as u32 & 15) + potential_of(pair as u32 >> 4);
        pair += 1;
    }
    potentials
};

const fn potential_of(rank: u32) -> u32 {
    if rank == 0 { 0 } else { (rank - 1) << rank }
}

impl Board {
    /// The board with these ranks, row by row.
    pub fn from_ranks(ranks: [u8; 16]) -> Self {
        Board(ranks.iter().rev().fold(0, |board, &rank| board << 4 | u64::from(rank & 15)))
    }

    /// The rank of each cell, row by row.
    pub fn ranks(self) -> [u8; 16] {
        std::array::from_fn(|cell| self.rank(cell))
    }

    /// The rank of one cell.
    #[inline(always)]
    pub fn rank(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// The tile of each cell as a number, 0 if empty.
    pub fn tiles(self) -> [u32; 16] {
        self.ranks().map(tile)
    }

    /// The four rows as packed lines.
    #[inline(always)]
    pub fn rows(self) -> [Line; 4] {
        [self.0 as Line, (self.0 >> 16) as Line, (self.0 >> 32) as Line, (self.0 >> 48) as Line]
    }

    /// The board with these rows.
    #[inline(always)]
    pub fn from_rows(rows: [Line; 4]) -> Self {
        let [a, b, c, d] = rows;
        Board(u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48)
    }

    /// Exchanges rows and columns: first the cells within each 2x2 square are swapped, then the squares.
    #[inline(always)]
    pub fn transposed(self) -> Self {
        let x = self.0;
        let x = (x & 0xF0F0_0F0F_F0F0_0F0F) | (x & 0x0000_F0F0_0000_F0F0) << 12 | (x & 0x0F0F_0000_0F0F_0000) >> 12;
        Board((x & 0xFF00_FF00_00FF_00FF) | (x & 0x00FF_00FF_0000_0000) >> 24 | (x & 0x0000_0000_FF00_FF00) << 24)
    }

    /// The board with each row reversed.
    #[inline(always)]
    pub fn mirrored(self) -> Self {
        let x = (self.0 & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (self.0 >> 4 & 0x0F0F_0F0F_0F0F_0F0F);
        Board((x & 0x00FF_00FF_00FF_00FF) << 8 | (x >> 8 & 0x00FF_00FF_00FF_00FF))
    }

    /// The board with the order of its rows reversed.
    #[inline(always)]
    fn flipped(self) -> Self {
        let x = self.0.rotate_left(32);
        Board((x & 0x0000_FFFF_0000_FFFF) << 16 | (x >> 16 & 0x0000_FFFF_0000_FFFF))
    }

    /// The eight symmetries of the board: the four rotations, then the four rotations of the mirrored board.
    #[inline(always)]
    pub fn symmetries(self) -> [Board; 8] {
        let (board, columns) = (self, self.transposed());
        let (mirrored, quarter) = (board.mirrored(), columns.mirrored());
        [board, quarter, mirrored.flipped(), columns.flipped(), mirrored, quarter.flipped(), board.flipped(), columns]
    }

    /// The lowest bit of every empty cell.
    #[inline(always)]
    pub fn empty_mask(self) -> u64 {
        let x = self.0 | self.0 >> 2;
        !(x | x >> 1) & ONES
    }

    /// The number of empty cells.
    #[inline(always)]
    pub fn empty_count(self) -> u32 {
        // One multiplication adds up the sixteen bits. The sum has four bits, so 16 overflows to 0; only the empty
        // board has 16. A bit count instruction is not used, because the default build must run on processors without
        // one.
        let count = (self.empty_mask().wrapping_mul(ONES) >> 60) as u32;
        if self.0 == 0 { 16 } else { count }
    }

    /// The lowest bit of the `nth` empty cell, counted from 0. The result is 0 if there are fewer empty cells.
    #[inline(always)]
    pub fn nth_empty(self, nth: u32) -> u64 {
        let empty = self.empty_mask();
        // In every cell, the number of empty cells before it: at most 15.
        let before = empty.wrapping_mul(ONES - 1);
        zero_cells(before ^ (ONES * u64::from(nth))) & empty
    }

    /// The board after a move to the left, and after a move to the right.
    #[inline(always)]
    pub fn slid(self, tables: &Tables) -> (Board, Board) {
        let [a, b, c, d] = self.rows();
        let [a, b, c, d] = [tables.slid(a), tables.slid(b), tables.slid(c), tables.slid(d)];
        (Board::from_rows([a.left, b.left, c.left, d.left]), Board::from_rows([a.right, b.right, c.right, d.right]))
    }

    /// The points of a move to the left. A move to the right earns the same.
    #[inline(always)]
    pub fn points(self, tables: &Tables) -> u32 {
        let [a, b, c, d] = self.rows();
        (tables.points(a) + tables.points(b)) + (tables.points(c) + tables.points(d))
    }

    /// The board with a tile of `rank` in the empty cell whose lowest bit is `cell`.
    #[inline(always)]
    pub fn with(self, cell: u64, rank: u32) -> Self {
        Board(self.0 | (cell * u64::from(rank)))
    }

    /// The boards with one more tile: for each empty cell, one with a 2 and one with a 4.
    #[inline(always)]
    pub fn replies(self) -> impl Iterator<Item = Board> {
        Cells(self.empty_mask()).flat_map(move |cell| [self.with(cell, 1), self.with(cell, 2)])
    }

    /// Whether no move is legal: the board is full and no two neighbours merge, or it is empty.
    #[inline]
    pub fn is_dead(self) -> bool {
        (self.empty_mask() == 0 && !self.has_merge()) || self.0 == 0
    }

    /// Whether two equal neighbours would merge.
    #[inline]
    fn has_merge(self) -> bool {
        let across = zero_cells((self.0 ^ self.0 >> 4) | 0xF000_F000_F000_F000);
        let down = zero_cells((self.0 ^ self.0 >> 16) | 0xFFFF_0000_0000_0000);
        (across | down) & !self.empty_mask() & !self.cells_of(TOP_RANK) != 0
    }

    /// The lowest bit of every cell that holds `rank`.
    #[inline(always)]
    pub fn cells_of(self, rank: u8) -> u64 {
        zero_cells(self.0 ^ (ONES * u64::from(rank)))
    }

    /// The largest rank. It is found bit by bit from the highest: if some of the remaining cells have the bit set, only
    /// those remain.
    #[inline(always)]
    pub fn max_rank(self) -> u8 {
        let (mut largest, mut rank) = (ONES, 0);
        for bit in [3, 2, 1, 0] {
            let with_bit = self.0 >> bit & largest;
            largest = select_unpredictable(with_bit != 0, with_bit, largest);
            rank |= u8::from(with_bit != 0) << bit;
        }
        rank
    }

    /// Whether the limit of the representation was reached: there are two tiles of 32768.
    pub fn at_limit(self) -> bool {
        self.cells_of(TOP_RANK).count_ones() > 1
    }

    /// The score of a game with these tiles in which only 2s were spawned: (k - 1) 2^k for each tile 2^k. Each spawned
    /// 4 lowers the score by 4.
    #[inline]
    pub fn potential(self) -> u32 {
        self.0.to_le_bytes().into_iter().map(|pair| POTENTIALS[usize::from(pair)]).sum()
    }
}

/// The lowest bit of every cell that is 0.
#[inline(always)]
fn zero_cells(x: u64) -> u64 {
    let x = x | x >> 2;
    !(x | x >> 1) & ONES
}

/// The tile of a rank.
pub fn tile(rank: u8) -> u32 {
    if rank == 0 { 0 } else { 1 << rank }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rows = self.rows().map(|row| unpack(row).map(|rank| tile(rank).to_string()).join(","));
        f.write_str(&rows.join("/"))
    }
}

impl std::str::FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rows: Vec<&str> = text.trim().split('/').collect();
        if rows.len() != 4 {
            return Err(format!("a board has 4 rows separated by `/`, but `{text}` has {}", rows.len()));
        }
        let mut ranks = [0; 16];
        for (r, row) in rows.iter().enumerate() {
            let cells: Vec<&str> = row.split(',').collect();
            if cells.len() != 4 {
                let found = cells.len();
                return Err(format!("row {} (`{row}`) has {found} cells separated by `,`, but needs 4", r + 1));
            }
            for (c, cell) in cells.iter().enumerate() {
                ranks[4 * r + c] = rank_of(cell).map_err(|why| format!("row {}, column {}: {why}", r + 1, c + 1))?;
            }
        }
        Ok(Board::from_ranks(ranks))
    }
}

/// Reads a tile and returns its rank.
pub fn rank_of(text: &str) -> Result<u8, String> {
    let value: u32 = text.trim().parse().map_err(|_| format!("`{}` is not a tile (0, 2, 4, 8, ...)", text.trim()))?;
    match value {
        0 => Ok(0),
        2..=32768 if value.is_power_of_two() => Ok(value.trailing_zeros() as u8),
        _ if value.is_power_of_two() && value > 1 => Err(format!("{value} is beyond the largest tile, 32768")),
        _ => Err(format!("{value} is not a tile: tiles are 0 (empty) and the powers of two from 2 to 32768")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;
    use rand::Rng as _;

    #[test]
    fn text_round_trips_and_error_messages_name_the_wrong_part() {
        let text = "4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,32768";
        assert_eq!(text.parse::<Board>().unwrap().to_string(), text);
        let error = |text: &str| text.parse::<Board>().unwrap_err();
        assert!(error("1,2").contains("4 rows"));
        assert!(error("4,2,2/4,0,0,0/0,0,0,0/0,0,0,0").contains("row 1"));
        assert!(error("4,2,2,3/4,0,0,0/0,0,0,0/0,0,0,0").contains("row 1, column 4: 3 is not a tile"));
        assert!(error("4,2,2,2/4,0,-2,0/0,0,0,0/0,0,0,0").contains("row 2, column 3: `-2`"));
        assert!(error("4,2,2,2/4,0,65536,0/0,0,0,0/0,0,0,0").contains("largest tile"));
        assert!(error("4,2,2,2/4,0,1,0/0,0,0,0/0,0,0,0").contains("1 is not a tile"));
    }

    #[test]
    fn operations_on_the_word_equal_those_on_the_cells() {
        let mut rng = seeded(1);
        for _ in 0..100_000 {
            // The `and` of two random words makes empty cells frequent.
            let board = Board(rng.random::<u64>() & rng.random::<u64>());
            let ranks = board.ranks();
            assert_eq!(Board::from_ranks(ranks), board);
            assert_eq!(board.transposed().ranks(), std::array::from_fn(|i| ranks[i % 4 * 4 + i / 4]));
            assert_eq!(board.mirrored().ranks(), std::array::from_fn(|i| ranks[i / 4 * 4 + 3 - i % 4]));
            assert_eq!(board.empty_count() as usize, ranks.iter().filter(|&&rank| rank == 0).count());
            assert_eq!(board.max_rank(), ranks.into_iter().max().unwrap());
            let empty = (0..16).filter(|&cell| ranks[cell] == 0).map(|cell| 1 << (4 * cell));
            assert!((0..).zip(empty).all(|(nth, cell)| board.nth_empty(nth) == cell));
            assert_eq!(board.nth_empty(board.empty_count().min(15)) != 0, board.0 == 0);
            let fives = ranks.iter().filter(|&&rank| rank == 5).count();
            assert_eq!(board.cells_of(5).count_ones() as usize, fives);
        }
    }

    #[test]
    fn the_eight_symmetries_differ_and_form_a_group() {
        let board = Board::from_ranks(std::array::from_fn(|i| i as u8));
        let mut images = board.symmetries();
        images.sort();
        assert!(images.windows(2).all(|pair| pair[0] != pair[1]));
        let mut again = images[3].symmetries();
        again.sort();
        assert_eq!(images, again);
    }
}
