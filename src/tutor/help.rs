//! The help pages: which key does what on each screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Flex, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::keys::KeyBindings;
use super::palette::Palette;

/// A key and what it does.
pub type KeyHelp = (String, &'static str);

/// The keys of the play screen.
pub fn play(keys: KeyBindings, adversarial: bool) -> Vec<KeyHelp> {
    let letter = |letter| keys.letter_of(letter).to_string();
    let directions = match keys {
        KeyBindings::Commands => "arrows WASD Hjkl",
        KeyBindings::Wasd => "arrows wasd jkl",
        KeyBindings::Hjkl => "arrows hjkl wd",
    };
    let go = if adversarial { "move the mark; Enter or a number plays" } else { "slide the tiles" };
    let mut entries = vec![
        (directions.to_string(), go),
        (letter('h'), "hint: show the agent's move and its values"),
        (letter('a'), "let the agent play; any other key stops it"),
        ("space".into(), "pause the agent, or let it continue"),
        (".".into(), "let the agent make one move"),
        ("+ -".into(), "play faster, more slowly"),
        ("t".into(), "open the tree of the agent's search"),
        ("p".into(), "show or hide the agent's panel"),
        ("m".into(), "menu: algorithm, heuristic, depth, keys"),
        ("u".into(), "take back a move"),
        (letter('s'), "save the game"),
        ("n".into(), "start a new game"),
        ("q, Ctrl-C".into(), "quit"),
    ];
    if !adversarial {
        entries.insert(10, ("c".into(), "continue after the goal"));
    }
    entries
}

/// The keys of the replay screen.
pub fn replay() -> Vec<KeyHelp> {
    owned(&[
        ("→ l, ← h", "one move forward, one move back"),
        ("PgDn, PgUp", "ten moves forward, ten moves back"),
        ("Home g, End G", "go to the start, to the end"),
        ("number, Enter", "go to the move with this number"),
        ("space", "play, or pause"),
        ("+ -", "play faster, more slowly"),
        ("q, Ctrl-C", "quit"),
    ])
}

/// The keys of the tree screen.
pub fn tree() -> Vec<KeyHelp> {
    owned(&[
        ("↑ k, ↓ j", "the line above, the line below"),
        ("→ l, ← h", "open a node, close it or go to its parent"),
        ("Enter, space", "open or close a node"),
        ("n, p", "the next node of the search, the one before"),
        ("b", "the best line of play"),
        ("c", "the next place where branches were cut"),
        ("PgDn, PgUp", "fifteen lines down, fifteen lines up"),
        ("g, G", "the first line, the last line"),
        ("t, q, Esc", "back to the game"),
    ])
}

/// The keys of the menu.
pub fn menu() -> Vec<KeyHelp> {
    owned(&[
        ("↑, ↓", "the line above, the line below"),
        ("←, →", "the previous value, the next value"),
        ("letters, digits", "type a new value"),
        ("Backspace", "delete the last character"),
        ("Enter", "use these settings"),
        ("Esc", "back to the game without changes"),
    ])
}

fn owned(entries: &[(&str, &'static str)]) -> Vec<KeyHelp> {
    entries.iter().map(|(key, what)| (key.to_string(), *what)).collect()
}

/// Draws a help page over the screen.
pub fn draw(frame: &mut Frame, title: &str, entries: &[KeyHelp], palette: Palette) {
    let widest = entries.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let line = |(key, what): &KeyHelp| {
        Line::from(vec![Span::styled(format!(" {key:<widest$}  "), palette.accent()), Span::raw(*what)])
    };
    let mut lines: Vec<Line> = entries.iter().map(line).collect();
    lines.push(Line::styled(" any key goes back", palette.faint()));
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 3;
    let area = centred(frame.area(), width, lines.len() as u16 + 2);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(format!(" {title} "))), area);
}

/// A rectangle of this size in the middle of an area.
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let [row] = Layout::vertical([Constraint::Length(height)]).flex(Flex::Center).areas(area);
    let [cell] = Layout::horizontal([Constraint::Length(width)]).flex(Flex::Center).areas(row);
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tutor::LEAST_SIZE;

    #[test]
    fn every_page_fits_the_smallest_screen() {
        let (width, height) = LEAST_SIZE;
        let all = KeyBindings::ALL.map(|(_, keys)| [play(keys, true), play(keys, false)]);
        for page in all.into_iter().flatten().chain([replay(), tree(), menu()]) {
            let key = page.iter().map(|(key, _)| key.chars().count()).max().unwrap();
            let what = page.iter().map(|(_, what)| what.chars().count()).max().unwrap();
            assert!(key + what + 6 <= usize::from(width), "{page:?}");
            assert!(page.len() + 3 <= usize::from(height));
        }
    }
}
