//! A transposition table: the values of positions that were already searched in the same decision.

/// A direct-mapped table: a new entry replaces the old one in its slot. Small tables are fastest, because they fit into
/// the second-level cache.
pub(super) struct TranspositionTable<V> {
    entries: Vec<Entry<V>>,
    bits: u32,
    generation: u64,
}

/// The index of the slot is the upper bits of the hashed key, so the tag stores only the lower bits. The free bits of
/// the tag hold the generation and the plies. So an entry from before the last clear, or with other plies, does not
/// match.
#[derive(Clone, Copy)]
struct Entry<V> {
    tag: u64,
    value: V,
}

/// The slot and the tag of a position.
#[derive(Clone, Copy)]
pub(super) struct Place {
    slot: usize,
    tag: u64,
}

/// Plies fit into this many bits of a tag.
const PLY_BITS: u32 = 6;

/// The smallest table: its tags have room for the plies and nothing else.
pub(super) const MIN_BITS: u32 = PLY_BITS;

/// The largest table: 2^26 entries take a gigabyte.
const MAX_BITS: u32 = 26;

/// The factor of Knuth's multiplicative hashing (the golden ratio). It is odd, so no two keys have the same hash.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The tag of an empty entry: no search has this many plies.
const EMPTY: u64 = (1 << PLY_BITS) - 1;

impl<V: Copy + Default> TranspositionTable<V> {
    /// A table with 2^`bits` entries, or `None` if `bits` is below [`MIN_BITS`].
    pub fn new(bits: u32) -> Option<Self> {
        (bits >= MIN_BITS).then(|| {
            let empty = Entry { tag: EMPTY, value: V::default() };
            TranspositionTable {
                entries: vec![empty; 1 << bits.min(MAX_BITS)],
                bits: bits.min(MAX_BITS),
                generation: 0,
            }
        })
    }

    /// Removes all entries. This only raises the generation number. When the number overflows, all tags are reset.
    #[inline]
    pub fn clear(&mut self) {
        self.generation += 1;
        if self.generation >> (self.bits - PLY_BITS) != 0 {
            self.entries.iter_mut().for_each(|entry| entry.tag = EMPTY);
            self.generation = 0;
        }
    }

    /// The place of a position, for `get` and `put` until the table is cleared. `plies` is the number of plies left. In
    /// alpha-beta, which keeps its table between iterations, it is the distance from the root.
    #[inline(always)]
    pub fn place(&self, key: u64, plies: u32) -> Place {
        let hash = key.wrapping_mul(GOLDEN);
        let slot = (hash >> (64 - self.bits)) as usize;
        Place { slot, tag: hash << self.bits | self.generation << PLY_BITS | u64::from(plies) }
    }

    #[inline(always)]
    pub fn get(&self, place: Place) -> Option<V> {
        let entry = &self.entries[place.slot];
        (entry.tag == place.tag).then_some(entry.value)
    }

    #[inline(always)]
    pub fn put(&mut self, place: Place, value: V) {
        self.entries[place.slot] = Entry { tag: place.tag, value };
    }
}

/// Bounds on a position's value, which alpha-beta stores in its table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    /// The bounds that follow from a search with this window that returned `value`.
    pub fn new(value: f64, alpha: f64, beta: f64) -> Self {
        Bounds {
            low: if value > alpha { value } else { f64::NEG_INFINITY },
            high: if value < beta { value } else { f64::INFINITY },
        }
    }

    /// A value that a search with this window may return, if the bounds suffice for one.
    pub fn within(self, alpha: f64, beta: f64) -> Option<f64> {
        if self.low >= beta || self.low == self.high {
            Some(self.low)
        } else {
            (self.high <= alpha).then_some(self.high)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_key_and_depth_until_cleared() {
        for bits in [MIN_BITS, 9, 14] {
            let mut table = TranspositionTable::new(bits).unwrap();
            for round in 0..1000 {
                assert_eq!(table.get(table.place(5, 3)), None);
                table.put(table.place(5, 3), round);
                assert_eq!(table.get(table.place(5, 3)), Some(round));
                assert_eq!(table.get(table.place(5, 2)), None);
                assert_eq!(table.get(table.place(6, 3)), None);
                table.clear();
            }
        }
        assert!(TranspositionTable::<f64>::new(0).is_none());
    }

    #[test]
    fn keys_with_the_same_slot_are_distinguished() {
        let mut table = TranspositionTable::new(MIN_BITS).unwrap();
        let keys: Vec<u64> = (0..10_000).map(crate::rng::scramble).collect();
        for &key in &keys {
            table.put(table.place(key, 1), key);
        }
        let known = keys.iter().filter_map(|&key| table.get(table.place(key, 1)).map(|found| (key, found)));
        assert!(known.clone().count() > 32 && known.clone().all(|(key, found)| key == found));
    }
}
