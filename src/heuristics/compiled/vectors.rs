//! The last moves of a search where lines are all there is, with AVX2: what [`shared`](super::shared) does, with the
//! four boards of a gap (two tiles, two ways to slide) side by side in one vector. The values are the same to the last
//! bit.

use std::arch::x86_64::*;
use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::line_sum::SHARE;
use super::shared::{COLUMN, GapsOfCells, InGap, MOST_GAPS, gap_ends, gap_starts};
use super::tables::LineTables;
use crate::games::twenty48::{Board, Cells, Line, P2, P4, Tables, Twenty48};
use crate::games::{Game, Reply};
use crate::heuristics::Best;

/// Whether the processor has the instructions.
#[inline(always)]
pub fn are_there() -> bool {
    static ARE_THERE: LazyLock<bool> =
        LazyLock::new(|| is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"));
    *ARE_THERE
}

/// The tables that it takes, and the most by which a reply can lower a sum.
pub struct VectorLines<'a> {
    lines: &'a LineTables,
    moves: &'a Tables,
    fall: f64,
}

impl<'a> VectorLines<'a> {
    #[inline(always)]
    pub fn new(lines: &'a LineTables, moves: &'a Tables, fall: f64) -> Self {
        debug_assert!(are_there());
        VectorLines { lines, moves, fall }
    }

    /// Folds the replies with the best of their moves. These lead to sums of lines, or to the means over the next replies,
    /// infinite where those must be looked at one by one.
    #[inline(always)]
    pub fn fold_best<A>(
        &self,
        is_mean: bool,
        after: Board,
        start: A,
        fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        // SAFETY: whoever made this has asked whether the instructions are there.
        unsafe {
            match is_mean {
                false => self.fold_best_with_vectors::<1, A>(after, start, fold),
                true => self.fold_best_with_vectors::<2, A>(after, start, fold),
            }
        }
    }
}

/// Four sums; where `N` is 2, also the sums of mean changes.
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
        // SAFETY: 32 bytes are there to be written.
        unsafe { _mm256_storeu_si256(rows.as_mut_ptr().cast(), boards) };
        Rows(rows)
    }

    /// What row `row` of each board adds. Four loads: faster than an instruction that gathers.
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

/// For moves to the left and right, or for moves up and down as if the board were turned: everything one way, the other
/// way, and both again for the second tile.
struct Side<const N: usize> {
    lines: Board,
    columns: __m256i,
    /// The bits that sliding changes.
    changed: __m256i,
    /// What each slid row adds, and the upper and the lower two together.
    rows: [Sums<N>; 4],
    halves: [Sums<N>; 2],
}

/// What comes of a 2 one way and the other, and of a 4, put into a gap: in the middle, and at the edge it slides to.
struct Gap {
    middle: __m256d,
    edge: __m256d,
    /// One bit for each that is illegal at the edge.
    illegal: u32,
}

struct ByGap {
    gaps: ArrayVec<Gap, MOST_GAPS>,
    /// By the cell in which a gap starts.
    numbers: [u8; 16],
}

/// By row: its cells, and its cells as a column.
static ROWS: [[u64; 4]; 4] = by_row(0xFFFF, 16);
static COLUMNS: [[u64; 4]; 4] = by_row(COLUMN, 4);

const fn by_row(first: u64, shift: u32) -> [[u64; 4]; 4] {
    [[first; 4], [first << shift; 4], [first << (2 * shift); 4], [first << (3 * shift); 4]]
}

/// By whether a cell is the last of a gap and whether it is the first: which of the four lie at the edge.
static EDGES: [[[u64; 4]; 2]; 2] = {
    const A: u64 = u64::MAX;
    [[[0, 0, 0, 0], [A, 0, A, 0]], [[0, A, 0, A], [A, A, A, A]]]
};
static EDGE_BITS: [[u32; 2]; 2] = [[0b0000, 0b0101], [0b1010, 0b1111]];

#[inline]
#[target_feature(enable = "avx2")]
fn load(four: &'static [u64; 4]) -> __m256i {
    // SAFETY: 32 bytes are there to be read.
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
    /// What comes of a tile in a cell of this gap, and what is illegal.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn at(&self, cell: InGap) -> (__m256d, u32) {
        let edges = _mm256_castsi256_pd(load(&EDGES[cell.is_last][cell.is_first]));
        let illegal = self.illegal & EDGE_BITS[cell.is_last][cell.is_first];
        (_mm256_blendv_pd(self.middle, self.edge, edges), illegal)
    }
}

