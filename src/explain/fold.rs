//! How a node makes one value of its children's: the one thing in which the searches differ.

use super::tree::{Bound, Window, show_value};

/// What a node does with its children's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Best,
    Worst,
    Mean,
    /// The worst of value times weight.
    WorstWeighted,
}

/// What a visit to a node found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub value: f64,
    pub bound: Bound,
    /// Which child it came from.
    pub best: Option<usize>,
}

impl Found {
    pub fn exact(value: f64) -> Self {
        Found { value, bound: Bound::Exact, best: None }
    }
}

/// The value of a node in the making.
pub struct Fold {
    operator: Operator,
    window: Option<Window>,
    so_far: Found,
    taken: usize,
}

impl Fold {
    pub fn new(operator: Operator, window: Option<Window>) -> Self {
        let start = match operator {
            Operator::Best => f64::NEG_INFINITY,
            Operator::Worst | Operator::WorstWeighted => f64::INFINITY,
            Operator::Mean => 0.0,
        };
        Fold { operator, window, so_far: Found::exact(start), taken: 0 }
    }

    /// Why the remaining children cannot matter, if they cannot.
    pub fn cut(&self) -> Option<String> {
        let window = self.window?;
        let value = self.so_far.value;
        match self.operator {
            Operator::Best if value >= window.beta => {
                Some(format!("{} >= beta {}", show_value(value), show_value(window.beta)))
            }
            Operator::Worst | Operator::WorstWeighted if value <= window.alpha => {
                Some(format!("{} <= alpha {}", show_value(value), show_value(window.alpha)))
            }
            _ => None,
        }
    }

    /// The window for the next child, whose value will be multiplied by `weight`.
    pub fn window(&self, weight: f64) -> Option<Window> {
        let Window { alpha, beta } = self.window?;
        let value = self.so_far.value;
        Some(match self.operator {
            Operator::Best => Window { alpha: alpha.max(value), beta },
            Operator::WorstWeighted => divided(Window { alpha, beta: beta.min(value) }, weight),
            Operator::Worst | Operator::Mean => Window { alpha, beta: beta.min(value) },
        })
    }

    /// Takes in the next child's value, multiplied by `weight`.
    pub fn take(&mut self, child: Found, weight: f64) {
        let value = weight * child.value;
        let better = match self.operator {
            Operator::Best => value > self.so_far.value,
            Operator::Worst | Operator::WorstWeighted => value < self.so_far.value,
            Operator::Mean => false,
        };
        if self.operator == Operator::Mean {
            self.so_far.value += value;
        } else if better || self.taken == 0 {
            self.so_far = Found { value, bound: child.bound, best: Some(self.taken) };
        }
        self.taken += 1;
    }

    /// The node's value; only a bound if children were skipped.
    pub fn finish(self, skipped: bool) -> Found {
        let bound = match self.operator {
            Operator::Best if skipped => Bound::AtLeast,
            _ if skipped => Bound::AtMost,
            _ => self.so_far.bound,
        };
        Found { bound, ..self.so_far }
    }
}

/// A window for a value that will be multiplied by `weight`. It is wider by one rounding step, so that a value outside
/// it stays outside when multiplied back.
fn divided(window: Window, weight: f64) -> Window {
    if weight <= 0.0 {
        return Window::OPEN;
    }
    Window { alpha: (window.alpha / weight).next_down(), beta: (window.beta / weight).next_up() }
}
