//! A recorded game as a row of boards.

use crate::games::Game;
use crate::record::{Header, PlayedMove, Record, outcome_name};

use super::grid::Grid;

/// One board of a game, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Moves made so far.
    pub number: usize,
    /// The move that led here; empty at the start.
    pub action: String,
    /// What the environment replied; empty if the move ended the game.
    pub reply: String,
    pub board: String,
    pub score: i64,
}

impl Frame {
    pub fn grid(&self) -> Grid {
        Grid::read(&self.board)
    }

    /// `left, 2 at b3`: what was done.
    pub fn what(&self) -> String {
        match (self.action.as_str(), self.reply.as_str()) {
            ("", _) => "start".into(),
            (action, "") => action.into(),
            (action, reply) => format!("{action}, {reply}"),
        }
    }

    /// The board for a printer.
    pub fn plain(&self) -> String {
        format!("move {}: {} (score {})\n{}", self.number, self.what(), self.score, self.grid().plain())
    }
}

/// A whole game for showing: never without its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    pub header: Header,
    pub frames: Vec<Frame>,
    /// `win`, `draw` or `loss`; `None` if the game was left before its end.
    pub outcome: Option<&'static str>,
    /// 0 for games without tiles.
    pub max_tile: u32,
    /// The move from which on the game is not the true one, and why: see [`Game::limit_note`].
    pub limit: Option<(usize, &'static str)>,
}

impl Timeline {
    pub fn of<G: Game>(game: &G, record: &Record<G>) -> Timeline {
        let start =
            Frame { number: 0, action: String::new(), reply: String::new(), board: record.start.to_string(), score: 0 };
        let mut frames = vec![start];
        let mut rewards = 0;
        for (index, made) in record.moves.iter().enumerate() {
            rewards += made.step.reward;
            frames.push(frame(game, index + 1, made, rewards.into()));
        }
        if let Some(last) = frames.last_mut() {
            last.score = record.score(game);
        }
        let outcome = record.outcome(game).map(outcome_name);
        let noted = |(index, made): (usize, &PlayedMove<G>)| Some((index + 1, game.limit_note(made.step.after)?));
        let limit = record.moves.iter().enumerate().find_map(noted);
        Timeline { header: record.header.clone(), frames, outcome, max_tile: game.max_tile(record.last()), limit }
    }

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
pub fn frame<G: Game>(game: &G, number: usize, made: &PlayedMove<G>, score: i64) -> Frame {
    let reply = made.reply.map(|reply| game.reply_label(made.step.after, reply)).unwrap_or_default();
    Frame { number, action: made.step.action.to_string(), reply, board: made.next().to_string(), score }
}
