//! What the keys of the play screen do.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Auto, Overlay, Play};
use crate::tutor::grid::Grid;
use crate::tutor::keys::{Command, Way};
use crate::tutor::menu::{Choice, Menu};
use crate::tutor::outline::Outline;
use crate::tutor::session::GameStatus;
use crate::tutor::{App, Flow};

impl App for Play {
    fn handle(&mut self, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Flow::Interrupt;
        }
        match &mut self.overlay {
            Overlay::None => return self.keys.read(key).map_or(Flow::Stay, |command| self.obey(command)),
            Overlay::Help => self.overlay = Overlay::None,
            Overlay::Tree(outline) => {
                if !outline.handle(key) {
                    self.overlay = Overlay::None;
                }
            }
            Overlay::Menu(menu) => {
                let choice = menu.handle(key);
                self.choose(choice);
            }
        }
        Flow::Stay
    }

    fn tick(&mut self, passed: Duration) {
        self.listen();
        if matches!(self.overlay, Overlay::None) {
            self.advance(passed);
        }
    }

    fn pulse(&self) -> Duration {
        self.pace.interval()
    }

    fn draw(&self, frame: &mut ratatui::Frame) {
        self.draw_screen(frame);
    }
}

impl Play {
    fn obey(&mut self, command: Command) -> Flow {
        match command {
            Command::Quit => return Flow::Quit,
            Command::Interrupt => return Flow::Interrupt,
            Command::Agent => self.toggle_agent(),
            Command::Pause => self.pause(),
            Command::Step => self.single(),
            Command::Faster => self.pace.faster(),
            Command::Slower => self.pace.slower(),
            other => {
                self.take_over();
                self.obey_person(other);
            }
        }
        Flow::Stay
    }

    fn obey_person(&mut self, command: Command) {
        match command {
            Command::Go(way) => self.go(way),
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
                let menu = Menu::new(&self.agent, self.keys, self.table.heuristics());
                self.overlay = Overlay::Menu(Box::new(menu));
            }
            _ => {}
        }
    }

    fn toggle_agent(&mut self) {
        self.auto = if self.auto == Auto::Off { Auto::Running } else { Auto::Off };
        self.message.clear();
    }

    fn pause(&mut self) {
        match self.auto {
            Auto::Off if self.facts.adversarial => self.accept(),
            Auto::Off => {}
            Auto::Running => self.auto = Auto::Paused,
            Auto::Paused | Auto::Single => self.auto = Auto::Running,
        }
        if self.auto == Auto::Paused {
            self.ask_for_tree();
        }
    }

    /// Any key that does not steer the agent takes over from it.
    fn take_over(&mut self) {
        if self.auto != Auto::Off {
            self.auto = Auto::Off;
            self.ask_for_tree();
        }
    }

    /// There was no time for the tree while boards flew by; now there is.
    fn ask_for_tree(&mut self) {
        if self.tree.is_none() && self.is_open() {
            self.ask();
        }
    }

    fn single(&mut self) {
        if self.facts.status == GameStatus::Open {
            self.auto = Auto::Single;
        }
    }

    fn go(&mut self, way: Way) {
        if !self.facts.adversarial {
            return self.make_if_open(way.name());
        }
        let grid = Grid::read(&self.facts.board);
        let (rows, columns) = (grid.rows.len().max(1), grid.columns().max(1));
        let (row, column) = self.cursor;
        self.cursor = match way {
            Way::Left => (row, (column + columns - 1) % columns),
            Way::Right => (row, (column + 1) % columns),
            Way::Up => ((row + rows - 1) % rows, column),
            Way::Down => ((row + 1) % rows, column),
        };
    }

    fn make_if_open(&mut self, action: &str) {
        match self.facts.status {
            GameStatus::Open => self.make(action, false),
            GameStatus::Waiting => self.message = "the opponent is thinking".into(),
            GameStatus::Over(_) => self.message = "the game is over: n begins a new one, u takes back a move".into(),
        }
    }

    /// Plays at the mark. Moves are named by column letter and row number, or by column number alone.
    fn accept(&mut self) {
        if self.facts.adversarial {
            let (row, column) = self.cursor;
            self.play_cell(row, column);
        }
    }

    fn play_cell(&mut self, row: usize, column: usize) {
        let by_cell = format!("{}{}", (b'a' + column as u8) as char, row + 1);
        let by_column = (column + 1).to_string();
        let legal = self.table.legal();
        let action = if legal.contains(&by_column) { by_column } else { by_cell };
        self.make_if_open(&action);
    }

    /// A cell by its number in reading order, or a column.
    fn digit(&mut self, digit: u8) {
        let Some(index) = usize::from(digit).checked_sub(1) else { return };
        let grid = Grid::read(&self.facts.board);
        let columns = grid.columns().max(1);
        if self.facts.adversarial && index < columns * grid.rows.len() {
            self.play_cell(index / columns, index % columns);
        }
    }

    fn hint(&mut self) {
        self.hinted = true;
        if self.facts.status != GameStatus::Open {
            self.message = "there is no move to propose".into();
        }
    }

    fn undo(&mut self) {
        if self.table.undo() {
            self.message = "took back a move".into();
            self.unsaved = true;
            self.changed();
        } else {
            self.message = "nothing to take back".into();
        }
    }

    fn play_on(&mut self) {
        if self.table.play_on() {
            self.message = "the game goes on without a goal".into();
            self.unsaved = true;
            self.employ_again();
        }
    }

    fn open_tree(&mut self) {
        match &self.tree {
            Some(tree) => self.overlay = Overlay::Tree(Box::new(Outline::new(tree.clone()))),
            None => self.message = "there is no tree yet: the agent is still thinking".into(),
        }
    }

    fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Open => {}
            Choice::Cancelled => self.overlay = Overlay::None,
            Choice::Chosen(spec, keys) => match self.employ(*spec) {
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
