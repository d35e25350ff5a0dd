//! The words and sentences about a tree. The terminal, the pictures and the tutor all use them.

use super::tree::{Bound, Cut, Node, NodeId, NodeKind, Sides, Status, Tree, show_value};

/// A depth in words: `1 ply`, `3 plies`.
pub fn plies(count: u32) -> String {
    if count == 1 { "1 ply".into() } else { format!("{count} plies") }
}

impl Node {
    /// Who chooses, and the value: `MIN <= 12.5`.
    pub fn value_text(&self) -> String {
        let kind = self.kind.name().to_uppercase();
        match self.value {
            Some(value) => format!("{kind} {} {}", self.bound.sign(), show_value(value)),
            None => kind,
        }
    }

    /// The move or reply that leads here, with its probability: `2 at a1, p 0.45`.
    pub fn edge_label(&self) -> String {
        let mut text = self.label.clone();
        if let Some(probability) = self.probability {
            text += &format!(", p {}", show_value(probability));
        }
        if let Some(weight) = self.weight {
            text += &format!(", weight {}", show_value(weight));
        }
        text
    }

    /// The window, in searches that cut: `alpha 3, beta inf`.
    pub fn window_text(&self) -> Option<String> {
        let window = self.window?;
        Some(format!("alpha {}, beta {}", show_value(window.alpha), show_value(window.beta)))
    }

    /// Where the value comes from; `None` if it comes from the children.
    pub fn note(&self) -> Option<String> {
        match &self.status {
            Status::Expanded | Status::Reported | Status::Cut(_) => None,
            Status::Horizon { early: None } => Some("heuristic".into()),
            Status::Horizon { early: Some(reason) } => Some(format!("heuristic: {reason}")),
            Status::Ended(outcome) => Some(format!("game over: {}", outcome.name())),
            Status::Sampled { runs, mean, sd } => {
                Some(format!("{runs} runs, mean {}, sd {}", show_value(*mean), show_value(*sd)))
            }
            Status::Visited(found) => {
                // The mover prefers moves with a large upper bound, an opponent replies with a small lower bound.
                let name = if self.kind == NodeKind::Max { "LCB" } else { "UCB" };
                let bound = found.bound.map(|bound| format!(", {name} {}", show_value(bound))).unwrap_or_default();
                let visits = if found.visits == 1 { "visit" } else { "visits" };
                Some(format!("{} {visits}, mean {}{bound}", found.visits, show_value(found.mean)))
            }
        }
    }
}

impl Cut {
    /// Why the rest cannot matter, such as "O already has a reply worth -0.1 here, and X has 0 elsewhere: the rest
    /// cannot matter".
    pub fn sentence(&self, sides: Sides) -> String {
        let Sides { mover, environment } = sides;
        let (value, limit) = (show_value(self.value), show_value(self.limit));
        match self.at {
            NodeKind::Max => format!(
                "{mover} already has a move worth {value} here, and {environment} can hold {mover} to {limit} \
                 elsewhere: the rest cannot matter"
            ),
            NodeKind::Min | NodeKind::Chance => format!(
                "{environment} already has a reply worth {value} here, and {mover} has {limit} elsewhere: \
                 the rest cannot matter"
            ),
        }
    }
}

impl Tree {
    /// One line about the whole search, such as `alphabeta on tic-tac-toe with open-lines, 3 plies: 58 nodes, 12
    /// branches cut`.
    pub fn title(&self) -> String {
        let heuristic = self.heuristic.as_ref().map(|name| format!(" with {name}")).unwrap_or_default();
        let depth = if self.depth > 0 { format!(", {}", plies(self.depth)) } else { String::new() };
        let cut = if self.cut > 0 { format!(", {} branches cut", self.cut) } else { String::new() };
        format!("{} on {}{heuristic}{depth}: {} {}{cut}", self.algorithm, self.game, self.visited, self.unit)
    }

    /// The names of branches that were cut together (or their number if there are many), and the reason.
    pub fn describe_cut(&self, cut: &[NodeId]) -> (String, String) {
        let names: Vec<&str> = cut.iter().map(|&id| self[id].label.as_str()).collect();
        let who = if names.len() <= 3 { names.join(", ") } else { format!("{} branches", names.len()) };
        let why = cut.first().and_then(|&id| self.cut_sentence(id)).unwrap_or_default();
        (who, why)
    }

    /// Why a node was cut; `None` if it was not.
    pub fn cut_sentence(&self, id: NodeId) -> Option<String> {
        match &self[id].status {
            Status::Cut(cut) => Some(cut.sentence(self.sides)),
            _ => None,
        }
    }

    /// What happens at a node, one sentence or fact for each line.
    pub fn sentences(&self, id: NodeId) -> Vec<String> {
        let node = &self[id];
        if let Some(sentence) = self.cut_sentence(id) {
            return vec![format!("{} was not visited.", node.label), format!("{}.", capitalized(&sentence))];
        }
        let mut lines = vec![self.choice_rule(node.kind)];
        if let Some(value) = node.value {
            let bound = if node.bound == Bound::Exact { String::new() } else { format!("{} ", node.bound.name()) };
            lines.push(format!("value {bound}{}", show_value(value)));
        }
        lines.extend(node.window_text());
        lines.extend(node.probability.map(|probability| format!("probability {}", show_value(probability))));
        lines.extend(node.weight.map(|weight| format!("weight {}", show_value(weight))));
        lines.extend(node.best.map(|best| format!("the value comes from {}", self[best].label)));
        lines.extend(node.note());
        if node.bound != Bound::Exact {
            lines.push("The value is a bound, because the search cut branches that could not matter.".into());
        }
        lines
    }

    /// Whether a chance node takes the least value of its replies, weighted by their probabilities, and not their mean.
    pub(super) fn takes_least_weighted(&self) -> bool {
        self.algorithm == "expectiminimax"
    }

    /// How a node of this kind gets its value.
    fn choice_rule(&self, kind: NodeKind) -> String {
        let Sides { mover, environment } = self.sides;
        match kind {
            NodeKind::Max => format!("MAX: {mover} takes the best move"),
            NodeKind::Min => format!("MIN: {environment} takes the worst reply for {mover}"),
            NodeKind::Chance if self.takes_least_weighted() => "CHANCE: the reply with the least weighted value".into(),
            NodeKind::Chance => "CHANCE: the mean over all replies".into(),
        }
    }
}

pub(super) fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
