//! The parser of records. It checks every move and every reply against the rules.

use crate::games::{Game, Step};
use crate::play::step_named;

use super::{Header, PlayedMove, Record};

/// An error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RecordError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong, in words.
    pub message: String,
}

/// One line that is neither empty nor a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    number: usize,
}

impl Line<'_> {
    pub fn error(&self, message: String) -> RecordError {
        RecordError { line: self.number, message }
    }
}

/// The lines of a record, without empty lines and comments.
pub(super) struct Lines<'a> {
    lines: std::iter::Peekable<Box<dyn Iterator<Item = Line<'a>> + 'a>>,
    /// The number of the last line, where errors about missing lines point.
    end: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let numbered = text.lines().enumerate().map(|(index, text)| Line { text: text.trim(), number: index + 1 });
        let lines: Box<dyn Iterator<Item = Line<'a>> + 'a> =
            Box::new(numbered.filter(|line| !line.text.is_empty() && !line.text.starts_with('#')));
        Lines { lines: lines.peekable(), end: text.lines().count().max(1) }
    }

    /// The next line. It is an error if there is none.
    pub fn next_line(&mut self, expected: &str) -> Result<Line<'a>, RecordError> {
        let missing =
            || RecordError { line: self.end, message: format!("the record is cut short: {expected} is missing") };
        self.lines.next().ok_or_else(missing)
    }

    /// The text after `key` on the next line. It is an error if the line begins otherwise.
    pub fn value(&mut self, key: &str) -> Result<Line<'a>, RecordError> {
        let line = self.next_line(&format!("the line `{key} ...`"))?;
        after_key(line, key).ok_or_else(|| line.error(format!("expected `{key} ...`, found `{}`", line.text)))
    }

    /// The text after `key` on the next line; `None`, and the line stays, if it begins otherwise.
    pub fn optional(&mut self, key: &str) -> Option<Line<'a>> {
        let value = self.lines.peek().and_then(|line| after_key(*line, key))?;
        self.lines.next();
        Some(value)
    }
}

fn after_key<'a>(line: Line<'a>, key: &str) -> Option<Line<'a>> {
    let text = line.text.strip_prefix(key)?.strip_prefix(' ')?.trim();
    Some(Line { text, ..line })
}

impl<G: Game> Record<G> {
    /// Parses a whole record of this game.
    pub fn read(game: &G, text: &str) -> Result<Self, RecordError> {
        let mut lines = Lines::new(text);
        let header = Header::parse(&mut lines)?;
        let start = lines.value("start")?;
        let position = game.parse(start.text).map_err(|why| start.error(why))?;
        let mut record = Record { header, start: position, moves: Vec::new() };
        loop {
            let line = lines.next_line("the `end` line")?;
            if line.text == "end" || line.text.starts_with("end ") {
                record.check_end(game, line)?;
                break;
            }
            let played = record.read_move(game, line)?;
            record.moves.push(played);
        }
        match lines.lines.next() {
            Some(line) => Err(line.error(format!("`{}` comes after the `end` line", line.text))),
            None => Ok(record),
        }
    }

    fn check_end(&self, game: &G, line: Line) -> Result<(), RecordError> {
        let expected = self.end(game);
        if line.text == expected {
            return Ok(());
        }
        Err(line.error(format!("the moves lead to `{expected}`, but the record says `{}`", line.text)))
    }

    fn read_move(&self, game: &G, line: Line) -> Result<PlayedMove<G>, RecordError> {
        if let Some(outcome) = self.outcome(game) {
            let how = outcome.name();
            return Err(line.error(format!("the game has ended ({how}) before `{}`", line.text)));
        }
        let (action, reply) = line.text.split_once(' ').unwrap_or((line.text, ""));
        let step = read_step(game, self.last(), action).map_err(|why| line.error(why))?;
        let reply = read_reply(game, step.after, reply.trim()).map_err(|why| line.error(why))?;
        Ok(PlayedMove { step, reply })
    }
}

fn read_step<G: Game>(game: &G, position: G::Position, action: &str) -> Result<Step<G::Position, G::Move>, String> {
    step_named(game, position, action).ok_or_else(|| {
        let legal: Vec<String> = game.steps(position).map(|step| step.action.to_string()).collect();
        format!("`{action}` is not legal at {position} (legal: {})", legal.join(", "))
    })
}

fn read_reply<G: Game>(game: &G, after: G::Position, reply: &str) -> Result<Option<G::Position>, String> {
    let ended = game.after_step(after).is_some();
    match (ended, reply.is_empty()) {
        (true, true) => return Ok(None),
        (true, false) => return Err(format!("the move ends the game, so `{reply}` cannot follow it")),
        (false, true) => return Err(format!("the reply is missing: the game goes on at {after}")),
        (false, false) => {}
    }
    let found = game.replies(after).find(|option| game.reply_label(after, option.position) == reply);
    found.map(|option| Some(option.position)).ok_or_else(|| format!("`{reply}` is not a legal reply at {after}"))
}
