//! One random step of 2048 for every game of a block, without a branch.
//!
//! A random direction is drawn, the board is turned so that this direction becomes *left*, and the rows are slid. If
//! nothing moved, the direction was illegal. Then no tile spawns and the next step draws again, so the moves played are
//! uniform over the legal ones. Boards are not turned back: [`Games::turned`] records their orientation.
//!
//! A policy other than the random one rejects some legal moves in the same way. A move that the policy prefers is
//! always made. Any other move is made with probability 1/[`PREFERENCE`], and otherwise the next step draws again. So a
//! preferred move is [`PREFERENCE`] times as likely as another.
//!
//! This file uses no closures. The compiler does not always inline a closure into code for other processor features,
//! and then every vector instruction becomes a call.

use super::bytes::Bytes;

/// A tile of rank k is the byte k + 113 and an empty cell is 0. So 32768 (rank 15), the tile that does not merge, is
/// the only byte with its sign bit set, and one signed maximum rules out both empty cells and 32768s (see
/// [`mergeable`]).
pub const RANK_OFFSET: u8 = 113;

/// The direction byte's top bit: turn by swapping rows and columns.
pub const TRANSPOSED: u8 = 0x80;
/// The direction byte's next bit: turn by swapping rows and columns along the other diagonal. The two turns commute,
/// and each is its own inverse. So the exclusive or of a game's direction bytes gives the orientation of its board.
pub const ANTI_TRANSPOSED: u8 = 0x40;

/// A move that the policy prefers is this many times as likely as another. It is a power of two, so that one comparison
/// with a random byte decides.
pub const PREFERENCE: u8 = 8;

/// The policies of the kernel. They are constant parameters, so that the random policy is not slowed by the others.
pub const RANDOM: u8 = 0;
pub const MERGE: u8 = 1;
pub const CORNER: u8 = 2;

/// The goal byte of games without a goal. No tile has this byte.
pub const NO_GOAL: u8 = 0xFF;

pub const fn byte_of_rank(rank: u8) -> u8 {
    if rank == 0 { 0 } else { rank + RANK_OFFSET }
}

/// Encodes a corner by the two directions that lead to it. Their direction bytes agree in exactly one of the bits
/// [`TRANSPOSED`] and [`ANTI_TRANSPOSED`]. In the result, [`ANTI_TRANSPOSED`] is set if they agree in that bit, and
/// [`TRANSPOSED`] has the value of the bit in which they agree.
pub const fn corner_byte(is_top: bool, is_left: bool) -> u8 {
    match (is_top, is_left) {
        (true, true) => ANTI_TRANSPOSED,
        (false, true) => 0,
        (true, false) => TRANSPOSED,
        (false, false) => TRANSPOSED | ANTI_TRANSPOSED,
    }
}

/// Sixteen cells, row by row.
pub type Cells<B> = [B; 16];

/// The state of the games that a step changes, and their limits.
#[derive(Clone, Copy)]
pub struct Games<B> {
    pub cells: Cells<B>,
    pub turned: B,
    pub moves: B,
    pub fours: B,
    /// A game that has made this many moves makes no more.
    pub limit: B,
    /// The corner that the policy prefers, see [`corner_byte`].
    pub corner: B,
    /// Mask: the goal tile has appeared. The game stops before the environment's reply.
    pub reached: B,
}

/// The result of the mover's half of a step.
#[derive(Clone, Copy)]
pub struct Slid<B> {
    /// Mask: a tile must be spawned.
    pub open: B,
    /// The number of empty cells.
    pub empties: B,
}

/// The random bytes that decide a spawn.
#[derive(Clone, Copy)]
pub struct Draw<B> {
    /// Which of the empty cells, counted row by row.
    pub pick: B,
    /// The high and low byte of a number below 65536.
    pub tile: [B; 2],
}

impl<B: Bytes> Games<B> {
    /// Slides every board in its direction, unless the policy rejects the move. With `LIMITED`, boards at their limit
    /// or their goal do not change.
    #[inline(always)]
    pub fn slide<const LIMITED: bool, const POLICY: u8>(&mut self, direction: B, goal: B) -> Slid<B> {
        turn(&mut self.cells, direction);
        self.turned = self.turned.xor(direction);
        let before = self.cells;
        let (mut moved, merged) = slide_rows(&mut self.cells);
        if LIMITED || POLICY != RANDOM {
            let mut still = self.rejected::<POLICY>(direction, merged);
            if LIMITED {
                still = still.or(self.halted());
            }
            for (i, cell) in self.cells.iter_mut().enumerate() {
                *cell = still.choose(before[i], *cell);
            }
            moved = moved.without(still);
        }
        let mut open = moved;
        if LIMITED {
            self.reached = any_equals(&self.cells, goal);
            open = moved.without(self.reached);
        }
        self.moves = self.moves.minus(moved);
        Slid { open, empties: B::splat(0).minus(self.minus_empties()[3]) }
    }

