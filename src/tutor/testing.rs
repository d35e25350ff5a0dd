//! Helpers for tests: keys and screens.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::{Frame, Terminal};

/// Presses one key for each character and returns the last result. Arrows and the like stand for the special keys.
pub fn press_all<T>(keys: &str, mut handle: impl FnMut(KeyEvent) -> T) -> Option<T> {
    let code = |key: char| match key {
        '←' => KeyCode::Left,
        '→' => KeyCode::Right,
        '↑' => KeyCode::Up,
        '↓' => KeyCode::Down,
        '⏎' => KeyCode::Enter,
        '⎋' => KeyCode::Esc,
        letter => KeyCode::Char(letter),
    };
    keys.chars().map(|key| handle(KeyEvent::new(code(key), KeyModifiers::NONE))).last()
}

/// Draws a screen of this size.
pub fn buffer(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(draw).unwrap();
    terminal.backend().buffer().clone()
}

/// The text of a screen of this size.
pub fn screen(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> String {
    let buffer = buffer(width, height, draw);
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>() + "\n";
    (0..height).map(line).collect()
}
