//! Ctrl-C as a flag that long runs look at.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// The flag that Ctrl-C, SIGTERM and SIGHUP set from now on. Asked for twice, they end the program at once.
pub fn flag() -> &'static AtomicBool {
    HANDLER.get_or_init(|| {
        let heard = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if let Err(error) = heard {
            // Without a handler Ctrl-C simply kills, which no run is harmed by.
            eprintln!("warning: cannot listen to Ctrl-C: {error}");
        }
    });
    &STOP
}
