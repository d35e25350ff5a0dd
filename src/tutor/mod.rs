//! The tutor: play, ask, watch and replay in the terminal.
//!
//! A screen is three things kept apart: a state that keys and answers change ([`App::handle`], [`App::tick`]), a
//! drawing of that state ([`App::draw`]), and the loop that joins both to a real terminal ([`terminal::run`]). So all
//! of it but the loop is tested without a terminal.

pub mod animation;
mod board;
pub mod gallery;
pub mod grid;
mod help;
mod keys;
mod menu;
mod outline;
mod pace;
mod palette;
mod picture;
mod play_screen;
mod record_path;
mod replay;
mod session;
mod sketch;
pub mod terminal;
#[cfg(test)]
mod testing;
mod thinker;
pub mod timeline;

pub use keys::Keys;
pub use palette::Palette;
pub use play_screen::{Play, Setup};
pub use record_path::RecordPath;
pub use replay::Replay;
pub use session::{GameSession, TypedSession};

use std::io;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::backend::TestBackend;
use ratatui::{Frame, Terminal};

use crate::report::scene::Scene;

/// Whether the screen stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Stay,
    Quit,
    /// The user pressed Ctrl-C.
    Interrupt,
}

/// What the terminal loop runs.
pub trait App {
    fn draw(&self, frame: &mut Frame);

    fn handle(&mut self, key: KeyEvent) -> Flow;

    /// Time has passed.
    fn tick(&mut self, passed: Duration);

    /// How soon the next tick is wanted.
    fn pulse(&self) -> Duration;
}

/// A picture of what an app shows on a terminal of this many columns and rows.
pub fn screenshot(app: &dyn App, (columns, rows): (u16, u16)) -> io::Result<Scene> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).map_err(io::Error::other)?;
    terminal.draw(|frame| app.draw(frame)).map_err(io::Error::other)?;
    Ok(picture::picture(terminal.backend().buffer(), "lab2048"))
}

/// The least that every screen fits in.
const LEAST: (u16, u16) = (64, 20);

/// Says so if the terminal is too small for a screen.
fn too_small(frame: &mut Frame) -> bool {
    let area = frame.area();
    let small = area.width < LEAST.0 || area.height < LEAST.1;
    if small {
        let (width, height) = LEAST;
        let text = format!(
            "Terminal too small: {}x{}, but {width}x{height} is needed. Enlarge it; q quits.",
            area.width, area.height
        );
        let paragraph = ratatui::widgets::Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true });
        frame.render_widget(paragraph, area);
    }
    small
}
