//! The tree as a picture: boards at the nodes, moves at the edges, and cut branches in dashed boxes.

use super::layout;
use super::tree::{NodeId, NodeKind, Tree, TreeEntry};

/// The width of a box, in pixels as everything here.
const BOX: f64 = 128.0;
const GAP: f64 = 16.0;
const LINE: f64 = 14.0;
const LETTERS: f64 = 11.0;
/// The space between the boxes of one ply and the next, with room for the name of the move.
const RISE: f64 = 44.0;
const MARGIN: f64 = 16.0;
/// The largest side of a cell, and of a board.
const CELL: f64 = 20.0;
const BOARD: f64 = 84.0;

/// One box of the picture.
struct Item {
    depth: u32,
    /// The node that it shows; `None` for branches that were cut or not recorded.
    node: Option<NodeId>,
    board: String,
    lines: Vec<String>,
    /// The index of the parent's box, and the label of the edge from there.
    parent: Option<(usize, String)>,
    best: bool,
}

pub fn render(tree: &Tree) -> String {
    let mut items = Vec::new();
    collect(tree, Tree::ROOT, None, &mut items);
    let mut children = vec![Vec::new(); items.len()];
    for (index, item) in items.iter().enumerate() {
        if let Some((parent, _)) = item.parent {
            children[parent].push(index);
        }
    }
    let xs: Vec<f64> = layout::positions(&children).iter().map(|x| MARGIN + x * (BOX + GAP)).collect();
    let ys = tops(&items);
    let width = xs.iter().copied().fold(0.0, f64::max) + BOX + MARGIN;
    let height = items.iter().zip(&ys).map(|(item, y)| y + item.height()).fold(0.0, f64::max) + MARGIN;
    let mut text = opening(tree, width.max(420.0), height);
    for (index, item) in items.iter().enumerate() {
        if let Some((parent, _)) = item.parent {
            let from = (xs[parent] + BOX / 2.0, ys[parent] + items[parent].height());
            text += &item.edge(from, (xs[index] + BOX / 2.0, ys[index]));
        }
    }
    for (index, item) in items.iter().enumerate() {
        text += &item.draw(tree, xs[index], ys[index]);
    }
    text + "</svg>\n"
}

/// The fill of a node. The colours differ for colour-blind readers and in print.
pub fn fill(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "#d6e6f5",
        NodeKind::Min => "#fbdcc8",
        NodeKind::Chance => "#fdf3c4",
    }
}

fn collect(tree: &Tree, id: NodeId, parent: Option<(usize, String)>, items: &mut Vec<Item>) {
    let node = &tree[id];
    let best = node.parent.is_some_and(|parent| tree[parent].best == Some(id));
    let lines = [Some(node.value_text()), node.window_text(), node.note()].into_iter().flatten().collect();
    let index = items.len();
    items.push(Item { depth: node.depth, node: Some(id), board: node.board.clone(), lines, parent, best });
    for entry in tree.entries(id) {
        let lines = match entry {
            TreeEntry::Node(child) => {
                collect(tree, child, Some((index, tree[child].edge_label())), items);
                continue;
            }
            TreeEntry::Cut(cut) => {
                let (who, why) = tree.describe_cut(cut);
                [who].into_iter().chain(wrapped(&why)).collect()
            }
            TreeEntry::Omitted(count) => vec![format!("{count} more nodes")],
        };
        let parent = Some((index, String::new()));
        items.push(Item { depth: node.depth + 1, node: None, board: String::new(), lines, parent, best: false });
    }
}

/// The top of each box. A ply begins below the tallest box of the ply above.
fn tops(items: &[Item]) -> Vec<f64> {
    let deepest = items.iter().map(|item| item.depth).max().unwrap_or(0);
    let mut top = MARGIN + 2.0 * LINE;
    let mut levels = Vec::new();
    for depth in 0..=deepest {
        levels.push(top);
        top += RISE + items.iter().filter(|item| item.depth == depth).map(Item::height).fold(0.0, f64::max);
    }
    items.iter().map(|item| levels[item.depth as usize]).collect()
}

fn opening(tree: &Tree, width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Noto Sans, Helvetica, Arial, sans-serif\" font-size=\"{LETTERS}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"{}\" font-size=\"13\" font-weight=\"bold\">{}</text>\n",
        MARGIN + LINE / 2.0,
        escaped(&tree.title())
    )
}

impl Item {
    fn edge(&self, from: (f64, f64), to: (f64, f64)) -> String {
        let style = match (self.node, self.best) {
            (None, _) => "stroke=\"#888\" stroke-dasharray=\"4 3\"",
            (_, true) => "stroke=\"#1f5c99\" stroke-width=\"2.5\"",
            _ => "stroke=\"#666\"",
        };
        format!("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>\n", from.0, from.1, to.0, to.1)
    }

