//! The steps of a recorded search in their order, with one sentence for each step.

use super::sentences::capitalized;
use super::tree::{Bound, Node, NodeId, NodeKind, Sides, Status, Tree, show_value};

/// What the search did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It entered a node.
    Enter,
    /// It found the value of a node and left it.
    Leave,
    /// It cut the remaining children of a node.
    Cut,
}

impl StepKind {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            StepKind::Enter => "enter",
            StepKind::Leave => "leave",
            StepKind::Cut => "cut",
        }
    }
}

/// One step of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStep {
    /// What the search did.
    pub kind: StepKind,
    /// The node; for a cut, the first of the nodes that were cut.
    pub node: NodeId,
    /// The step in words.
    pub sentence: String,
}

/// All steps of a recorded search. Nodes that were not recorded have no steps.
pub fn steps(tree: &Tree) -> Vec<SearchStep> {
    let mut steps = Vec::new();
    add_steps(tree, Tree::ROOT, &mut steps);
    steps
}

fn add_steps(tree: &Tree, id: NodeId, steps: &mut Vec<SearchStep>) {
    let node = &tree[id];
    if !matches!(node.status, Status::Expanded) {
        steps.push(SearchStep { kind: StepKind::Leave, node: id, sentence: leaf(tree, node) });
        return;
    }
    steps.push(SearchStep { kind: StepKind::Enter, node: id, sentence: enter(tree, node) });
    for &child in &node.children {
        if matches!(tree[child].status, Status::Cut(_)) {
            let why = tree.cut_sentence(child).map(|sentence| format!("{}.", capitalized(&sentence)));
            steps.push(SearchStep { kind: StepKind::Cut, node: child, sentence: why.unwrap_or_default() });
            break;
        }
        add_steps(tree, child, steps);
    }
    steps.push(SearchStep { kind: StepKind::Leave, node: id, sentence: leave(tree, node) });
}

/// How the search came to a node, as the beginning of a sentence.
fn arrival(tree: &Tree, node: &Node) -> String {
    let chance = node.parent.is_some_and(|parent| tree[parent].kind == NodeKind::Chance);
    match (node.parent, node.probability.filter(|_| chance)) {
        (None, _) => "The search starts here".into(),
        (Some(_), Some(probability)) => format!("Reply {} (probability {})", node.label, show_value(probability)),
        (Some(parent), None) if tree[parent].kind == NodeKind::Max => format!("Move {}", node.label),
        (Some(_), None) => format!("Reply {}", node.label),
    }
}

fn enter(tree: &Tree, node: &Node) -> String {
    let Sides { mover, environment } = tree.sides;
    let rule = match node.kind {
        NodeKind::Max => format!("{mover} is to move and takes the best move"),
        NodeKind::Min => format!("{environment} replies and takes what is worst for {mover}"),
        NodeKind::Chance if tree.takes_least_weighted() => {
            "each reply is worth its value times its weight, and the least of these counts".to_string()
        }
        NodeKind::Chance => "the reply is left to chance, so its mean counts".to_string(),
    };
    format!("{}: {rule}.{}", arrival(tree, node), window(tree, node))
}

/// What alpha and beta mean at this node; empty if they are infinite.
fn window(tree: &Tree, node: &Node) -> String {
    let Sides { mover, environment } = tree.sides;
    let Some(window) = node.window else { return String::new() };
    let (alpha, beta) = (window.alpha, window.beta);
    let has = alpha.is_finite().then(|| format!(" Alpha: {mover} already has {} elsewhere.", show_value(alpha)));
    let held =
        beta.is_finite().then(|| format!(" Beta: {environment} can already hold {mover} to {}.", show_value(beta)));
    has.unwrap_or_default() + &held.unwrap_or_default()
}

/// The sentence for a node whose value does not come from children.
fn leaf(tree: &Tree, node: &Node) -> String {
    let value = node.value.map(show_value).unwrap_or_default();
    let source = match &node.status {
        Status::Ended(_) => format!("the game is over, {}: worth {value}", node.status.name()),
        Status::Horizon { early: Some(reason) } => format!("the heuristic values it early ({reason}): {value}"),
        Status::Sampled { runs, .. } => format!("{runs} random games have the mean {value}"),
        Status::Visited(found) => format!("{} visits have the mean {value}", found.visits),
        _ => format!("the heuristic values this board at {value}"),
    };
    format!("{}: {source}.{}", arrival(tree, node), effect(tree, node))
}

