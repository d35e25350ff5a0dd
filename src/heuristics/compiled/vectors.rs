//! The last moves of a search with AVX2, for heuristics that have only lines.
//!
//! This computes the same as [`reply_moves`](super::reply_moves), with the four boards of a gap (two tiles, two
//! directions) in one vector. The values are equal to the last bit.

use std::arch::x86_64::*;

use arrayvec::ArrayVec;

use super::line_sum::{LineSum, SHARE};
use super::reply_moves::{COLUMN, GapsOfCells, InGap, MOST_GAPS, gap_ends, gap_starts};
use super::tables::LineTables;
use crate::games::Game;
use crate::games::simd::Avx2;
use crate::games::twenty48::{Board, Cells, Line, Tables, Twenty48};
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
        // SAFETY: the token that `new` took proves that the processor has AVX2 and popcnt.
        unsafe {
            match horizon {
                Horizon::Mean => self.fill_replies::<2>(after, found),
                _ => self.fill_replies::<1>(after, found),
            }
        }
    }
}

/// The sums of four boards, and if `N` is 2 also their sums of mean changes.
#[derive(Clone, Copy)]
struct Sums<const N: usize>([__m256d; N]);

impl<const N: usize> Sums<N> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn plus(mut self, other: Sums<N>) -> Self {
        for i in 0..N {
            self.0[i] = _mm256_add_pd(self.0[i], other.0[i]);
        }
        self
    }
}

/// The rows of four boards, as they lie in a vector.
struct Rows([[Line; 4]; 4]);

impl Rows {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(boards: __m256i) -> Self {
        let mut rows = [[0; 4]; 4];
        // SAFETY: the array has 32 bytes.
        unsafe { _mm256_storeu_si256(rows.as_mut_ptr().cast(), boards) };
        Rows(rows)
    }

    /// The entries of row `row` of each board. Four loads are faster than a gather instruction.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn sums<const N: usize>(&self, row: usize, tables: &LineTables) -> Sums<N> {
        let [a, b, c, d] = [self.0[0][row], self.0[1][row], self.0[2][row], self.0[3][row]].map(usize::from);
        let mut sums = [_mm256_setzero_pd(); N];
        for (sum, table) in sums.iter_mut().zip([&tables.values, &tables.drifts]) {
            *sum = _mm256_set_pd(table[d], table[c], table[b], table[a]);
        }
        Sums(sums)
    }
}

/// A board whose rows slide: the board itself for moves to the left and right, its transpose for moves up and down. The
/// four parts of a vector are one way and the other with the first tile, and the same with the second tile.
struct Axis<const N: usize> {
    lines: Board,
    columns: __m256i,
    /// The bits that sliding changes.
    changed: __m256i,
    /// The entries of each slid row, and the sums of the upper and of the lower two.
    rows: [Sums<N>; 4],
    halves: [Sums<N>; 2],
}

/// The values of the moves in both directions of a 2 and of a 4 put into a gap: in the middle, and at the edge toward
/// which it slides. The value of an illegal move is minus infinity.
struct Gap {
    middle: __m256d,
    edge: __m256d,
}

/// The gaps of the rows, and the number of the gap that starts in a cell.
struct ByGap {
    gaps: ArrayVec<Gap, MOST_GAPS>,
    numbers: [u8; 16],
}

/// Counts over all replies: legal steps, and the empty cells after each of them.
struct Counts {
    steps: u64,
    empty: __m256i,
}

/// By row: its cells, and its cells as a column.
static ROWS: [[u64; 4]; 4] = by_row(0xFFFF, 16);
static COLUMNS: [[u64; 4]; 4] = by_row(COLUMN, 4);

const fn by_row(first: u64, shift: u32) -> [[u64; 4]; 4] {
    [[first; 4], [first << shift; 4], [first << (2 * shift); 4], [first << (3 * shift); 4]]
}

/// Which of the four moves start at the edge, indexed by whether a cell is the last and the first of its gap.
static EDGES: [[[u64; 4]; 2]; 2] = {
    const A: u64 = u64::MAX;
    [[[0, 0, 0, 0], [A, 0, A, 0]], [[0, A, 0, A], [A, A, A, A]]]
};

