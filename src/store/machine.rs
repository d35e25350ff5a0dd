//! Information about this machine and this process, for segment headers, locks and `run.json`.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::SystemTime;

/// The name of this host, or `unknown`.
pub fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".into())
}

/// An identifier of the current boot of the machine; empty if the system has none.
pub fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_string()
}

/// The name of the processor, or the architecture if the name is unknown.
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// The start of a process of this host, in the kernel's clock ticks. `None` if there is no such process.
///
/// Process numbers are reused, so a number alone does not show that the same process is still running.
pub fn process_start(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may contain spaces. The start is field 22.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

/// Whether this system lists its processes under /proc, which [`process_start`] needs.
pub fn lists_processes() -> bool {
    process_start(std::process::id()).is_some()
}

/// The current time in UTC, in the format of RFC 3339.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// A random number for the names of files. It is not repeatable, so it must never affect results.
pub fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_a_start_and_an_unused_number_has_none() {
        if lists_processes() {
            assert!(process_start(std::process::id()).is_some());
            assert_eq!(process_start(u32::MAX), None);
        }
    }

    #[test]
    fn times_are_written_as_rfc_3339() {
        let now = now();
        assert_eq!(now.len(), "2026-01-31T12:00:00Z".len());
        assert!(now.ends_with('Z') && now.as_bytes()[10] == b'T', "{now}");
    }
}
