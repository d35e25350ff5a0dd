//! Which key does what.
//!
//! The arrows always move. WASD and hjkl move too, but three of their letters are also the first letters of commands:
//! `h` (hint), `a` (agent) and `s` (save). A [`Keys`] says who has the small letter; the capital has the other meaning.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A way to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Left,
    Right,
    Up,
    Down,
}

impl Way {
    /// As 2048 names the move.
    pub fn name(self) -> &'static str {
        match self {
            Way::Left => "left",
            Way::Right => "right",
            Way::Up => "up",
            Way::Down => "down",
        }
    }
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Go(Way),
    /// Enter: play here, apply, go on.
    Accept,
    /// Escape: back.
    Back,
    Hint,
    Agent,
    Pause,
    Step,
    Faster,
    Slower,
    Undo,
    New,
    Menu,
    Save,
    Tree,
    Panel,
    PlayOn,
    Help,
    Quit,
    Digit(u8),
    /// Ctrl-C.
    Interrupt,
}

/// Who has the letters that both a move and a command want.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// `h`, `a` and `s` are commands, `H`, `A` and `S` move.
    #[default]
    Commands,
    /// `a` and `s` move, `A` and `S` are commands.
    Wasd,
    /// `h` moves, `H` is a command.
    Hjkl,
}

impl Keys {
    pub const ALL: [(&'static str, Keys); 3] =
        [("commands", Keys::Commands), ("wasd", Keys::Wasd), ("hjkl", Keys::Hjkl)];

    pub fn name(self) -> &'static str {
        Keys::ALL.iter().find(|(_, keys)| *keys == self).map_or("", |(name, _)| name)
    }

    /// What a key asks for, if anything.
    pub fn read(self, key: KeyEvent) -> Option<Command> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(Command::Interrupt);
        }
        match key.code {
            KeyCode::Left => Some(Command::Go(Way::Left)),
            KeyCode::Right => Some(Command::Go(Way::Right)),
            KeyCode::Up => Some(Command::Go(Way::Up)),
            KeyCode::Down => Some(Command::Go(Way::Down)),
            KeyCode::Enter => Some(Command::Accept),
            KeyCode::Esc => Some(Command::Back),
            KeyCode::Char(letter) => self.letter(letter),
            _ => None,
        }
    }

    fn letter(self, letter: char) -> Option<Command> {
        if let Some((way, command)) = shared(letter.to_ascii_lowercase()) {
            let moves = self.moves_by_small(letter.to_ascii_lowercase()) == letter.is_ascii_lowercase();
            return Some(if moves { Command::Go(way) } else { command });
        }
        Some(match letter {
            'w' | 'W' | 'k' | 'K' => Command::Go(Way::Up),
            'j' | 'J' => Command::Go(Way::Down),
            'd' | 'D' | 'l' | 'L' => Command::Go(Way::Right),
            ' ' => Command::Pause,
            '.' => Command::Step,
            '+' | '=' => Command::Faster,
            '-' => Command::Slower,
            'u' => Command::Undo,
            'n' => Command::New,
            'm' => Command::Menu,
            't' => Command::Tree,
            'p' => Command::Panel,
            'c' => Command::PlayOn,
            '?' => Command::Help,
            'q' => Command::Quit,
            '0'..='9' => Command::Digit(letter as u8 - b'0'),
            _ => return None,
        })
    }

    /// Whether the small letter moves.
    fn moves_by_small(self, letter: char) -> bool {
        match self {
            Keys::Commands => false,
            Keys::Wasd => matches!(letter, 'a' | 's'),
            Keys::Hjkl => letter == 'h',
        }
    }

    /// The key of a command whose letter is shared.
    pub fn letter_of(self, letter: char) -> char {
        if self.moves_by_small(letter) { letter.to_ascii_uppercase() } else { letter }
    }
}

/// The letters with two meanings.
fn shared(letter: char) -> Option<(Way, Command)> {
    match letter {
        'h' => Some((Way::Left, Command::Hint)),
        'a' => Some((Way::Left, Command::Agent)),
        's' => Some((Way::Down, Command::Save)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(keys: Keys, letter: char) -> Option<Command> {
        keys.read(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
    }

    #[test]
    fn shared_letters_have_one_meaning_small_and_the_other_capital() {
        assert_eq!(read(Keys::Commands, 'h'), Some(Command::Hint));
        assert_eq!(read(Keys::Commands, 'H'), Some(Command::Go(Way::Left)));
        assert_eq!(read(Keys::Commands, 's'), Some(Command::Save));
        assert_eq!(read(Keys::Commands, 'A'), Some(Command::Go(Way::Left)));
        assert_eq!(read(Keys::Wasd, 'a'), Some(Command::Go(Way::Left)));
        assert_eq!(read(Keys::Wasd, 'S'), Some(Command::Save));
        assert_eq!(read(Keys::Wasd, 'h'), Some(Command::Hint));
        assert_eq!(read(Keys::Hjkl, 'h'), Some(Command::Go(Way::Left)));
        assert_eq!(read(Keys::Hjkl, 'H'), Some(Command::Hint));
        assert_eq!(read(Keys::Hjkl, 'a'), Some(Command::Agent));
    }

    #[test]
    fn both_families_move_whatever_the_setting() {
        for (_, keys) in Keys::ALL {
            let ways = ['w', 'd', 'j', 'k', 'l'].map(|letter| read(keys, letter));
            let expected = [Way::Up, Way::Right, Way::Down, Way::Up, Way::Right].map(|way| Some(Command::Go(way)));
            assert_eq!(ways, expected);
        }
    }

    #[test]
    fn control_c_interrupts_and_other_control_keys_do_nothing() {
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        assert_eq!(Keys::Commands.read(control('c')), Some(Command::Interrupt));
        assert_eq!(Keys::Commands.read(control('n')), None);
    }
}
