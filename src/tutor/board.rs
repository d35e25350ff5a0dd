//! A board on the screen, with its coordinates.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};

use crate::games::Game;
use crate::games::connect_four::ConnectFour;

use super::grid::Grid;
use super::palette::Palette;

/// The largest cell. In most fonts 9 by 4 characters are about square.
const MOST_WIDTH: u16 = 9;
const MOST_HEIGHT: u16 = 4;
/// The space for the numbers of rows and the names of columns.
const LEFT_MARGIN: u16 = 2;
const TOP_MARGIN: u16 = 1;

/// How the moves of a game name cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// By column letter and row number, such as `d4`.
    Cells,
    /// By column number alone.
    Columns,
}

impl Coordinates {
    /// The coordinates of the game with this name.
    pub fn of(game: &str) -> Self {
        if game == ConnectFour::NAME { Coordinates::Columns } else { Coordinates::Cells }
    }

    fn column(self, index: usize) -> String {
        match self {
            Coordinates::Cells => char::from(b'a' + index.min(25) as u8).to_string(),
            Coordinates::Columns => (index + 1).to_string(),
        }
    }

    fn row(self, index: usize) -> String {
        match self {
            Coordinates::Cells => (index + 1).to_string(),
            Coordinates::Columns => String::new(),
        }
    }
}

/// Draws a board as large as it fits.
pub struct BoardView<'a> {
    /// The board.
    pub grid: &'a Grid,
    /// The colours.
    pub palette: Palette,
    /// The coordinates beside it.
    pub coordinates: Coordinates,
    /// A cell to mark, by row and column.
    pub cursor: Option<(usize, usize)>,
}

impl BoardView<'_> {
    /// The part of the room that is left for the cells.
    fn inner(room: Rect) -> Rect {
        let (x, y) = (room.x + LEFT_MARGIN.min(room.width), room.y + TOP_MARGIN.min(room.height));
        Rect { x, y, width: room.right() - x, height: room.bottom() - y }
    }

    /// The size of a cell.
    fn cell(&self, inner: Rect) -> (u16, u16) {
        let (rows, columns) = (self.grid.rows.len().max(1) as u16, self.grid.columns().max(1) as u16);
        let width = (inner.width.saturating_sub(1) / columns).clamp(3, MOST_WIDTH);
        let height = (inner.height.saturating_sub(1) / rows).clamp(1, MOST_HEIGHT);
        (width, height)
    }

    /// The area that the board takes, with its coordinates.
    pub fn area(&self, room: Rect) -> Rect {
        let cells = self.cells_area(Self::inner(room));
        Rect { width: cells.right() - room.x, height: cells.bottom() - room.y, ..room }
    }

    /// The area of the cells.
    fn cells_area(&self, inner: Rect) -> Rect {
        let (width, height) = self.cell(inner);
        let (rows, columns) = (self.grid.rows.len() as u16, self.grid.columns() as u16);
        Rect { width: width * columns + 1, height: height * rows + 1, ..inner }.intersection(inner)
    }

    fn draw_cell(&self, text: &str, area: Rect, marked: bool, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
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

    /// The names of the columns above the board, and the numbers of the rows to its left.
    fn draw_coordinates(&self, cells: Rect, buffer: &mut Buffer) {
        let (width, height) = self.cell(cells);
        let style = self.palette.faint();
        for column in 0..self.grid.columns() {
            let x = cells.x + width * column as u16 + width / 2;
            if x < cells.right() && cells.y > 0 {
                buffer.set_stringn(x, cells.y - TOP_MARGIN, self.coordinates.column(column), 1, style);
            }
        }
        for row in 0..self.grid.rows.len() {
            let y = cells.y + height * row as u16 + height / 2;
            if y < cells.bottom() && cells.x >= LEFT_MARGIN {
                buffer.set_stringn(cells.x - LEFT_MARGIN, y, self.coordinates.row(row), 1, style);
            }
        }
    }

    /// The lower edge of the board: half a line, like the gaps between the tiles.
    fn draw_lower_edge(&self, cells: Rect, buffer: &mut Buffer) {
        if self.palette == Palette::Plain || cells.height == 0 {
            return;
        }
        let edge = Rect { y: cells.bottom() - 1, height: 1, ..cells };
        buffer.set_style(edge, Style::reset());
        for x in edge.left()..edge.right() {
            buffer.set_string(x, edge.y, "▀", Style::new().fg(self.palette.board().fg.unwrap_or_default()));
        }
    }
}

impl Widget for BoardView<'_> {
    fn render(self, room: Rect, buffer: &mut Buffer) {
        let inner = Self::inner(room);
        let (width, height) = self.cell(inner);
        let area = self.cells_area(inner);
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
        self.draw_lower_edge(area, buffer);
        self.draw_coordinates(area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tutor::testing::screen;

    fn drawn(notation: &str, game: &str, width: u16, height: u16) -> String {
        let grid = Grid::read(notation);
        let coordinates = Coordinates::of(game);
        screen(width, height, |frame| {
            let view = BoardView { grid: &grid, palette: Palette::Plain, coordinates, cursor: None };
            frame.render_widget(view, frame.area());
        })
    }

    /// The text at a column of a line.
    fn at(text: &str, line: usize, column: usize) -> char {
        text.lines().nth(line).unwrap().chars().nth(column).unwrap()
    }

    #[test]
    fn coordinates_are_in_line_with_their_cells() {
        let text = drawn("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,8", "2048", 40, 20);
        let line = text.lines().position(|line| line.contains('8')).unwrap();
        let column = text.lines().nth(line).unwrap().chars().position(|letter| letter == '8').unwrap();
        assert_eq!((at(&text, 0, column), at(&text, line, 0)), ('d', '4'), "{text}");
    }

    #[test]
    fn connect_four_numbers_its_columns() {
        let text = drawn("......./......./......./......./......./X......", "connect-four", 40, 20);
        assert!(text.lines().next().unwrap().contains('1') && text.lines().next().unwrap().contains('7'), "{text}");
        assert!(!text.contains('a'));
    }

    #[test]
    fn a_board_fits_even_a_tiny_area() {
        for (width, height) in [(1, 1), (2, 1), (3, 2), (10, 3), (200, 60)] {
            drawn("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,8", "2048", width, height);
        }
    }
}
