//! The indices of a board's weights in the tables (their *places*).
//!
//! A weight's index in its table consists of the ranks in the pattern's cells, four bits each. Neighbouring cells are
//! adjacent in the board's word, so a pattern is a few runs of cells. One shift and one mask extract each run. The
//! eight orientations of the board are computed once for all patterns.

use arrayvec::ArrayVec;

use super::patterns::{Pattern, Patterns};
use crate::games::twenty48::Board;

/// The number of orientations of a board.
pub const ORIENTATIONS: usize = 8;

/// Adjacent cells that are moved together from the board into the index.
#[derive(Clone, Copy, Debug)]
struct Run {
    shift: u32,
    mask: u64,
}

/// The runs of one pattern. A pattern has at most 7 cells, so it has at most 7 runs.
#[derive(Clone, Debug)]
struct Runs(ArrayVec<Run, 7>);

impl Runs {
    fn new(pattern: &Pattern) -> Self {
        let mut runs: ArrayVec<Run, 7> = ArrayVec::new();
        for (position, &cell) in pattern.cells().iter().enumerate() {
            let (shift, mask) = (4 * (u32::from(cell) - position as u32), 0xF << (4 * position));
            match runs.last_mut() {
                Some(run) if run.shift == shift => run.mask |= mask,
                _ => runs.push(Run { shift, mask }),
            }
        }
        Runs(runs)
    }

    #[inline(always)]
    fn places(&self, images: &[u64; ORIENTATIONS]) -> [u32; ORIENTATIONS] {
        let mut places = [0; ORIENTATIONS];
        for run in &self.0 {
            for (place, image) in places.iter_mut().zip(images) {
                *place |= (image >> run.shift & run.mask) as u32;
            }
        }
        places
    }
}

/// Computes the indices for all patterns.
#[derive(Clone, Debug)]
pub struct Indexer {
    runs: Vec<Runs>,
}

impl Indexer {
    pub fn new(patterns: &Patterns) -> Self {
        Indexer { runs: patterns.iter().map(Runs::new).collect() }
    }

    /// The number of weights that are added up for the value of a board.
    pub fn places_per_board(&self) -> usize {
        self.runs.len() * ORIENTATIONS
    }

    /// The indices of a board's weights, one table after another.
    #[inline(always)]
    pub fn each(&self, board: Board) -> impl Iterator<Item = [u32; ORIENTATIONS]> {
        let symmetries = board.symmetries();
        let images: [u64; ORIENTATIONS] = std::array::from_fn(|orientation| symmetries[orientation].0);
        self.runs.iter().map(move |runs| runs.places(&images))
    }
}

#[cfg(test)]
mod tests {
    use super::super::patterns::NAMED;
    use super::*;
    use crate::games::twenty48::tests::random_board;
    use crate::rng::seeded;

    /// Maps a row and a column to those of another orientation.
    type Orientation = fn(usize, usize) -> (usize, usize);

    /// The indices computed cell by cell from coordinates.
    fn naive(pattern: &Pattern, board: Board) -> Vec<u32> {
        let maps: [Orientation; 8] = [
            |r, c| (r, c),
            |r, c| (r, 3 - c),
            |r, c| (3 - r, c),
            |r, c| (3 - r, 3 - c),
            |r, c| (c, r),
            |r, c| (c, 3 - r),
            |r, c| (3 - c, r),
            |r, c| (3 - c, 3 - r),
        ];
        let index = |map: Orientation| {
            let ranks = pattern.cells().iter().map(|&cell| {
                let (row, column) = map(usize::from(cell) / 4, usize::from(cell) % 4);
                u32::from(board.rank(4 * row + column))
            });
            ranks.enumerate().map(|(position, rank)| rank * 16u32.pow(position as u32)).sum()
        };
        let mut places: Vec<u32> = maps.map(index).into();
        places.sort_unstable();
        places
    }

    #[test]
    fn every_orientation_has_the_same_index_as_the_naive_computation() {
        let scattered = "0257 8acf 02578ad 01234567";
        let texts = NAMED.iter().flat_map(|(_, text)| text.split(' ')).chain(scattered.split(' '));
        let patterns: Vec<Patterns> = texts.filter_map(|text| Patterns::parse(text).ok()).collect();
        let mut rng = seeded(3);
        for _ in 0..200 {
            let board = random_board(&mut rng);
            for pattern in &patterns {
                let mut places: Vec<u32> = Indexer::new(pattern).each(board).flatten().collect();
                places.sort_unstable();
                assert_eq!(places, naive(pattern.iter().next().unwrap(), board), "{pattern} {board}");
            }
        }
    }
}
