//! A recorded game as a list of boards.

use crate::games::{Game, Outcome};
use crate::record::{Header, PlayedMove, Record};

use super::grid::Grid;

/// One board of a game, and the move that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFrame {
    /// How many moves have been made.
    pub number: usize,
    /// The move that led here; empty at the start.
    pub action: String,
    /// The environment's reply; empty if the move ended the game.
    pub reply: String,
    /// The position, in the game's notation.
    pub board: String,
    /// The score so far.
    pub score: i64,
}

impl BoardFrame {
    /// The cells of the board.
    pub fn grid(&self) -> Grid {
        Grid::read(&self.board)
    }

    /// The move and its reply, such as `left, 2 at b3`.
    pub fn label(&self) -> String {
        match (self.action.as_str(), self.reply.as_str()) {
            ("", _) => "start".into(),
            (action, "") => action.into(),
            (action, reply) => format!("{action}, {reply}"),
        }
    }

    /// The board as plain text.
    pub fn plain(&self) -> String {
        format!("move {}: {} (score {})\n{}", self.number, self.label(), self.score, self.grid().plain())
    }
}

/// A game to show. It always has the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Which game, and who played it.
    pub header: Header,
    /// The start and the board after each move.
    pub frames: Vec<BoardFrame>,
    /// `win`, `draw` or `loss`; `None` if the game was not finished.
    pub outcome: Option<&'static str>,
    /// The largest tile at the end; 0 for games without tiles.
    pub max_tile: u32,
    /// The move from which on the game differs from the original one, and why: see [`Game::limit_note`].
    pub limit: Option<(usize, &'static str)>,
}

impl Timeline {
    /// The boards of a record.
    pub fn of<G: Game>(game: &G, record: &Record<G>) -> Timeline {
        let start = BoardFrame {
            number: 0,
            action: String::new(),
            reply: String::new(),
            board: record.start.to_string(),
            score: 0,
        };
        let mut frames = vec![start];
        let mut rewards = 0;
        for (index, played) in record.moves.iter().enumerate() {
            rewards += played.step.reward;
            frames.push(frame(game, index + 1, played, rewards.into()));
        }
        if let Some(last) = frames.last_mut() {
            last.score = record.score(game);
        }
        let outcome = record.outcome(game).map(Outcome::name);
        let noted = |(index, made): (usize, &PlayedMove<G>)| Some((index + 1, game.limit_note(made.step.after)?));
        let limit = record.moves.iter().enumerate().find_map(noted);
        Timeline { header: record.header.clone(), frames, outcome, max_tile: game.max_tile(record.last()), limit }
    }

    /// The index of the last frame, which is the number of moves.
    pub fn last(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// One line about the whole game.
    pub fn summary(&self) -> String {
        let Header { game, seed, agent, .. } = &self.header;
        let score = self.frames.last().map_or(0, |frame| frame.score);
        let tile = if self.max_tile > 0 { format!(", largest tile {}", self.max_tile) } else { String::new() };
        let end = self.outcome.unwrap_or("unfinished");
        let limit = self.limit.map(|(number, why)| format!("; from move {number} on {why}")).unwrap_or_default();
        format!("{game}, seed {seed}, {agent}: {end} after {} moves, score {score}{tile}{limit}", self.last())
    }
}

/// The board after a move and its reply.
pub fn frame<G: Game>(game: &G, number: usize, played: &PlayedMove<G>, score: i64) -> BoardFrame {
    let reply = played.reply.map(|reply| game.reply_label(played.step.after, reply)).unwrap_or_default();
    BoardFrame { number, action: played.step.action.to_string(), reply, board: played.next().to_string(), score }
}