    /// Mask: the policy does not prefer the move, and the random number rejects it.
    #[inline(always)]
    fn rejected<const POLICY: u8>(&self, direction: B, merged: B) -> B {
        let preferred = match POLICY {
            MERGE => merged,
            CORNER => self.toward_corner(),
            _ => return B::splat(0),
        };
        let chance = direction.and(B::splat(0x3F));
        chance.at_least(B::splat(64 / PREFERENCE)).without(preferred)
    }

    /// Mask: the direction of this step leads to the preferred corner.
    #[inline(always)]
    fn toward_corner(&self) -> B {
        let is_second_bit = self.corner.plus(self.corner);
        let bit = is_second_bit.choose(self.turned.plus(self.turned), self.turned);
        bit.xor(self.corner).choose(B::splat(0), B::splat(0xFF))
    }

    /// Mask: the game has reached its limit or its goal.
    #[inline(always)]
    pub fn halted(&self) -> B {
        self.reached.or(self.moves.equals(self.limit))
    }

    /// Puts a 4 with probability 6554/65536, else a 2, into the empty cell that was picked.
    #[inline(always)]
    pub fn spawn(&mut self, open: B, draw: Draw<B>) {
        let four = below_a_tenth(draw.tile).and(open);
        self.fours = self.fours.minus(four);
        let tile = B::splat(byte_of_rank(1)).minus(four);
        // `start` is minus one minus the number of empty cells to skip. Where nothing spawns it is far below zero.
        // Adding the empty cells of the rows, one row after another, makes it 0..=3 in the row of the tile. The rows
        // are packed to the left, so this is then the number of cells to the right of the tile.
        let below = B::splat(0x80);
        let start = open.choose(draw.pick.xor(B::splat(0xFF)), below);
        let mut begin = start;
        for (row, empties) in self.minus_empties().into_iter().enumerate() {
            let end = start.minus(empties);
            spawn_in_row(&mut self.cells, row, begin.choose(end, below), tile);
            begin = end;
        }
    }

    /// Minus the number of empty cells in the first row, the first two, three and all.
    #[inline(always)]
    fn minus_empties(&self) -> [B; 4] {
        let [first, second] = [row_minus_empties(&self.cells, 0), row_minus_empties(&self.cells, 1)];
        let [third, fourth] = [row_minus_empties(&self.cells, 2), row_minus_empties(&self.cells, 3)];
        let two = first.plus(second);
        [first, two, two.plus(third), two.plus(third.plus(fourth))]
    }

    /// Mask: no move is legal.
    #[inline(always)]
    pub fn stuck(&self) -> B {
        let cells = &self.cells;
        let zero = B::splat(0);
        let mut movable = any_equals(cells, zero);
        for line in 0..4 {
            for i in 0..3 {
                movable = movable.or(mergeable(cells[4 * line + i], cells[4 * line + i + 1]));
                movable = movable.or(mergeable(cells[4 * i + line], cells[4 * i + line + 4]));
            }
        }
        movable.equals(zero)
    }
}

/// Mask: two equal tiles that merge. An empty cell or a 32768 is replaced by 1, which equals no cell.
#[inline(always)]
fn mergeable<B: Bytes>(a: B, b: B) -> B {
    a.equals(b.max_signed(B::splat(1)))
}

#[inline(always)]
fn swap<B: Bytes>(cells: &mut Cells<B>, mask: B, pairs: [(usize, usize); 6]) {
    for (i, j) in pairs {
        (cells[i], cells[j]) = (mask.choose(cells[j], cells[i]), mask.choose(cells[i], cells[j]));
    }
}

#[inline(always)]
fn turn<B: Bytes>(cells: &mut Cells<B>, direction: B) {
    swap(cells, direction, [(1, 4), (2, 8), (3, 12), (6, 9), (7, 13), (11, 14)]);
    let second_bit = direction.plus(direction);
    swap(cells, second_bit, [(0, 15), (1, 11), (2, 7), (4, 14), (5, 10), (8, 13)]);
}