    /// The label of the edge to this box, just above it. A white outline keeps it readable where edges cross it.
    fn edge_text(&self, x: f64, y: f64) -> String {
        match &self.parent {
            Some((_, name)) if !name.is_empty() => {
                let halo = "stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\"";
                centred(x + BOX / 2.0, y - 5.0, halo, name)
            }
            _ => String::new(),
        }
    }

    fn board_size(&self) -> (Vec<Vec<&str>>, f64) {
        let rows = cells(&self.board);
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = if columns == 0 { 0.0 } else { CELL.min(BOARD / columns as f64).floor() };
        (rows, cell)
    }

    fn height(&self) -> f64 {
        let (rows, cell) = self.board_size();
        let board = if rows.is_empty() { 0.0 } else { rows.len() as f64 * cell + 8.0 };
        board + self.lines.len() as f64 * LINE + 8.0
    }

    fn draw(&self, tree: &Tree, x: f64, y: f64) -> String {
        let style = match self.node {
            Some(id) => format!("fill=\"{}\" stroke=\"#444\"", fill(tree[id].kind)),
            None => "fill=\"white\" stroke=\"#888\" stroke-dasharray=\"4 3\"".to_string(),
        };
        let height = self.height();
        let mut text = self.edge_text(x, y);
        text += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"{height}\" rx=\"4\" {style}/>\n");
        let (rows, cell) = self.board_size();
        let mut baseline = y + LINE;
        if !rows.is_empty() {
            text += &board(&rows, cell, x + BOX / 2.0, y + 8.0);
            baseline += rows.len() as f64 * cell + 8.0;
        }
        for (index, line) in self.lines.iter().enumerate() {
            let weight = if index == 0 && self.node.is_some() { "font-weight=\"bold\"" } else { "" };
            text += &centred(x + BOX / 2.0, baseline + index as f64 * LINE, &format!("{weight} {}", fit(line)), line);
        }
        text
    }
}

/// How many characters of a sentence fit on one line of a box.
const LINE_LENGTH: usize = 22;

/// A sentence in lines that fit a box.
fn wrapped(sentence: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < LINE_LENGTH => *line += &format!(" {word}"),
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// A smaller font size for a line that does not fit its box.
fn fit(line: &str) -> String {
    // The average letter of Noto Sans is 0.53 times as wide as the font size.
    let size = (BOX - 6.0) / (0.53 * line.chars().count().max(1) as f64);
    if size >= LETTERS { String::new() } else { format!("font-size=\"{size:.1}\"") }
}

fn board(rows: &[Vec<&str>], cell: f64, middle: f64, top: f64) -> String {
    let mut text = String::new();
    for (row, cells) in rows.iter().enumerate() {
        let left = middle - cells.len() as f64 * cell / 2.0;
        for (column, &content) in cells.iter().enumerate() {
            let (x, y) = (left + column as f64 * cell, top + row as f64 * cell);
            let fill = cell_fill(content);
            text += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{cell}\" height=\"{cell}\" fill=\"{fill}\" stroke=\"#999\" \
                 stroke-width=\"0.5\"/>\n"
            );
            if !matches!(content, "." | "0") {
                let size = (cell * 0.62).min(cell * 1.5 / content.len() as f64);
                let style = format!("font-size=\"{size:.1}\"");
                text += &centred(x + cell / 2.0, y + cell / 2.0 + size * 0.36, &style, content);
            }
        }
    }
    text
}

/// The cells of a position. In every game's notation `/` separates rows. Cells are separated by `,` or are one letter
/// each.
fn cells(board: &str) -> Vec<Vec<&str>> {
    if board.is_empty() {
        return Vec::new();
    }
    board.split('/').map(|row| if row.contains(',') { row.split(',').collect() } else { letters(row) }).collect()
}

fn letters(row: &str) -> Vec<&str> {
    row.split("").filter(|letter| !letter.is_empty()).collect()
}

/// Empty cells are white, larger tiles are darker, and the two sides are blue and orange.
fn cell_fill(content: &str) -> String {
    match (content, content.parse::<u32>()) {
        ("X", _) => "#9dc3e6".into(),
        ("O", _) => "#f4b183".into(),
        (_, Ok(tile)) if tile > 0 => format!("hsl(36, 90%, {}%)", 94 - 3 * tile.ilog2().min(14)),
        _ => "white".into(),
    }
}

fn centred(x: f64, y: f64, style: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" {style}>{}</text>\n", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
