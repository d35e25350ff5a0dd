//! The replay screen: steps through a recorded game.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Block, LineGauge, Paragraph};

use super::autoplay_timer::AutoplayTimer;
use super::board::{BoardView, Coordinates};
use super::palette::Palette;
use super::play_screen::BOARD_WIDTH;
use super::timeline::Timeline;
use super::{App, Flow, draw_too_small, help};

/// How many moves a page key goes.
const PAGE: isize = 10;
/// The maximum number of digits of a move's number. No game has more moves.
const MOST_DIGITS: usize = 9;

/// The state of the replay screen.
pub struct ReplayScreen {
    timeline: Timeline,
    at: usize,
    playing: bool,
    timer: AutoplayTimer,
    /// The digits that the user has typed, of a move to go to.
    typed: String,
    help: bool,
    palette: Palette,
}

impl ReplayScreen {
    /// Starts before the first move.
    pub fn new(timeline: Timeline, speed: f64, palette: Palette) -> Self {
        ReplayScreen {
            timeline,
            at: 0,
            playing: false,
            timer: AutoplayTimer::new(speed),
            typed: String::new(),
            help: false,
            palette,
        }
    }

    /// Goes to a move; to the last one if the number is too large.
    pub fn jump(&mut self, to: usize) {
        self.at = to.min(self.timeline.last());
        self.timer.restart();
    }

    fn step(&mut self, by: isize) {
        self.jump(self.at.saturating_add_signed(by));
    }

    fn toggle(&mut self) {
        self.playing = !self.playing;
        if self.playing && self.at == self.timeline.last() {
            self.jump(0);
        }
    }

    fn enter(&mut self) {
        if let Ok(to) = std::mem::take(&mut self.typed).parse() {
            self.jump(to);
        }
    }
}

impl App for ReplayScreen {
    fn handle(&mut self, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Flow::Stay;
        }
        if std::mem::take(&mut self.help) {
            return Flow::Stay;
        }
        if !matches!(key.code, KeyCode::Char(' ' | '+' | '=' | '-' | '?')) {
            self.playing = false;
        }
        match key.code {
            KeyCode::Char('q') => return Flow::Quit,
            KeyCode::Esc if self.typed.is_empty() => return Flow::Quit,
            KeyCode::Esc => self.typed.clear(),
            KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j') => self.step(1),
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => self.step(-1),
            KeyCode::PageDown => self.step(PAGE),
            KeyCode::PageUp => self.step(-PAGE),
            KeyCode::Home | KeyCode::Char('g') => self.jump(0),
            KeyCode::End | KeyCode::Char('G') => self.jump(usize::MAX),
            KeyCode::Char(' ') => self.toggle(),
            KeyCode::Char('+' | '=') => self.timer.faster(),
            KeyCode::Char('-') => self.timer.slower(),
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char(digit @ '0'..='9') if self.typed.len() < MOST_DIGITS => self.typed.push(digit),
            KeyCode::Backspace => self.typed.truncate(self.typed.len().saturating_sub(1)),
            KeyCode::Enter => self.enter(),
            _ => {}
        }
        Flow::Stay
    }

    fn tick(&mut self, passed: Duration) {
        if self.playing && self.timer.advance(passed) {
            self.step(1);
            self.playing = self.at < self.timeline.last();
        }
    }

    fn pulse(&self) -> Duration {
        self.timer.interval()
    }

    fn draw(&self, frame: &mut Frame) {
        if draw_too_small(frame) {
            return;
        }
        let [head, middle, gauge, foot] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1), Constraint::Length(1)])
                .areas(frame.area());
        let [left, right] = Layout::horizontal([Constraint::Length(BOARD_WIDTH), Constraint::Min(0)]).areas(middle);
        let Some(now) = self.timeline.frames.get(self.at) else { return };
        let title = format!(
            " {} replay   score {}   move {} of {}",
            self.timeline.header.game,
            now.score,
            self.at,
            self.timeline.last()
        );
        frame.render_widget(Line::styled(title, self.palette.accent()), head);
        let grid = now.grid();
        let coordinates = Coordinates::of(&self.timeline.header.game);
        frame.render_widget(BoardView { grid: &grid, palette: self.palette, coordinates, cursor: None }, left);
        self.draw_moves(frame, right);
        let share = self.at as f64 / self.timeline.last().max(1) as f64;
        let line = LineGauge::default().ratio(share).filled_style(self.palette.accent()).label(self.timer.label());
        frame.render_widget(line, gauge);
        frame.render_widget(Line::raw(self.footer()), foot);
        if self.help {
            help::draw(frame, "Replay", &help::replay(), self.palette);
        }
    }
}

