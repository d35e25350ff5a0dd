//! Similarity with AVX2, all sixteen cells at once. A cell has 16 bits, so a row is one 64-bit element, and a shift
//! moves a cell to its neighbour.

use std::arch::x86_64::*;
use std::sync::LazyLock;

use super::{Board, SHARES, UNIT};
use crate::games::simd::Avx2;
use crate::games::twenty48::Cells;

/// The largest rank that is supported. With tiles above 4096 the differences of a block may not fit into 15 bits.
const MAX_RANK: u8 = 12;

/// As [`BoardValue::add_to`](super::BoardValue::add_to). If the processor has no AVX2 or a tile is too large, it does
/// nothing and returns false.
#[inline]
pub fn add_to(boards: &[Board], coefficient: f64, sums: &mut [f64]) -> bool {
    let allowed = *HAS_AVX2 && !boards.iter().any(|&board| has_beyond(board));
    if allowed {
        // SAFETY: the processor has AVX2.
        unsafe { add_each(boards, coefficient, sums) };
    }
    allowed
}

/// As [`BoardValue::add_to_replies`](super::BoardValue::add_to_replies), under the same conditions.
#[inline]
pub fn add_to_replies(after: Board, coefficient: f64, sums: &mut [f64]) -> bool {
    let allowed = *HAS_AVX2 && !has_beyond(after);
    if allowed {
        // SAFETY: the processor has AVX2.
        unsafe { add_each_reply(after, coefficient, sums) };
    }
    allowed
}

static HAS_AVX2: LazyLock<bool> = LazyLock::new(|| Avx2::detect().is_some());

#[target_feature(enable = "avx2")]
fn add_each(boards: &[Board], coefficient: f64, sums: &mut [f64]) {
    for (sum, &board) in sums.iter_mut().zip(boards) {
        *sum += coefficient * (f64::from(of(board)) / f64::from(UNIT));
    }
}

/// Whether some rank is above [`MAX_RANK`]: 13, 14 and 15 have both upper bits and at least one lower bit set.
#[inline(always)]
fn has_beyond(board: Board) -> bool {
    const { assert!(MAX_RANK == 12) };
    let x = board.0;
    x >> 3 & x >> 2 & (x >> 1 | x) & 0x1111_1111_1111_1111 != 0
}

/// A table of 16 bytes repeated for both 128-bit halves of a shuffle.
const fn twice(table: [u8; 16]) -> [u8; 32] {
    let mut both = [0; 32];
    let mut i = 0;
    while i < 32 {
        both[i] = table[i % 16];
        i += 1;
    }
    both
}

/// The lower (or upper) bytes of a table of 16-bit values.
const fn bytes(values: [u16; 16], upper: bool) -> [u8; 32] {
    let mut table = [0; 16];
    let mut i = 0;
    while i < 16 {
        table[i] = if upper { values[i] >> 8 } else { values[i] & 255 } as u8;
        i += 1;
    }
    twice(table)
}

const TILES: [u16; 16] = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 0, 0, 0];
const SHARES_BY_COUNT: [u16; 16] = {
    let mut shares = [0; 16];
    let mut i = 0;
    while i < 10 {
        shares[i] = SHARES[i];
        i += 1;
    }
    shares
};

static TILES_LOW: [u8; 32] = bytes(TILES, false);
static TILES_HIGH: [u8; 32] = bytes(TILES, true);
static SHARES_LOW: [u8; 32] = bytes(SHARES_BY_COUNT, false);
static SHARES_HIGH: [u8; 32] = bytes(SHARES_BY_COUNT, true);

#[inline]
#[target_feature(enable = "avx2")]
fn load(table: &'static [u8; 32]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(table.as_ptr().cast()) }
}

/// The 16-bit table entry for each 16-bit index below 16.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(low: &'static [u8; 32], high: &'static [u8; 32], index: __m256i) -> __m256i {
    let low = _mm256_shuffle_epi8(load(low), index);
    let high = _mm256_shuffle_epi8(load(high), index);
    _mm256_or_si256(low, _mm256_slli_epi16::<8>(high))
}

