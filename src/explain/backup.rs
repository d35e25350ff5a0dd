//! How a node computes its value from its children's values. The searches differ only in this.

use super::tree::{Bound, Cut, NodeKind, Window};

/// The function from the children's values to the node's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupOperator {
    /// The maximum.
    Best,
    /// The minimum.
    Worst,
    /// The mean, weighted by probability.
    Mean,
    /// The minimum of value times weight.
    WorstWeighted,
}

/// The value of a node after a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeValue {
    pub value: f64,
    pub bound: Bound,
    /// The index of the child that it comes from.
    pub best: Option<usize>,
}

impl NodeValue {
    pub fn exact(value: f64) -> Self {
        NodeValue { value, bound: Bound::Exact, best: None }
    }
}

/// Combines the values of a node's children, one after another.
pub struct Backup {
    operator: BackupOperator,
    window: Option<Window>,
    so_far: NodeValue,
    taken: usize,
}

impl Backup {
    pub fn new(operator: BackupOperator, window: Option<Window>) -> Self {
        let start = match operator {
            BackupOperator::Best => f64::NEG_INFINITY,
            BackupOperator::Worst | BackupOperator::WorstWeighted => f64::INFINITY,
            BackupOperator::Mean => 0.0,
        };
        Backup { operator, window, so_far: NodeValue::exact(start), taken: 0 }
    }

    /// The reason why the remaining children cannot change the result; `None` if they can.
    pub fn cut(&self) -> Option<Cut> {
        let Window { alpha, beta } = self.window?;
        let value = self.so_far.value;
        match self.operator {
            BackupOperator::Best if value >= beta => Some(Cut { at: NodeKind::Max, value, limit: beta }),
            BackupOperator::Worst | BackupOperator::WorstWeighted if value <= alpha => {
                Some(Cut { at: NodeKind::Min, value, limit: alpha })
            }
            _ => None,
        }
    }

    /// The window for the next child, whose value will be multiplied by `weight`.
    pub fn window(&self, weight: f64) -> Option<Window> {
        let Window { alpha, beta } = self.window?;
        let value = self.so_far.value;
        Some(match self.operator {
            BackupOperator::Best => Window { alpha: alpha.max(value), beta },
            BackupOperator::WorstWeighted => divided(Window { alpha, beta: beta.min(value) }, weight),
            BackupOperator::Worst | BackupOperator::Mean => Window { alpha, beta: beta.min(value) },
        })
    }

    /// Adds the next child's value, multiplied by `weight`.
    pub fn take(&mut self, child: NodeValue, weight: f64) {
        let value = weight * child.value;
        let better = match self.operator {
            BackupOperator::Best => value > self.so_far.value,
            BackupOperator::Worst | BackupOperator::WorstWeighted => value < self.so_far.value,
            BackupOperator::Mean => false,
        };
        if self.operator == BackupOperator::Mean {
            self.so_far.value += value;
        } else if better || self.taken == 0 {
            self.so_far = NodeValue { value, bound: child.bound, best: Some(self.taken) };
        }
        self.taken += 1;
    }

    /// The node's value; only a bound if children were skipped.
    pub fn finish(self, skipped: bool) -> NodeValue {
        let bound = match self.operator {
            BackupOperator::Best if skipped => Bound::AtLeast,
            _ if skipped => Bound::AtMost,
            _ => self.so_far.bound,
        };
        NodeValue { bound, ..self.so_far }
    }
}

/// The window for a value that will be multiplied by `weight`. It is one rounding step wider, so that a value outside
/// it is still outside after the multiplication.
fn divided(window: Window, weight: f64) -> Window {
    if weight <= 0.0 {
        return Window::OPEN;
    }
    Window { alpha: (window.alpha / weight).next_down(), beta: (window.beta / weight).next_up() }
}
