//! The operations on bytes that the kernel uses.
//!
//! The kernel has one byte for each game. With `u8` it plays one lane of a block, and the compiler vectorises the loop
//! over the lanes. With [`avx2::Lanes32`](super::avx2) one value is a whole block. Every operation works on each byte
//! alone and is exact, so both play the same games.

/// One byte for each game. A mask is 0xFF or 0 in each byte.
pub trait Bytes: Copy {
    fn splat(value: u8) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The bits of `self` that are not in `mask`.
    fn without(self, mask: Self) -> Self;
    /// Addition that wraps around.
    fn plus(self, other: Self) -> Self;
    /// Subtraction that wraps around. Subtracting a mask adds one where the mask is set.
    fn minus(self, other: Self) -> Self;
    /// Mask: the bytes are equal.
    fn equals(self, other: Self) -> Self;
    /// The larger of two signed numbers.
    fn max_signed(self, other: Self) -> Self;
    /// The larger of two unsigned numbers.
    fn max_unsigned(self, other: Self) -> Self;
    /// `yes` where the top bit of `self` is set, else `no`.
    fn choose(self, yes: Self, no: Self) -> Self;

    /// Mask: the byte is at least `bound`, both as unsigned numbers.
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
