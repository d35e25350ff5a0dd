//! A recorded search: nodes in an arena, in the order in which the search came to them.

use crate::games::{Outcome, is_win};

/// A node's place in its tree.
pub type NodeId = usize;

/// Whose turn it is at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The mover's, who takes the best.
    Max,
    /// The environment's, taken to be hostile.
    Min,
    /// The environment's, left to chance.
    Chance,
}

impl NodeKind {
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Max => "max",
            NodeKind::Min => "min",
            NodeKind::Chance => "chance",
        }
    }
}

/// What alpha-beta knew when it came to a node: the mover has `alpha` for certain, the environment `beta`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub alpha: f64,
    pub beta: f64,
}

impl Window {
    pub const OPEN: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };
}

/// What a node's value says about its true value. After a cut it is only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtMost,
    AtLeast,
}

impl Bound {
    pub fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::AtMost => "at most",
            Bound::AtLeast => "at least",
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "=",
            Bound::AtMost => "<=",
            Bound::AtLeast => ">=",
        }
    }
}

/// What the search did at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Its value comes from its children.
    Expanded,
    /// The heuristic's value; `early` says why it was asked before the full depth.
    Horizon { early: Option<&'static str> },
    /// The game ended here.
    Ended(Outcome),
    /// Never looked at, and why.
    Cut { reason: String },
    /// Estimated by random games.
    Sampled { runs: u64, mean: f64, sd: f64 },
    /// The agent's word, of which it tells no more.
    Judged,
}

impl Status {
    pub fn name(&self) -> &'static str {
        match self {
            Status::Expanded => "expanded",
            Status::Horizon { .. } => "horizon",
            Status::Ended(outcome) => outcome_name(*outcome),
            Status::Cut { .. } => "cut",
            Status::Sampled { .. } => "sampled",
            Status::Judged => "judged",
        }
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

/// One position of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub kind: NodeKind,
    /// Plies from the root.
    pub depth: u32,
    pub parent: Option<NodeId>,
    pub children: Vec<NodeId>,
    /// The move or reply that leads here; empty at the root.
    pub label: String,
    /// Of the reply that leads here.
    pub probability: Option<f64>,
    /// What the parent multiplies this node's value by, where that is not the probability.
    pub weight: Option<f64>,
    /// The position in the game's notation.
    pub board: String,
    /// `None` if the node was never looked at.
    pub value: Option<f64>,
    pub bound: Bound,
    /// `None` in searches that do not cut.
    pub window: Option<Window>,
    pub status: Status,
    /// The child that gave this node its value; chance nodes have none.
    pub best: Option<NodeId>,
    /// Nodes below that are not in the tree.
    pub omitted: u64,
}

impl Node {
    /// `MIN <= 12.5`: whose turn, and the value.
    pub fn headline(&self) -> String {
        let kind = self.kind.name().to_uppercase();
        match self.value {
            Some(value) => format!("{kind} {} {}", self.bound.sign(), show_value(value)),
            None => kind,
        }
    }

    /// `O b2, p 0.125`: how the search came here.
    pub fn arrival(&self) -> String {
        let mut text = self.label.clone();
        if let Some(probability) = self.probability {
            text += &format!(", p {}", show_value(probability));
        }
        if let Some(weight) = self.weight {
            text += &format!(", weight {}", show_value(weight));
        }
        text
    }

    /// `alpha 3, beta inf`, where the search cuts.
    pub fn limits(&self) -> Option<String> {
        let window = self.window?;
        Some(format!("alpha {}, beta {}", show_value(window.alpha), show_value(window.beta)))
    }

    /// What else there is to say: where the value comes from, or why there is none.
    pub fn remark(&self) -> Option<String> {
        match &self.status {
            Status::Expanded | Status::Judged => None,
            Status::Horizon { early: None } => Some("heuristic".into()),
            Status::Horizon { early: Some(reason) } => Some(format!("heuristic: {reason}")),
            Status::Ended(outcome) => Some(format!("game over: {}", outcome_name(*outcome))),
            Status::Cut { reason } => Some(format!("cut: {reason}")),
            Status::Sampled { runs, mean, sd } => {
                Some(format!("{runs} runs, mean {}, sd {}", show_value(*mean), show_value(*sd)))
            }
        }
    }
}

