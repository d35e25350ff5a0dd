//! The pages of keys.

use ratatui::Frame;
use ratatui::layout::{Constraint, Flex, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::keys::Keys;
use super::palette::Palette;

/// A key with what it does.
pub type Entry = (String, &'static str);

/// The keys of the play screen.
pub fn play(keys: Keys, adversarial: bool) -> Vec<Entry> {
    let letter = |letter| keys.letter_of(letter).to_string();
    let ways = match keys {
        Keys::Commands => "arrows, W A S D, H j k l",
        Keys::Wasd => "arrows, w a s d, j k l",
        Keys::Hjkl => "arrows, h j k l, w d",
    };
    let go = if adversarial { "move the mark; Enter or a number plays" } else { "slide the tiles" };
    let mut entries = vec![
        (ways.to_string(), go),
        (letter('h'), "hint: what would the agent do, and why"),
        (letter('a'), "the agent plays on; any other key takes over"),
        ("space".into(), "pause the agent, or let it go on"),
        (".".into(), "the agent makes one move"),
        ("+ -".into(), "faster, slower"),
        ("t".into(), "the tree of the agent's search"),
        ("p".into(), "show or hide what the agent thinks"),
        ("m".into(), "menu: algorithm, heuristic, depth, rollouts, keys"),
        ("u".into(), "undo"),
        (letter('s'), "save the game"),
        ("n".into(), "new game"),
        ("q".into(), "quit"),
    ];
    if !adversarial {
        entries.insert(10, ("c".into(), "go on after the goal"));
    }
    entries
}

/// The keys of the replay.
pub fn replay() -> Vec<Entry> {
    let entries = [
        ("→ l, ← h", "a move forward, a move back"),
        ("PgDn, PgUp", "ten moves"),
        ("Home g, End G", "the start, the end"),
        ("number, Enter", "jump to that move"),
        ("space", "play and pause"),
        ("+ -", "faster, slower"),
        ("q", "quit"),
    ];
    entries.map(|(key, what)| (key.to_string(), what)).to_vec()
}

/// Draws a page over the screen.
pub fn draw(frame: &mut Frame, title: &str, entries: &[Entry], palette: Palette) {
    let widest = entries.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let line = |(key, what): &Entry| {
        Line::from(vec![Span::styled(format!(" {key:<widest$}  "), palette.accent()), Span::raw(*what)])
    };
    let mut lines: Vec<Line> = entries.iter().map(line).collect();
    lines.push(Line::styled(" any key goes back", palette.faint()));
    let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 3;
    let area = centred(frame.area(), width, lines.len() as u16 + 2);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(format!(" {title} "))), area);
}

/// A rectangle of this size in the middle.
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let [row] = Layout::vertical([Constraint::Length(height)]).flex(Flex::Center).areas(area);
    let [cell] = Layout::horizontal([Constraint::Length(width)]).flex(Flex::Center).areas(row);
    cell
}