#[inline]
#[target_feature(enable = "avx2")]
fn load(four: &'static [u64; 4]) -> __m256i {
    // SAFETY: the array has 32 bytes.
    unsafe { _mm256_loadu_si256(four.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn all(bits: u64) -> __m256i {
    _mm256_set1_epi64x(bits as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn four([a, b, c, d]: [u64; 4]) -> __m256i {
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

/// [`Board::transposed`], of four boards.
#[inline]
#[target_feature(enable = "avx2")]
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
#[target_feature(enable = "avx2")]
fn empty_counts(boards: __m256i) -> __m256i {
    let x = _mm256_or_si256(boards, _mm256_srli_epi64::<2>(boards));
    let x = _mm256_or_si256(x, _mm256_srli_epi64::<1>(x));
    let empty = _mm256_andnot_si256(x, _mm256_set1_epi8(0x11));
    // Two cells in a byte, eight bytes in a board.
    let pairs = _mm256_and_si256(_mm256_add_epi8(empty, _mm256_srli_epi64::<4>(empty)), _mm256_set1_epi8(0x0F));
    _mm256_sad_epu8(pairs, _mm256_setzero_si256())
}

impl Gap {
    /// The values of a tile in a cell of this gap.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn at(&self, cell: InGap) -> __m256d {
        let edges = _mm256_castsi256_pd(load(&EDGES[cell.is_last][cell.is_first]));
        _mm256_blendv_pd(self.middle, self.edge, edges)
    }
}

impl VectorLines<'_> {
    #[target_feature(enable = "avx2,popcnt")]
    fn fill_replies<const N: usize>(&self, after: Board, found: &mut ReplyValues) {
        // The arrays are filled in place, because moving them takes time.
        let mut across = ByGap { gaps: ArrayVec::new(), numbers: [0; 16] };
        let mut along = ByGap { gaps: ArrayVec::new(), numbers: [0; 16] };
        let mut counts = Counts { steps: 0, empty: _mm256_setzero_si256() };
        self.fill::<N>(after, &mut across, &mut counts);
        self.fill::<N>(after.transposed(), &mut along, &mut counts);
        found.clear();
        found.steps = counts.steps;
        if N == 2 {
            // Two tiles can be put into each empty cell.
            found.leaves = 2 * Rows::of(counts.empty).0.iter().map(|[count, ..]| u64::from(*count)).sum::<u64>();
        }
        let mut gaps = GapsOfCells::new(after);
        let empty = after.empty_mask();
        let places = found.extend_by(2 * empty.count_ones() as usize);
        for (cell, place) in Cells(empty).zip(places.chunks_exact_mut(2)) {
            let [in_row, in_column] = gaps.next(cell, [&across.numbers, &along.numbers]);
            let either =
                _mm256_max_pd(across.gaps[in_row.number].at(in_row), along.gaps[in_column.number].at(in_column));
            let best = _mm256_max_pd(either, _mm256_permute_pd::<0b0101>(either));
            place[0] = _mm_cvtsd_f64(_mm256_castpd256_pd128(best));
            place[1] = _mm_cvtsd_f64(_mm256_extractf128_pd::<1>(best));
        }
    }

    /// Values the boards that a tile in a gap and sliding the rows lead to.
    #[target_feature(enable = "avx2,popcnt")]
    fn fill<const N: usize>(&self, lines: Board, by_gap: &mut ByGap, counts: &mut Counts) {
        let (empty, axis) = (lines.empty_mask(), self.axis::<N>(lines));
        for (first, last) in Cells(gap_starts(empty)).zip(Cells(gap_ends(empty))) {
            let place = (first.trailing_zeros() as usize / 4) & 15;
            by_gap.numbers[place] = by_gap.gaps.len() as u8;
            by_gap.gaps.push(self.gap(&axis, place / 4, first, last, counts));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn axis<const N: usize>(&self, lines: Board) -> Axis<N> {
        let (left, right) = lines.slid(self.moves);
        let slid = four([left.0, right.0, left.0, right.0]);
        let by_row = Rows::of(slid);
        let rows = [
            by_row.sums(0, self.lines),
            by_row.sums(1, self.lines),
            by_row.sums(2, self.lines),
            by_row.sums(3, self.lines),
        ];
        Axis {
            lines,
            columns: transposed(slid),
            changed: _mm256_xor_si256(slid, all(lines.0)),
            rows,
            halves: [rows[0].plus(rows[1]), rows[2].plus(rows[3])],
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn gap<const N: usize>(&self, axis: &Axis<N>, row: usize, first: u64, last: u64, counts: &mut Counts) -> Gap {
        let cells = u64::from(last.trailing_zeros() - first.trailing_zeros()) / 4 + 1;
        let (first, last) = (first >> (16 * row), last >> (16 * row));
        let line = axis.lines.0 >> (16 * row) & 0xFFFF;
        let slid = |tile: u64| {
            let slid = self.moves.slid((line | (first * tile)) as Line);
            u64::from(slid.left) | u64::from(slid.right) << 16
        };
        let slid = _mm256_cvtepu16_epi64(_mm_cvtsi64_si128((slid(1) | slid(2) << 32) as i64));
        // For a tile at the edge, a move is legal if it changes this row or another.
        let before = _mm256_or_si256(four([first, last, 2 * first, 2 * last]), all(line));
        let others = _mm256_andnot_si256(load(&ROWS[row]), axis.changed);
        let others_stay = _mm256_cmpeq_epi64(others, _mm256_setzero_si256());
        let illegal = _mm256_and_si256(_mm256_cmpeq_epi64(slid, before), others_stay);
        let illegal_bits = _mm256_movemask_pd(_mm256_castsi256_pd(illegal)) as u32;
        let columns = self.columns(axis, row, slid);
        let mut middle = self.sums(axis, row, slid, columns);
        if N == 2 {
            let empty = empty_counts(columns);
            // Each move is illegal for at most one cell of the gap.
            let legal = _mm256_sub_epi64(_mm256_mul_epu32(empty, all(cells)), _mm256_and_si256(empty, illegal));
            counts.empty = _mm256_add_epi64(counts.empty, legal);
            let never_legal = if cells == 1 { illegal_bits } else { 0 };
            middle.0[0] = self.mean(middle, columns, empty, !never_legal);
        }
        counts.steps += 4 * cells - u64::from(illegal_bits.count_ones());
        let middle = _mm256_max_pd(middle.0[0], _mm256_set1_pd(Twenty48::FLOOR));
        let minus_infinity = _mm256_set1_pd(f64::NEG_INFINITY);
        Gap { middle, edge: _mm256_blendv_pd(middle, minus_infinity, _mm256_castsi256_pd(illegal)) }
    }

    /// The columns of four boards in which a row has slid to these lines.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn columns<const N: usize>(&self, axis: &Axis<N>, row: usize, slid: __m256i) -> __m256i {
        // Spread over the first cells of four rows: cells 0 and 1, then all four.
        let spread = _mm256_or_si256(slid, _mm256_slli_epi64::<12>(slid));
        let spread = _mm256_or_si256(spread, _mm256_slli_epi64::<24>(spread));
        let spread = _mm256_and_si256(spread, load(&COLUMNS[0]));
        let spread = _mm256_sll_epi64(spread, _mm_cvtsi64_si128(4 * row as i64));
        _mm256_or_si256(_mm256_andnot_si256(load(&COLUMNS[row]), axis.columns), spread)
    }

    /// The sums of the same four boards.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn sums<const N: usize>(&self, axis: &Axis<N>, row: usize, slid: __m256i, columns: __m256i) -> Sums<N> {
        let own = Rows::of(slid).sums(0, self.lines).plus(axis.rows[row ^ 1]).plus(axis.halves[1 - row / 2]);
        let by_row = Rows::of(columns);
        let upper = by_row.sums(0, self.lines).plus(by_row.sums(1, self.lines));
        let lower = by_row.sums(2, self.lines).plus(by_row.sums(3, self.lines));
        own.plus(upper.plus(lower))
    }

    /// The means over the replies to four boards with these sums. If a reply could end the game or fall below the
    /// floor, the closed form does not apply. Then the mean of that board is computed by the definition, if its bit is
    /// set in `wanted`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn mean<const N: usize>(&self, sums: Sums<N>, boards: __m256i, empty: __m256i, wanted: u32) -> __m256d {
        let (value, drift) = (sums.0[0], sums.0[N - 1]);
        let [a, b, c, d] = Rows::of(empty).0.map(|[count, ..]| SHARE[usize::from(count) % SHARE.len()]);
        let mean = _mm256_add_pd(value, _mm256_mul_pd(drift, _mm256_set_pd(d, c, b, a)));
        let lowest = _mm256_sub_pd(value, _mm256_set1_pd(self.line_sum.fall));
        let is_safe = _mm256_and_pd(
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(empty, all(1))),
            _mm256_cmp_pd::<_CMP_GE_OQ>(lowest, _mm256_set1_pd(Twenty48::FLOOR)),
        );
        let unsafe_bits = !(_mm256_movemask_pd(is_safe) as u32) & wanted & 0b1111;
        if unsafe_bits == 0 { mean } else { self.replace(mean, boards, unsafe_bits) }
    }

    /// The means, with those of some boards replaced by means computed by the definition.
    #[cold]
    #[target_feature(enable = "avx2,popcnt")]
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
