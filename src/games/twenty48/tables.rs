//! The move tables: for each of the 65,536 possible lines, the line after a move and its points.

use std::sync::OnceLock;

use super::boxed_table;

/// The largest rank that a cell can hold: tile 32768. Two such tiles do not merge (see [`super::Board`]).
pub const TOP_RANK: u8 = 15;

/// A line of four cells packed into 16 bits, the first cell lowest.
pub type Line = u16;

/// The ranks of a packed line.
#[inline]
pub fn unpack(line: Line) -> [u8; 4] {
    std::array::from_fn(|cell| (line >> (4 * cell) & 15) as u8)
}

/// The packed form of four ranks, each at most [`TOP_RANK`].
pub fn pack(ranks: [u8; 4]) -> Line {
    ranks.iter().rev().fold(0, |line, &rank| line << 4 | u16::from(rank))
}

/// A line after a move in each of the two directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slid {
    /// Slid toward the first cell.
    pub left: Line,
    /// Slid toward the last cell.
    pub right: Line,
}

/// Slides four ranks toward the first. Each tile merges at most once, and tiles nearest the edge merge first.
fn slide(ranks: [u8; 4]) -> ([u8; 4], u32) {
    let (mut slid, mut points, mut end, mut can_merge) = ([0; 4], 0, 0, false);
    for rank in ranks.into_iter().filter(|&rank| rank != 0) {
        if can_merge && slid[end - 1] == rank && rank != TOP_RANK {
            slid[end - 1] += 1;
            points += 1 << slid[end - 1];
            can_merge = false;
        } else {
            slid[end] = rank;
            end += 1;
            can_merge = true;
        }
    }
    (slid, points)
}

fn reversed(ranks: [u8; 4]) -> [u8; 4] {
    let [a, b, c, d] = ranks;
    [d, c, b, a]
}

/// One entry for each line, shared by the whole program. Points have a separate table, because most heuristics do not
/// use the score. Their searches then need only the 256 KiB of the moves in the second-level cache.
pub struct Tables {
    lines: Box<[Slid; 1 << 16]>,
    points: Box<[u32; 1 << 16]>,
}

impl Tables {
    /// The tables of this program, built at the first call.
    pub fn get() -> &'static Tables {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(Tables::new)
    }

    fn new() -> Self {
        let mut tables = Tables { lines: boxed_table(), points: boxed_table() };
        for line in 0..=Line::MAX {
            let ranks = unpack(line);
            let (left, earned) = slide(ranks);
            let (right, _) = slide(reversed(ranks));
            tables.lines[usize::from(line)] = Slid { left: pack(left), right: pack(reversed(right)) };
            tables.points[usize::from(line)] = earned;
        }
        tables
    }

    /// The points of a move of this line. Moves to the left and to the right earn the same.
    #[inline(always)]
    pub fn points(&self, line: Line) -> u32 {
        self.points[usize::from(line)]
    }

    /// The line after a move in each of the two directions.
    #[inline(always)]
    pub fn slid(&self, line: Line) -> Slid {
        self.lines[usize::from(line)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_round_trips() {
        assert!((0..=u16::MAX).all(|line| pack(unpack(line)) == line));
    }

    #[test]
    fn a_tile_merges_at_most_once_in_a_move() {
        assert_eq!(slide([1, 1, 1, 1]), ([2, 2, 0, 0], 8));
        assert_eq!(slide([1, 1, 2, 0]), ([2, 2, 0, 0], 4));
        assert_eq!(slide([2, 1, 1, 0]), ([2, 2, 0, 0], 4));
        assert_eq!(slide([0, 3, 0, 3]), ([4, 0, 0, 0], 16));
        assert_eq!(slide([1, 2, 1, 2]), ([1, 2, 1, 2], 0));
    }

    #[test]
    fn two_tiles_of_32768_do_not_merge() {
        assert_eq!(slide([15, 15, 0, 0]), ([15, 15, 0, 0], 0));
        assert_eq!(slide([14, 14, 15, 0]), ([15, 15, 0, 0], 1 << 15));
    }
}
