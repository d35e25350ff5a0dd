//! The panel beside the board: the agent's advice and its search.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::PlayScreen;
use crate::explain::{NodeId, Tree, TreeEntry, plies, show_value};
use crate::games::is_win;
use crate::tutor::agent_thread::Advice;
use crate::tutor::palette::Palette;
use crate::tutor::session::GameStatus;

/// How many cuts are listed.
const EXAMPLES: usize = 3;
/// How many moves of the main line are shown.
const LINE_LENGTH: usize = 8;

impl PlayScreen {
    pub(super) fn draw_panel(&self, frame: &mut Frame, area: Rect) {
        let block = Block::bordered().title(format!(" {} ", self.agent.label()));
        let width = usize::from(block.inner(area).width);
        let mut lines = match (&self.advice, self.state.status) {
            (_, GameStatus::Over(_)) => vec![Line::raw(self.result().unwrap_or_default())],
            (_, GameStatus::Waiting) => vec![Line::raw("the opponent is thinking …")],
            (None, GameStatus::Open) => vec![Line::raw("thinking …")],
            (Some(advice), GameStatus::Open) => advice_lines(advice, width, self.palette),
        };
        if let Some(tree) = &self.tree {
            let searched = self.advice.as_ref().and_then(|advice| advice.depth);
            lines.extend(tree_lines(tree, searched, self.palette));
        }
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
    }
}

fn advice_lines(advice: &Advice, width: usize, palette: Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> =
        advice.values.iter().map(|(action, value)| bar(advice, action, *value, width, palette)).collect();
    let depth = advice.depth.map(|depth| format!(", {}", plies(depth))).unwrap_or_default();
    let runs = if advice.runs > 0 { format!(", {} runs", advice.runs) } else { String::new() };
    lines.push(Line::raw(""));
    lines.push(Line::raw(format!("{} nodes{depth}{runs}, {}", advice.nodes, duration(advice.time))));
    lines
}

/// A duration in microseconds, milliseconds or seconds.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.0} µs", 1e6 * seconds),
        seconds if seconds < 1.0 => format!("{:.1} ms", 1e3 * seconds),
        seconds => format!("{seconds:.1} s"),
    }
}

/// One move with its value as a bar: `* left  ██████▌    123.4`.
fn bar(advice: &Advice, action: &str, value: f64, width: usize, palette: Palette) -> Line<'static> {
    let is_best = action == advice.choice;
    let style = if is_best { palette.accent() } else { Default::default() };
    let number = short(value);
    let room = width.saturating_sub(8 + 1 + 11);
    let blocks = blocks(share(advice, value), room);
    Line::from(vec![
        Span::styled(format!("{}{action:<6}", if is_best { "* " } else { "  " }), style),
        Span::styled(format!("{blocks:<room$}"), palette.bar()),
        Span::styled(format!(" {number:>10}"), style),
    ])
}

/// A value between 0 (the worst move) and 1 (the best), so that the bars of close values differ too.
fn share(advice: &Advice, value: f64) -> f64 {
    let finite = |value: f64| if is_win(value) { f64::MAX.sqrt() } else { value };
    let values = || advice.values.iter().map(|(_, value)| finite(*value));
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if most > least { (finite(value) - least) / (most - least) } else { 1.0 }
}

/// A bar in eighths of a character; at least one eighth.
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

/// The main line and the cuts. `searched` is the depth of the agent's own search, which may be greater.
fn tree_lines(tree: &Tree, searched: Option<u32>, palette: Palette) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw("")];
    lines.extend(depth_note(tree, searched).map(Line::raw));
    let line = main_line(tree);
    if !line.is_empty() {
        lines.push(Line::styled("Main line", palette.accent()));
        lines.push(Line::raw(line.join(", ")));
    }
    if tree.cut > 0 {
        lines.push(Line::styled(format!("Cut: {} branches", tree.cut), palette.cut()));
        let cuts = (0..tree.nodes().len())
            .flat_map(|id| tree.entries(id).into_iter().filter_map(move |entry| cut_line(tree, id, entry)));
        lines.extend(cuts.take(EXAMPLES).map(Line::raw));
    }
    lines
}

/// Which search the tree and the main line come from, if it has a depth.
fn depth_note(tree: &Tree, searched: Option<u32>) -> Option<String> {
    let (depth, visited) = (plies(tree.depth), tree.visited);
    match searched {
        _ if tree.depth == 0 => None,
        Some(searched) if searched == tree.depth => Some(format!("Tree (t): the same {depth}, {visited} nodes")),
        Some(searched) => Some(format!(
            "Tree (t) and main line: {depth}, {visited} nodes. The values above come from {}, so the best move may differ.",
            plies(searched)
        )),
        None => Some(format!("Tree (t): {depth}, {visited} nodes")),
    }
}

/// The best play of both sides. Where chance replies, it has the most likely reply.
fn main_line(tree: &Tree) -> Vec<String> {
    let next = |id: NodeId| {
        let likelier = |a: NodeId, b: NodeId| if tree[b].probability > tree[a].probability { b } else { a };
        tree[id].best.or_else(|| tree[id].children.iter().copied().reduce(likelier))
    };
    let line = std::iter::successors(tree.root().best, |&id| next(id));
    line.take(LINE_LENGTH).map(|id| tree[id].label.clone()).collect()
}

/// Branches that were cut, with the moves that lead to them and the reason.
fn cut_line(tree: &Tree, id: NodeId, entry: TreeEntry) -> Option<String> {
    let TreeEntry::Cut(cut) = entry else { return None };
    let (who, why) = tree.describe_cut(cut);
    let mut path: Vec<&str> =
        std::iter::successors(Some(id), |&id| tree[id].parent).map(|id| tree[id].label.as_str()).collect();
    path.reverse();
    let path: Vec<&str> = path.into_iter().filter(|label| !label.is_empty()).collect();
    let after = if path.is_empty() { String::new() } else { format!("after {}, ", path.join(", ")) };
    Some(format!("{after}{who}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(blocks(1.0, 4), "████");
        assert_eq!(blocks(0.5, 4), "██");
        assert_eq!(blocks(0.0, 4), "▏");
        assert_eq!(blocks(0.5, 1), "▌");
    }

    #[test]
    fn durations_have_a_suitable_unit() {
        let shown = [12_345, 123_456_000, 2_500_000_000].map(|nanos| duration(Duration::from_nanos(nanos)));
        assert_eq!(shown, ["12 µs", "123.5 ms", "2.5 s"]);
    }

    #[test]
    fn values_have_at_most_ten_characters() {
        for value in [0.0, -0.1234, 1e30, 1_234_567.891_23, f64::NEG_INFINITY, crate::games::WIN] {
            assert!(short(value).len() <= 10, "{}", short(value));
        }
    }
}
