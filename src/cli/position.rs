//! A position on the command line: game, board, score and goal.

use clap::Args;

use super::Failure;
use crate::games::Game;
use crate::games::twenty48::{Board, Goal};
use crate::params::InputError;
use crate::spec::GameSpec;

/// The highest score of any game of 2048: a full board with one tile of every rank up to 131072, made from 4s.
const MOST_SCORE: i64 = 3_932_156;

#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The game: 2048, tic-tac-toe or connect-four
    #[arg(long, default_value = "2048")]
    pub game: String,
    /// The position; in 2048 rows by `/` and tiles by `,` with 0 for empty, such as 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0
    #[arg(long)]
    pub board: String,
    /// The score so far; by default what building these tiles from 2s alone would have earned
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=MOST_SCORE))]
    pub score: Option<u32>,
    /// The tile that wins: a power of two, or `none`; by default 2048, or none where the board already has it
    #[arg(long)]
    pub goal: Option<String>,
}

impl PositionArgs {
    pub fn game(&self) -> Result<GameSpec, Failure> {
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        let Ok(board) = self.board.parse::<Board>() else { return Ok(game) };
        Ok(match game.goal() {
            Goal::Rank(goal) if self.goal.is_none() && board.max_rank() >= goal => game.with_goal(Goal::None),
            // A tile beyond the goal contains it: the game was won before.
            Goal::Rank(goal) if board.max_rank() > goal => game.with_goal(Goal::Rank(board.max_rank())),
            _ => game,
        })
    }

    /// The position and its score.
    pub fn read<G: Game>(&self, game: &G) -> Result<(G::Position, u32), InputError> {
        let position = game.parse(&self.board).map_err(|why| InputError::at("board", format!("--board: {why}")))?;
        Ok((position, self.score.unwrap_or_else(|| game.implied_score(position))))
    }

    /// As [`PositionArgs::read`], for commands that need something to decide.
    pub fn read_open<G: Game>(&self, game: &G) -> Result<(G::Position, u32), InputError> {
        let (position, score) = self.read(game)?;
        if game.after_step(position).is_some() || game.after_reply(position).is_some() {
            return Err(InputError::at("board", format!("--board: the game is already over at {position}")));
        }
        if game.is_stuck(position) {
            return Err(InputError::at("board", format!("--board: no move is legal at {position}")));
        }
        Ok((position, score))
    }
}
