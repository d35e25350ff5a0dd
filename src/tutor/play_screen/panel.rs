//! What the agent thinks of the position.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::Play;
use crate::explain::{Entry, NodeId, Tree, show_value};
use crate::games::is_win;
use crate::tutor::palette::Palette;
use crate::tutor::session::GameStatus;
use crate::tutor::thinker::Thought;

/// Cuts that are told one by one.
const EXAMPLES: usize = 3;
/// Moves of the main line that are told.
const LINE_LENGTH: usize = 8;

impl Play {
    pub(super) fn draw_panel(&self, frame: &mut Frame, area: Rect) {
        let block = Block::bordered().title(format!(" {} ", self.agent.label()));
        let width = usize::from(block.inner(area).width);
        let mut lines = match (&self.thought, self.facts.status) {
            (_, GameStatus::Over(_)) => vec![Line::raw("the game is over")],
            (_, GameStatus::Waiting) => vec![Line::raw("the opponent is thinking …")],
            (None, GameStatus::Open) => vec![Line::raw("thinking …")],
            (Some(thought), GameStatus::Open) => thought_lines(thought, width, self.palette),
        };
        if let Some(tree) = &self.tree {
            lines.extend(tree_lines(tree, self.palette));
        }
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
    }
}

fn thought_lines(thought: &Thought, width: usize, palette: Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> =
        thought.values.iter().map(|(action, value)| bar(thought, action, *value, width, palette)).collect();
    let depth = thought.depth.map(|plies| format!(", {plies} plies")).unwrap_or_default();
    let runs = if thought.runs > 0 { format!(", {} runs", thought.runs) } else { String::new() };
    lines.push(Line::raw(""));
    lines.push(Line::raw(format!("{} nodes{depth}{runs}, {}", thought.nodes, duration(thought.time))));
    lines
}

/// In the unit that fits.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.0} µs", 1e6 * seconds),
        seconds if seconds < 1.0 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{seconds:.1} s"),
    }
}

/// `* left  ██████▌    123.4`
fn bar(thought: &Thought, action: &str, value: f64, width: usize, palette: Palette) -> Line<'static> {
    let is_best = action == thought.choice;
    let style = if is_best { palette.accent() } else { Default::default() };
    let number = short(value);
    let room = width.saturating_sub(8 + 1 + 11);
    let blocks = blocks(share(thought, value), room);
    Line::from(vec![
        Span::styled(format!("{}{action:<6}", if is_best { "* " } else { "  " }), style),
        Span::styled(format!("{blocks:<room$}"), palette.bar()),
        Span::styled(format!(" {number:>10}"), style),
    ])
}

/// How far a value reaches from the worst to the best, so that close values can be told apart.
fn share(thought: &Thought, value: f64) -> f64 {
    let finite = |value: f64| if is_win(value) { f64::MAX.sqrt() } else { value };
    let values = || thought.values.iter().map(|(_, value)| finite(*value));
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if most > least { (finite(value) - least) / (most - least) } else { 1.0 }
}

/// A bar in eighths of a character, never without any ink.
fn blocks(share: f64, room: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((share.clamp(0.0, 1.0) * 8.0 * room as f64).round() as usize).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// A value in at most ten characters.
fn short(value: f64) -> String {
    let text = show_value(value);
    if text.len() <= 10 {
        return text;
    }
    let fixed = format!("{value:.2}");
    if fixed.len() <= 10 { fixed } else { format!("{value:.3e}") }
}

fn tree_lines(tree: &Tree, palette: Palette) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw("")];
    let line = variation(tree);
    if !line.is_empty() {
        lines.push(Line::styled("Main line", palette.accent()));
        lines.push(Line::raw(line.join(", ")));
    }
    if tree.depth > 0 {
        lines.push(Line::raw(format!("followed {} plies: {} nodes (t)", tree.depth, tree.visited)));
    }
    if tree.cut > 0 {
        lines.push(Line::styled(format!("Cut: {} branches", tree.cut), palette.cut()));
        let cuts = (0..tree.nodes().len())
            .flat_map(|id| tree.entries(id).into_iter().filter_map(move |entry| cut_line(tree, id, entry)));
        lines.extend(cuts.take(EXAMPLES).map(Line::raw));
    }
    lines
}

/// The best play of both sides; where chance replies, the likeliest reply.
fn variation(tree: &Tree) -> Vec<String> {
    let next = |id: NodeId| {
        let likelier = |a: NodeId, b: NodeId| if tree[b].probability > tree[a].probability { b } else { a };
        tree[id].best.or_else(|| tree[id].children.iter().copied().reduce(likelier))
    };
    let line = std::iter::successors(tree.root().best, |&id| next(id));
    line.take(LINE_LENGTH).map(|id| tree[id].label.clone()).collect()
}

/// `after a1, O b2: c3, a2 cut: 1 >= beta 0`: the way to branches that were cut, and why they were.
fn cut_line(tree: &Tree, id: NodeId, entry: Entry) -> Option<String> {
    let Entry::Cut(cut) = entry else { return None };
    let (who, why) = tree.describe_cut(cut);
    let mut path: Vec<&str> =
        std::iter::successors(Some(id), |&id| tree[id].parent).map(|id| tree[id].label.as_str()).collect();
    path.reverse();
    let path: Vec<&str> = path.into_iter().filter(|label| !label.is_empty()).collect();
    let after = if path.is_empty() { String::new() } else { format!("after {}: ", path.join(", ")) };
    Some(format!("{after}{who} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_span_from_worst_to_best() {
        assert_eq!(blocks(1.0, 4), "████");
        assert_eq!(blocks(0.5, 4), "██");
        assert_eq!(blocks(0.0, 4), "▏");
        assert_eq!(blocks(0.5, 1), "▌");
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        let shown = [12_345, 123_456_000, 2_500_000_000].map(|nanos| duration(Duration::from_nanos(nanos)));
        assert_eq!(shown, ["12 µs", "123.5 ms", "2.5 s"]);
    }

    #[test]
    fn values_fit() {
        for value in [0.0, -0.1234, 1e30, 1_234_567.891_23, f64::NEG_INFINITY, crate::games::WIN] {
            assert!(short(value).len() <= 10, "{}", short(value));
        }
    }
}
