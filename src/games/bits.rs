//! The cells of a bitboard, one by one.

/// Iterates over the set bits of a mask, lowest first. Each item is a mask with one bit.
#[derive(Clone)]
pub struct Cells(pub u64);

impl Iterator for Cells {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let lowest = self.0 & self.0.wrapping_neg();
        self.0 ^= lowest;
        (lowest != 0).then_some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_lowest_first() {
        assert_eq!(Cells(0b1010_0001).collect::<Vec<_>>(), [1, 32, 128]);
    }
}
