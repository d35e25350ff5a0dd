//! What the keys of the play screen do.

use std::time::Duration;

use crossterm::event::KeyEvent;

use super::{Autoplay, Overlay, PlayScreen};
use crate::games::twenty48::Direction;
use crate::tutor::grid::Grid;
use crate::tutor::keys::Command;
use crate::tutor::menu::{Menu, MenuAction};
use crate::tutor::session::GameStatus;
use crate::tutor::tree_screen::TreeScreen;
use crate::tutor::{App, Flow};

impl App for PlayScreen {
    fn handle(&mut self, key: KeyEvent) -> Flow {
        match &mut self.overlay {
            Overlay::None => return self.keys.read(key).map_or(Flow::Stay, |command| self.run_command(command)),
            Overlay::Help => self.overlay = Overlay::None,
            Overlay::Tree(screen) => {
                if !screen.handle(key) {
                    self.overlay = Overlay::None;
                }
            }
            Overlay::Menu(menu) => {
                let action = menu.handle(key);
                self.apply_menu(action);
            }
        }
        Flow::Stay
    }

    fn tick(&mut self, passed: Duration) {
        self.listen();
        if matches!(self.overlay, Overlay::None) {
            self.autoplay(passed);
        }
    }

    fn pulse(&self) -> Duration {
        self.timer.interval()
    }

    fn draw(&self, frame: &mut ratatui::Frame) {
        self.draw_screen(frame);
    }
}

impl PlayScreen {
    fn run_command(&mut self, command: Command) -> Flow {
        match command {
            Command::Quit => return Flow::Quit,
            Command::Agent => self.toggle_agent(),
            Command::Pause => self.pause(),
            Command::Step => self.single(),
            Command::Faster => self.timer.faster(),
            Command::Slower => self.timer.slower(),
            other => {
                self.stop_agent();
                self.run_person_command(other);
            }
        }
        Flow::Stay
    }

    fn run_person_command(&mut self, command: Command) {
        match command {
            Command::Go(direction) => self.go(direction),
            Command::Accept => self.accept(),
            Command::Digit(digit) => self.digit(digit),
            Command::Hint => self.hint(),
            Command::Undo => self.undo(),
            Command::New => self.restart(),
            Command::Save => self.save(),
            Command::PlayOn => self.play_on(),
            Command::Panel => self.panel = !self.panel,
            Command::Tree => self.open_tree(),
            Command::Help => self.overlay = Overlay::Help,
            Command::Menu => {
                let menu = Menu::new(&self.agent, self.keys, self.session.heuristics());
                self.overlay = Overlay::Menu(Box::new(menu));
            }
            _ => {}
        }
    }

    fn toggle_agent(&mut self) {
        self.autoplay = if self.autoplay == Autoplay::Off { Autoplay::Running } else { Autoplay::Off };
        self.message.clear();
    }

    fn pause(&mut self) {
        match self.autoplay {
            Autoplay::Off if self.state.adversarial => self.accept(),
            Autoplay::Off => {}
            Autoplay::Running => self.autoplay = Autoplay::Paused,
            Autoplay::Paused | Autoplay::Single => self.autoplay = Autoplay::Running,
        }
        if self.autoplay == Autoplay::Paused {
            self.ask_for_tree();
        }
    }

    /// A key that does not control the agent stops it.
    fn stop_agent(&mut self) {
        if self.autoplay != Autoplay::Off {
            self.autoplay = Autoplay::Off;
            self.ask_for_tree();
        }
    }

    /// Asks for a tree if there is none, because no tree is made while the agent plays fast.
    fn ask_for_tree(&mut self) {
        if self.tree.is_none() && self.is_open() {
            self.ask();
        }
    }

    fn single(&mut self) {
        if self.state.status == GameStatus::Open {
            self.autoplay = Autoplay::Single;
        }
    }

    fn go(&mut self, direction: Direction) {
        if !self.state.adversarial {
            return self.make_if_open(direction.name());
        }
        let grid = Grid::read(&self.state.board);
        let (rows, columns) = (grid.rows.len().max(1), grid.columns().max(1));
        let (row, column) = self.cursor;
        self.cursor = match direction {
            Direction::Left => (row, (column + columns - 1) % columns),
            Direction::Right => (row, (column + 1) % columns),
            Direction::Up => ((row + rows - 1) % rows, column),
            Direction::Down => ((row + 1) % rows, column),
        };
    }

    fn make_if_open(&mut self, action: &str) {
        match self.state.status {
            GameStatus::Open => self.make(action, false),
            GameStatus::Waiting => self.message = "the opponent is thinking".into(),
            GameStatus::Over(_) => self.message.clear(),
        }
    }

    /// Plays at the mark. A move is a column letter with a row number, or a column number alone.
    fn accept(&mut self) {
        if self.state.adversarial {
            let (row, column) = self.cursor;
            self.play_cell(row, column);
        }
    }

    fn play_cell(&mut self, row: usize, column: usize) {
        let by_cell = format!("{}{}", (b'a' + column as u8) as char, row + 1);
        let by_column = (column + 1).to_string();
        let legal = self.session.legal();
        let action = if legal.contains(&by_column) { by_column } else { by_cell };
        self.make_if_open(&action);
    }

    /// Plays in the cell with this number in reading order, or in the column with this number.
    fn digit(&mut self, digit: u8) {
        let Some(index) = usize::from(digit).checked_sub(1) else { return };
        let grid = Grid::read(&self.state.board);
        let columns = grid.columns().max(1);
        let names_columns = self.session.legal().iter().all(|action| action.parse::<usize>().is_ok());
        let rows = if names_columns { 1 } else { grid.rows.len() };
        if self.state.adversarial && index < columns * rows {
            self.play_cell(index / columns, index % columns);
        }
    }

    fn hint(&mut self) {
        self.hinted = true;
        if self.state.status != GameStatus::Open {
            self.message = "it is not your turn".into();
        }
    }

    fn undo(&mut self) {
        if self.session.undo() {
            self.message = "took back a move".into();
            self.unsaved = true;
            self.position_changed();
        } else {
            self.message = "nothing to take back".into();
        }
    }

    fn play_on(&mut self) {
        if self.session.play_on() {
            self.message = "the game continues without a goal".into();
            self.unsaved = true;
            self.restart_agents();
        }
    }

    fn open_tree(&mut self) {
        match &self.tree {
            Some(tree) => self.overlay = Overlay::Tree(Box::new(TreeScreen::new(tree.clone()))),
            None => self.message = "there is no tree yet, because the agent is still thinking".into(),
        }
    }

    fn apply_menu(&mut self, action: MenuAction) {
        match action {
            MenuAction::Open => {}
            MenuAction::Cancelled => self.overlay = Overlay::None,
            MenuAction::Chosen(spec, keys) => match self.set_agent(*spec) {
                Ok(()) => {
                    self.keys = keys;
                    self.overlay = Overlay::None;
                }
                Err(problem) => {
                    if let Overlay::Menu(menu) = &mut self.overlay {
                        menu.refuse(problem);
                    }
                }
            },
        }
    }
}
