//! The tree for a program: nodes nested as the search went.
//!
//! A `value` is a number, or `"win"` where it contains an infinite utility; open ends of a window are `"-inf"` and
//! `"inf"`.

use serde_json::{Map, Value, json};

use crate::games::is_win;

use super::tree::{Bound, Node, NodeId, Status, Tree};

pub fn render(tree: &Tree) -> String {
    let mut value = json!({
        "game": tree.game,
        "algorithm": tree.algorithm,
        "depth": tree.depth,
        "visited": tree.visited,
        "unit": tree.unit,
        "cut": tree.cut,
        "recorded": tree.nodes().len(),
    });
    value["root"] = node_value(tree, Tree::ROOT);
    format!("{value:#}\n")
}

fn node_value(tree: &Tree, id: NodeId) -> Value {
    let node = &tree[id];
    let mut map = Map::new();
    map.insert("kind".into(), node.kind.name().into());
    describe_arrival(node, &mut map);
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
    describe_status(node, &mut map);
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

/// A reply has a probability; what has none is a move, or the root.
fn describe_arrival(node: &Node, map: &mut Map<String, Value>) {
    match node.probability {
        Some(probability) => {
            map.insert("reply".into(), node.label.as_str().into());
            map.insert("probability".into(), probability.into());
        }
        None if node.parent.is_some() => {
            map.insert("move".into(), node.label.as_str().into());
        }
        None => {}
    }
    if let Some(weight) = node.weight {
        map.insert("weight".into(), weight.into());
    }
}

fn describe_status(node: &Node, map: &mut Map<String, Value>) {
    map.insert("status".into(), node.status.name().into());
    match &node.status {
        Status::Cut { reason } => {
            map.insert("reason".into(), reason.as_str().into());
        }
        Status::Horizon { early: Some(reason) } => {
            map.insert("reason".into(), (*reason).into());
        }
        Status::Sampled { runs, mean, sd } => {
            map.insert("runs".into(), (*runs).into());
            map.insert("mean".into(), number(*mean));
            map.insert("sd".into(), number(*sd));
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
