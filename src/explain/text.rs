//! The tree as indented lines, for the terminal. A star marks the child that gave a node its value.

use super::tree::{Node, NodeId, Tree, TreeEntry, show_value};

pub fn render(tree: &Tree) -> String {
    let root = tree.root();
    let mut text = format!("{}\n{}\n{}\n", tree.title(), root.board, line(root, ""));
    below(tree, Tree::ROOT, "", &mut text);
    text + &growth(tree)
}

/// How the estimates of Monte Carlo tree search grew: one line for each doubling of the iterations.
fn growth(tree: &Tree) -> String {
    let Some(last) = tree.growth.last() else { return String::new() };
    let labels: Vec<&str> = tree.root().children.iter().map(|&child| tree[child].label.as_str()).collect();
    let mut text = "\nvisits and mean of each move after so many iterations: walks from the root, which value all \
                    moves of a new position at once (* is the choice)\n"
        .to_string();
    text += &format!("{:>10}", "iterations");
    text += &labels.iter().map(|label| format!("  {label:>16}")).collect::<String>();
    let mut next = 1;
    for snapshot in &tree.growth {
        if snapshot.iterations < next && snapshot != last {
            continue;
        }
        next = 2 * snapshot.iterations;
        text += &format!("\n{:>10}", snapshot.iterations);
        for (index, child) in snapshot.children.iter().enumerate() {
            let mark = if index == snapshot.choice { "*" } else { " " };
            text += &format!("  {:>16}", format!("{} {}{mark}", child.visits, show_value(child.mean)));
        }
    }
    text + "\n"
}

fn below(tree: &Tree, id: NodeId, indent: &str, text: &mut String) {
    let entries = tree.entries(id);
    for (index, entry) in entries.iter().enumerate() {
        let last = index + 1 == entries.len();
        let (branch, continued) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        *text += indent;
        *text += branch;
        match *entry {
            TreeEntry::Node(child) => {
                let mark = if tree[id].best == Some(child) { "* " } else { "" };
                *text += &format!("{}\n", line(&tree[child], mark));
                below(tree, child, &format!("{indent}{continued}"), text);
            }
            TreeEntry::Cut(cut) => {
                let (who, why) = tree.describe_cut(cut);
                *text += &format!("✂ {who}  {why}\n");
            }
            TreeEntry::Omitted(count) => *text += &format!("… {count} more nodes\n"),
        }
    }
}

fn line(node: &Node, mark: &str) -> String {
    let edge = if node.label.is_empty() { String::new() } else { format!("{}  ", node.edge_label()) };
    let window = node.window_text().map(|window| format!("  [{window}]")).unwrap_or_default();
    let note = node.note().map(|note| format!("  {note}")).unwrap_or_default();
    format!("{mark}{edge}{}{window}{note}", node.value_text())
}