/// What stands below a node in an outline or a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    Node(NodeId),
    /// Neighbours that were cut together, for one reason.
    Cut(&'a [NodeId]),
    /// So many nodes that the tree leaves out.
    Omitted(u64),
}

/// A recorded search.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub game: &'static str,
    /// The agent whose search this is.
    pub algorithm: &'static str,
    /// Plies; 0 where there was no fixed depth.
    pub depth: u32,
    /// Nodes that the search looked at, recorded or not; for random games, whatever the agent counts.
    pub visited: u64,
    /// What `visited` counts.
    pub unit: &'static str,
    /// Branches that it cut, recorded or not.
    pub cut: u64,
    pub(super) nodes: Vec<Node>,
}

impl std::ops::Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

impl Tree {
    pub const ROOT: NodeId = 0;

    /// With this move as the root's best: of moves equal but for rounding, the agent's own choice.
    pub(super) fn with_choice(mut self, label: &str) -> Self {
        let chosen = self.root().children.iter().copied().find(|&child| self[child].label == label);
        if let (Some(root), Some(chosen)) = (self.nodes.first_mut(), chosen) {
            root.best = Some(chosen);
        }
        self
    }

    pub fn root(&self) -> &Node {
        &self.nodes[Self::ROOT]
    }

    /// Recorded nodes, in the order in which the search came to them: every node before its children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The best play of both sides as far as it is recorded, from the root on (itself left out).
    pub fn principal_variation(&self) -> Vec<NodeId> {
        std::iter::successors(self.root().best, |&id| self.nodes[id].best).collect()
    }

    /// What stands below a node, with cut neighbours gathered.
    pub fn entries(&self, id: NodeId) -> Vec<Entry<'_>> {
        let node = &self.nodes[id];
        let is_cut = |id: NodeId| matches!(self.nodes[id].status, Status::Cut { .. });
        let mut entries = Vec::new();
        for run in node.children.chunk_by(|&a, &b| is_cut(a) && is_cut(b)) {
            match run {
                [single] if !is_cut(*single) => entries.push(Entry::Node(*single)),
                several => entries.push(Entry::Cut(several)),
            }
        }
        if node.omitted > 0 {
            entries.push(Entry::Omitted(node.omitted));
        }
        entries
    }

    /// One line about neighbours that were cut together: their names if they are few, and the reason.
    pub fn describe_cut(&self, cut: &[NodeId]) -> (String, String) {
        let names: Vec<&str> = cut.iter().map(|&id| self.nodes[id].label.as_str()).collect();
        let who = if names.len() <= 3 { names.join(", ") } else { format!("{} branches", names.len()) };
        let why = cut.first().and_then(|&id| self.nodes[id].remark()).unwrap_or_default();
        (who, why)
    }

    /// `alphabeta on tic-tac-toe, 3 plies: 58 nodes, 12 branches cut`
    pub fn title(&self) -> String {
        let depth = if self.depth > 0 { format!(", {} plies", self.depth) } else { String::new() };
        let cut = if self.cut > 0 { format!(", {} branches cut", self.cut) } else { String::new() };
        format!("{} on {}{depth}: {} {}{cut}", self.algorithm, self.game, self.visited, self.unit)
    }
}

/// A value as a person reads it: `win` where it contains an infinite utility, else at most four decimals.
pub fn show_value(value: f64) -> String {
    if value == f64::INFINITY {
        return "inf".into();
    }
    if is_win(value) {
        return "win".into();
    }
    // Adding zero makes a negative zero positive.
    let rounded = (value * 1e4).round() / 1e4 + 0.0;
    if rounded.is_finite() { rounded.to_string() } else { value.to_string() }
}
