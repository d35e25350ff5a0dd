//! A transposition table: values of positions already searched in the same decision.

/// Direct-mapped: a new entry replaces the old one in its place. Small tables are fastest, because they stay in the
/// second-level cache.
pub(super) struct TranspositionTable<V> {
    entries: Vec<Entry<V>>,
    bits: u32,
    generation: u64,
}

/// The place of an entry implies the upper bits of its scrambled key, so only the lower bits are stored. The bits that
/// this frees hold the generation and the plies left. So an entry of another decision or depth does not match.
#[derive(Clone, Copy)]
struct Entry<V> {
    tag: u64,
    value: V,
}

/// Plies fit into this many bits of a tag.
const PLY_BITS: u32 = 6;

/// The smallest table: its tags have room for the plies alone.
pub(super) const LEAST_BITS: u32 = PLY_BITS;

/// The largest table: 2^26 entries are a gigabyte.
const MOST_BITS: u32 = 26;

/// Knuth's multiplicative hashing with the golden ratio. The factor is odd, so no two keys are scrambled alike.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The tag of an empty entry: no search has this many plies left.
const EMPTY: u64 = (1 << PLY_BITS) - 1;

impl<V: Copy + Default> TranspositionTable<V> {
    /// With 2^`bits` entries, or `None` if that is fewer than 2^[`LEAST_BITS`].
    pub fn new(bits: u32) -> Option<Self> {
        (bits >= LEAST_BITS).then(|| {
            let empty = Entry { tag: EMPTY, value: V::default() };
            TranspositionTable {
                entries: vec![empty; 1 << bits.min(MOST_BITS)],
                bits: bits.min(MOST_BITS),
                generation: 0,
            }
        })
    }

    /// Removes all entries. This is a new generation number, and a pass over the table once in many calls.
    pub fn clear(&mut self) {
        self.generation += 1;
        if self.generation >> (self.bits - PLY_BITS) != 0 {
            self.entries.iter_mut().for_each(|entry| entry.tag = EMPTY);
            self.generation = 0;
        }
    }

    #[inline(always)]
    fn place_and_tag(&self, key: u64, plies: u32) -> (usize, u64) {
        let scrambled = key.wrapping_mul(GOLDEN);
        let place = scrambled >> (64 - self.bits);
        (place as usize, scrambled << self.bits | self.generation << PLY_BITS | u64::from(plies))
    }

    #[inline(always)]
    pub fn get(&self, key: u64, plies: u32) -> Option<V> {
        let (place, tag) = self.place_and_tag(key, plies);
        let entry = &self.entries[place];
        (entry.tag == tag).then_some(entry.value)
    }

    #[inline(always)]
    pub fn put(&mut self, key: u64, plies: u32, value: V) {
        let (place, tag) = self.place_and_tag(key, plies);
        self.entries[place] = Entry { tag, value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_by_key_and_depth_until_cleared() {
        for bits in [LEAST_BITS, 9, 14] {
            let mut table = TranspositionTable::new(bits).unwrap();
            for round in 0..1000 {
                assert_eq!(table.get(5, 3), None);
                table.put(5, 3, round);
                assert_eq!(table.get(5, 3), Some(round));
                assert_eq!(table.get(5, 2), None);
                assert_eq!(table.get(6, 3), None);
                table.clear();
            }
        }
        assert!(TranspositionTable::<f64>::new(0).is_none());
    }

    #[test]
    fn keys_that_share_a_place_are_told_apart() {
        let mut table = TranspositionTable::new(LEAST_BITS).unwrap();
        let keys: Vec<u64> = (0..10_000).map(crate::rng::scramble).collect();
        for &key in &keys {
            table.put(key, 1, key);
        }
        let known = keys.iter().filter_map(|&key| table.get(key, 1).map(|found| (key, found)));
        assert!(known.clone().count() > 32 && known.clone().all(|(key, found)| key == found));
    }
}
