//! The record of a search: its nodes in one list, in the order in which the search visited them.

use crate::games::{Game, Outcome, is_win};

/// The index of a node in its tree.
pub type NodeId = usize;

/// Who chooses at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The mover, who takes the best move.
    Max,
    /// The environment, which is assumed to take the reply that is worst for the mover.
    Min,
    /// The environment, whose replies are random.
    Chance,
}

impl NodeKind {
    /// The name in lower case: `max`, `min` or `chance`.
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Max => "max",
            NodeKind::Min => "min",
            NodeKind::Chance => "chance",
        }
    }
}

/// The window of alpha-beta with which it searches a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The value that the mover can already guarantee elsewhere.
    pub alpha: f64,
    /// The value to which the environment can already limit the mover elsewhere.
    pub beta: f64,
}

impl Window {
    /// The window at the root, which excludes nothing.
    pub const OPEN: Window = Window { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };
}

/// How a node's value relates to its true value. After a cut it is only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is at most this.
    AtMost,
    /// The true value is at least this.
    AtLeast,
}

impl Bound {
    /// The bound in words.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::AtMost => "at most",
            Bound::AtLeast => "at least",
        }
    }

    /// The bound as a sign: `=`, `<=` or `>=`.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "=",
            Bound::AtMost => "<=",
            Bound::AtLeast => ">=",
        }
    }
}

/// Why alpha-beta did not visit a branch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The kind of the node at which it cut: `Max` for a beta cut, otherwise an alpha cut.
    pub at: NodeKind,
    /// The value of the best branch so far.
    pub value: f64,
    /// Alpha or beta, which the value reaches.
    pub limit: f64,
}

/// What the search did at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// Its value comes from its children.
    Expanded,
    /// A leaf: its value comes from the heuristic.
    Horizon {
        /// Why the search stopped before the full depth, if it did.
        early: Option<&'static str>,
    },
    /// The game ends here.
    Ended(Outcome),
    /// The search did not visit it.
    Cut(Cut),
    /// Its value is an estimate from random games.
    Sampled {
        /// How many games.
        runs: u64,
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        sd: f64,
    },
    /// Monte Carlo tree search has visited it.
    Visited(ChildStatistics),
    /// The agent gives a value without a reason.
    Reported,
}

/// What Monte Carlo tree search knows about a move or a reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildStatistics {
    /// The number of visits.
    pub visits: u64,
    /// The mean of the values of these visits.
    pub mean: f64,
    /// The mean with a bonus for few visits, by which the search chooses between siblings. The mover takes the largest
    /// and an opponent the smallest. `None` where chance decides.
    pub bound: Option<f64>,
}

impl Status {
    /// The name in lower case.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Expanded => "expanded",
            Status::Horizon { .. } => "horizon",
            Status::Ended(outcome) => outcome.name(),
            Status::Cut(_) => "cut",
            Status::Sampled { .. } => "sampled",
            Status::Visited(_) => "visited",
            Status::Reported => "reported",
        }
    }
}

/// One position of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Who chooses here.
    pub kind: NodeKind,
    /// Plies from the root.
    pub depth: u32,
    /// `None` at the root.
    pub parent: Option<NodeId>,
    /// In the order of the search.
    pub children: Vec<NodeId>,
    /// The move or reply that leads here; empty at the root.
    pub label: String,
    /// The probability of the reply that leads here, where chance replies.
    pub probability: Option<f64>,
    /// The factor by which the parent multiplies this value, if it is not the probability.
    pub weight: Option<f64>,
    /// The position in the game's notation.
    pub board: String,
    /// `None` if the search did not visit the node.
    pub value: Option<f64>,
    /// How the value relates to the true value.
    pub bound: Bound,
    /// `None` in searches that do not cut.
    pub window: Option<Window>,
    /// What the search did here.
    pub status: Status,
    /// The child that gave this node its value; `None` if the value is a mean or the node is a leaf.
    pub best: Option<NodeId>,
    /// How many nodes below this one were not recorded.
    pub omitted: u64,
}

