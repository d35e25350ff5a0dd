//! The play screen, drawn.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::{Auto, Overlay, Play};
use crate::games::Outcome;
use crate::tutor::board::BoardView;
use crate::tutor::grid::Grid;
use crate::tutor::session::GameStatus;
use crate::tutor::{help, too_small};

/// Four cells of 9 with the rim.
const BOARD_WIDTH: u16 = 39;

impl Play {
    pub(super) fn draw_screen(&self, frame: &mut Frame) {
        if too_small(frame) {
            return;
        }
        if let Overlay::Tree(outline) = &self.overlay {
            return outline.draw(frame, self.palette);
        }
        let [head, middle, message, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1), Constraint::Length(1)])
                .areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Length(BOARD_WIDTH), Constraint::Min(0)]).areas(middle);
        frame.render_widget(self.headline(), head);
        self.draw_board(frame, left);
        if self.panel || self.hinted {
            self.draw_panel(frame, right);
        }
        frame.render_widget(Line::styled(format!(" {}", self.status()), self.palette.accent()), message);
        frame.render_widget(Line::raw(self.footer()), foot);
        match &self.overlay {
            Overlay::Help => help::draw(frame, "Keys", &help::play(self.keys, self.facts.adversarial), self.palette),
            Overlay::Menu(menu) => menu.draw(frame, self.palette),
            Overlay::None | Overlay::Tree(_) => {}
        }
    }

    fn headline(&self) -> Line<'static> {
        let facts = &self.facts;
        let mut text = format!("  score {}", facts.score);
        if facts.max_tile > 0 {
            text += &format!("   best tile {}", facts.max_tile);
        }
        text += &format!("   moves {}   seed {}", facts.moves, facts.seed);
        if !facts.last.is_empty() {
            text += &format!("   last {}", facts.last);
        }
        Line::from(vec![Span::styled(format!(" {}", facts.game), self.palette.accent()), Span::raw(text)])
    }

    fn draw_board(&self, frame: &mut Frame, area: Rect) {
        let grid = Grid::read(&self.facts.board);
        let is_open = self.facts.status == GameStatus::Open;
        let cursor = (self.facts.adversarial && is_open).then_some(self.cursor);
        let view = BoardView { grid: &grid, palette: self.palette, cursor };
        let board = view.area(area);
        frame.render_widget(view, area);
        if let Some(lines) = self.verdict() {
            self.draw_verdict(frame, board, lines);
        }
    }

    fn draw_verdict(&self, frame: &mut Frame, board: Rect, lines: Vec<Line>) {
        let width = lines.iter().map(Line::width).max().unwrap_or(0) as u16 + 4;
        let area = help::centred(board, width.min(board.width), lines.len() as u16 + 2);
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(lines).centered().block(Block::bordered()), area);
    }

    /// How the game ended, and what one can do then.
    fn verdict(&self) -> Option<Vec<Line<'static>>> {
        let GameStatus::Over(outcome) = self.facts.status else { return None };
        let (text, next) = match outcome {
            Outcome::Win if self.facts.max_tile > 0 => {
                (format!("{} is made: you win!", self.facts.max_tile), "c goes on, n new game")
            }
            Outcome::Win => ("X wins!".into(), "n new game, u undo"),
            Outcome::Draw => ("A draw.".into(), "n new game, u undo"),
            Outcome::Loss if self.facts.adversarial => ("O wins.".into(), "n new game, u undo"),
            Outcome::Loss => ("No move is left: game over.".into(), "n new game, u undo"),
        };
        Some(vec![Line::styled(text, self.palette.accent()), Line::raw(next)])
    }

    /// The line below the board.
    fn status(&self) -> String {
        if self.hinted && self.facts.status == GameStatus::Open {
            return match &self.thought {
                Some(thought) => format!("the agent proposes {}", thought.choice),
                None => "the agent is thinking about a proposal".into(),
            };
        }
        if !self.message.is_empty() {
            return self.message.clone();
        }
        match self.auto {
            Auto::Running => format!("the agent plays, {}; space pauses, any other key takes over", self.pace.label()),
            Auto::Paused | Auto::Single => "paused; space goes on, . makes one move, any other key takes over".into(),
            Auto::Off if self.facts.status == GameStatus::Waiting => "the opponent is thinking".into(),
            Auto::Off => String::new(),
        }
    }

    fn footer(&self) -> String {
        let [h, a, s] = ['h', 'a', 's'].map(|letter| self.keys.letter_of(letter));
        let go = if self.facts.adversarial { "Enter" } else { "arrows" };
        format!(" {go} move  {h} hint  {a} agent  t tree  m menu  u undo  {s} save  ? help  q quit")
    }
}
