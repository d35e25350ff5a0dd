//! Reading a record, every move and reply checked against the rules.

use crate::games::{Game, Step};

use super::{Header, Made, Record};

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Damage {
    /// From 1.
    pub line: usize,
    pub message: String,
}

/// One line that says something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    number: usize,
}

impl Line<'_> {
    pub fn damage(&self, message: String) -> Damage {
        Damage { line: self.number, message }
    }
}

/// The lines that say something, one after the other.
pub(super) struct Lines<'a> {
    lines: std::iter::Peekable<Box<dyn Iterator<Item = Line<'a>> + 'a>>,
    /// The last line of the text, for what is missing at its end.
    end: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let numbered = text.lines().enumerate().map(|(index, text)| Line { text: text.trim(), number: index + 1 });
        let lines: Box<dyn Iterator<Item = Line<'a>> + 'a> =
            Box::new(numbered.filter(|line| !line.text.is_empty() && !line.text.starts_with('#')));
        Lines { lines: lines.peekable(), end: text.lines().count().max(1) }
    }

    /// The next line, which must be there.
    pub fn next_line(&mut self, expected: &str) -> Result<Line<'a>, Damage> {
        let missing = || Damage { line: self.end, message: format!("the record is cut short: {expected} is missing") };
        self.lines.next().ok_or_else(missing)
    }

    /// What follows `key` on the next line, which must have it.
    pub fn value(&mut self, key: &str) -> Result<Line<'a>, Damage> {
        let line = self.next_line(&format!("the line `{key} ...`"))?;
        after_key(line, key).ok_or_else(|| line.damage(format!("expected `{key} ...`, found `{}`", line.text)))
    }

    /// What follows `key` if the next line has it.
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
    /// Reads a whole record of this game.
    pub fn read(game: &G, text: &str) -> Result<Self, Damage> {
        let mut lines = Lines::new(text);
        let header = Header::take(&mut lines)?;
        let start = lines.value("start")?;
        let position = game.parse(start.text).map_err(|why| start.damage(why))?;
        let mut record = Record { header, start: position, moves: Vec::new() };
        loop {
            let line = lines.next_line("the `end` line")?;
            if line.text == "end" || line.text.starts_with("end ") {
                record.check_end(game, line)?;
                break;
            }
            let made = record.read_move(game, line)?;
            record.moves.push(made);
        }
        match lines.lines.next() {
            Some(line) => Err(line.damage(format!("`{}` stands after the end", line.text))),
            None => Ok(record),
        }
    }

    fn check_end(&self, game: &G, line: Line) -> Result<(), Damage> {
        let expected = self.end(game);
        if line.text == expected {
            return Ok(());
        }
        Err(line.damage(format!("the moves lead to `{expected}`, but the record says `{}`", line.text)))
    }

    fn read_move(&self, game: &G, line: Line) -> Result<Made<G>, Damage> {
        if let Some(outcome) = self.outcome(game) {
            let how = super::outcome_name(outcome);
            return Err(line.damage(format!("the game was over ({how}), so `{}` is not a move", line.text)));
        }
        let (action, reply) = line.text.split_once(' ').unwrap_or((line.text, ""));
        let step = read_step(game, self.last(), action).map_err(|why| line.damage(why))?;
        let reply = read_reply(game, step.after, reply.trim()).map_err(|why| line.damage(why))?;
        Ok(Made { step, reply })
    }
}

fn read_step<G: Game>(game: &G, position: G::Position, action: &str) -> Result<Step<G::Position, G::Move>, String> {
    let found = game.steps(position).find(|step| step.action.to_string() == action);
    found.ok_or_else(|| {
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
