//! The tutor: play, ask for advice, watch and replay in the terminal.
//!
//! A screen has a state, which keys and agents' responses change ([`App::handle`], [`App::tick`]), and a function that
//! draws this state ([`App::draw`]). The loop [`terminal::run`] connects both with a real terminal. So everything except
//! the loop can be tested without a terminal.

mod agent_thread;
pub mod animation;
mod autoplay_timer;
mod board;
pub mod board_pictures;
pub mod grid;
mod help;
mod keys;
mod menu;
mod painter;
mod palette;
mod picture;
mod play_screen;
mod record_path;
mod replay;
mod session;
pub mod terminal;
#[cfg(test)]
mod testing;
pub mod timeline;
mod tree_screen;

pub use agent_thread::{ResponseSender, TreeGrowth, at_depth};
pub use keys::KeyBindings;
pub use palette::Palette;
pub use play_screen::{PlayScreen, PlaySetup};
pub use record_path::RecordPath;
pub use replay::ReplayScreen;
pub use session::{GameSession, GameStatus, Role, SessionState, TypedSession};

use std::io;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{Frame, Terminal};

use crate::report::scene::Scene;

/// What happens after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The screen stays.
    Stay,
    /// The user quits.
    Quit,
    /// Another process ends the program.
    Interrupt,
}

/// A screen, which the terminal loop runs.
pub trait App {
    /// Draws the screen.
    fn draw(&self, frame: &mut Frame);

    /// Handles a key.
    fn handle(&mut self, key: KeyEvent) -> Flow;

    /// Handles the passing of time.
    fn tick(&mut self, passed: Duration);

    /// The longest time until the next call of [`App::tick`].
    fn pulse(&self) -> Duration;
}

/// A picture of what an app shows on a terminal of this many columns and rows.
pub fn screenshot(app: &dyn App, (columns, rows): (u16, u16)) -> io::Result<Scene> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).map_err(io::Error::other)?;
    terminal.draw(|frame| app.draw(frame)).map_err(io::Error::other)?;
    Ok(picture::picture(terminal.backend().buffer(), "lab2048"))
}

/// The smallest terminal that every screen fits in, in columns and rows.
const LEAST_SIZE: (u16, u16) = (64, 20);

/// Whether the terminal is large enough for the screens.
fn fits(area: Rect) -> bool {
    area.width >= LEAST_SIZE.0 && area.height >= LEAST_SIZE.1
}

/// Draws a message if the terminal is too small. Returns whether it is.
fn draw_too_small(frame: &mut Frame) -> bool {
    let area = frame.area();
    if fits(area) {
        return false;
    }
    let (width, height) = LEAST_SIZE;
    let text = format!(
        "Terminal too small: {}x{}, but {width}x{height} is needed. The game waits until it is larger; q quits.",
        area.width, area.height
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    true
}
