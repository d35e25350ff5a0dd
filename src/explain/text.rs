//! An indented outline for the terminal. A star marks the child that gave a node its value.

use super::tree::{Entry, Node, NodeId, Tree};

pub fn render(tree: &Tree) -> String {
    let root = tree.root();
    let mut text = format!("{}\n{}\n{}\n", tree.title(), root.board, line(root, ""));
    below(tree, Tree::ROOT, "", &mut text);
    text
}

fn below(tree: &Tree, id: NodeId, indent: &str, text: &mut String) {
    let entries = tree.entries(id);
    for (index, entry) in entries.iter().enumerate() {
        let last = index + 1 == entries.len();
        let (branch, continued) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        *text += indent;
        *text += branch;
        match *entry {
            Entry::Node(child) => {
                let mark = if tree[id].best == Some(child) { "* " } else { "" };
                *text += &format!("{}\n", line(&tree[child], mark));
                below(tree, child, &format!("{indent}{continued}"), text);
            }
            Entry::Cut(cut) => {
                let (who, why) = tree.describe_cut(cut);
                *text += &format!("✂ {who}  {why}\n");
            }
            Entry::Omitted(count) => *text += &format!("… {count} more nodes\n"),
        }
    }
}

fn line(node: &Node, mark: &str) -> String {
    let arrival = if node.label.is_empty() { String::new() } else { format!("{}  ", node.arrival()) };
    let limits = node.limits().map(|limits| format!("  [{limits}]")).unwrap_or_default();
    let remark = node.remark().map(|remark| format!("  {remark}")).unwrap_or_default();
    format!("{mark}{arrival}{}{limits}{remark}", node.headline())
}
