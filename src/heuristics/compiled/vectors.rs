//! The last moves of a search with AVX2, for heuristics that have only lines.
//!
//! This computes the same as [`reply_moves`](super::reply_moves), with the four boards of a gap (two tiles, two
//! directions) in one vector. The values are equal to the last bit.

mod slots;

use std::arch::x86_64::*;

use slots::{Gap, Slots};

use super::line_sum::LineSum;
use super::reply_moves::{COLUMN, gap_ends, gap_starts};
use super::tables::{Entry, LineTables};
use crate::games::Game;
use crate::games::simd::Avx2;
use crate::games::twenty48::{Board, Line, Slid, Tables, Twenty48};
use crate::heuristics::{Horizon, ReplyValues};

/// A heuristic of lines on a processor with AVX2.
pub struct VectorLines<'a> {
    line_sum: &'a LineSum,
    lines: &'a LineTables,
    game: &'a Twenty48,
    moves: &'a Tables,
}

impl<'a> VectorLines<'a> {
    /// The token proves that the processor has the instructions.
    #[inline(always)]
    pub fn new(_: Avx2, line_sum: &'a LineSum, lines: &'a LineTables, game: &'a Twenty48) -> Self {
        VectorLines { line_sum, lines, game, moves: game.tables() }
    }

    /// Finds the best last move after each reply. Its value is its sum of lines or the mean over the next replies.
    #[inline(always)]
    pub fn best_after_replies(&self, horizon: Horizon, after: Board, found: &mut ReplyValues) {
        // SAFETY: the token that `new` took proves that the processor has AVX2 and the bit instructions.
        unsafe {
            match horizon {
                Horizon::Mean => self.fill_replies::<2>(after, found),
                _ => self.fill_replies::<1>(after, found),
            }
        }
    }
}

/// The sums of four boards. With `N` = 1 the vector has their values. With `N` = 2 the first vector has the value and
/// the drift of the first board, then those of the third board. The second vector has those of the second and fourth.
#[derive(Clone, Copy)]
struct Sums<const N: usize>([__m256d; N]);

impl<const N: usize> Sums<N> {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn plus(mut self, other: Sums<N>) -> Self {
        for i in 0..N {
            self.0[i] = _mm256_add_pd(self.0[i], other.0[i]);
        }
        self
    }
}

/// The four words of a vector.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn words(vector: __m256i) -> [u64; 4] {
    let (low, high) = (_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector));
    let [a, b] = [_mm_cvtsi128_si64(low), _mm_extract_epi64::<1>(low)];
    let [c, d] = [_mm_cvtsi128_si64(high), _mm_extract_epi64::<1>(high)];
    [a as u64, b as u64, c as u64, d as u64]
}

/// The sum of the four words of a vector.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn total(vector: __m256i) -> u64 {
    words(vector).into_iter().fold(0, u64::wrapping_add)
}

/// A row after both moves, as one word.
#[inline(always)]
fn both(slid: Slid) -> u32 {
    u32::from(slid.left) | u32::from(slid.right) << 16
}

/// Four lines, each at the start of a word.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn spread_lines(lines: u64) -> __m256i {
    _mm256_cvtepu16_epi64(_mm_cvtsi64_si128(lines as i64))
}

/// Four whole numbers below 2^52 as floating-point numbers. The bits of 2^52 + n are those of 2^52 with n added.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn numbers(whole: __m256i) -> __m256d {
    let base = _mm256_set1_pd((1u64 << 52) as f64);
    _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(whole, _mm256_castpd_si256(base))), base)
}

