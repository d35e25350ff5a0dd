//! The tree screen: the tree of a search as lines that open and close.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use crate::explain::{NodeId, Status, Tree, TreeEntry};

use super::board::{BoardView, Coordinates};
use super::grid::Grid;
use super::help;
use super::palette::Palette;

/// How many lines a page key moves.
const PAGE: isize = 15;
/// The most important keys.
const KEYS: &str = " ↑ ↓ move  → open  ← close  n next  b best  c cut  ? help  t back";
/// The width of the box for the selected node.
const DETAIL_WIDTH: u16 = 34;

/// One line of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeRow {
    Node(NodeId),
    /// The first of some siblings that were cut together.
    Cut(NodeId),
    Omitted(NodeId, u64),
}

/// The state of the tree screen.
pub struct TreeScreen {
    tree: Tree,
    open: BTreeSet<NodeId>,
    cursor: usize,
    help: bool,
}

impl TreeScreen {
    /// Shows a tree with its root open.
    pub fn new(tree: Tree) -> Self {
        TreeScreen { tree, open: BTreeSet::from([Tree::ROOT]), cursor: 0, help: false }
    }

    /// The visible lines, each with its depth.
    fn rows(&self) -> Vec<(usize, TreeRow)> {
        let mut rows = vec![(0, TreeRow::Node(Tree::ROOT))];
        self.add_below(Tree::ROOT, 1, &mut rows);
        rows
    }

    fn add_below(&self, id: NodeId, depth: usize, rows: &mut Vec<(usize, TreeRow)>) {
        if !self.open.contains(&id) {
            return;
        }
        for entry in self.tree.entries(id) {
            match entry {
                TreeEntry::Node(child) => {
                    rows.push((depth, TreeRow::Node(child)));
                    self.add_below(child, depth + 1, rows);
                }
                TreeEntry::Cut(cut) => rows.extend(cut.first().map(|&first| (depth, TreeRow::Cut(first)))),
                TreeEntry::Omitted(count) => rows.push((depth, TreeRow::Omitted(id, count))),
            }
        }
    }

    fn current(&self) -> TreeRow {
        self.rows().get(self.cursor).map_or(TreeRow::Node(Tree::ROOT), |(_, row)| *row)
    }

    /// The node of the selected line.
    fn node(&self) -> NodeId {
        match self.current() {
            TreeRow::Node(id) | TreeRow::Cut(id) | TreeRow::Omitted(id, _) => id,
        }
    }

    fn is_branch(&self, id: NodeId) -> bool {
        !self.tree.entries(id).is_empty()
    }

