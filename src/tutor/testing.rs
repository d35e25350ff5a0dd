//! Keys and screens for the tests.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::{Frame, Terminal};

/// Presses each character as a key, with signs for the keys that have no letter; the last answer.
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

/// A screen of this size, drawn.
pub fn buffer(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(draw).unwrap();
    terminal.backend().buffer().clone()
}

/// The text of such a screen, line by line.
pub fn screen(width: u16, height: u16, draw: impl FnOnce(&mut Frame)) -> String {
    let buffer = buffer(width, height, draw);
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>() + "\n";
    (0..height).map(line).collect()
}