/// Each row is replaced by the one below it, and the last row by zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn from_below(rows: __m256i) -> __m256i {
    let turned = _mm256_permute4x64_epi64::<0b00_11_10_01>(rows);
    _mm256_blend_epi32::<0b1100_0000>(turned, _mm256_setzero_si256())
}

/// Each row is replaced by the one above it, and the first row by zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn from_above(rows: __m256i) -> __m256i {
    let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(rows);
    _mm256_blend_epi32::<0b0000_0011>(turned, _mm256_setzero_si256())
}

/// Each cell is replaced by its right neighbour.
#[inline]
#[target_feature(enable = "avx2")]
fn from_right(rows: __m256i) -> __m256i {
    _mm256_srli_epi64::<16>(rows)
}

/// Each cell is replaced by its left neighbour.
#[inline]
#[target_feature(enable = "avx2")]
fn from_left(rows: __m256i) -> __m256i {
    _mm256_slli_epi64::<16>(rows)
}

/// |a - b| where both are tiles, 0 elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn difference(a: __m256i, b: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let missing = _mm256_or_si256(_mm256_cmpeq_epi16(a, zero), _mm256_cmpeq_epi16(b, zero));
    let apart = _mm256_sub_epi16(_mm256_max_epu16(a, b), _mm256_min_epu16(a, b));
    _mm256_andnot_si256(missing, apart)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi16(a, b)
}

/// The ranks, 16 bits each.
#[inline]
#[target_feature(enable = "avx2")]
fn ranks(board: Board) -> __m256i {
    let even = _mm_cvtsi64_si128((board.0 & 0x0F0F_0F0F_0F0F_0F0F) as i64);
    let odd = _mm_cvtsi64_si128((board.0 >> 4 & 0x0F0F_0F0F_0F0F_0F0F) as i64);
    _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(even, odd))
}

/// For each cell the sum of the differences to its neighbours. Each pair is computed once and added to both cells.
#[inline]
#[target_feature(enable = "avx2")]
fn differences(tiles: __m256i) -> __m256i {
    let right = difference(tiles, from_right(tiles));
    let below = from_below(tiles);
    let down = difference(tiles, below);
    let down_left = difference(tiles, from_left(below));
    let down_right = difference(tiles, from_right(below));
    let near = add(add(right, from_left(right)), add(down, add(down_left, down_right)));
    let far = add(down, add(from_right(down_left), from_left(down_right)));
    add(near, from_above(far))
}

/// The number of tiles in the block around each cell.
#[inline]
#[target_feature(enable = "avx2")]
fn counts(tiles: __m256i) -> __m256i {
    let empty = _mm256_cmpeq_epi16(tiles, _mm256_setzero_si256());
    let occupied = _mm256_andnot_si256(empty, _mm256_set1_epi16(1));
    let across = add(occupied, add(from_left(occupied), from_right(occupied)));
    add(across, add(from_below(across), from_above(across)))
}

/// The similarity in units of 1/2520.
#[inline]
#[target_feature(enable = "avx2")]
fn of(board: Board) -> i32 {
    let tiles = look_up(&TILES_LOW, &TILES_HIGH, ranks(board));
    let shares = look_up(&SHARES_LOW, &SHARES_HIGH, counts(tiles));
    sum(_mm256_madd_epi16(differences(tiles), shares))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(products: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(products), _mm256_extracti128_si256::<1>(products));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}

/// The board before its replies. `shares` has 2520 divided by the number of tiles in the block around each cell;
/// `shares_of_more` has the same with one more tile.
struct Before {
    tiles: __m256i,
    differences: __m256i,
    shares: __m256i,
    shares_of_more: __m256i,
}