impl VectorLines<'_> {
    #[target_feature(enable = "avx2,popcnt")]
    fn fold_best_with_vectors<const N: usize, A>(
        &self,
        after: Board,
        start: A,
        mut fold: impl FnMut(A, &Reply<Board>, Best) -> A,
    ) -> A {
        // Filled where they stand: moving them would be seen.
        let mut across = ByGap { gaps: ArrayVec::new(), numbers: [0; 16] };
        let mut along = ByGap { gaps: ArrayVec::new(), numbers: [0; 16] };
        self.fill::<N>(after, &mut across);
        self.fill::<N>(after.transposed(), &mut along);
        let mut gaps = GapsOfCells::new(after);
        let share = 1.0 / f64::from(after.empty_count());
        let mut so_far = start;
        for cell in Cells(after.empty_mask()) {
            let [in_row, in_column] = gaps.next(cell, [&across.numbers, &along.numbers]);
            let (a, illegal_across) = across.gaps[in_row.number].at(in_row);
            let (b, illegal_along) = along.gaps[in_column.number].at(in_column);
            let either = _mm256_max_pd(a, b);
            let best = _mm256_max_pd(either, _mm256_permute_pd::<0b0101>(either));
            let (two, four) = (_mm256_castpd256_pd128(best), _mm256_extractf128_pd::<1>(best));
            let illegal = illegal_across | illegal_along << 4;
            for (best, bits, weight, rank) in [(two, 0b0011_0011, P2, 1), (four, 0b1100_1100, P4, 2)] {
                let reply = Reply { probability: weight * share, weight, position: after.with(cell, rank) };
                let steps = 4 - (illegal & bits).count_ones();
                so_far = fold(so_far, &reply, Best { value: _mm_cvtsd_f64(best), steps });
            }
        }
        so_far
    }

    /// Everything that comes of a tile in one of a board's gaps and of sliding its rows.
    #[target_feature(enable = "avx2,popcnt")]
    fn fill<const N: usize>(&self, lines: Board, by_gap: &mut ByGap) {
        let (empty, side) = (lines.empty_mask(), self.side::<N>(lines));
        for (first, last) in Cells(gap_starts(empty)).zip(Cells(gap_ends(empty))) {
            let place = (first.trailing_zeros() as usize / 4) & 15;
            by_gap.numbers[place] = by_gap.gaps.len() as u8;
            by_gap.gaps.push(self.gap(&side, place / 4, first, last));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn side<const N: usize>(&self, lines: Board) -> Side<N> {
        let (left, right) = lines.slid(self.moves);
        let slid = four([left.0, right.0, left.0, right.0]);
        let by_row = Rows::of(slid);
        let rows = [
            by_row.sums(0, self.lines),
            by_row.sums(1, self.lines),
            by_row.sums(2, self.lines),
            by_row.sums(3, self.lines),
        ];
        Side {
            lines,
            columns: transposed(slid),
            changed: _mm256_xor_si256(slid, all(lines.0)),
            rows,
            halves: [rows[0].plus(rows[1]), rows[2].plus(rows[3])],
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn gap<const N: usize>(&self, side: &Side<N>, row: usize, first: u64, last: u64) -> Gap {
        let (first, last) = (first >> (16 * row), last >> (16 * row));
        let line = side.lines.0 >> (16 * row) & 0xFFFF;
        let slid = |tile: u64| {
            let slid = self.moves.slid((line | (first * tile)) as Line);
            u64::from(slid.left) | u64::from(slid.right) << 16
        };
        let slid = _mm256_cvtepu16_epi64(_mm_cvtsi64_si128((slid(1) | slid(2) << 32) as i64));
        let middle = self.worth(side, row, slid);
        // At the edge a move is legal if it changes this row or another.
        let before = _mm256_or_si256(four([first, last, 2 * first, 2 * last]), all(line));
        let others = _mm256_andnot_si256(load(&ROWS[row]), side.changed);
        let others_stay = _mm256_cmpeq_epi64(others, _mm256_setzero_si256());
        let illegal = _mm256_castsi256_pd(_mm256_and_si256(_mm256_cmpeq_epi64(slid, before), others_stay));
        Gap {
            middle,
            edge: _mm256_blendv_pd(middle, _mm256_set1_pd(f64::NEG_INFINITY), illegal),
            illegal: _mm256_movemask_pd(illegal) as u32,
        }
    }

    /// What four boards are worth in which a row has slid to these lines.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn worth<const N: usize>(&self, side: &Side<N>, row: usize, slid: __m256i) -> __m256d {
        // Spread over the first cells of four rows: cells 0 and 1, then all four.
        let spread = _mm256_or_si256(slid, _mm256_slli_epi64::<12>(slid));
        let spread = _mm256_or_si256(spread, _mm256_slli_epi64::<24>(spread));
        let spread = _mm256_and_si256(spread, load(&COLUMNS[0]));
        let spread = _mm256_sll_epi64(spread, _mm_cvtsi64_si128(4 * row as i64));
        let columns = _mm256_or_si256(_mm256_andnot_si256(load(&COLUMNS[row]), side.columns), spread);
        let own = Rows::of(slid).sums(0, self.lines).plus(side.rows[row ^ 1]).plus(side.halves[1 - row / 2]);
        let by_row = Rows::of(columns);
        let upper = by_row.sums(0, self.lines).plus(by_row.sums(1, self.lines));
        let lower = by_row.sums(2, self.lines).plus(by_row.sums(3, self.lines));
        let sums = own.plus(upper.plus(lower));
        if N == 1 { _mm256_max_pd(sums.0[0], _mm256_set1_pd(Twenty48::FLOOR)) } else { self.mean(sums, columns) }
    }

    /// The means over the replies to four boards of these sums.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn mean<const N: usize>(&self, sums: Sums<N>, boards: __m256i) -> __m256d {
        let (value, drift) = (sums.0[0], sums.0[N - 1]);
        let empty = empty_counts(boards);
        let [a, b, c, d] = Rows::of(empty).0.map(|[count, ..]| SHARE[usize::from(count) % SHARE.len()]);
        let mean = _mm256_add_pd(value, _mm256_mul_pd(drift, _mm256_set_pd(d, c, b, a)));
        let lowest = _mm256_sub_pd(value, _mm256_set1_pd(self.fall));
        let is_safe = _mm256_and_pd(
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(empty, all(1))),
            _mm256_cmp_pd::<_CMP_GE_OQ>(lowest, _mm256_set1_pd(Twenty48::FLOOR)),
        );
        _mm256_blendv_pd(_mm256_set1_pd(f64::INFINITY), mean, is_safe)
    }
}