impl<const N: usize> Sums<N> {
    /// The entries of four lines. Four loads are faster than a gather instruction.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of_lines([a, b, c, d]: [Line; 4], tables: &LineTables) -> Self {
        let mut sums = [_mm256_setzero_pd(); N];
        if N == 2 {
            let of = |line: Line| pair(tables.entries[usize::from(line)]);
            (sums[0], sums[N - 1]) = (_mm256_set_m128d(of(c), of(a)), _mm256_set_m128d(of(d), of(b)));
        } else {
            let of = |line: Line| tables.values[usize::from(line)];
            sums[0] = _mm256_set_pd(of(d), of(c), of(b), of(a));
        }
        Sums(sums)
    }

    /// The sums over the rows of four boards. The rows are taken out of each word with shifts, and each board is added
    /// up alone: this takes fewer instructions than vectors of looked-up numbers.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn of_boards(boards: __m256i, tables: &LineTables) -> Self {
        let [a, b, c, d] = words(boards);
        let row = |word: u64, row: u32| (word >> (16 * row) & 0xFFFF) as usize;
        let mut sums = [_mm256_setzero_pd(); N];
        if N == 2 {
            let of = |word: u64| {
                let entry = |number: u32| pair(tables.entries[row(word, number)]);
                _mm_add_pd(_mm_add_pd(entry(0), entry(1)), _mm_add_pd(entry(2), entry(3)))
            };
            (sums[0], sums[N - 1]) = (_mm256_set_m128d(of(c), of(a)), _mm256_set_m128d(of(d), of(b)));
        } else {
            let of = |word: u64| {
                let value = |number: u32| tables.values[row(word, number)];
                (value(0) + value(1)) + (value(2) + value(3))
            };
            sums[0] = _mm256_set_pd(of(d), of(c), of(b), of(a));
        }
        Sums(sums)
    }
}

/// The value and the drift of an entry, in this order.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn pair(entry: Entry) -> __m128d {
    _mm_set_pd(entry.drift, entry.value)
}

/// A board whose rows slide: the board itself for moves to the left and right, its transpose for moves up and down. A
/// vector has one part for each of four moves: left (up) and right (down) with a 2 in the gap, then both with a 4.
struct Axis<const N: usize> {
    lines: Board,
    columns: __m256i,
    /// The bits that sliding changes.
    changed: __m256i,
    /// The entries of each slid row, and the sums of the upper and of the lower two.
    rows: [Sums<N>; 4],
    halves: [Sums<N>; 2],
}

/// Counts over all replies: illegal moves, and the empty cells after each legal move. The illegal moves are counted
/// below zero, because a comparison of vectors gives -1 for true.
struct Counts {
    illegal: __m256i,
    empty: __m256i,
}

/// The mask of each row, and the mask of each column: four copies, one for each board of a vector.
static ROWS: [[u64; 4]; 4] = by_row(0xFFFF, 16);
static COLUMNS: [[u64; 4]; 4] = by_row(COLUMN, 4);

const fn by_row(first: u64, shift: u32) -> [[u64; 4]; 4] {
    [[first; 4], [first << shift; 4], [first << (2 * shift); 4], [first << (3 * shift); 4]]
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load(four: &'static [u64; 4]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(four.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all(bits: u64) -> __m256i {
    _mm256_set1_epi64x(bits as i64)
}

/// [`Board::transposed`], of four boards.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn transposed(x: __m256i) -> __m256i {
    let masked = |x: __m256i, mask: u64| _mm256_and_si256(x, all(mask));
    let or = |a, b, c| _mm256_or_si256(a, _mm256_or_si256(b, c));
    let x = or(
        masked(x, 0xF0F0_0F0F_F0F0_0F0F),
        _mm256_slli_epi64::<12>(masked(x, 0x0000_F0F0_0000_F0F0)),
        _mm256_srli_epi64::<12>(masked(x, 0x0F0F_0000_0F0F_0000)),
    );
    or(
        masked(x, 0xFF00_FF00_00FF_00FF),
        _mm256_srli_epi64::<24>(masked(x, 0x00FF_00FF_0000_0000)),
        _mm256_slli_epi64::<24>(masked(x, 0x0000_0000_FF00_FF00)),
    )
}

/// The number of empty cells of four boards.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn empty_counts(boards: __m256i) -> __m256i {
    let x = _mm256_or_si256(boards, _mm256_srli_epi64::<2>(boards));
    let x = _mm256_or_si256(x, _mm256_srli_epi64::<1>(x));
    let empty = _mm256_andnot_si256(x, _mm256_set1_epi8(0x11));
    // Two cells in a byte, eight bytes in a board.
    let pairs = _mm256_and_si256(_mm256_add_epi8(empty, _mm256_srli_epi64::<4>(empty)), _mm256_set1_epi8(0x0F));
    _mm256_sad_epu8(pairs, _mm256_setzero_si256())
}