#[target_feature(enable = "avx2")]
fn add_each_reply(after: Board, coefficient: f64, sums: &mut [f64]) {
    let tiles = look_up(&TILES_LOW, &TILES_HIGH, ranks(after));
    let counts = counts(tiles);
    let more = add(counts, _mm256_set1_epi16(1));
    let before = Before {
        tiles,
        differences: differences(tiles),
        shares: look_up(&SHARES_LOW, &SHARES_HIGH, counts),
        shares_of_more: look_up(&SHARES_LOW, &SHARES_HIGH, more),
    };
    let now = sum(_mm256_madd_epi16(before.differences, before.shares));
    let [two, four] = [with_tile(&before, 2), with_tile(&before, 4)];
    for (cell, sums) in Cells(after.empty_mask()).zip(sums.chunks_exact_mut(2)) {
        let index = cell.trailing_zeros() as usize / 4;
        for (sum, changes) in sums.iter_mut().zip([&two, &four]) {
            *sum += coefficient * (f64::from(now + changes[index]) / f64::from(UNIT));
        }
    }
}

/// For each empty cell, the change of the similarity if a tile is put there: the changes at its neighbours, plus its
/// own mean.
#[inline]
#[target_feature(enable = "avx2")]
fn with_tile(before: &Before, tile: i16) -> [i32; 16] {
    let apart = difference(before.tiles, _mm256_set1_epi16(tile));
    let across = add(apart, add(from_left(apart), from_right(apart)));
    let own = add(across, add(from_below(across), from_above(across)));
    // The change at a neighbour is (differences + apart) x shares_of_more - differences x shares, a sum of two
    // products.
    let (with, shares_now) = (add(before.differences, apart), _mm256_sub_epi16(_mm256_setzero_si256(), before.shares));
    let zero = _mm256_setzero_si256();
    let at_neighbours = [
        _mm256_madd_epi16(
            _mm256_unpacklo_epi16(with, before.differences),
            _mm256_unpacklo_epi16(before.shares_of_more, shares_now),
        ),
        _mm256_madd_epi16(
            _mm256_unpackhi_epi16(with, before.differences),
            _mm256_unpackhi_epi16(before.shares_of_more, shares_now),
        ),
    ];
    let own = [
        _mm256_madd_epi16(_mm256_unpacklo_epi16(own, zero), _mm256_unpacklo_epi16(before.shares_of_more, zero)),
        _mm256_madd_epi16(_mm256_unpackhi_epi16(own, zero), _mm256_unpackhi_epi16(before.shares_of_more, zero)),
    ];
    let [even, odd] = blocks(at_neighbours);
    rows([_mm256_add_epi32(even, own[0]), _mm256_add_epi32(odd, own[1])])
}

/// Sums over 3x3 blocks of 32-bit cells. Rows 0 and 2 are in one vector, rows 1 and 3 in the other.
#[inline]
#[target_feature(enable = "avx2")]
fn blocks([even, odd]: [__m256i; 2]) -> [__m256i; 2] {
    let [even, odd] = [across(even), across(odd)];
    let pairs = _mm256_add_epi32(even, odd);
    // Row 2 also has row 1 above it, and row 1 has row 2 below it.
    let row_1_last = _mm256_permute2x128_si256::<0x08>(odd, odd);
    let row_2_first = _mm256_permute2x128_si256::<0x81>(even, even);
    [_mm256_add_epi32(pairs, row_1_last), _mm256_add_epi32(pairs, row_2_first)]
}

/// The sum of each cell and its left and right neighbours, in rows of 32-bit cells.
#[inline]
#[target_feature(enable = "avx2")]
fn across(rows: __m256i) -> __m256i {
    let beside = _mm256_add_epi32(_mm256_slli_si256::<4>(rows), _mm256_srli_si256::<4>(rows));
    _mm256_add_epi32(rows, beside)
}

/// The cells in reading order.
#[inline]
#[target_feature(enable = "avx2")]
fn rows([even, odd]: [__m256i; 2]) -> [i32; 16] {
    let upper = _mm256_permute2x128_si256::<0x20>(even, odd);
    let lower = _mm256_permute2x128_si256::<0x31>(even, odd);
    let mut cells = [0; 16];
    // SAFETY: the array has 64 bytes.
    unsafe {
        _mm256_storeu_si256(cells.as_mut_ptr().cast(), upper);
        _mm256_storeu_si256(cells.as_mut_ptr().add(8).cast(), lower);
    }
    cells
}
