//! The choice of a game and its goal.

use crate::games::Game;
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Playable;
use crate::params::{InputError, unknown};

/// A task for a game whose type is known only at run time. See [`GameSpec::with`].
pub trait GameTask {
    /// What the task returns.
    type Output;

    /// Does the task with the game.
    fn run<G: Playable>(self, game: G) -> Self::Output;
}

/// A game as `lab2048 list games` shows it.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name that users write.
    pub name: &'static str,
    /// One line about the game.
    pub summary: &'static str,
    /// How positions are written.
    pub notation: &'static str,
}

macro_rules! games {
    ($($game:ty = $make:expr;)*) => {
        /// Every game, in the order of `lab2048 list games`.
        pub const GAMES: &[GameInfo] = &[$(
            GameInfo { name: <$game>::NAME, summary: <$game>::SUMMARY, notation: <$game>::NOTATION }
        ),*];

        impl GameSpec {
            /// Runs `task` with the game. This is the only place where the name of a game becomes a type.
            pub fn with<T: GameTask>(&self, task: T) -> T::Output {
                $(if self.name == <$game>::NAME {
                    let make: fn(Goal) -> $game = $make;
                    return task.run(make(self.goal));
                })*
                // Not reached: `new` accepts only the names above.
                task.run(Twenty48::new(self.goal))
            }
        }
    };
}

games! {
    Twenty48 = Twenty48::new;
    TicTacToe = |_| TicTacToe;
    ConnectFour = |_| ConnectFour;
}

/// A game by its name. It also holds the goal, which only 2048 uses.
///
/// ```
/// use lab2048::spec::GameSpec;
///
/// assert_eq!(GameSpec::new("2048", Some("512")).unwrap().goal().to_string(), "512");
/// let error = GameSpec::new("tictactoe", None).unwrap_err();
/// assert!(error.message.contains("did you mean `tic-tac-toe`?"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameSpec {
    name: &'static str,
    goal: Goal,
}

impl Default for GameSpec {
    fn default() -> Self {
        GameSpec { name: Twenty48::NAME, goal: Goal::CLASSIC }
    }
}

impl GameSpec {
    /// Finds the game and parses the goal; without a goal, 2048 ends at the tile 2048.
    pub fn new(name: &str, goal: Option<&str>) -> Result<Self, InputError> {
        let known = GAMES.iter().map(|game| game.name);
        let found = GAMES.iter().find(|game| game.name == name);
        let name = found.ok_or_else(|| InputError::at("game", unknown("game", name, known)))?.name;
        match goal {
            Some(_) if name != Twenty48::NAME => Err(InputError::at("goal", format!("{name} has no goal to set"))),
            goal => {
                let goal = goal.map_or(Ok(Goal::CLASSIC), str::parse);
                Ok(GameSpec { name, goal: goal.map_err(|why: String| InputError::at("goal", why))? })
            }
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The goal; games other than 2048 ignore it.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Whether the game has a goal.
    pub fn has_goal(&self) -> bool {
        self.name == Twenty48::NAME
    }

    /// The same game with another goal.
    pub fn with_goal(self, goal: Goal) -> Self {
        GameSpec { goal, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NameOf;

    impl GameTask for NameOf {
        type Output = &'static str;

        fn run<G: Playable>(self, _: G) -> &'static str {
            G::NAME
        }
    }

    #[test]
    fn every_name_leads_to_its_game() {
        for game in GAMES {
            assert_eq!(GameSpec::new(game.name, None).unwrap().with(NameOf), game.name);
        }
    }

    #[test]
    fn wrong_names_and_goals_are_errors() {
        assert!(GameSpec::new("tictactoe", None).unwrap_err().message.contains("did you mean `tic-tac-toe`"));
        assert!(GameSpec::new("tic-tac-toe", Some("2048")).unwrap_err().message.contains("no goal"));
        assert!(GameSpec::new("2048", Some("100")).unwrap_err().message.contains("100"));
    }
}