impl VectorLines<'_> {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn fill_replies<const N: usize>(&self, after: Board, found: &mut ReplyValues) {
        let mut slots = [Slots::EMPTY; 2];
        let mut counts = Counts { illegal: _mm256_setzero_si256(), empty: _mm256_setzero_si256() };
        // In a loop the function is called at one place only, so the compiler inlines it.
        for (slots, lines) in slots.iter_mut().zip([after, after.transposed()]) {
            self.fill::<N>(lines, slots, &mut counts);
        }
        let mut empty = after.empty_mask();
        let replies = 2 * empty.count_ones() as usize;
        found.clear();
        found.steps = (4 * replies as u64).wrapping_add(total(counts.illegal));
        if N == 2 {
            // Two tiles can be put into each empty cell.
            found.leaves = 2 * total(counts.empty);
        }
        for values in found.extend_by(replies).chunks_exact_mut(2) {
            let place = empty.trailing_zeros() as usize / 4;
            empty &= empty.wrapping_sub(1);
            // On the transposed board, row and column are exchanged.
            // SAFETY: the cell is empty on both boards, and the values of all gaps are stored.
            let (across, along) = unsafe { (slots[0].get(place), slots[1].get(place << 2 | place >> 2)) };
            let either = _mm256_max_pd(across, along);
            let best = _mm256_max_pd(either, _mm256_permute_pd::<0b0101>(either));
            values[0] = _mm_cvtsd_f64(_mm256_castpd256_pd128(best));
            values[1] = _mm_cvtsd_f64(_mm256_extractf128_pd::<1>(best));
        }
    }

    /// Values the boards that a tile in a gap and sliding the rows lead to.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn fill<const N: usize>(&self, lines: Board, slots: &mut Slots, counts: &mut Counts) {
        let (empty, axis) = (lines.empty_mask(), self.axis::<N>(lines));
        let (mut starts, mut ends) = (gap_starts(empty), gap_ends(empty));
        while starts != 0 {
            let (first, last) = (starts.trailing_zeros() as usize / 4, ends.trailing_zeros() as usize / 4);
            slots.put(first, last, self.gap(&axis, first, last, counts));
            starts &= starts.wrapping_sub(1);
            ends &= ends.wrapping_sub(1);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn axis<const N: usize>(&self, lines: Board) -> Axis<N> {
        let [a, b, c, d] = lines.rows();
        let [a, b, c, d] = [self.moves.slid(a), self.moves.slid(b), self.moves.slid(c), self.moves.slid(d)];
        let slid = _mm_shuffle_epi8(
            _mm_set_epi32(both(d) as i32, both(c) as i32, both(b) as i32, both(a) as i32),
            _mm_set_epi8(15, 14, 11, 10, 7, 6, 3, 2, 13, 12, 9, 8, 5, 4, 1, 0),
        );
        let slid = _mm256_broadcastsi128_si256(slid);
        let of = |row: Slid| Sums::of_lines([row.left, row.right, row.left, row.right], self.lines);
        let rows = [of(a), of(b), of(c), of(d)];
        Axis {
            lines,
            columns: transposed(slid),
            changed: _mm256_xor_si256(slid, all(lines.0)),
            rows,
            halves: [rows[0].plus(rows[1]), rows[2].plus(rows[3])],
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn gap<const N: usize>(&self, axis: &Axis<N>, first: usize, last: usize, counts: &mut Counts) -> Gap {
        let row = first / 4 % 4;
        let (at_first, at_last) = (1 << (4 * (first % 4)), 1 << (4 * (last % 4)));
        let line = axis.lines.0 >> (16 * row) & 0xFFFF;
        let [two, four] =
            [self.moves.slid((line | at_first) as Line), self.moves.slid((line | (2 * at_first)) as Line)];
        let slid = u64::from(both(two)) | u64::from(both(four)) << 32;
        // For a tile at the edge, a move is legal if it changes this row or another.
        let before = (line * 0x0001_0001_0001_0001) | ((at_first | at_last << 16) * 0x0000_0002_0000_0001);
        let others = _mm256_andnot_si256(load(&ROWS[row]), axis.changed);
        let illegal = _mm256_cmpeq_epi64(_mm256_or_si256(spread_lines(slid ^ before), others), _mm256_setzero_si256());
        counts.illegal = _mm256_add_epi64(counts.illegal, illegal);
        let columns = self.columns(axis, row, spread_lines(slid));
        let own = Sums::of_lines([two.left, two.right, four.left, four.right], self.lines);
        let own = own.plus(axis.rows[row ^ 1]).plus(axis.halves[1 - row / 2]);
        let mut middle = own.plus(Sums::of_boards(columns, self.lines));
        if N == 2 {
            let empty = empty_counts(columns);
            let cells = (last - first + 1) as u64;
            // Each move is illegal for at most one cell of the gap.
            let legal = _mm256_sub_epi64(_mm256_mul_epu32(empty, all(cells)), _mm256_and_si256(empty, illegal));
            counts.empty = _mm256_add_epi64(counts.empty, legal);
            let illegal_bits = _mm256_movemask_pd(_mm256_castsi256_pd(illegal)) as u32;
            let never_legal = if cells == 1 { illegal_bits } else { 0 };
            middle.0[0] = self.mean(middle, columns, empty, !never_legal);
        }
        let middle = _mm256_max_pd(middle.0[0], _mm256_set1_pd(Twenty48::FLOOR));
        let minus_infinity = _mm256_set1_pd(f64::NEG_INFINITY);
        Gap { middle, edge: _mm256_blendv_pd(middle, minus_infinity, _mm256_castsi256_pd(illegal)) }
    }

    /// The columns of four boards in which a row has slid to these lines.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn columns<const N: usize>(&self, axis: &Axis<N>, row: usize, slid: __m256i) -> __m256i {
        // Spread over the first cells of four rows: cells 0 and 1, then all four.
        let spread = _mm256_or_si256(slid, _mm256_slli_epi64::<12>(slid));
        let spread = _mm256_or_si256(spread, _mm256_slli_epi64::<24>(spread));
        let spread = _mm256_and_si256(spread, load(&COLUMNS[0]));
        let spread = _mm256_sll_epi64(spread, _mm_cvtsi64_si128(4 * row as i64));
        _mm256_or_si256(_mm256_andnot_si256(load(&COLUMNS[row]), axis.columns), spread)
    }

    /// The means over the replies to four boards with these sums. If a reply could end the game or fall below the
    /// floor, the closed form does not apply. Then the mean of that board is computed by the definition, if its bit is
    /// set in `wanted`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn mean<const N: usize>(&self, sums: Sums<N>, boards: __m256i, empty: __m256i, wanted: u32) -> __m256d {
        let (value, drift) =
            (_mm256_unpacklo_pd(sums.0[0], sums.0[N - 1]), _mm256_unpackhi_pd(sums.0[0], sums.0[N - 1]));
        let mean = _mm256_add_pd(value, _mm256_mul_pd(drift, _mm256_div_pd(_mm256_set1_pd(1.0), numbers(empty))));
        // If every reply falls below the floor, the mean is the floor, which is 0.
        let is_floor = _mm256_cmp_pd::<_CMP_LT_OQ>(value, _mm256_set1_pd(self.line_sum.floor_certain_below));
        let mean = _mm256_andnot_pd(is_floor, mean);
        let lowest = _mm256_sub_pd(value, _mm256_set1_pd(self.line_sum.fall));
        let is_safe = _mm256_and_pd(
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(empty, all(1))),
            _mm256_cmp_pd::<_CMP_GE_OQ>(lowest, _mm256_set1_pd(Twenty48::FLOOR)),
        );
        let unsafe_bits = !(_mm256_movemask_pd(_mm256_or_pd(is_safe, is_floor)) as u32) & wanted & 0b1111;
        if unsafe_bits == 0 { mean } else { self.replace(mean, boards, unsafe_bits) }
    }

    /// The means, with those of some boards replaced by means computed by the definition.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn replace(&self, means: __m256d, boards: __m256i, which: u32) -> __m256d {
        let (mut values, mut words) = ([0.0; 4], [0; 4]);
        // SAFETY: both arrays have 32 bytes.
        unsafe {
            _mm256_storeu_pd(values.as_mut_ptr(), means);
            _mm256_storeu_si256(words.as_mut_ptr().cast(), boards);
        }
        for (index, (value, word)) in values.iter_mut().zip(words).enumerate() {
            if which >> index & 1 == 1 {
                *value = self.line_sum.expected_one_by_one(self.game, Board(word), 0);
            }
        }
        let [a, b, c, d] = values;
        _mm256_set_pd(d, c, b, a)
    }
}
