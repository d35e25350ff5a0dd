//! A board on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};

use super::grid::Grid;
use super::palette::Palette;

/// The most that a cell may take; 9 by 4 characters look square.
const WIDEST: u16 = 9;
const TALLEST: u16 = 4;

/// Draws a grid as large as fits.
pub struct BoardView<'a> {
    pub grid: &'a Grid,
    pub palette: Palette,
    /// A cell to mark, by row and column.
    pub cursor: Option<(usize, usize)>,
}

impl BoardView<'_> {
    /// The size of a cell within this much room.
    fn cell(&self, room: Rect) -> (u16, u16) {
        let (rows, columns) = (self.grid.rows.len().max(1) as u16, self.grid.columns().max(1) as u16);
        let width = (room.width.saturating_sub(1) / columns).clamp(3, WIDEST);
        let height = (room.height.saturating_sub(1) / rows).clamp(1, TALLEST);
        (width, height)
    }

    /// The room that the board takes.
    pub fn area(&self, room: Rect) -> Rect {
        let (width, height) = self.cell(room);
        let (rows, columns) = (self.grid.rows.len() as u16, self.grid.columns() as u16);
        Rect { width: width * columns + 1, height: height * rows + 1, ..room }.intersection(room)
    }

    fn draw_cell(&self, text: &str, area: Rect, marked: bool, buffer: &mut Buffer) {
        let style = self.palette.cell(text);
        match self.palette {
            Palette::Plain if area.height >= 3 => Block::bordered().border_set(border::ROUNDED).render(area, buffer),
            Palette::Plain => {}
            _ if area.height >= 3 => {
                let edge = Rect { height: 1, ..area };
                "▄".repeat(area.width.into()).render(edge, buffer);
                buffer.set_style(edge, self.palette.edge(text));
                buffer.set_style(Rect { y: area.y + 1, height: area.height - 1, ..area }, style);
            }
            _ => buffer.set_style(area, style),
        }
        self.draw_text(text, area, marked, buffer);
    }

    fn draw_text(&self, text: &str, area: Rect, marked: bool, buffer: &mut Buffer) {
        let shown = if text.is_empty() && (marked || self.palette == Palette::Plain) { "·" } else { text };
        let shown = if marked { format!("[{shown}]") } else { shown.to_string() };
        let length = shown.chars().count() as u16;
        let left = area.x + area.width.saturating_sub(length) / 2;
        let line = area.y + area.height / 2;
        let mut style = Style::new().add_modifier(Modifier::BOLD);
        if marked && self.palette == Palette::Plain {
            style = style.add_modifier(Modifier::REVERSED);
        }
        buffer.set_stringn(left, line, &shown, area.width.into(), style);
    }
}

impl Widget for BoardView<'_> {
    fn render(self, room: Rect, buffer: &mut Buffer) {
        let (width, height) = self.cell(room);
        let area = self.area(room);
        if self.palette != Palette::Plain {
            buffer.set_style(area, self.palette.board());
        }
        for (row, cells) in self.grid.rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                let gap = u16::from(self.palette != Palette::Plain);
                let cell = Rect {
                    x: area.x + gap + width * column as u16,
                    y: area.y + height * row as u16,
                    width: width - gap,
                    height,
                };
                self.draw_cell(text, cell.intersection(area), self.cursor == Some((row, column)), buffer);
            }
        }
        self.draw_foot(area, buffer);
    }
}

impl BoardView<'_> {
    /// The lower rim: half of a line, like the gaps between the tiles.
    fn draw_foot(&self, area: Rect, buffer: &mut Buffer) {
        if self.palette == Palette::Plain || area.height == 0 {
            return;
        }
        let foot = Rect { y: area.bottom() - 1, height: 1, ..area };
        buffer.set_style(foot, Style::reset());
        for x in foot.left()..foot.right() {
            buffer.set_string(x, foot.y, "▀", Style::new().fg(self.palette.board().fg.unwrap_or_default()));
        }
    }
}
