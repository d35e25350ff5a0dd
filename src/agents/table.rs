//! A transposition table: values of positions already searched in the same decision.

/// Direct-mapped: a new entry takes the place of an old one. Small tables stay in the processor's second-level cache,
/// where they are fastest.
pub(super) struct Table<V> {
    entries: Vec<Entry<V>>,
    shift: u32,
    generation: u32,
}

#[derive(Clone, Copy)]
struct Entry<V> {
    key: u64,
    /// Generation and plies left: an entry of another decision or depth does not match.
    tag: u32,
    value: V,
}

/// Plies fit into this many bits of a tag.
const PLY_BITS: u32 = 6;

/// Knuth's multiplicative hashing with the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl<V: Copy + Default> Table<V> {
    /// With 2^`bits` entries, or `None` for 0.
    pub fn new(bits: i64) -> Option<Self> {
        (bits > 0).then(|| {
            let empty = Entry { key: 0, tag: 0, value: V::default() };
            Table { entries: vec![empty; 1 << bits], shift: 64 - bits as u32, generation: 1 }
        })
    }

    /// Forgets everything, at no cost but once in 2^26 times.
    pub fn clear(&mut self) {
        self.generation = (self.generation + 1) & (u32::MAX >> PLY_BITS);
        if self.generation == 0 {
            self.entries.iter_mut().for_each(|entry| entry.tag = 0);
            self.generation = 1;
        }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(GOLDEN) >> self.shift) as usize
    }

    #[inline(always)]
    fn tag(&self, plies: u32) -> u32 {
        self.generation << PLY_BITS | plies
    }

    #[inline(always)]
    pub fn get(&self, key: u64, plies: u32) -> Option<V> {
        let entry = &self.entries[self.place(key)];
        (entry.key == key && entry.tag == self.tag(plies)).then_some(entry.value)
    }

    #[inline(always)]
    pub fn put(&mut self, key: u64, plies: u32, value: V) {
        let (place, tag) = (self.place(key), self.tag(plies));
        self.entries[place] = Entry { key, tag, value };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_by_key_and_depth_until_cleared() {
        let mut table = Table::new(4).unwrap();
        table.put(5, 3, 1.5);
        assert_eq!(table.get(5, 3), Some(1.5));
        assert_eq!(table.get(5, 2), None);
        assert_eq!(table.get(6, 3), None);
        table.clear();
        assert_eq!(table.get(5, 3), None);
        assert!(Table::<f64>::new(0).is_none());
    }

    #[test]
    fn forgets_across_a_wrapped_generation() {
        let mut table = Table::new(2).unwrap();
        table.put(1, 1, 7);
        for _ in 0..1u32 << 26 {
            table.clear();
        }
        assert_eq!(table.get(1, 1), None);
    }
}
