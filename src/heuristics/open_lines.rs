//! The evaluation of the two-player games: lines still open to Max less lines still open to Min.
//!
//! In noughts and crosses with `X` in the centre and `O` in a corner, 5 lines are open to `X` and 4 to `O`: raw 1,
//! value 0.1.

use crate::games::TwoPlayer;

use super::Evaluator;

/// Open lines times a coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenLines {
    pub coefficient: f64,
}

impl OpenLines {
    /// The largest power of ten that keeps every value strictly between a loss and a win: 0.1 for the 8 lines of
    /// noughts and crosses, 0.01 for the 69 of connect four.
    pub fn of<G: TwoPlayer>() -> Self {
        let digits = G::LINES.max(1).ilog10() + 1;
        OpenLines { coefficient: 1.0 / 10f64.powi(digits as i32) }
    }
}

impl<G: TwoPlayer> Evaluator<G> for OpenLines {
    fn value(&self, position: G::Position, _score: u32) -> f64 {
        self.coefficient * f64::from(G::open_lines(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::connect_four::ConnectFour;
    use crate::games::tic_tac_toe::TicTacToe;

    #[test]
    fn values_stay_between_loss_and_win() {
        assert_eq!(OpenLines::of::<TicTacToe>(), OpenLines { coefficient: 0.1 });
        assert_eq!(OpenLines::of::<ConnectFour>(), OpenLines { coefficient: 0.01 });
    }

    #[test]
    fn the_worked_value_is_right() {
        let position = TicTacToe.parse("O../.X./...").unwrap();
        assert_eq!(Evaluator::<TicTacToe>::value(&OpenLines::of::<TicTacToe>(), position, 0), 0.1);
    }
}
