//! Thirty-two games side by side, and their next few steps.

use super::super::Board;
use super::LANES;
#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::coding::decode;
use super::kernel::{ANTI_TRANSPOSED, Draw, Games, TRANSPOSED};
use super::noise::{Noise, Step};

/// Steps between two looks at which games have ended. Fewer waste time looking, more waste steps of ended games.
pub const STEPS: usize = 8;

/// One byte for each lane, aligned for whole-vector access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [u8; LANES]);

impl Row {
    pub const ZERO: Row = Row([0; LANES]);

    /// One bit for each lane, set where the byte is a mask of ones.
    #[inline]
    pub fn bits(&self) -> u32 {
        let (words, _) = self.0.as_chunks::<8>();
        words.iter().rev().fold(0, |bits, &word| {
            // The product gathers the lowest bits of eight bytes in its top byte.
            let ones = u64::from_le_bytes(word) & 0x0101_0101_0101_0101;
            bits << 8 | (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
        })
    }
}

/// Which machine code plays the block. The games are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Token),
}

impl Engine {
    /// The fastest one of this machine.
    pub fn detect() -> Engine {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = avx2::Token::detect() {
            return Engine::Avx2(token);
        }
        Engine::Portable
    }
}

/// The fields of [`Games`], lane by lane in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub cells: [Row; 16],
    pub turned: Row,
    pub moves: Row,
    pub fours: Row,
    pub limit: Row,
    /// The goal tile's byte.
    pub goal: u8,
    /// Masks, set by [`Block::advance`]: no move is legal.
    pub stuck: Row,
    /// The limit or the goal was reached.
    pub halted: Row,
}

impl Block {
    /// Empty boards: nothing on them moves, and they never end.
    pub fn new(goal: u8) -> Block {
        Block {
            cells: [Row::ZERO; 16],
            turned: Row::ZERO,
            moves: Row::ZERO,
            fours: Row::ZERO,
            limit: Row([u8::MAX; LANES]),
            goal,
            stuck: Row::ZERO,
            halted: Row::ZERO,
        }
    }

    /// Puts a new game into a lane.
    #[inline]
    pub fn put(&mut self, lane: usize, cells: &[u8; 16]) {
        for (row, &cell) in self.cells.iter_mut().zip(cells) {
            row.0[lane] = cell;
        }
        self.turned.0[lane] = 0;
        self.moves.0[lane] = 0;
        self.fours.0[lane] = 0;
    }

    /// The board as it would lie had it never been turned.
    #[inline]
    pub fn board(&self, lane: usize) -> Board {
        let board = decode(std::array::from_fn(|cell| self.cells[cell].0[lane]));
        let turned = self.turned.0[lane];
        // The anti-transpose is a transpose and a half turn.
        let half_turned = turned & ANTI_TRANSPOSED != 0;
        let transposed = (turned & TRANSPOSED != 0) != half_turned;
        let board = if half_turned { half_turn(board) } else { board };
        if transposed { board.transposed() } else { board }
    }

    /// Plays [`STEPS`] steps; without `LIMITED`, limits and goal are ignored.
    #[inline]
    pub fn advance<const LIMITED: bool>(&mut self, engine: Engine, noise: &mut Noise) {
        match engine {
            Engine::Portable => self.advance_portably::<LIMITED>(noise),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(token) => token.advance::<LIMITED>(self, noise),
        }
    }

    fn advance_portably<const LIMITED: bool>(&mut self, noise: &mut Noise) {
        let mut reached = Row::ZERO;
        for _ in 0..STEPS {
            let step = noise.step();
            let (open, empties) = self.slide_lanes::<LIMITED>(&step.direction, &mut reached);
            self.spawn_in_lanes(&open, &pick(&empties, &step), &step);
        }
        for lane in 0..LANES {
            let games = self.games(lane, reached.0[lane]);
            self.stuck.0[lane] = games.stuck();
            if LIMITED {
                self.halted.0[lane] = games.halted();
            }
        }
    }

    #[inline(always)]
    fn slide_lanes<const LIMITED: bool>(&mut self, direction: &Row, reached: &mut Row) -> (Row, Row) {
        let (mut open, mut empties) = (Row::ZERO, Row::ZERO);
        for lane in 0..LANES {
            let mut games = self.games(lane, reached.0[lane]);
            let slid = games.slide::<LIMITED>(direction.0[lane], self.goal);
            self.set_cells(lane, &games);
            self.turned.0[lane] = games.turned;
            self.moves.0[lane] = games.moves;
            reached.0[lane] = games.reached;
            (open.0[lane], empties.0[lane]) = (slid.open, slid.empties);
        }
        (open, empties)
    }

    #[inline(always)]
    fn spawn_in_lanes(&mut self, open: &Row, pick: &Row, step: &Step) {
        for lane in 0..LANES {
            let mut games = self.games(lane, 0);
            let tile = [step.tile[0].0[lane], step.tile[1].0[lane]];
            games.spawn(open.0[lane], Draw { pick: pick.0[lane], tile });
            self.set_cells(lane, &games);
            self.fours.0[lane] = games.fours;
        }
    }

    #[inline(always)]
    fn games(&self, lane: usize, reached: u8) -> Games<u8> {
        Games {
            cells: std::array::from_fn(|i| self.cells[i].0[lane]),
            turned: self.turned.0[lane],
            moves: self.moves.0[lane],
            fours: self.fours.0[lane],
            limit: self.limit.0[lane],
            reached,
        }
    }

    #[inline(always)]
    fn set_cells(&mut self, lane: usize, games: &Games<u8>) {
        for i in 0..16 {
            self.cells[i].0[lane] = games.cells[i];
        }
    }
}

/// Turned upside down: the cells in reverse order.
fn half_turn(board: Board) -> Board {
    let pairs = board.0.swap_bytes();
    Board((pairs & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (pairs >> 4 & 0x0F0F_0F0F_0F0F_0F0F))
}

/// For each lane a number below its `empties`: a 16-bit number times `empties`, less its lower 16 bits. The chance of
/// each differs from 1 / empties by less than 1/65536.
#[inline(always)]
fn pick(empties: &Row, step: &Step) -> Row {
    let mut pick = Row::ZERO;
    for pair in 0..LANES / 2 {
        let number = |half: usize| {
            let bytes = &step.cell[half].0;
            u32::from(u16::from_le_bytes([bytes[2 * pair], bytes[2 * pair + 1]]))
        };
        let [even, odd] = [2 * pair, 2 * pair + 1];
        pick.0[even] = ((number(0) * u32::from(empties.0[even])) >> 16) as u8;
        pick.0[odd] = ((number(1) * u32::from(empties.0[odd])) >> 16) as u8;
    }
    pick
}
