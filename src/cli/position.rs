//! A position on the command line: game, board, score and goal.

use clap::Args;

use super::Failure;
use crate::games::Game;
use crate::games::twenty48::Goal;
use crate::params::InputError;
use crate::spec::GameSpec;

#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The game: 2048, tic-tac-toe or connect-four
    #[arg(long, default_value = "2048")]
    pub game: String,
    /// The position; in 2048 rows by `/` and tiles by `,` with 0 for empty, such as 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0
    #[arg(long)]
    pub board: String,
    /// The score so far; by default what building these tiles from 2s alone would have earned
    #[arg(long)]
    pub score: Option<u32>,
    /// The tile that wins: a power of two, or `none`; by default 2048, or none where the board already has it
    #[arg(long)]
    pub goal: Option<String>,
}

impl PositionArgs {
    pub fn game(&self) -> Result<GameSpec, Failure> {
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        let beyond_goal = |board: crate::games::twenty48::Board| board.max_rank() >= 11;
        let is_past = self.goal.is_none() && self.board.parse().is_ok_and(beyond_goal);
        Ok(if is_past { game.with_goal(Goal::None) } else { game })
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
