//! The identity of the engine that played a game: its revision, its build, and a check of its arithmetic.

use crate::agents::AgentSpec;
use crate::games::Game;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::{Heuristic, PRESETS};
use crate::play::{Match, Opponent};
use crate::rng::{derive, seeded};

/// The revision of all code that affects how a game is played: games, heuristics, agents and their random numbers.
///
/// Raise it by one in every change after which the same seed gives a different game. `tests/it/signatures.rs` plays
/// short games of every agent and fails if they change while this number does not. Results of two revisions are never
/// mixed in one folder.
pub const ENGINE_REVISION: u32 = 5;

/// The source that this program was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// The commit that was checked out when the program was built; `None` if that was not a Git repository.
    pub commit: Option<&'static str>,
    /// Whether the sources differed from that commit.
    pub dirty: bool,
}

/// The build of this program. The build script sets it.
pub const BUILD: Build = Build { commit: option_env!("LAB2048_COMMIT"), dirty: option_env!("LAB2048_DIRTY").is_some() };

/// Name and version of this program.
pub fn tool() -> String {
    format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

/// The number of boards that the arithmetic check evaluates.
const CHECKED_BOARDS: u64 = 64;

/// A hash that differs between machines whose floating-point functions round differently.
///
/// It evaluates every preset on some boards and plays a short game of MCTS, so it calls the same functions as real
/// games do. Results with different hashes are not mixed in one folder.
pub fn arithmetic_check() -> String {
    let game = Twenty48::new(Goal::None);
    let mut hash = 0;
    let presets = PRESETS.iter().filter_map(|preset| Heuristic::load(&preset.name.into()).ok());
    let presets: Vec<Heuristic> = presets.collect();
    let mut rng = seeded(1);
    let mut board = game.start(&mut rng);
    for number in 0..CHECKED_BOARDS {
        let step = game.steps(board).nth((number % 2) as usize).or_else(|| game.steps(board).next());
        board = match step {
            Some(step) => game.sample(step.after, &mut rng),
            None => game.start(&mut rng),
        };
        let values = presets.iter().map(|preset| preset.value(board, 37 * number as u32 + 1));
        hash = values.fold(hash, |hash, value| derive(hash, value.to_bits()));
    }
    format!("{:016x}", derive(hash, mcts_check()))
}

fn mcts_check() -> u64 {
    let agent = "mcts:iterations=60".parse::<AgentSpec>().and_then(|spec| spec.build(&TicTacToe));
    let Ok(mut agent) = agent else { return 0 };
    let mut hash = 0;
    let mut players = Match { game: &TicTacToe, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
    players.play(5, |turn| {
        hash = turn.decision.values.iter().fold(hash, |hash, (_, value)| derive(hash, value.to_bits()));
    });
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arithmetic_check_is_repeatable() {
        assert_eq!(arithmetic_check(), arithmetic_check());
        assert_ne!(mcts_check(), 0);
    }
}
