//! Boards and screens as pictures, drawn in points onto a [`Scene`].

use plotters::element::{Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

use crate::report::scene::{Scene, Sheet, UNITS_PER_POINT, markup, text_width, units};

use super::grid::Grid;
use super::palette::{FRAME, Rgb, cell_colours};

/// The gap between two tiles as a share of a cell, and the size of the numbers.
const GAP: f64 = 0.08;
const FIGURES: f64 = 0.42;
/// Of a cell, that a number may take before it is set smaller.
const ROOM: f64 = 0.8;

/// Where a text stands in relation to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Middle,
}

/// Something to draw with.
pub struct Sketch<'a> {
    sheet: Sheet<'a>,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Lettering {
    pub size: f64,
    pub bold: bool,
    pub colour: Rgb,
    pub side: Side,
}

fn wash((r, g, b): Rgb) -> ShapeStyle {
    ShapeStyle { color: RGBColor(r, g, b).to_rgba(), filled: true, stroke_width: 0 }
}

fn grid((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

impl<'a> Sketch<'a> {
    pub fn new(scene: &'a mut Scene) -> Self {
        Sketch { sheet: scene.sheet() }
    }

    /// A rectangle from its upper left corner.
    pub fn fill(&self, (x, y): (f64, f64), (width, height): (f64, f64), colour: Rgb) {
        let corners = [grid((x, y)), grid((x + width, y + height))];
        // Here and below: a scene only records, which cannot fail.
        let _ = self.sheet.draw(&Rectangle::new(corners, wash(colour)));
    }

    pub fn polygon(&self, places: &[(f64, f64)], colour: Rgb) {
        let corners: Vec<_> = places.iter().copied().map(grid).collect();
        let _ = self.sheet.draw(&Polygon::new(corners, wash(colour)));
    }

    /// A line of text whose capitals are centred on the height of `place`.
    pub fn text(&self, content: &str, place: (f64, f64), lettering: Lettering) {
        let Lettering { size, bold, colour: (r, g, b), side } = lettering;
        let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
        let across = if side == Side::Left { HPos::Left } else { HPos::Center };
        let style = TextStyle {
            font: ("sans-serif", size * UNITS_PER_POINT).into_font().style(weight),
            color: RGBColor(r, g, b).to_backend_color(),
            pos: Pos::new(across, VPos::Center),
        };
        let _ = self.sheet.draw_text(&markup::plain(content), &style, grid(place));
    }

    /// A board with its upper left corner at `place`; `cell` is the side of a cell with its gap.
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

    /// One tile.
    pub fn tile(&self, text: &str, (x, y): (f64, f64), side: f64) {
        let (ground, ink) = cell_colours(text);
        self.fill((x, y), (side, side), ground);
        let wish = FIGURES * side;
        let size = wish * (ROOM * side / text_width(text, wish).max(1e-9)).min(1.0);
        let lettering = Lettering { size, bold: true, colour: ink, side: Side::Middle };
        self.text(text, (x + side / 2.0, y + side / 2.0), lettering);
    }
}

/// Width and height of a drawn board.
pub fn board_size(board: &Grid, cell: f64) -> (f64, f64) {
    (cell * (board.columns() as f64 + GAP), cell * (board.rows.len() as f64 + GAP))
}
