//! Searches that pages ask for. Only a few run at a time, and a search ends when its page is closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::server::{Page, Refusal};
use crate::agents::StopFlag;

/// Searches at the same time; others wait.
const MOST_SEARCHES: usize = 4;
/// A search that cannot start within this time is refused.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How often to check whether the page of a search is still open.
const LOOK: Duration = Duration::from_millis(50);

/// The stop flags of the searches that may run. A flag lives longer than every search, so agents can keep a reference
/// to it.
pub struct Searches {
    flags: &'static [AtomicBool; MOST_SEARCHES],
    is_taken: Mutex<[bool; MOST_SEARCHES]>,
    ended: Condvar,
}

impl Default for Searches {
    fn default() -> Self {
        // This memory is never freed. A program has one site, or a few in tests, so that does no harm.
        let flags = Box::leak(Box::new([const { AtomicBool::new(false) }; MOST_SEARCHES]));
        Searches { flags, is_taken: Mutex::default(), ended: Condvar::new() }
    }
}

impl Searches {
    /// Runs a search as soon as fewer than the most are running. The search gets a flag that is set when its page is
    /// closed.
    pub fn run<T>(&self, page: &Page, search: impl FnOnce(StopFlag) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let turn = self.wait_for_turn(page)?;
        let flag = &self.flags[turn.place];
        flag.store(false, Ordering::Relaxed);
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let watch = || {
                while !is_done.load(Ordering::Relaxed) && !flag.load(Ordering::Relaxed) {
                    thread::park_timeout(LOOK);
                    flag.store(page.is_gone(), Ordering::Relaxed);
                }
            };
            // Without a thread to watch the page, the search ends at its other limits.
            let watcher = thread::Builder::new().name("watch".into()).spawn_scoped(scope, watch);
            let found = search(StopFlag(flag));
            is_done.store(true, Ordering::Relaxed);
            if let Ok(watcher) = watcher {
                watcher.thread().unpark();
            }
            found
        })
    }

    fn wait_for_turn(&self, page: &Page) -> Result<Turn<'_>, Refusal> {
        let mut is_taken = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waited = Duration::ZERO;
        loop {
            if page.is_gone() || waited >= LONGEST_WAIT {
                return Err(Refusal::new(503, "other searches are still running; try again in a moment"));
            }
            if let Some(place) = is_taken.iter().position(|taken| !taken) {
                is_taken[place] = true;
                return Ok(Turn { searches: self, place });
            }
            let woken = self.ended.wait_timeout(is_taken, LOOK);
            is_taken = woken.unwrap_or_else(PoisonError::into_inner).0;
            waited += LOOK;
        }
    }
}

/// The right to run a search, which ends on drop.
struct Turn<'a> {
    searches: &'a Searches,
    place: usize,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.searches.is_taken.lock().unwrap_or_else(PoisonError::into_inner)[self.place] = false;
        self.searches.ended.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_stopped_when_its_page_is_closed() {
        let (listener, searches) = (std::net::TcpListener::bind("127.0.0.1:0").unwrap(), Searches::default());
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        // This search would never end by itself.
        let endless = |stop: StopFlag| {
            drop(client);
            while !stop.is_set() {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        };
        searches.run(&Page::of(&stream), endless).unwrap();
        // The next search of a closed page does not start.
        assert_eq!(searches.run(&Page::of(&stream), |_| Ok(())).unwrap_err().status, 503);
    }

    #[test]
    fn a_flag_is_clear_again_for_the_next_page() {
        let (listener, searches) = (std::net::TcpListener::bind("127.0.0.1:0").unwrap(), Searches::default());
        searches.flags[0].store(true, Ordering::Relaxed);
        let _client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        assert!(!searches.run(&Page::of(&stream), |stop| Ok(stop.is_set())).unwrap());
    }
}