/// Slides all rows to the left. Returns two masks: the board has changed, and two tiles have merged.
#[inline(always)]
fn slide_rows<B: Bytes>(cells: &mut Cells<B>) -> (B, B) {
    let zero = B::splat(0);
    let (mut packed, mut merged) = (zero, zero);
    for row in cells.chunks_exact_mut(4) {
        packed = packed.or(pack(row));
        merged = merged.or(merge(row));
    }
    (B::splat(0xFF).without(packed.or(merged).equals(zero)), merged)
}

/// Closes the gaps in a row. The result is not zero if a tile has moved.
#[inline(always)]
fn pack<B: Bytes>(row: &mut [B]) -> B {
    let zero = B::splat(0);
    let (a, b, c, d) = (row[0], row[1], row[2], row[3]);
    let left = b.and(a.equals(zero));
    let (a, b) = (a.or(left), b.xor(left));
    let right = d.and(c.equals(zero));
    let (c, d) = (c.or(right), d.xor(right));
    // Both halves are packed. Now the right half moves toward the left half.
    let (no_a, no_b) = (a.equals(zero), b.equals(zero));
    let middle = c.and(no_b);
    row[0] = a.or(c.and(no_a));
    row[1] = no_a.choose(d, b.or(middle));
    row[2] = no_b.choose(d, c).without(no_a);
    row[3] = d.without(no_b);
    left.or(right).or(middle)
}

/// Merges equal neighbours of a packed row, from the left. Mask: two tiles merged.
#[inline(always)]
fn merge<B: Bytes>(row: &mut [B]) -> B {
    let (a, b, c, d) = (row[0], row[1], row[2], row[3]);
    let first = mergeable(a, b);
    row[0] = a.minus(first);
    let (b, c, d) = (first.choose(c, b), first.choose(d, c), d.without(first));
    let second = mergeable(b, c);
    row[1] = b.minus(second);
    let (c, d) = (second.choose(d, c), d.without(second));
    let third = mergeable(c, d);
    row[2] = c.minus(third);
    row[3] = d.without(third);
    first.or(second).or(third)
}

/// Mask: some cell holds `byte`.
#[inline(always)]
fn any_equals<B: Bytes>(cells: &Cells<B>, byte: B) -> B {
    let mut found = B::splat(0);
    for cell in cells {
        found = found.or(cell.equals(byte));
    }
    found
}

#[inline(always)]
fn row_minus_empties<B: Bytes>(cells: &Cells<B>, row: usize) -> B {
    let zero = B::splat(0);
    let [a, b] = [cells[4 * row].equals(zero), cells[4 * row + 1].equals(zero)];
    let [c, d] = [cells[4 * row + 2].equals(zero), cells[4 * row + 3].equals(zero)];
    a.plus(b).plus(c.plus(d))
}

/// Mask: the two bytes are a number below 6554 = 25 * 256 + 154.
#[inline(always)]
fn below_a_tenth<B: Bytes>(tile: [B; 2]) -> B {
    let tie = tile[0].equals(B::splat(25)).without(tile[1].at_least(B::splat(154)));
    B::splat(0xFF).without(tile[0].at_least(B::splat(25))).or(tie)
}