    fn go(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.rows().len().saturating_sub(1));
    }

    /// Selects a node and opens everything above it.
    fn reveal(&mut self, id: NodeId) {
        let above = std::iter::successors(self.tree[id].parent, |&id| self.tree[id].parent);
        self.open.extend(above.collect::<Vec<_>>());
        let holds = |row: &TreeRow| match *row {
            TreeRow::Node(node) => node == id,
            TreeRow::Cut(first) => first <= id && self.tree[first].parent == self.tree[id].parent && self.is_cut(id),
            TreeRow::Omitted(..) => false,
        };
        let rows = self.rows();
        // Several groups of siblings may have been cut. The node belongs to the last group that starts before it.
        self.cursor = rows.iter().rposition(|(_, row)| holds(row)).unwrap_or(self.cursor);
    }

    fn is_cut(&self, id: NodeId) -> bool {
        matches!(self.tree[id].status, Status::Cut(_))
    }

    /// The right arrow: opens a node, or goes to its first child if it is open.
    fn enter(&mut self) {
        if let TreeRow::Node(id) = self.current()
            && self.is_branch(id)
            && !self.open.insert(id)
        {
            self.go(1);
        }
    }

    /// The left arrow: closes a node, or goes to its parent if it is closed.
    fn leave(&mut self) {
        match self.current() {
            TreeRow::Node(id) if self.open.remove(&id) => {}
            TreeRow::Omitted(parent, _) => self.reveal(parent),
            _ => {
                if let Some(parent) = self.tree[self.node()].parent {
                    self.reveal(parent);
                }
            }
        }
    }

    fn toggle(&mut self) {
        if let TreeRow::Node(id) = self.current()
            && !self.open.remove(&id)
            && self.is_branch(id)
        {
            self.open.insert(id);
        }
    }

    /// The next node in the order of the search, or the one before. Siblings that were cut together share a line, so the
    /// next node is the one after the last of them.
    fn follow(&mut self, by: isize) {
        let node = self.node();
        let from = if by > 0 { self.cut_group(node).last().copied().unwrap_or(node) } else { node };
        let to = from.saturating_add_signed(by).min(self.tree.nodes().len().saturating_sub(1));
        self.reveal(to);
    }

    /// The next place where the search cut branches; after the last one, the first.
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

    /// Opens the best line of play.
    fn open_best(&mut self) {
        let line = self.tree.principal_variation();
        if let Some(&last) = line.last() {
            self.reveal(last);
        }
    }

    /// Handles a key. Returns `false` if it closes the screen.
    pub fn handle(&mut self, key: KeyEvent) -> bool {
        if std::mem::take(&mut self.help) {
            return true;
        }
        match key.code {
            KeyCode::Char('?') => self.help = true,
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

    /// Draws the whole screen.
    pub fn draw(&self, frame: &mut Frame, palette: Palette) {
        let [head, middle, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Min(0), Constraint::Length(DETAIL_WIDTH)]).areas(middle);
        frame.render_widget(Line::styled(format!(" {}", self.tree.title()), palette.accent()), head);
        self.draw_rows(frame, left, palette);
        self.draw_detail(frame, right, palette);
        frame.render_widget(Line::raw(KEYS), foot);
        if self.help {
            help::draw(frame, "Tree", &help::tree(), palette);
        }
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

    fn line(&self, depth: usize, row: TreeRow, palette: Palette) -> Line<'static> {
        let indent = "  ".repeat(depth);
        match row {
            TreeRow::Node(id) => self.node_line(&indent, id, palette),
            TreeRow::Cut(first) => {
                let (who, why) = self.tree.describe_cut(&self.cut_group(first));
                Line::styled(format!("{indent}✂ {who}  {why}"), palette.cut())
            }
            TreeRow::Omitted(_, count) => Line::styled(format!("{indent}… {count} more nodes"), palette.faint()),
        }
    }

    fn cut_group(&self, first: NodeId) -> Vec<NodeId> {
        let parent = self.tree[first].parent.unwrap_or(Tree::ROOT);
        let group = self.tree.entries(parent).into_iter().find_map(|entry| match entry {
            TreeEntry::Cut(cut) if cut.first() == Some(&first) => Some(cut.to_vec()),
            _ => None,
        });
        group.unwrap_or_default()
    }

    fn node_line(&self, indent: &str, id: NodeId, palette: Palette) -> Line<'static> {
        let node = &self.tree[id];
        let marker = match (self.is_branch(id), self.open.contains(&id)) {
            (false, _) => "·",
            (true, true) => "▾",
            (true, false) => "▸",
        };
        let is_best = node.parent.is_some_and(|parent| self.tree[parent].best == Some(id));
        let edge = if node.label.is_empty() { "root".to_string() } else { node.edge_label() };
        let style = if is_best { palette.accent() } else { Default::default() };
        let mut spans = vec![
            Span::raw(format!("{indent}{marker} ")),
            Span::styled(format!("{}{edge}  {}", if is_best { "* " } else { "" }, node.value_text()), style),
        ];
        spans.extend(node.window_text().map(|window| Span::styled(format!("  [{window}]"), palette.bar())));
        spans.extend(node.note().map(|note| Span::styled(format!("  {note}"), palette.faint())));
        Line::from(spans)
    }

    fn draw_detail(&self, frame: &mut Frame, area: Rect, palette: Palette) {
        let block = Block::bordered().title(" Node ");
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let grid = Grid::read(&self.tree[self.node()].board);
        let coordinates = Coordinates::of(self.tree.game);
        let view = BoardView { grid: &grid, palette, coordinates, cursor: None };
        // At most half of the height, so that there is room for the sentences.
        let room = Rect { height: (inner.height / 2).max(5), ..inner };
        let board = view.area(room);
        frame.render_widget(view, room);
        let below = Rect { y: board.bottom(), height: inner.bottom().saturating_sub(board.bottom()), ..inner };
        let lines: Vec<Line> = self.sentences().into_iter().map(Line::raw).collect();
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), below);
    }

    /// What happens at the selected node, in words.
    fn sentences(&self) -> Vec<String> {
        let (id, total) = (self.node(), self.tree.nodes().len());
        let step = format!("step {} of {total}, {} plies down", id + 1, self.tree[id].depth);
        [step].into_iter().chain(self.tree.sentences(id)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::explain_decision;
    use crate::games::Game;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::tutor::testing::{press_all, screen};

    fn open(agent: &str, board: &str) -> TreeScreen {
        let position = TicTacToe.parse(board).unwrap();
        TreeScreen::new(explain_decision(&TicTacToe, &agent.parse().unwrap(), position, 0, 1, 5_000).unwrap())
    }

    fn press(walk: &mut TreeScreen, keys: &str) -> bool {
        press_all(keys, |key| walk.handle(key)).unwrap_or(true)
    }

    fn shown(walk: &TreeScreen) -> String {
        screen(100, 30, |frame| walk.draw(frame, Palette::Plain))
    }

    #[test]
    fn arrows_open_and_close_nodes() {
        let mut walk = open("minimax:depth=2", "XO./.X./O..");
        let all = walk.rows().len();
        assert_eq!(all, 1 + walk.tree.root().children.len());
        press(&mut walk, "↓→");
        assert!(walk.rows().len() > all && walk.cursor == 1);
        press(&mut walk, "→");
        assert_eq!(walk.cursor, 2);
        press(&mut walk, "←←");
        assert_eq!((walk.rows().len(), walk.cursor), (all, 1));
        press(&mut walk, "←←");
        assert_eq!(walk.rows().len(), 1);
        assert!(!press(&mut walk, "t"));
    }

    #[test]
    fn n_visits_the_nodes_in_the_order_of_the_search() {
        let mut walk = open("alphabeta:depth=9", "XO./.X./O..");
        let count = walk.tree.nodes().len();
        let mut visited = vec![walk.node()];
        for _ in 0..count {
            press(&mut walk, "n");
            visited.push(walk.node());
        }
        visited.dedup();
        assert!(visited.is_sorted());
        // Siblings that were cut together share a line.
        let shares_a_line = |id: &NodeId| walk.is_cut(*id) && !walk.starts_cut(*id);
        let missed: Vec<NodeId> = (0..count).filter(|id| !visited.contains(id) && !shares_a_line(id)).collect();
        assert!(missed.is_empty() && visited.len() < count, "{missed:?}");
        press(&mut walk, "g");
        assert_eq!(walk.node(), Tree::ROOT);
    }

    #[test]
    fn windows_values_and_cuts_are_shown() {
        let mut walk = open("alphabeta:depth=9", "XO./.X./O..");
        let text = shown(&walk);
        for part in
            ["alphabeta on tic-tac-toe with open-lines", "root", "MAX", "[alpha -inf, beta inf]", "step 1 of", "* "]
        {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let first = (0..walk.tree.nodes().len()).find(|&id| walk.is_cut(id)).unwrap();
        press(&mut walk, "c");
        assert_eq!(walk.node(), first);
        let text = shown(&walk);
        assert!(text.contains("✂") && text.contains("was not visited") && text.contains("already has a"), "{text}");
        press(&mut walk, "c");
        assert!(walk.node() > first && walk.is_cut(walk.node()));
    }

    #[test]
    fn chance_nodes_have_probabilities() {
        let mut walk = open("expectimax:depth=2", "XO./.X./O..");
        press(&mut walk, "↓→→");
        let text = shown(&walk);
        assert!(text.contains("p 0.25") && text.contains("probability 0.25"), "{text}");
        assert!(text.contains("CHANCE"), "{text}");
    }

    #[test]
    fn a_question_mark_shows_the_keys_and_the_key_line_fits() {
        let mut walk = open("minimax:depth=2", "XO./.X./O..");
        assert!(KEYS.chars().count() <= 80);
        press(&mut walk, "?");
        assert!(shown(&walk).contains("the next node of the search"));
        assert!(press(&mut walk, "t"));
        assert!(!shown(&walk).contains("the next node of the search"));
    }
}