fn leave(tree: &Tree, node: &Node) -> String {
    let value = node.value.map(show_value).unwrap_or_default();
    let bound = match node.bound {
        Bound::Exact => "is worth",
        Bound::AtMost => "is worth at most",
        Bound::AtLeast => "is worth at least",
    };
    if node.parent.is_none() {
        let best = node.best.map(|best| format!(" The move to play is {}.", tree[best].label));
        return format!("The position {bound} {value}.{}", best.unwrap_or_default());
    }
    format!("{} {bound} {value}.{}", arrival(tree, node), effect(tree, node))
}

/// How a value changes the value of its parent.
fn effect(tree: &Tree, node: &Node) -> String {
    let (Some(parent), Some(value)) = (node.parent.map(|parent| &tree[parent]), node.value) else {
        return String::new();
    };
    let value = value * node.weight.unwrap_or(1.0);
    let earlier = parent.children.iter().map(|&child| &tree[child]).take_while(|sibling| !std::ptr::eq(*sibling, node));
    let values = earlier.filter_map(|sibling| Some(sibling.value? * sibling.weight.unwrap_or(1.0)));
    let cuts = parent.window.is_some();
    let kind = match parent.kind {
        NodeKind::Chance if tree.takes_least_weighted() => NodeKind::Min,
        kind => kind,
    };
    match kind {
        NodeKind::Max if values.clone().fold(f64::NEG_INFINITY, f64::max) < value => {
            let alpha = if cuts { format!(" Alpha there is now {}.", show_value(value)) } else { String::new() };
            format!(" It is the best so far.{alpha}")
        }
        NodeKind::Min if values.fold(f64::INFINITY, f64::min) > value => {
            let beta = if cuts { format!(" Beta there is now {}.", show_value(value)) } else { String::new() };
            format!(" It is the worst so far.{beta}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::explain_decision;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::heuristics::Playable;

    fn tree<G: Playable>(game: &G, agent: &str, board: &str) -> Tree {
        explain_decision(game, &agent.parse().unwrap(), game.parse(board).unwrap(), 0, 1, 2000).unwrap()
    }

    #[test]
    fn every_node_is_entered_once_and_left_once_or_cut() {
        let tree = tree(&TicTacToe, "alphabeta:depth=3", "XO./.X./O..");
        let told = steps(&tree);
        let count = |kind, node| told.iter().filter(|step| step.kind == kind && step.node == node).count();
        for (id, node) in tree.nodes().iter().enumerate() {
            let expected = match node.status {
                Status::Expanded => [1, 1],
                Status::Cut(_) => [0, 0],
                _ => [0, 1],
            };
            assert_eq!([count(StepKind::Enter, id), count(StepKind::Leave, id)], expected, "{node:?}");
        }
        let cuts = told.iter().filter(|step| step.kind == StepKind::Cut).count();
        assert!(cuts > 0 && cuts as u64 <= tree.cut);
    }

    #[test]
    fn a_cut_names_both_values() {
        let tree = tree(&TicTacToe, "alphabeta:depth=2", "XO./.X./O..");
        let told = steps(&tree);
        let cut = told.iter().find(|step| step.kind == StepKind::Cut).unwrap();
        assert!(cut.sentence.starts_with("O already has a reply worth "), "{}", cut.sentence);
        assert!(cut.sentence.contains("X has ") && cut.sentence.ends_with("the rest cannot matter."));
    }

    /// All sentences on a search of a crowded board of 2048.
    fn told(agent: &str) -> String {
        let tree = tree(&Twenty48::new(Goal::None), agent, "2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2");
        steps(&tree).iter().map(|step| step.sentence.as_str()).collect()
    }

    #[test]
    fn only_chance_has_probabilities() {
        assert!(told("expectimax:depth=2").contains("probability"));
        assert!(!told("minimax:depth=2").contains("probability"));
    }

    #[test]
    fn only_expectimax_takes_the_mean_of_replies() {
        let (mean, least) = (told("expectimax:depth=2"), told("expectiminimax:depth=2"));
        assert!(mean.contains("so its mean counts") && !mean.contains("the worst so far"));
        assert!(!least.contains("its mean counts"));
        assert!(least.contains("the least of these counts") && least.contains("the worst so far"));
    }
}
