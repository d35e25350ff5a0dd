//! Draws boards and screens into a [`Scene`]. All lengths are in points.

use plotters::element::{Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

use crate::report::scene::{Scene, Sheet, UNITS_PER_POINT, markup, text_width, units};

use super::grid::Grid;
use super::palette::{FRAME, Rgb, cell_colours};

/// The gap between two tiles as a share of a cell.
const GAP: f64 = 0.08;
/// The font size of the numbers as a share of a tile.
const NUMBER_SIZE: f64 = 0.42;
/// The share of a tile's width that a number may take; a wider number gets a smaller font.
const NUMBER_WIDTH: f64 = 0.8;

/// How a text is aligned to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It begins there.
    Left,
    /// It is centred there.
    Middle,
}

/// Draws into a scene.
pub struct Painter<'a> {
    sheet: Sheet<'a>,
}

/// The font size, weight, colour and alignment of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextFormat {
    pub size: f64,
    pub bold: bool,
    /// Whether all letters have the same width.
    pub mono: bool,
    pub colour: Rgb,
    pub side: Side,
}

fn fill_style((r, g, b): Rgb) -> ShapeStyle {
    ShapeStyle { color: RGBColor(r, g, b).to_rgba(), filled: true, stroke_width: 0 }
}

fn grid((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

impl<'a> Painter<'a> {
    /// Draws into this scene.
    pub fn new(scene: &'a mut Scene) -> Self {
        Painter { sheet: scene.sheet() }
    }

    /// Fills a rectangle, given by its upper left corner and its size.
    pub fn fill(&self, (x, y): (f64, f64), (width, height): (f64, f64), colour: Rgb) {
        let corners = [grid((x, y)), grid((x + width, y + height))];
        // A scene only records what is drawn, so drawing cannot fail here or below.
        let _ = self.sheet.draw(&Rectangle::new(corners, fill_style(colour)));
    }

    /// Fills a polygon.
    pub fn polygon(&self, places: &[(f64, f64)], colour: Rgb) {
        let corners: Vec<_> = places.iter().copied().map(grid).collect();
        let _ = self.sheet.draw(&Polygon::new(corners, fill_style(colour)));
    }

    /// Draws a line of text. Its capital letters are centred vertically at `place`.
    pub fn text(&self, content: &str, place: (f64, f64), format: TextFormat) {
        let TextFormat { size, bold, mono, colour: (r, g, b), side } = format;
        let family = if mono { "monospace" } else { "sans-serif" };
        let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
        let across = if side == Side::Left { HPos::Left } else { HPos::Center };
        let style = TextStyle {
            font: (family, size * UNITS_PER_POINT).into_font().style(weight),
            color: RGBColor(r, g, b).to_backend_color(),
            pos: Pos::new(across, VPos::Center),
        };
        let _ = self.sheet.draw_text(&markup::plain(content), &style, grid(place));
    }

    /// Draws a board with its upper left corner at `place`. `cell` is the side of a cell with its gap.
    pub fn board(&self, board: &Grid, place: (f64, f64), cell: f64) {
        self.fill(place, board_size(board, cell), FRAME);
        for (row, cells) in board.rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                let gap = GAP * cell;
                let corner = (place.0 + gap + cell * column as f64, place.1 + gap + cell * row as f64);
                self.tile(text, corner, cell - gap);
            }
        }
    }

    /// Draws one tile.
    pub fn tile(&self, text: &str, (x, y): (f64, f64), side: f64) {
        let (ground, ink) = cell_colours(text);
        self.fill((x, y), (side, side), ground);
        let largest = NUMBER_SIZE * side;
        let size = largest * (NUMBER_WIDTH * side / text_width(text, largest).max(1e-9)).min(1.0);
        let format = TextFormat { size, bold: true, mono: false, colour: ink, side: Side::Middle };
        self.text(text, (x + side / 2.0, y + side / 2.0), format);
    }
}

/// The width and height of a drawn board.
pub fn board_size(board: &Grid, cell: f64) -> (f64, f64) {
    (cell * (board.columns() as f64 + GAP), cell * (board.rows.len() as f64 + GAP))
}
