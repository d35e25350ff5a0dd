//! The byte operations that the kernel is written in.
//!
//! The kernel knows one game per byte. With `u8` it plays one lane of a block and the compiler's vectoriser widens the
//! loop over the lanes; with [`avx2::Lanes32`](super::avx2) one value is a whole block. Every operation is exact and
//! per byte, so both give the same games.

/// One byte per game. Masks are bytes of all ones or all zeros.
pub trait Bytes: Copy {
    fn splat(value: u8) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The bits of `self` that are not in `mask`.
    fn without(self, mask: Self) -> Self;
    /// Wraps around.
    fn plus(self, other: Self) -> Self;
    /// Wraps around; taking a mask away counts up by one.
    fn minus(self, other: Self) -> Self;
    /// Mask: equal.
    fn equals(self, other: Self) -> Self;
    /// The larger as signed numbers.
    fn max_signed(self, other: Self) -> Self;
    /// The larger as unsigned numbers.
    fn max_unsigned(self, other: Self) -> Self;
    /// `yes` where the top bit of `self` is set, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;

    /// Mask: at least as large, as unsigned numbers.
    #[inline(always)]
    fn at_least(self, bound: Self) -> Self {
        self.max_unsigned(bound).equals(self)
    }
}

impl Bytes for u8 {
    #[inline(always)]
    fn splat(value: u8) -> u8 {
        value
    }
    #[inline(always)]
    fn and(self, other: u8) -> u8 {
        self & other
    }
    #[inline(always)]
    fn or(self, other: u8) -> u8 {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: u8) -> u8 {
        self ^ other
    }
    #[inline(always)]
    fn without(self, mask: u8) -> u8 {
        self & !mask
    }
    #[inline(always)]
    fn plus(self, other: u8) -> u8 {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: u8) -> u8 {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn equals(self, other: u8) -> u8 {
        if self == other { 0xFF } else { 0 }
    }
    #[inline(always)]
    fn max_signed(self, other: u8) -> u8 {
        self.cast_signed().max(other.cast_signed()).cast_unsigned()
    }
    #[inline(always)]
    fn max_unsigned(self, other: u8) -> u8 {
        self.max(other)
    }
    #[inline(always)]
    fn choose(self, yes: u8, no: u8) -> u8 {
        if self.cast_signed() < 0 { yes } else { no }
    }
}
