//! The tree of a search as an outline to walk in.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use crate::explain::{Bound, Entry, NodeId, NodeKind, Status, Tree, show_value};

use super::board::BoardView;
use super::grid::Grid;
use super::palette::Palette;

/// How far a page key goes.
const PAGE: isize = 15;
/// The room for the node that the cursor is on.
const DETAIL_WIDTH: u16 = 34;

/// One line of the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutlineRow {
    Node(NodeId),
    /// The first of some neighbours that were cut together.
    Cut(NodeId),
    Omitted(NodeId, u64),
}

/// A tree with what of it is open, and where the cursor is.
pub struct Outline {
    tree: Tree,
    open: BTreeSet<NodeId>,
    cursor: usize,
}

impl Outline {
    /// With the root open.
    pub fn new(tree: Tree) -> Self {
        Outline { tree, open: BTreeSet::from([Tree::ROOT]), cursor: 0 }
    }

    /// The lines that are to be seen, each with its depth.
    fn rows(&self) -> Vec<(usize, OutlineRow)> {
        let mut rows = vec![(0, OutlineRow::Node(Tree::ROOT))];
        self.add_below(Tree::ROOT, 1, &mut rows);
        rows
    }

    fn add_below(&self, id: NodeId, depth: usize, rows: &mut Vec<(usize, OutlineRow)>) {
        if !self.open.contains(&id) {
            return;
        }
        for entry in self.tree.entries(id) {
            match entry {
                Entry::Node(child) => {
                    rows.push((depth, OutlineRow::Node(child)));
                    self.add_below(child, depth + 1, rows);
                }
                Entry::Cut(cut) => rows.extend(cut.first().map(|&first| (depth, OutlineRow::Cut(first)))),
                Entry::Omitted(count) => rows.push((depth, OutlineRow::Omitted(id, count))),
            }
        }
    }

    fn current(&self) -> OutlineRow {
        self.rows().get(self.cursor).map_or(OutlineRow::Node(Tree::ROOT), |(_, row)| *row)
    }

    /// The node of the current line, or the one that it belongs to.
    fn node(&self) -> NodeId {
        match self.current() {
            OutlineRow::Node(id) | OutlineRow::Cut(id) | OutlineRow::Omitted(id, _) => id,
        }
    }

    fn is_branch(&self, id: NodeId) -> bool {
        !self.tree.entries(id).is_empty()
    }

