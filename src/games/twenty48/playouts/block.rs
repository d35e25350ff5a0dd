//! A block of 32 games, and the code that plays their next steps.

use super::super::Board;
use super::LANES;
#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::coding::decode;
use super::kernel::{ANTI_TRANSPOSED, Draw, Games, TRANSPOSED};
use super::noise::{Noise, Step};

/// The number of steps between two checks for ended games. With fewer steps, the checks take more of the time. With
/// more steps, ended games occupy their lanes for longer.
pub const STEPS: usize = 8;

/// One byte for each lane, aligned for whole-vector access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct LaneBytes(pub [u8; LANES]);

impl LaneBytes {
    pub const ZERO: LaneBytes = LaneBytes([0; LANES]);

    /// One bit for each lane, set if the byte of the lane is 0xFF. The bytes must be masks.
    #[inline]
    pub fn bits(&self) -> u32 {
        let (words, _) = self.0.as_chunks::<8>();
        words.iter().rev().fold(0, |bits, &word| {
            // The top byte of the product holds the lowest bits of the eight bytes.
            let ones = u64::from_le_bytes(word) & 0x0101_0101_0101_0101;
            bits << 8 | (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
        })
    }
}

/// The instruction set that plays the block. All of them play the same games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Token),
}

impl Engine {
    /// The fastest engine that this machine supports.
    pub fn detect() -> Engine {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = avx2::Token::detect() {
            return Engine::Avx2(token);
        }
        Engine::Portable
    }
}

/// The fields of [`Games`] for 32 lanes, in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub cells: [LaneBytes; 16],
    pub turned: LaneBytes,
    pub moves: LaneBytes,
    pub fours: LaneBytes,
    pub limit: LaneBytes,
    pub corner: LaneBytes,
    /// The goal tile's byte.
    pub goal: u8,
    /// Mask, set by [`Block::advance`]: no move is legal.
    pub stuck: LaneBytes,
    /// Mask, set by [`Block::advance`]: the limit or the goal was reached.
    pub halted: LaneBytes,
}

impl Block {
    /// A block of empty boards. An empty board never changes and never counts as ended.
    pub fn new(goal: u8) -> Block {
        Block {
            cells: [LaneBytes::ZERO; 16],
            turned: LaneBytes::ZERO,
            moves: LaneBytes::ZERO,
            fours: LaneBytes::ZERO,
            limit: LaneBytes([u8::MAX; LANES]),
            corner: LaneBytes::ZERO,
            goal,
            stuck: LaneBytes::ZERO,
            halted: LaneBytes::ZERO,
        }
    }

    /// Puts a new game into a lane.
    #[inline]
    pub fn put(&mut self, lane: usize, cells: &[u8; 16], corner: u8) {
        // `lane` is below LANES. The remainder lets the compiler drop the bounds checks.
        let lane = lane % LANES;
        for (i, lanes) in self.cells.iter_mut().enumerate() {
            lanes.0[lane] = cells[i];
        }
        self.turned.0[lane] = 0;
        self.moves.0[lane] = 0;
        self.fours.0[lane] = 0;
        self.corner.0[lane] = corner;
    }

    /// The board of a lane in its original orientation.
    #[inline(always)]
    pub fn board(&self, lane: usize) -> Board {
        let lane = lane % LANES;
        let mut bytes = [0; 16];
        for (i, lanes) in self.cells.iter().enumerate() {
            bytes[i] = lanes.0[lane];
        }
        let board = decode(bytes);
        let turned = self.turned.0[lane];
        // An anti-transpose is a transpose followed by a rotation by 180 degrees.
        let half_turned = turned & ANTI_TRANSPOSED != 0;
        let transposed = (turned & TRANSPOSED != 0) != half_turned;
        let board = if half_turned { half_turn(board) } else { board };
        if transposed { board.transposed() } else { board }
    }

    /// Plays this many steps by the policy. Without `LIMITED`, the move limits and the goal are ignored.
    #[inline]
    pub fn advance<const LIMITED: bool, const POLICY: u8>(&mut self, engine: Engine, noise: &mut Noise, steps: usize) {
        match engine {
            Engine::Portable => self.advance_portably::<LIMITED, POLICY>(noise, steps),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2(token) => token.advance::<LIMITED, POLICY>(self, noise, steps),
        }
    }

    fn advance_portably<const LIMITED: bool, const POLICY: u8>(&mut self, noise: &mut Noise, steps: usize) {
        let mut reached = LaneBytes::ZERO;
        for _ in 0..steps {
            let step = noise.step();
            let (open, empties) = self.slide_lanes::<LIMITED, POLICY>(&step.direction, &mut reached);
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
    fn slide_lanes<const LIMITED: bool, const POLICY: u8>(
        &mut self,
        direction: &LaneBytes,
        reached: &mut LaneBytes,
    ) -> (LaneBytes, LaneBytes) {
        let (mut open, mut empties) = (LaneBytes::ZERO, LaneBytes::ZERO);
        for lane in 0..LANES {
            let mut games = self.games(lane, reached.0[lane]);
            let slid = games.slide::<LIMITED, POLICY>(direction.0[lane], self.goal);
            self.set_cells(lane, &games);
            self.turned.0[lane] = games.turned;
            self.moves.0[lane] = games.moves;
            reached.0[lane] = games.reached;
            (open.0[lane], empties.0[lane]) = (slid.open, slid.empties);
        }
        (open, empties)
    }

    #[inline(always)]
    fn spawn_in_lanes(&mut self, open: &LaneBytes, pick: &LaneBytes, step: &Step) {
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
            corner: self.corner.0[lane],
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

/// The board rotated by 180 degrees, which reverses the order of its cells.
fn half_turn(board: Board) -> Board {
    let pairs = board.0.swap_bytes();
    Board((pairs & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (pairs >> 4 & 0x0F0F_0F0F_0F0F_0F0F))
}

/// For each lane a random number below its `empties`: a random 16-bit number times `empties`, shifted right by 16 bits.
/// The probability of each result differs from 1 / empties by less than 1/65536.
#[inline(always)]
fn pick(empties: &LaneBytes, step: &Step) -> LaneBytes {
    let mut pick = LaneBytes::ZERO;
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
