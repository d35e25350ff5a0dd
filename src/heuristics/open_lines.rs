//! The heuristic of the two-player games: the number of lines that the mover can still complete, minus that of the
//! opponent.
//!
//! For example, in noughts and crosses with `X` in the centre and `O` in a corner, 5 lines are open to `X` and 4 to
//! `O`. The raw value is 1, and the value is 0.1.

use crate::games::TwoPlayer;
use crate::params::{InputError, Value, show, unknown};

use super::{Evaluator, EvaluatorTask, Named, Playable, TermValue};

/// The only heuristic of the two-player games.
const OPEN_LINES: Named =
    Named { name: "open-lines", summary: "lines still open to the mover minus lines still open to the opponent" };

/// The difference of open lines times a coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenLines {
    /// The value of one line.
    pub coefficient: f64,
}

impl OpenLines {
    /// The largest power of ten that keeps every value strictly between a loss and a win: 0.1 for the 8 lines of
    /// noughts and crosses, 0.01 for the 69 of connect four.
    pub fn of<G: TwoPlayer>() -> Self {
        let digits = G::LINES.max(1).ilog10() + 1;
        OpenLines { coefficient: 1.0 / f64::from(10u32.pow(digits)) }
    }
}

impl<G: TwoPlayer> Evaluator<G> for OpenLines {
    fn value(&self, position: G::Position, _score: u32) -> f64 {
        self.coefficient * f64::from(G::open_lines(position))
    }
}

/// The heuristic. Fails if the user named another.
fn named<G: TwoPlayer>(heuristic: &Value) -> Result<OpenLines, InputError> {
    let found = show(heuristic);
    if found != OPEN_LINES.name {
        let known = [OPEN_LINES.name].into_iter();
        return Err(InputError::at("heuristic", unknown(&format!("heuristic of {}", G::NAME), &found, known)));
    }
    Ok(OpenLines::of::<G>())
}

fn breakdown<G: TwoPlayer>(heuristic: &Value, position: G::Position) -> Result<(f64, Vec<TermValue>), InputError> {
    let OpenLines { coefficient } = named::<G>(heuristic)?;
    let raw = f64::from(G::open_lines(position));
    let (feature, label, value) = (OPEN_LINES.name, OPEN_LINES.name.to_string(), coefficient * raw);
    Ok((value, vec![TermValue { feature, label, coefficient, raw, value }]))
}

/// Every two-player game has this heuristic.
impl<G: TwoPlayer> Playable for G {
    const DEFAULT_HEURISTIC: &'static str = OPEN_LINES.name;

    fn heuristics() -> Vec<Named> {
        vec![OPEN_LINES]
    }

    fn with_evaluator<T: EvaluatorTask<Self>>(&self, heuristic: &Value, task: T) -> Result<T::Output, InputError> {
        named::<G>(heuristic).map(|open_lines| task.run(open_lines))
    }

    fn breakdown(
        &self,
        heuristic: &Value,
        position: Self::Position,
        _: u32,
    ) -> Result<(f64, Vec<TermValue>), InputError> {
        breakdown::<G>(heuristic, position)
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
    fn the_example_of_the_documentation_is_right() {
        let position = TicTacToe.parse("O../.X./...").unwrap();
        assert_eq!(Evaluator::<TicTacToe>::value(&OpenLines::of::<TicTacToe>(), position, 0), 0.1);
    }

    struct NameOfGame;

    impl<G: Game> EvaluatorTask<G> for NameOfGame {
        type Output = &'static str;

        fn run<E: Evaluator<G>>(self, _: E) -> Self::Output {
            G::NAME
        }
    }

    #[test]
    fn names_are_known_or_refused() {
        let run = |name: &str| TicTacToe.with_evaluator(&Value::from(name), NameOfGame);
        assert_eq!(run("open-lines"), Ok(TicTacToe::NAME));
        assert!(run("open-line").unwrap_err().message.contains("did you mean `open-lines`"));
    }
}
