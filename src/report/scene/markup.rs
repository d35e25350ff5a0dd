//! The markup of axis labels: `10^{5}` is a superscript, `x_{i}` is a subscript, `*P*` is italic. After a backslash the next
//! character is text.
//!
//! Names that come from data are escaped with [`plain`] first. So an agent called `a*b*c` is shown with its asterisks.

/// Whether a run is on the line, a superscript or a subscript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Line,
    Raised,
    Lowered,
}

/// A part of a text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub text: String,
    pub level: Level,
    pub italic: bool,
}

/// Escapes every character that has a meaning in the markup.
pub fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '^' | '_' | '*' | '}' | '\\') {
            escaped.push('\\');
        }
        // Fonts have no glyphs for line breaks and other control characters, and XML forbids most of them.
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    escaped
}

/// The text without its markup, for file metadata.
pub fn bare(markup: &str) -> String {
    runs(markup).into_iter().map(|run| run.text).collect()
}

/// Divides markup into runs. Malformed markup is taken as text.
pub(crate) fn runs(markup: &str) -> Vec<Run> {
    let mut parser = Parser { rest: markup, runs: Vec::new(), level: Level::Line, italic: false };
    while let Some(character) = parser.rest.chars().next() {
        parser.step(character);
    }
    parser.runs
}

struct Parser<'a> {
    rest: &'a str,
    runs: Vec<Run>,
    level: Level,
    italic: bool,
}

impl Parser<'_> {
    fn step(&mut self, character: char) {
        let after = &self.rest[character.len_utf8()..];
        match character {
            '\\' => match after.chars().next() {
                Some(escaped) => {
                    self.push(escaped);
                    self.rest = &after[escaped.len_utf8()..];
                }
                None => self.literal('\\'),
            },
            '^' | '_' if self.level == Level::Line && after.starts_with('{') && has(after, '}') => {
                self.level = if character == '^' { Level::Raised } else { Level::Lowered };
                self.rest = &after[1..];
            }
            '}' if self.level != Level::Line => {
                self.level = Level::Line;
                self.rest = after;
            }
            '*' if self.italic || has(after, '*') => {
                self.italic = !self.italic;
                self.rest = after;
            }
            other => self.literal(other),
        }
    }

    fn literal(&mut self, character: char) {
        self.push(character);
        self.rest = &self.rest[character.len_utf8()..];
    }

    fn push(&mut self, character: char) {
        let character = if character.is_control() { ' ' } else { character };
        match self.runs.last_mut() {
            Some(run) if run.level == self.level && run.italic == self.italic => run.text.push(character),
            _ => self.runs.push(Run { text: character.to_string(), level: self.level, italic: self.italic }),
        }
    }
}

/// Whether `wanted` occurs in the text without a backslash before it.
fn has(text: &str, wanted: char) -> bool {
    let mut escaped = false;
    text.chars().any(|character| {
        let found = !escaped && character == wanted;
        escaped = !escaped && character == '\\';
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(markup: &str) -> Vec<(String, Level, bool)> {
        runs(markup).into_iter().map(|run| (run.text, run.level, run.italic)).collect()
    }

    #[test]
    fn superscripts_subscripts_and_italics_are_runs() {
        let expected = vec![
            ("P".to_string(), Level::Line, true),
            ("10".to_string(), Level::Line, false),
            ("−3".to_string(), Level::Raised, false),
            ("i".to_string(), Level::Lowered, false),
        ];
        assert_eq!(summary("*P*10^{−3}_{i}"), expected);
        assert_eq!(bare("*P*10^{−3}_{i}"), "P10−3i");
    }

    #[test]
    fn malformed_markup_is_shown_as_written() {
        for text in ["a_b", "2*3", "x^{", "}", "a\\", "_{", "^"] {
            assert_eq!(bare(text), text);
        }
    }

    #[test]
    fn escaped_text_is_one_run_whatever_its_characters() {
        for text in ["a*b*c", "x_{1}", "10^{5}", "\\*", "mcts {c = 1}", "naïve ≥ 2048"] {
            assert_eq!(summary(&plain(text)), vec![(text.to_string(), Level::Line, false)]);
        }
        assert_eq!(summary(&plain("two\nlines")), vec![("two lines".to_string(), Level::Line, false)]);
    }
}
