//! The kernel with 256-bit vectors: every instruction works on a whole block of games.
//!
//! All unsafe code of the playouts is here. It is sound because a [`Token`] exists only if the processor has the
//! features that [`advance`] is compiled for.

use std::arch::x86_64::*;

use super::LANES;
use super::block::{Block, LaneBytes};
use super::bytes::Bytes;
use super::kernel::{Draw, Games};
use super::noise::{Noise, Step};
pub use crate::games::simd::Avx2 as Token;

impl Token {
    #[inline]
    pub(super) fn advance<const LIMITED: bool, const POLICY: u8>(
        self,
        block: &mut Block,
        noise: &mut Noise,
        steps: usize,
    ) {
        // SAFETY: a token exists only if the processor has the features.
        unsafe { advance::<LIMITED, POLICY>(block, noise, steps) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn advance<const LIMITED: bool, const POLICY: u8>(block: &mut Block, noise: &mut Noise, steps: usize) {
    // A closure for `from_fn` would not be inlined, because `from_fn` is compiled without the features.
    let mut cells = [Lanes32::splat(0); 16];
    for (i, row) in block.cells.iter().enumerate() {
        cells[i] = load(row);
    }
    let mut games = Games {
        cells,
        turned: load(&block.turned),
        moves: load(&block.moves),
        fours: load(&block.fours),
        limit: load(&block.limit),
        corner: load(&block.corner),
        reached: Lanes32::splat(0),
    };
    // Sixteen cells do not fit into the registers, so some are kept on the stack. The compiler aligns the stack only if
    // a function has an aligned local variable. Without it every other vector would cross a cache line, which was
    // measured to be much slower.
    let mut aligned = LaneBytes::ZERO;
    std::hint::black_box(&mut aligned);
    let goal = Lanes32::splat(block.goal);
    for _ in 0..steps {
        let step = noise.step();
        let slid = games.slide::<LIMITED, POLICY>(load(&step.direction), goal);
        let pick = pick(slid.empties, &step);
        games.spawn(slid.open, Draw { pick, tile: [load(&step.tile[0]), load(&step.tile[1])] });
    }
    for (i, row) in block.cells.iter_mut().enumerate() {
        store(games.cells[i], row);
    }
    store(games.turned, &mut block.turned);
    store(games.moves, &mut block.moves);
    store(games.fours, &mut block.fours);
    store(games.stuck(), &mut block.stuck);
    if LIMITED {
        store(games.halted(), &mut block.halted);
    }
}

/// As [`super::block::pick`].
#[inline(always)]
fn pick(empties: Lanes32, step: &Step) -> Lanes32 {
    // SAFETY: reached only through `advance`; a `LaneBytes` is aligned and as long as a vector.
    unsafe {
        let odd = _mm256_set1_epi16(0xFF00_u16.cast_signed());
        let even_pick = _mm256_mulhi_epu16(load(&step.cell[0]).0, _mm256_andnot_si256(odd, empties.0));
        let odd_pick = _mm256_mulhi_epu16(load(&step.cell[1]).0, _mm256_and_si256(odd, empties.0));
        Lanes32(_mm256_blendv_epi8(even_pick, odd_pick, odd))
    }
}

#[inline(always)]
fn load(row: &LaneBytes) -> Lanes32 {
    // SAFETY: reached only through `advance`; a `LaneBytes` is aligned and as long as a vector.
    Lanes32(unsafe { _mm256_load_si256(std::ptr::from_ref(row).cast()) })
}

#[inline(always)]
fn store(lanes: Lanes32, row: &mut LaneBytes) {
    // SAFETY: as for `load`.
    unsafe { _mm256_store_si256(std::ptr::from_mut(row).cast(), lanes.0) }
}

/// One byte for each lane of a block. Made and used only within [`advance`].
#[derive(Clone, Copy)]
struct Lanes32(__m256i);

const _: () = assert!(size_of::<Lanes32>() == LANES);

/// An operation that is one instruction.
macro_rules! instructions {
    ($($operation:ident = $instruction:ident;)*) => {$(
        #[inline(always)]
        fn $operation(self, other: Self) -> Self {
            // SAFETY: reached only through `advance`.
            Lanes32(unsafe { $instruction(self.0, other.0) })
        }
    )*};
}

impl Bytes for Lanes32 {
    instructions! {
        and = _mm256_and_si256;
        or = _mm256_or_si256;
        xor = _mm256_xor_si256;
        plus = _mm256_add_epi8;
        minus = _mm256_sub_epi8;
        equals = _mm256_cmpeq_epi8;
        max_signed = _mm256_max_epi8;
        max_unsigned = _mm256_max_epu8;
    }

    #[inline(always)]
    fn splat(value: u8) -> Self {
        // SAFETY: reached only through `advance`.
        Lanes32(unsafe { _mm256_set1_epi8(value.cast_signed()) })
    }

    #[inline(always)]
    fn without(self, mask: Self) -> Self {
        // SAFETY: reached only through `advance`.
        Lanes32(unsafe { _mm256_andnot_si256(mask.0, self.0) })
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: reached only through `advance`.
        Lanes32(unsafe { _mm256_blendv_epi8(no.0, yes.0, self.0) })
    }
}
