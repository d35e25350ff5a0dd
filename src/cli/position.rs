//! The options that describe a position: game, board, score and goal.

use clap::Args;

use super::Failure;
use crate::games::Game;
use crate::games::twenty48::{Board, Goal};
use crate::params::InputError;
use crate::spec::GameSpec;

/// No game of 2048 scores more. The highest board has one of each tile from 4 to 131072. It would score 3,932,164 if
/// all new tiles were 2s. For lack of room at least two of them must be 4s, and each 4 costs 4 points.
const MOST_SCORE: i64 = 3_932_156;

/// The options that describe a position.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The game: 2048, tic-tac-toe or connect-four
    #[arg(long, default_value = "2048")]
    pub game: String,
    /// The position. In 2048, `/` separates rows, `,` separates tiles and 0 is an empty cell:
    /// 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0
    #[arg(long)]
    pub board: String,
    /// The score so far; by default the score for these tiles if all new tiles had been 2s
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=MOST_SCORE))]
    pub score: Option<u32>,
    /// The tile that wins: a power of two, or `none`; by default 2048, or `none` if the board already has that tile
    #[arg(long)]
    pub goal: Option<String>,
}

impl PositionArgs {
    /// The game, with the goal that suits the board.
    pub fn game(&self) -> Result<GameSpec, Failure> {
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        Ok(goal_of_board(game, self.goal.as_deref(), &self.board))
    }

    /// The position and its score.
    pub fn read<G: Game>(&self, game: &G) -> Result<(G::Position, u32), InputError> {
        let position = game.parse(&self.board).map_err(|why| InputError::at("board", format!("--board: {why}")))?;
        Ok((position, self.score.unwrap_or_else(|| game.implied_score(position))))
    }

    /// As [`PositionArgs::read`], but it is an error if no move can be made.
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

/// The game without a goal if the user gave none and the board has already reached 2048.
pub fn goal_of_board(game: GameSpec, goal: Option<&str>, board: &str) -> GameSpec {
    let Ok(board) = board.parse::<Board>() else { return game };
    match game.goal() {
        Goal::Rank(rank) if goal.is_none() && board.max_rank() >= rank => game.with_goal(Goal::None),
        // A larger tile shows that the goal was reached earlier. With this tile as its goal, the game counts as over.
        Goal::Rank(rank) if board.max_rank() > rank => game.with_goal(Goal::Rank(board.max_rank())),
        _ => game,
    }
}
