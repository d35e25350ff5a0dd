//! The tree in the DOT language of Graphviz: draw it with `dot -Tpdf`.

use super::tree::{NodeId, NodeKind, Tree, TreeEntry};

pub fn render(tree: &Tree) -> String {
    let mut text = format!("digraph search {{\n  label={};\n", quoted(&tree.title()));
    text += "  node [shape=box, style=filled, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"monospace\", fontsize=9];\n";
    draw(tree, Tree::ROOT, &mut text);
    text + "}\n"
}

fn draw(tree: &Tree, id: NodeId, text: &mut String) {
    let node = &tree[id];
    let lines: Vec<String> = node
        .board
        .split('/')
        .map(str::to_string)
        .chain([node.value_text()])
        .chain(node.window_text())
        .chain(node.note())
        .collect();
    let colour = colour(node.kind);
    *text += &format!("  n{id} [label={}, fillcolor=\"{colour}\"];\n", quoted(&lines.join("\n")));
    for (index, entry) in tree.entries(id).iter().enumerate() {
        match *entry {
            TreeEntry::Node(child) => {
                let width = if node.best == Some(child) { 2.5 } else { 1.0 };
                let label = quoted(&tree[child].edge_label());
                *text += &format!("  n{id} -> n{child} [label={label}, penwidth={width}];\n");
                draw(tree, child, text);
            }
            TreeEntry::Cut(cut) => {
                let (who, why) = tree.describe_cut(cut);
                *text += &aside(id, index, &format!("{who}\n{why}"));
            }
            TreeEntry::Omitted(count) => *text += &aside(id, index, &format!("{count} more nodes")),
        }
    }
}

/// A dashed box for branches that were cut or not recorded.
fn aside(parent: NodeId, index: usize, label: &str) -> String {
    let name = format!("n{parent}_{index}");
    let label = quoted(label);
    format!("  {name} [label={label}, style=dashed];\n  n{parent} -> {name} [style=dashed];\n")
}

fn colour(kind: NodeKind) -> &'static str {
    super::svg::fill(kind)
}

/// A quoted string of the DOT language. Its lines are centred.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