impl ReplayScreen {
    fn footer(&self) -> String {
        if !self.typed.is_empty() {
            return format!(" go to move {}: press Enter", self.typed);
        }
        let state = if self.playing { "space pause" } else { "space play" };
        format!(" ← → step  {state}  + - speed  number Enter: go to  ? help  q quit")
    }

    fn draw_moves(&self, frame: &mut Frame, area: Rect) {
        let header = &self.timeline.header;
        let mut about = vec![Line::raw(format!("agent {}", header.agent)), Line::raw(format!("seed  {}", header.seed))];
        about.extend(header.goal.as_ref().map(|goal| Line::raw(format!("goal  {goal}"))));
        about.extend(header.opponent.as_ref().map(|opponent| Line::raw(format!("opponent {opponent}"))));
        about.push(Line::raw(format!("end   {}", self.timeline.outcome.unwrap_or("unfinished"))));
        let [top, below] =
            Layout::vertical([Constraint::Length(about.len() as u16 + 2), Constraint::Min(0)]).areas(area);
        frame.render_widget(Paragraph::new(about).block(Block::bordered().title(" The game ")), top);
        let rows = usize::from(below.height.saturating_sub(2));
        let first = self.at.saturating_sub(rows / 2).min((self.timeline.last() + 1).saturating_sub(rows));
        let shown = self.timeline.frames.iter().skip(first).take(rows);
        let lines: Vec<Line> = shown
            .map(|frame| {
                let text = format!("{:>5}  {:<16} {:>7}", frame.number, frame.label(), frame.score);
                if frame.number == self.at { Line::styled(text, self.palette.selected()) } else { Line::raw(text) }
            })
            .collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Moves ")), below);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::record::Record;
    use crate::tutor::testing::{press_all, screen};

    const GAME: &str = "lab2048-record 1
game 2048
goal 8
seed 7
agent person
start 0,0,0,0/0,0,2,2/0,0,0,0/0,0,0,0
left 4 at d4
down 2 at a1
right
end 12 win
";

    fn replay() -> ReplayScreen {
        let game = Twenty48::new(Goal::Rank(3));
        ReplayScreen::new(Timeline::of(&game, &Record::read(&game, GAME).unwrap()), 4.0, Palette::Plain)
    }

    fn press(replay: &mut ReplayScreen, keys: &str) -> Flow {
        press_all(keys, |key| replay.handle(key)).unwrap_or(Flow::Stay)
    }

    fn shown(replay: &ReplayScreen) -> String {
        screen(80, 24, |frame| replay.draw(frame))
    }

    #[test]
    fn keys_step_and_go_to_moves() {
        let mut replay = replay();
        for (keys, at) in
            [("→", 1), ("→→→", 3), ("←", 2), ("g", 0), ("2⏎", 2), ("99⏎", 3), ("⏎", 3), ("0⏎", 0), ("G", 3)]
        {
            press(&mut replay, keys);
            assert_eq!(replay.at, at, "{keys}");
        }
        assert_eq!(press(&mut replay, "q"), Flow::Quit);
    }

    #[test]
    fn it_plays_to_the_end_and_can_be_paused() {
        let mut replay = replay();
        press(&mut replay, " ");
        replay.tick(Duration::from_millis(100));
        assert_eq!(replay.at, 0);
        replay.tick(Duration::from_millis(150));
        assert_eq!(replay.at, 1);
        press(&mut replay, " ");
        replay.tick(Duration::from_secs(1));
        assert_eq!(replay.at, 1);
        press(&mut replay, " ");
        (0..5).for_each(|_| replay.tick(Duration::from_millis(250)));
        assert_eq!((replay.at, replay.playing), (3, false));
    }

    #[test]
    fn the_screen_shows_score_moves_and_players() {
        let mut replay = replay();
        press(&mut replay, "→→");
        let text = shown(&replay);
        for part in ["score 4", "move 2 of 3", "down, 2 at a1", "agent person", "goal  8", "end   win", "seed  7"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        press(&mut replay, "?");
        assert!(shown(&replay).contains("go to the move with this number"));
        press(&mut replay, "x12");
        assert!(shown(&replay).contains("go to move 12"));
        assert!(screen(40, 10, |frame| replay.draw(frame)).contains("too small"));
    }
}
