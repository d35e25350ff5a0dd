//! Large arrays of numbers, in huge pages where the system offers them.
//!
//! A lookup in a large table misses the data cache, and with 4 KiB pages it also misses the TLB. Pages of 2 MiB make
//! TLB misses rare. The free memory is checked before an allocation. A system that overcommits memory would otherwise
//! kill the program later, in the middle of a training.

use std::fs;

use memmap2::MmapMut;

use crate::params::InputError;

/// An array of numbers, initially 0.
pub struct Numbers {
    map: MmapMut,
    count: usize,
}

impl Numbers {
    pub fn zeroed(count: usize) -> Result<Self, InputError> {
        let refused = |error| InputError::new(format!("cannot allocate {} for a table: {error}", bytes_of(count)));
        let map = MmapMut::map_anon(count * size_of::<f32>()).map_err(refused)?;
        // Huge pages only make access faster, so an error here can be ignored.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Numbers { map, count })
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[f32] {
        // SAFETY: the map starts at a page, so it is aligned. It holds `count` numbers, and every bit pattern is a
        // number.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }

    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [f32] {
        // SAFETY: as above, and nothing else has access to the map meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.count) }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.map
    }

    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        &mut self.map
    }
}

/// Fails if this needs more memory than is available.
pub fn check_available(what: &str, numbers: usize) -> Result<(), InputError> {
    let needed = numbers as u64 * size_of::<f32>() as u64;
    match available() {
        Some(available) if needed > available => Err(InputError::new(format!(
            "{what} needs {needed} bytes of memory ({}), but only {available} are available",
            bytes_of(numbers)
        ))),
        _ => Ok(()),
    }
}

fn bytes_of(numbers: usize) -> String {
    format!("{:.1} MiB", numbers as f64 * size_of::<f32>() as f64 / f64::from(1 << 20))
}

/// The number of bytes that can be allocated without swapping; `None` if the system does not say.
fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Prefetches the cache line of a number, without waiting for it.
#[inline(always)]
pub fn prefetch(numbers: &[f32], place: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch neither reads nor writes anything that the program can see, whatever the address is.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(numbers.as_ptr().wrapping_add(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (numbers, place);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_start_at_zero_and_keep_what_is_written() {
        let mut numbers = Numbers::zeroed(1 << 16).unwrap();
        assert!(numbers.as_slice().iter().all(|number| *number == 0.0));
        numbers.as_mut_slice()[7] = 2.5;
        prefetch(numbers.as_slice(), 7);
        assert_eq!((numbers.as_slice()[7], numbers.as_slice().len()), (2.5, 1 << 16));
    }

    #[test]
    fn a_request_for_more_memory_than_is_available_is_refused_with_its_size() {
        if available().is_some() {
            let message = check_available("the network", 1 << 60).unwrap_err().message;
            assert!(message.contains("4611686018427387904 bytes"), "{message}");
        }
        assert!(check_available("the network", 1).is_ok());
    }
}
