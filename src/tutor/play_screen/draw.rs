//! Draws the play screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{Autoplay, Overlay, PlayScreen};
use crate::games::Outcome;
use crate::tutor::board::{BoardView, Coordinates};
use crate::tutor::grid::Grid;
use crate::tutor::session::GameStatus;
use crate::tutor::{draw_too_small, help};

/// Four cells of 9 characters, the edge and the numbers of the rows.
pub(in crate::tutor) const BOARD_WIDTH: u16 = 40;

impl PlayScreen {
    pub(super) fn draw_screen(&self, frame: &mut Frame) {
        if draw_too_small(frame) {
            return;
        }
        if let Overlay::Tree(screen) = &self.overlay {
            return screen.draw(frame, self.palette);
        }
        let [head, middle, message, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1), Constraint::Length(1)])
                .areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Length(BOARD_WIDTH), Constraint::Min(0)]).areas(middle);
        frame.render_widget(self.title(), head);
        self.draw_board(frame, left);
        if self.panel || self.hinted {
            self.draw_panel(frame, right);
        }
        frame.render_widget(Line::styled(format!(" {}", self.status()), self.palette.accent()), message);
        frame.render_widget(Line::raw(self.footer()), foot);
        match &self.overlay {
            Overlay::Help => help::draw(frame, "Keys", &help::play(self.keys, self.state.adversarial), self.palette),
            Overlay::Menu(menu) => menu.draw(frame, self.palette),
            Overlay::None | Overlay::Tree(_) => {}
        }
    }

    fn title(&self) -> Line<'static> {
        let state = &self.state;
        let mut text = format!("  score {}", state.score);
        if state.max_tile > 0 {
            text += &format!("   best tile {}", state.max_tile);
        }
        text += &format!("   moves {}   seed {}", state.moves, state.seed);
        if !state.last.is_empty() {
            text += &format!("   last {}", state.last);
        }
        Line::from(vec![Span::styled(format!(" {}", state.game), self.palette.accent()), Span::raw(text)])
    }

    fn draw_board(&self, frame: &mut Frame, area: Rect) {
        let grid = Grid::read(&self.state.board);
        let cursor = (self.state.adversarial && self.is_open()).then_some(self.cursor);
        let coordinates = Coordinates::of(self.state.game);
        frame.render_widget(BoardView { grid: &grid, palette: self.palette, coordinates, cursor }, area);
    }

    /// How the game ended, and which keys make sense now.
    pub(super) fn result(&self) -> Option<String> {
        let GameStatus::Over(outcome) = self.state.status else { return None };
        let (text, keys) = match outcome {
            Outcome::Win if self.state.max_tile > 0 => {
                (format!("You reached {} and win!", self.state.max_tile), "c continues, n starts a new game")
            }
            Outcome::Win => ("X wins!".into(), "n starts a new game, u takes back a move"),
            Outcome::Draw => ("A draw.".into(), "n starts a new game, u takes back a move"),
            Outcome::Loss if self.state.adversarial => ("O wins.".into(), "n starts a new game, u takes back a move"),
            Outcome::Loss => ("No move is left: game over.".into(), "n starts a new game, u takes back a move"),
        };
        Some(format!("{text} {keys}"))
    }

    /// The line below the board.
    fn status(&self) -> String {
        if self.hinted && self.is_open() {
            return match &self.advice {
                Some(advice) => format!("the agent would play {}", advice.choice),
                None => "the agent is thinking".into(),
            };
        }
        if !self.message.is_empty() {
            return self.message.clone();
        }
        if let Some(result) = self.result() {
            return result;
        }
        match self.autoplay {
            Autoplay::Running => {
                format!("the agent plays {}; space pauses, any other key stops it", self.timer.label())
            }
            Autoplay::Paused | Autoplay::Single => {
                "paused; space continues, . makes one move, any other key stops".into()
            }
            Autoplay::Off if self.state.status == GameStatus::Waiting => "the opponent is thinking".into(),
            Autoplay::Off => String::new(),
        }
    }

    fn footer(&self) -> String {
        let [h, a, s] = ['h', 'a', 's'].map(|letter| self.keys.letter_of(letter));
        let go = if self.state.adversarial { "Enter" } else { "arrows" };
        format!(" {go} move  {h} hint  {a} agent  t tree  m menu  u undo  {s} save  ? help  q quit")
    }
}
