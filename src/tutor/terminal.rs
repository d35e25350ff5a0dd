//! The loop that connects an [`App`] with a real terminal. It always restores the terminal at the end.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{App, Flow, fits};

/// The longest time between two looks at the clock and at the agents' responses.
const PULSE: Duration = Duration::from_millis(30);

/// Set by a signal from another process. Keys, including Ctrl-C, come as events instead.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether the program runs in a terminal.
pub fn is_present() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Restores the terminal when it is dropped. After a panic, the hook that `try_init` installs does it.
struct RestoreOnDrop;

impl Drop for RestoreOnDrop {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// How long the loop may take to notice a signal.
const GRACE: Duration = Duration::from_secs(1);

/// Runs on the thread of the signal, and asks the loop to end. If the terminal has been closed, the loop waits for keys
/// for ever; so after a while this function ends the program.
fn stop() {
    STOPPED.store(true, Ordering::Relaxed);
    std::thread::sleep(GRACE);
    ratatui::restore();
    std::process::exit(130);
}

/// Runs an app until the user leaves it.
pub fn run(app: &mut dyn App) -> io::Result<Flow> {
    // It fails if there is a handler already, which does the same.
    let _ = ctrlc::set_handler(stop);
    let mut terminal = ratatui::try_init()?;
    let restored = RestoreOnDrop;
    let mut last = Instant::now();
    let flow = loop {
        // While the terminal is too small, the game is not on the screen. So it must not change.
        let is_shown = fits(terminal.draw(|frame| app.draw(frame))?.area);
        let flow = if event::poll(app.pulse().min(PULSE))? { next_event(app, is_shown)? } else { Flow::Stay };
        if STOPPED.load(Ordering::Relaxed) {
            break Flow::Interrupt;
        }
        if flow != Flow::Stay {
            break flow;
        }
        let now = Instant::now();
        if is_shown {
            app.tick(now - last);
        }
        last = now;
    };
    drop(restored);
    Ok(flow)
}

fn next_event(app: &mut dyn App, is_shown: bool) -> io::Result<Flow> {
    Ok(match event::read()? {
        Event::Key(key) if key.kind == KeyEventKind::Release => Flow::Stay,
        Event::Key(key) if is_control_c(key) => Flow::Quit,
        Event::Key(key) if is_shown => app.handle(key),
        Event::Key(KeyEvent { code: KeyCode::Char('q'), .. }) => Flow::Quit,
        // A new size is drawn in the next round of the loop.
        _ => Flow::Stay,
    })
}

/// In raw mode Ctrl-C is a key like any other. It quits every screen.
fn is_control_c(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c')
}