/// One line or box below a node, as a text or a picture shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeEntry<'a> {
    /// A visited child.
    Node(NodeId),
    /// Neighbouring children that were cut for the same reason.
    Cut(&'a [NodeId]),
    /// This many nodes that were not recorded.
    Omitted(u64),
}

/// The names of the two sides in sentences about a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The side that chooses at MAX nodes.
    pub mover: &'static str,
    /// The side that replies.
    pub environment: &'static str,
}

impl Sides {
    /// The sides of a game: X and O, or the player and chance.
    pub fn of<G: Game>() -> Self {
        match G::ADVERSARIAL {
            true => Sides { mover: "X", environment: "O" },
            false => Sides { mover: "the player", environment: "chance" },
        }
    }
}

/// The record of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The name of the game.
    pub game: &'static str,
    /// The names of its sides.
    pub sides: Sides,
    /// The kind of agent that searched.
    pub algorithm: &'static str,
    /// The heuristic that it used, if any.
    pub heuristic: Option<String>,
    /// Plies; 0 if the search has no fixed depth.
    pub depth: u32,
    /// How many nodes the search visited, recorded or not. For Monte Carlo agents, `unit` says what is counted.
    pub visited: u64,
    /// What `visited` counts.
    pub unit: &'static str,
    /// How many branches it cut, recorded or not.
    pub cut: u64,
    /// How the estimates of Monte Carlo tree search grew; empty for other agents.
    pub growth: Vec<Snapshot>,
    pub(super) nodes: Vec<Node>,
}

/// Monte Carlo tree search after some of its iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// How many iterations it has done: walks from the root.
    pub iterations: u64,
    /// The statistics of each legal move, in the order of the root's children.
    pub children: Vec<ChildStatistics>,
    /// The index of the move that it would play now.
    pub choice: usize,
    /// The most visited nodes of the tree, the root first.
    pub nodes: Vec<Node>,
}

impl std::ops::Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

impl Tree {
    /// The index of the root.
    pub const ROOT: NodeId = 0;

    /// Sets the root's best move to the agent's choice, which may be another of several equally good moves.
    pub(super) fn with_choice(mut self, label: &str) -> Self {
        let chosen = self.root().children.iter().copied().find(|&child| self[child].label == label);
        if let (Some(root), Some(chosen)) = (self.nodes.first_mut(), chosen) {
            root.best = Some(chosen);
        }
        self
    }

    /// The position that was searched.
    pub fn root(&self) -> &Node {
        &self.nodes[Self::ROOT]
    }

    /// The recorded nodes in the order of the search: every node comes before its children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The best play of both sides, without the root, as far as it is recorded.
    pub fn principal_variation(&self) -> Vec<NodeId> {
        std::iter::successors(self.root().best, |&id| self.nodes[id].best).collect()
    }

    /// The entries below a node. Neighbouring children that were cut are one entry.
    pub fn entries(&self, id: NodeId) -> Vec<TreeEntry<'_>> {
        let node = &self.nodes[id];
        let is_cut = |id: NodeId| matches!(self.nodes[id].status, Status::Cut(_));
        let mut entries = Vec::new();
        for run in node.children.chunk_by(|&a, &b| is_cut(a) && is_cut(b)) {
            match run {
                [single] if !is_cut(*single) => entries.push(TreeEntry::Node(*single)),
                several => entries.push(TreeEntry::Cut(several)),
            }
        }
        if node.omitted > 0 {
            entries.push(TreeEntry::Omitted(node.omitted));
        }
        entries
    }
}

/// A value as text, with at most four decimals; `win` if it contains the utility of a win.
///
/// ```
/// use lab2048::explain::show_value;
///
/// assert_eq!(show_value(1.0 / 3.0), "0.3333");
/// assert_eq!(show_value(lab2048::games::WIN), "win");
/// ```
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
