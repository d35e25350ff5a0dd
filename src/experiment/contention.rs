//! How long threads waited for a processor. Times measured on a busy machine mean little, so measurements check this.
//!
//! Linux counts for each thread the time that it ran and the time that it could have run but no processor was free
//! (`/proc/<pid>/task/<tid>/schedstat`, first and second field, in nanoseconds). On other systems nothing is known.

use std::fs;
use std::path::Path;

/// Nanoseconds that threads ran and waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTime {
    /// Nanoseconds on a processor.
    pub ran: u64,
    /// Nanoseconds of waiting for one.
    pub waited: u64,
}

/// From this share of waiting on, times are called unreliable. An idle machine shows well under 1 %.
const BUSY: f64 = 0.05;

impl CpuTime {
    /// The calling thread so far; `None` where the system does not say.
    pub fn of_this_thread() -> Option<Self> {
        read(Path::new("/proc/thread-self/schedstat"))
    }

    /// All threads of this process so far.
    pub fn of_all_threads() -> Option<Self> {
        let tasks = fs::read_dir("/proc/self/task").ok()?;
        tasks.filter_map(|task| read(&task.ok()?.path().join("schedstat"))).reduce(CpuTime::plus)
    }

    /// The sum of two times.
    pub fn plus(self, other: Self) -> Self {
        CpuTime { ran: self.ran + other.ran, waited: self.waited + other.waited }
    }

    /// What has been added since `earlier`.
    pub fn since(self, earlier: Self) -> Self {
        CpuTime { ran: self.ran.saturating_sub(earlier.ran), waited: self.waited.saturating_sub(earlier.waited) }
    }

    /// The share of the time that was spent waiting for a processor.
    pub fn waiting(self) -> f64 {
        self.waited as f64 / (self.ran + self.waited).max(1) as f64
    }

    /// A warning if the machine was busy.
    pub fn warning(self) -> Option<String> {
        let percent = 100.0 * self.waiting();
        (self.waiting() > BUSY).then(|| {
            format!(
                "Times were measured on a busy machine: the threads waited {percent:.0} % of the time for a processor. \
                 Measure again when no other program is running."
            )
        })
    }
}

fn read(path: &Path) -> Option<CpuTime> {
    parse(&fs::read_to_string(path).ok()?)
}

fn parse(text: &str) -> Option<CpuTime> {
    let mut fields = text.split_whitespace().map(|field| field.parse().ok());
    Some(CpuTime { ran: fields.next()??, waited: fields.next()?? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_fields_are_read() {
        assert_eq!(parse("100 25 7\n"), Some(CpuTime { ran: 100, waited: 25 }));
        assert_eq!(parse("100"), None);
        assert_eq!(parse("a b"), None);
    }

    #[test]
    fn only_waiting_gives_a_warning() {
        assert_eq!(CpuTime { ran: 1_000, waited: 10 }.warning(), None);
        assert_eq!(CpuTime::default().warning(), None);
        let busy = CpuTime { ran: 700, waited: 300 }.warning().unwrap();
        assert!(busy.contains("busy machine") && busy.contains("30 %"), "{busy}");
        let later = CpuTime { ran: 900, waited: 310 }.since(CpuTime { ran: 700, waited: 300 });
        assert_eq!(later, CpuTime { ran: 200, waited: 10 });
    }
}
