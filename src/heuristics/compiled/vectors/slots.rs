//! The values of the moves after a tile has been put into a gap, stored for each of its cells.

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// A gap is at most a whole row.
const LONGEST_GAP: usize = 4;

/// The values of the moves in both directions of a 2 and of a 4 put into a gap: in the middle, and at the edge toward
/// which it slides. The value of an illegal move is minus infinity.
pub(super) struct Gap {
    pub middle: __m256d,
    pub edge: __m256d,
}

/// For each cell of an axis, the values of the moves of a tile in it. Only the slots of empty cells are ever read.
pub(super) struct Slots([MaybeUninit<__m256d>; 16 + LONGEST_GAP - 1]);

impl Slots {
    /// No slot is written yet.
    pub const EMPTY: Slots = Slots([MaybeUninit::uninit(); 16 + LONGEST_GAP - 1]);

    /// Stores the values of a gap for each of its cells. It always writes as many slots as the longest gap has cells.
    /// The gaps must come in the order of their cells: a later gap writes its own cells again.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn put(&mut self, first: usize, last: usize, gap: Gap) {
        for slot in &mut self.0[first % 16 + 1..first % 16 + LONGEST_GAP] {
            slot.write(gap.middle);
        }
        self.0[first % 16].write(_mm256_blend_pd::<0b0101>(gap.middle, gap.edge));
        // SAFETY: the last cell is the first or one of the next three, which have just been written.
        let at_last = unsafe { self.get(last) };
        self.0[last % 16].write(_mm256_blend_pd::<0b1010>(at_last, gap.edge));
    }

    /// The values of a tile in an empty cell.
    ///
    /// # Safety
    ///
    /// `put` must have written this slot: all slots of empty cells are written once all gaps are stored.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub unsafe fn get(&self, place: usize) -> __m256d {
        // SAFETY: the caller guarantees that the slot was written.
        unsafe { self.0[place % 16].assume_init() }
    }
}