/// Puts the tile into the row with `to_its_right` cells to its right, if that is 0..=3.
#[inline(always)]
fn spawn_in_row<B: Bytes>(cells: &mut Cells<B>, row: usize, to_its_right: B, tile: B) {
    for column in 0..4 {
        let here = to_its_right.equals(B::splat(3 - column as u8));
        cells[4 * row + column] = cells[4 * row + column].or(here.and(tile));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::playouts::coding::{decode, encode};
    use crate::games::twenty48::tests::random_board;
    use crate::games::twenty48::{Board, Direction, reference};
    use crate::rng::seeded;

    fn games(board: Board) -> Games<u8> {
        Games { cells: encode(board), turned: 0, moves: 0, fours: 0, limit: 255, corner: 0, reached: 0 }
    }

    /// The direction that each direction byte turns to the left.
    const TURNS: [(u8, Direction); 4] = [
        (0, Direction::Left),
        (TRANSPOSED, Direction::Up),
        (ANTI_TRANSPOSED, Direction::Down),
        (TRANSPOSED | ANTI_TRANSPOSED, Direction::Right),
    ];

    #[test]
    fn slides_equal_the_reference_in_all_directions() {
        let mut rng = seeded(1);
        for _ in 0..200_000 {
            let board = random_board(&mut rng);
            let mut legal = false;
            for (byte, direction) in TURNS {
                let mut slid = games(board);
                let outcome = slid.slide::<false, RANDOM>(byte, NO_GOAL);
                turn(&mut slid.cells, byte);
                let expected = reference::slid(board, direction).0;
                assert_eq!(decode(slid.cells), expected, "{board} {direction}");
                assert_eq!(outcome.open != 0, expected != board, "{board} {direction}");
                assert_eq!(u32::from(outcome.empties), expected.empty_count());
                legal |= expected != board;
            }
            // An empty board has no legal move either, but it marks an empty lane, which must not count as ended.
            assert_eq!(games(board).stuck() != 0, !legal && board.0 != 0, "{board}");
        }
    }

    #[test]
    fn every_pick_is_another_empty_cell() {
        let mut rng = seeded(2);
        for _ in 0..20_000 {
            let mut slid = games(random_board(&mut rng));
            slid.slide::<false, RANDOM>(0, NO_GOAL);
            let before = decode(slid.cells);
            for pick in 0..before.empty_count() {
                let (mut two, mut four) = (slid, slid);
                two.spawn(0xFF, Draw { pick: pick as u8, tile: [255, 0] });
                four.spawn(0xFF, Draw { pick: pick as u8, tile: [0, 255] });
                let cell = before.nth_empty(pick);
                assert_eq!((decode(two.cells), two.fours), (before.with(cell, 1), 0));
                assert_eq!((decode(four.cells), four.fours), (before.with(cell, 2), 1));
            }
            let mut none = slid;
            none.spawn(0, Draw { pick: 0, tile: [0, 0] });
            assert_eq!((decode(none.cells), none.fours), (before, 0));
        }
    }

    /// The low six bits of the direction byte decide whether a move that is not preferred is made.
    #[test]
    fn a_move_that_is_not_preferred_is_made_once_in_eight() {
        let board: Board = "2,0,0,0/0,4,0,0/0,0,0,0/0,0,0,8".parse().unwrap();
        for corner in [(true, true), (true, false), (false, true), (false, false)] {
            for (byte, direction) in TURNS {
                let leads_there = match direction {
                    Direction::Up => corner.0,
                    Direction::Down => !corner.0,
                    Direction::Left => corner.1,
                    Direction::Right => !corner.1,
                };
                let start = Games { corner: corner_byte(corner.0, corner.1), ..games(board) };
                let made =
                    (0..64).filter(|chance| start.clone().slide::<false, CORNER>(byte | chance, NO_GOAL).open != 0);
                assert_eq!(made.count(), if leads_there { 64 } else { 8 }, "{corner:?} {direction}");
            }
        }
        let merging: Board = "2,2,0,0/0,4,0,0/0,0,0,0/0,0,0,8".parse().unwrap();
        for (byte, direction) in TURNS {
            let is_merge = matches!(direction, Direction::Left | Direction::Right);
            let made =
                (0..64).filter(|chance| games(merging).slide::<false, MERGE>(byte | chance, NO_GOAL).open != 0).count();
            assert_eq!(made, if is_merge { 64 } else { 8 }, "{direction}");
        }
    }

    #[test]
    fn a_four_is_6554_in_65536() {
        let fours = (0..=u16::MAX).filter(|number| below_a_tenth(number.to_be_bytes()) != 0).count();
        assert_eq!(fours, 6554);
    }

    #[test]
    fn games_stand_still_at_limit_and_goal() {
        let board: Board = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,8".parse().unwrap();
        let mut at_limit = Games { moves: 7, limit: 7, ..games(board) };
        assert_eq!(at_limit.slide::<true, RANDOM>(0, NO_GOAL).open, 0);
        assert_eq!((decode(at_limit.cells), at_limit.moves), (board, 7));
        let mut at_goal = games(board);
        assert_eq!(at_goal.slide::<true, RANDOM>(0, byte_of_rank(2)).open, 0);
        assert_eq!((at_goal.reached, at_goal.moves), (0xFF, 1));
        let after = decode(at_goal.cells);
        assert_eq!(after, reference::slid(board, Direction::Left).0);
        at_goal.slide::<true, RANDOM>(0, byte_of_rank(2));
        assert_eq!((decode(at_goal.cells), at_goal.moves), (after, 1));
    }
}
