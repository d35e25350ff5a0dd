//! Measurements for docs/browser.md: `cargo test --release --test it web_measures -- --ignored --nocapture`.

use super::browser::Browser;
use super::client::Server;
use super::requests::results;

/// 200 clients ask for half a minute without a pause. No request may fail, and the memory may not grow.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes half a minute"]
fn web_measures_load() {
    use super::requests::memory;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};
    const PATHS: [&str; 6] = ["/", "/api/runs", "/runs/small", "/play", "/assets/play.js", "/assets/style.css"];
    let folder = results("plain");
    let server = Server::start(&folder.path().join("results"));
    let (began, answered) = (Instant::now(), AtomicU64::new(0));
    let until = |seconds: u64| began.elapsed() < Duration::from_secs(seconds);
    let mut kilobytes = Vec::new();
    thread::scope(|scope| {
        for first in 0..200 {
            let (server, answered) = (&server, &answered);
            scope.spawn(move || {
                for path in PATHS.iter().cycle().skip(first % PATHS.len()) {
                    if !until(30) {
                        return;
                    }
                    let answer = server.get(path);
                    assert_eq!(answer.status, 200, "{path}: {answer:?}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        while until(30) {
            thread::sleep(Duration::from_secs(5));
            kilobytes.push(memory(server.child.id()));
        }
    });
    println!("{} requests without an error; memory in kB every 5 s: {kilobytes:?}", answered.into_inner());
    let (early, late) = (kilobytes[1], kilobytes[kilobytes.len() - 1]);
    assert!(late < early + early / 4, "memory grew from {early} to {late} kB");
}

/// The time from the request to the first paint, measured by the browser. For each page the server has just started,
/// and the browser has not cached the page.
#[test]
#[ignore = "needs a quiet machine to mean something"]
fn web_measures_first_paint() {
    let Some(browser) = Browser::start("the time to the first paint") else { return };
    for path in ["/", "/play", "/runs/small"] {
        let folder = results("plain");
        let server = Server::start(&folder.path().join("results"));
        browser.open_page(&server.address(path));
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        browser.wait_for(&format!("{paint} > 0"));
        println!("{path}: first paint after {:.0} ms", browser.value(paint).as_f64().unwrap());
    }
}
