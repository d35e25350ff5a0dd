//! The loop between an [`App`] and a real terminal, which is always given back as it was.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyEventKind};

use super::{App, Flow};

/// The longest time between two looks at the clock and at the agents' answers.
const PULSE: Duration = Duration::from_millis(30);

/// Set by a signal from outside; keys come as events, Ctrl-C included.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether there is a terminal to draw on and to read keys from.
pub fn is_present() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Gives the terminal back however the loop ends; a panic does so by the hook that `try_init` installs.
struct Restored;

impl Drop for Restored {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// How long the loop may take to notice a signal.
const GRACE: Duration = Duration::from_secs(1);

/// Asks the loop to end, on the thread of the signal. A terminal that was closed never lets the loop out of waiting for
/// keys, so that after a while the program ends here.
fn stop() {
    STOPPED.store(true, Ordering::Relaxed);
    std::thread::sleep(GRACE);
    ratatui::restore();
    std::process::exit(130);
}

/// Runs an app until the user leaves it.
pub fn run(app: &mut dyn App) -> io::Result<Flow> {
    // A second handler cannot be set; the first does the same.
    let _ = ctrlc::set_handler(stop);
    let mut terminal = ratatui::try_init()?;
    let restored = Restored;
    let mut last = Instant::now();
    let flow = loop {
        terminal.draw(|frame| app.draw(frame))?;
        let flow = if event::poll(app.pulse().min(PULSE))? { next_event(app)? } else { Flow::Stay };
        if STOPPED.load(Ordering::Relaxed) {
            break Flow::Interrupt;
        }
        if flow != Flow::Stay {
            break flow;
        }
        let now = Instant::now();
        app.tick(now - last);
        last = now;
    };
    drop(restored);
    Ok(flow)
}

fn next_event(app: &mut dyn App) -> io::Result<Flow> {
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => app.handle(key),
        // A new size is drawn on the next turn.
        _ => Flow::Stay,
    })
}
