//! The tree as JSON: every node contains its children.
//!
//! A `value` is a number, or `"win"` if it contains the utility of a win. The open ends of a window are `"-inf"` and
//! `"inf"`.

use serde_json::{Map, Value, json};

use crate::games::is_win;

use super::tree::{Bound, ChildStatistics, Node, NodeId, NodeKind, Snapshot, Status, Tree};

pub fn render(tree: &Tree) -> String {
    let mut value = json!({
        "game": tree.game,
        "algorithm": tree.algorithm,
        "heuristic": tree.heuristic,
        "depth": tree.depth,
        "visited": tree.visited,
        "unit": tree.unit,
        "cut": tree.cut,
        "recorded": tree.nodes().len(),
    });
    if !tree.growth.is_empty() {
        value["growth"] = tree.growth.iter().map(snapshot_value).collect();
    }
    value["root"] = node_value(tree, Tree::ROOT);
    format!("{value:#}\n")
}

/// Monte Carlo tree search after some iterations: the children are in the order of the root's.
fn snapshot_value(snapshot: &Snapshot) -> Value {
    let child = |child: &ChildStatistics| json!({ "visits": child.visits, "mean": number(child.mean), "bound": child.bound.map(number) });
    let children: Vec<Value> = snapshot.children.iter().map(child).collect();
    json!({ "iterations": snapshot.iterations, "choice": snapshot.choice, "children": children })
}

fn node_value(tree: &Tree, id: NodeId) -> Value {
    let node = &tree[id];
    let mut map = Map::new();
    map.insert("kind".into(), node.kind.name().into());
    describe_edge(tree, node, &mut map);
    map.insert("board".into(), node.board.as_str().into());
    if let Some(value) = node.value {
        map.insert("value".into(), number(value));
    }
    if node.bound != Bound::Exact {
        map.insert("bound".into(), node.bound.name().into());
    }
    if let Some(window) = node.window {
        map.insert("alpha".into(), number(window.alpha));
        map.insert("beta".into(), number(window.beta));
    }
    describe_status(tree, node, &mut map);
    if let Some(best) = node.best {
        map.insert("best".into(), tree[best].label.as_str().into());
    }
    if node.omitted > 0 {
        map.insert("omitted".into(), node.omitted.into());
    }
    if !node.children.is_empty() {
        map.insert("children".into(), node.children.iter().map(|&child| node_value(tree, child)).collect());
    }
    Value::Object(map)
}

/// The children of a MAX node come from moves, those of other nodes from replies.
fn describe_edge(tree: &Tree, node: &Node, map: &mut Map<String, Value>) {
    let Some(parent) = node.parent else { return };
    let key = if tree[parent].kind == NodeKind::Max { "move" } else { "reply" };
    map.insert(key.into(), node.label.as_str().into());
    if let Some(probability) = node.probability {
        map.insert("probability".into(), probability.into());
    }
    if let Some(weight) = node.weight {
        map.insert("weight".into(), weight.into());
    }
}

fn describe_status(tree: &Tree, node: &Node, map: &mut Map<String, Value>) {
    map.insert("status".into(), node.status.name().into());
    match &node.status {
        Status::Cut(cut) => {
            map.insert("reason".into(), cut.sentence(tree.sides).into());
        }
        Status::Horizon { early: Some(reason) } => {
            map.insert("reason".into(), (*reason).into());
        }
        Status::Sampled { runs, mean, sd } => {
            map.insert("runs".into(), (*runs).into());
            map.insert("mean".into(), number(*mean));
            map.insert("sd".into(), number(*sd));
        }
        Status::Visited(child) => {
            map.insert("visits".into(), child.visits.into());
            map.insert("mean".into(), number(child.mean));
            if let Some(bound) = child.bound {
                map.insert("bound".into(), number(bound));
            }
        }
        _ => {}
    }
}

fn number(value: f64) -> Value {
    if is_win(value) && value.is_finite() {
        return "win".into();
    }
    if value.is_finite() { value.into() } else { value.to_string().into() }
}