    fn go(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.rows().len().saturating_sub(1));
    }

    /// Puts the cursor on a node, opening what is above it.
    fn reveal(&mut self, id: NodeId) {
        let above = std::iter::successors(self.tree[id].parent, |&id| self.tree[id].parent);
        self.open.extend(above.collect::<Vec<_>>());
        let holds = |row: &OutlineRow| match *row {
            OutlineRow::Node(node) => node == id,
            OutlineRow::Cut(first) => first <= id && self.tree[first].parent == self.tree[id].parent && self.is_cut(id),
            OutlineRow::Omitted(..) => false,
        };
        let rows = self.rows();
        // Several groups of neighbours may have been cut: the last that starts before the node is its own.
        self.cursor = rows.iter().rposition(|(_, row)| holds(row)).unwrap_or(self.cursor);
    }

    fn is_cut(&self, id: NodeId) -> bool {
        matches!(self.tree[id].status, Status::Cut { .. })
    }

    /// Right: open, or into what is open.
    fn enter(&mut self) {
        if let OutlineRow::Node(id) = self.current()
            && self.is_branch(id)
            && !self.open.insert(id)
        {
            self.go(1);
        }
    }

    /// Left: close, or out to the parent.
    fn leave(&mut self) {
        match self.current() {
            OutlineRow::Node(id) if self.open.remove(&id) => {}
            OutlineRow::Omitted(parent, _) => self.reveal(parent),
            _ => {
                if let Some(parent) = self.tree[self.node()].parent {
                    self.reveal(parent);
                }
            }
        }
    }

    fn toggle(&mut self) {
        if let OutlineRow::Node(id) = self.current()
            && !self.open.remove(&id)
            && self.is_branch(id)
        {
            self.open.insert(id);
        }
    }

    /// The next node in the order of the search, or the one before.
    fn follow(&mut self, by: isize) {
        let to = self.node().saturating_add_signed(by).min(self.tree.nodes().len().saturating_sub(1));
        self.reveal(to);
    }

    /// The next place where the search cut, round to the first.
    fn next_cut(&mut self) {
        let cuts: Vec<NodeId> = (0..self.tree.nodes().len()).filter(|&id| self.starts_cut(id)).collect();
        let next = cuts.iter().find(|&&id| id > self.node()).or(cuts.first());
        if let Some(&next) = next {
            self.reveal(next);
        }
    }

    /// Whether a node is the first of those that were cut together.
    fn starts_cut(&self, id: NodeId) -> bool {
        self.is_cut(id) && self.cut_group(id).first() == Some(&id)
    }

    /// Opens the best line.
    fn open_best(&mut self) {
        let line = self.tree.principal_variation();
        if let Some(&last) = line.last() {
            self.reveal(last);
        }
    }

    /// Takes a key; `false` closes the outline.
    pub fn handle(&mut self, key: KeyEvent) -> bool {
        match key.code {
            KeyCode::Esc | KeyCode::Char('t' | 'q') => return false,
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::PageUp => self.go(-PAGE),
            KeyCode::PageDown => self.go(PAGE),
            KeyCode::Home | KeyCode::Char('g') => self.cursor = 0,
            KeyCode::End | KeyCode::Char('G') => self.cursor = self.rows().len().saturating_sub(1),
            KeyCode::Right | KeyCode::Char('l') => self.enter(),
            KeyCode::Left | KeyCode::Char('h') => self.leave(),
            KeyCode::Enter | KeyCode::Char(' ') => self.toggle(),
            KeyCode::Char('n' | '.') => self.follow(1),
            KeyCode::Char('p' | ',') => self.follow(-1),
            KeyCode::Char('b') => self.open_best(),
            KeyCode::Char('c') => self.next_cut(),
            _ => {}
        }
        true
    }

    pub fn draw(&self, frame: &mut Frame, palette: Palette) {
        let [head, middle, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Min(0), Constraint::Length(DETAIL_WIDTH)]).areas(middle);
        frame.render_widget(Line::styled(format!(" {}", self.tree.title()), palette.accent()), head);
        self.draw_rows(frame, left, palette);
        self.draw_detail(frame, right, palette);
        let keys = " ↑ ↓ walk  → open  ← close  n p step as searched  b best line  c next cut  t back";
        frame.render_widget(Line::raw(keys), foot);
    }

    fn draw_rows(&self, frame: &mut Frame, area: Rect, palette: Palette) {
        let rows = self.rows();
        let height = usize::from(area.height.saturating_sub(2));
        let first = self.cursor.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
        let shown = rows.iter().enumerate().skip(first).take(height);
        let lines: Vec<Line> = shown
            .map(|(index, (depth, row))| {
                let line = self.line(*depth, *row, palette);
                if index == self.cursor { line.patch_style(palette.selected()) } else { line }
            })
            .collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Tree ")), area);
    }

    fn line(&self, depth: usize, row: OutlineRow, palette: Palette) -> Line<'static> {
        let indent = "  ".repeat(depth);
        match row {
            OutlineRow::Node(id) => self.node_line(&indent, id, palette),
            OutlineRow::Cut(first) => {
                let (who, why) = self.tree.describe_cut(&self.cut_group(first));
                Line::styled(format!("{indent}✂ {who}  {why}"), palette.cut())
            }
            OutlineRow::Omitted(_, count) => Line::styled(format!("{indent}… {count} more nodes"), palette.faint()),
        }
    }

    fn cut_group(&self, first: NodeId) -> Vec<NodeId> {
        let parent = self.tree[first].parent.unwrap_or(Tree::ROOT);
        let group = self.tree.entries(parent).into_iter().find_map(|entry| match entry {
            Entry::Cut(cut) if cut.first() == Some(&first) => Some(cut.to_vec()),
            _ => None,
        });
        group.unwrap_or_default()
    }

    fn node_line(&self, indent: &str, id: NodeId, palette: Palette) -> Line<'static> {
        let node = &self.tree[id];
        let fold = match (self.is_branch(id), self.open.contains(&id)) {
            (false, _) => "·",
            (true, true) => "▾",
            (true, false) => "▸",
        };
        let is_best = node.parent.is_some_and(|parent| self.tree[parent].best == Some(id));
        let arrival = if node.label.is_empty() { "root".to_string() } else { node.arrival() };
        let style = if is_best { palette.accent() } else { Default::default() };
        let mut spans = vec![
            Span::raw(format!("{indent}{fold} ")),
            Span::styled(format!("{}{arrival}  {}", if is_best { "* " } else { "" }, node.headline()), style),
        ];
        spans.extend(node.limits().map(|limits| Span::styled(format!("  [{limits}]"), palette.bar())));
        spans.extend(node.remark().map(|remark| Span::styled(format!("  {remark}"), palette.faint())));
        Line::from(spans)
    }

    fn draw_detail(&self, frame: &mut Frame, area: Rect, palette: Palette) {
        let block = Block::bordered().title(" Here ");
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let grid = Grid::read(&self.tree[self.node()].board);
        let view = BoardView { grid: &grid, palette, cursor: None };
        // Half of the height at most, so that there is room for the words.
        let room = Rect { height: (inner.height / 2).max(5), ..inner };
        let board = view.area(room);
        frame.render_widget(view, room);
        let below = Rect { y: board.bottom(), height: inner.bottom().saturating_sub(board.bottom()), ..inner };
        let words: Vec<Line> = self.words().into_iter().map(Line::raw).collect();
        frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), below);
    }

    /// What happens at the current node, in words.
    fn words(&self) -> Vec<String> {
        let (id, node) = (self.node(), &self.tree[self.node()]);
        let mut words = vec![format!("step {} of {}, {} plies down", id + 1, self.tree.nodes().len(), node.depth)];
        if let Status::Cut { reason } = &node.status {
            words.push(format!("{}: never looked at ({reason})", node.label));
            return words;
        }
        words.push(self.rule(node.kind).to_string());
        if let Some(value) = node.value {
            let bound = if node.bound == Bound::Exact { "" } else { node.bound.name() };
            words.push(format!("value {bound} {}", show_value(value)).replace("  ", " "));
        }
        words.extend(node.limits());
        words.extend(node.probability.map(|probability| format!("probability {}", show_value(probability))));
        words.extend(node.weight.map(|weight| format!("weight {}", show_value(weight))));
        words.extend(node.best.map(|best| format!("value from: {}", self.tree[best].label)));
        words.extend(node.remark());
        if node.bound != Bound::Exact {
            words.push("a bound: the rest was cut, since it could not change the choice above".into());
        }
        words
    }

    fn rule(&self, kind: NodeKind) -> &'static str {
        match (kind, self.tree.algorithm) {
            (NodeKind::Max, _) => "MAX: the mover takes the best",
            (NodeKind::Min, _) => "MIN: the environment takes the worst",
            (NodeKind::Chance, "expectiminimax") => "CHANCE: the worst weighted reply counts",
            (NodeKind::Chance, _) => "CHANCE: the mean of the replies counts",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::of_agent;
    use crate::games::Game;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::tutor::testing::{press_all, screen};

    fn outline(agent: &str, board: &str) -> Outline {
        let position = TicTacToe.parse(board).unwrap();
        Outline::new(of_agent(&TicTacToe, &agent.parse().unwrap(), position, 0, 1, 5_000).unwrap())
    }

    fn press(outline: &mut Outline, keys: &str) -> bool {
        press_all(keys, |key| outline.handle(key)).unwrap_or(true)
    }

    fn shown(outline: &Outline) -> String {
        screen(100, 30, |frame| outline.draw(frame, Palette::Plain))
    }

    #[test]
    fn the_outline_opens_and_closes_by_the_arrows() {
        let mut outline = outline("minimax:depth=2", "XO./.X./O..");
        let all = outline.rows().len();
        assert_eq!(all, 1 + outline.tree.root().children.len());
        press(&mut outline, "↓→");
        assert!(outline.rows().len() > all && outline.cursor == 1);
        press(&mut outline, "→");
        assert_eq!(outline.cursor, 2);
        press(&mut outline, "←←");
        assert_eq!((outline.rows().len(), outline.cursor), (all, 1));
        press(&mut outline, "←←");
        assert_eq!(outline.rows().len(), 1);
        assert!(!press(&mut outline, "t"));
    }

    #[test]
    fn the_search_is_followed_node_by_node_to_its_end_and_back() {
        let mut outline = outline("alphabeta:depth=9", "XO./.X./O..");
        let count = outline.tree.nodes().len();
        for step in 1..count {
            press(&mut outline, "n");
            let reached = outline.node();
            // Neighbours that were cut together share a line.
            let shared = outline.is_cut(step) && outline.is_cut(reached) && reached <= step;
            assert!(reached == step || shared, "step {step} is at {reached}");
            if reached < step {
                outline.reveal(step);
                break;
            }
        }
        press(&mut outline, "g");
        assert_eq!(outline.node(), Tree::ROOT);
    }

    #[test]
    fn windows_values_and_cuts_are_told() {
        let mut outline = outline("alphabeta:depth=9", "XO./.X./O..");
        let text = shown(&outline);
        for part in ["alphabeta on tic-tac-toe", "root", "MAX", "[alpha -inf, beta inf]", "step 1 of", "* "] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let first = (0..outline.tree.nodes().len()).find(|&id| outline.is_cut(id)).unwrap();
        press(&mut outline, "c");
        assert_eq!(outline.node(), first);
        let text = shown(&outline);
        assert!(text.contains("✂") && text.contains("never looked at"), "{text}");
        press(&mut outline, "c");
        assert!(outline.node() > first && outline.is_cut(outline.node()));
    }

    #[test]
    fn probabilities_are_told() {
        let mut outline = outline("expectimax:depth=2", "XO./.X./O..");
        press(&mut outline, "↓→→");
        let text = shown(&outline);
        assert!(text.contains("p 0.25") && text.contains("probability 0.25"), "{text}");
        assert!(text.contains("CHANCE"), "{text}");
    }
}
