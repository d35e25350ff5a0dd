//! Which key does what.
//!
//! The arrow keys always move. WASD and hjkl move too, but three of these letters are also commands: `h` (hint), `a`
//! (agent) and `s` (save). [`KeyBindings`] says which meaning the small letter has. The capital letter has the other.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::games::twenty48::Direction;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Slides the tiles, or moves the mark.
    Go(Direction),
    /// Enter: plays at the mark.
    Accept,
    /// Escape: goes back.
    Back,
    /// Shows the agent's move.
    Hint,
    /// Lets the agent play.
    Agent,
    /// Pauses the agent, or lets it continue.
    Pause,
    /// Lets the agent make one move.
    Step,
    /// Lets the agent play faster.
    Faster,
    /// Lets the agent play more slowly.
    Slower,
    /// Takes back a move.
    Undo,
    /// Starts a new game.
    New,
    /// Opens the menu.
    Menu,
    /// Saves the game.
    Save,
    /// Opens the tree of the search.
    Tree,
    /// Shows or hides the agent's panel.
    Panel,
    /// Continues after the goal.
    PlayOn,
    /// Shows the keys.
    Help,
    /// Ends the program.
    Quit,
    /// Plays in the cell or column with this number.
    Digit(u8),
}

/// The meaning of the letters `h`, `a` and `s`, which could be moves or commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyBindings {
    /// `h`, `a` and `s` are commands; `H`, `A` and `S` move.
    #[default]
    Commands,
    /// `a` and `s` move; `A` and `S` are commands.
    Wasd,
    /// `h` moves; `H` is a command.
    Hjkl,
}

impl KeyBindings {
    /// All settings with their names.
    pub const ALL: [(&'static str, KeyBindings); 3] =
        [("commands", KeyBindings::Commands), ("wasd", KeyBindings::Wasd), ("hjkl", KeyBindings::Hjkl)];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        KeyBindings::ALL.iter().find(|(_, keys)| *keys == self).map_or("", |(name, _)| name)
    }

    /// What a key does; `None` if it does nothing.
    pub fn read(self, key: KeyEvent) -> Option<Command> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return None;
        }
        match key.code {
            KeyCode::Left => Some(Command::Go(Direction::Left)),
            KeyCode::Right => Some(Command::Go(Direction::Right)),
            KeyCode::Up => Some(Command::Go(Direction::Up)),
            KeyCode::Down => Some(Command::Go(Direction::Down)),
            KeyCode::Enter => Some(Command::Accept),
            KeyCode::Esc => Some(Command::Back),
            KeyCode::Char(letter) => self.letter(letter),
            _ => None,
        }
    }

    fn letter(self, letter: char) -> Option<Command> {
        if let Some((direction, command)) = shared(letter.to_ascii_lowercase()) {
            let moves = self.moves_by_small(letter.to_ascii_lowercase()) == letter.is_ascii_lowercase();
            return Some(if moves { Command::Go(direction) } else { command });
        }
        Some(match letter {
            'w' | 'W' | 'k' | 'K' => Command::Go(Direction::Up),
            'j' | 'J' => Command::Go(Direction::Down),
            'd' | 'D' | 'l' | 'L' => Command::Go(Direction::Right),
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

    /// Whether the small letter is a move.
    fn moves_by_small(self, letter: char) -> bool {
        match self {
            KeyBindings::Commands => false,
            KeyBindings::Wasd => matches!(letter, 'a' | 's'),
            KeyBindings::Hjkl => letter == 'h',
        }
    }

    /// The letter of a command that is also a move: a capital one if the small one moves.
    pub fn letter_of(self, letter: char) -> char {
        if self.moves_by_small(letter) { letter.to_ascii_uppercase() } else { letter }
    }
}

/// The two meanings of a letter that is both a move and a command.
fn shared(letter: char) -> Option<(Direction, Command)> {
    match letter {
        'h' => Some((Direction::Left, Command::Hint)),
        'a' => Some((Direction::Left, Command::Agent)),
        's' => Some((Direction::Down, Command::Save)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(keys: KeyBindings, letter: char) -> Option<Command> {
        keys.read(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
    }

    #[test]
    fn small_and_capital_letters_have_the_two_meanings() {
        assert_eq!(read(KeyBindings::Commands, 'h'), Some(Command::Hint));
        assert_eq!(read(KeyBindings::Commands, 'H'), Some(Command::Go(Direction::Left)));
        assert_eq!(read(KeyBindings::Commands, 's'), Some(Command::Save));
        assert_eq!(read(KeyBindings::Commands, 'A'), Some(Command::Go(Direction::Left)));
        assert_eq!(read(KeyBindings::Wasd, 'a'), Some(Command::Go(Direction::Left)));
        assert_eq!(read(KeyBindings::Wasd, 'S'), Some(Command::Save));
        assert_eq!(read(KeyBindings::Wasd, 'h'), Some(Command::Hint));
        assert_eq!(read(KeyBindings::Hjkl, 'h'), Some(Command::Go(Direction::Left)));
        assert_eq!(read(KeyBindings::Hjkl, 'H'), Some(Command::Hint));
        assert_eq!(read(KeyBindings::Hjkl, 'a'), Some(Command::Agent));
    }

    #[test]
    fn other_letters_move_with_every_setting() {
        for (_, keys) in KeyBindings::ALL {
            let found = ['w', 'd', 'j', 'k', 'l'].map(|letter| read(keys, letter));
            let expected = [Direction::Up, Direction::Right, Direction::Down, Direction::Up, Direction::Right]
                .map(|direction| Some(Command::Go(direction)));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn control_keys_are_not_commands() {
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        assert_eq!(KeyBindings::Commands.read(control('n')), None);
        assert_eq!(KeyBindings::Commands.read(control('a')), None);
    }
}
