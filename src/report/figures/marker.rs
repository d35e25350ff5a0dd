//! Markers that differ in shape as well as in colour, so that a grey print can be read.

use super::canvas::{Cell, Place};
use super::style::{PAPER, colour, pen, second_round};
use plotters::style::RGBColor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Disc,
    Square,
    Up,
    Diamond,
    Down,
    Plus,
}

const SHAPES: [Shape; 6] = [Shape::Disc, Shape::Square, Shape::Up, Shape::Diamond, Shape::Down, Shape::Plus];

/// A marker in its colour; open ones are white inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Marker {
    pub shape: Shape,
    pub colour: RGBColor,
    pub open: bool,
}

impl Marker {
    /// Six shapes and seven colours, open after all colours have been used once: no two of 42 series look alike.
    pub fn of(series: usize) -> Marker {
        Marker { shape: SHAPES[series % SHAPES.len()], colour: colour(series), open: second_round(series) }
    }

    /// Draws the marker with a thin white edge, which separates it from lines and bars behind it.
    pub fn draw(&self, cell: &Cell, place: Place, radius: f64) {
        self.body(cell, place, radius + 0.5, PAPER);
        self.body(cell, place, radius, self.colour);
        if self.open && self.shape != Shape::Plus {
            self.body(cell, place, radius - 0.75, PAPER);
        }
    }

    fn body(&self, cell: &Cell, (x, y): Place, r: f64, colour: RGBColor) {
        // The factors give all shapes about the area of the disc.
        let corners: &[(f64, f64)] = match self.shape {
            Shape::Disc => return cell.disc((x, y), r, colour),
            Shape::Plus => return plus(cell, (x, y), r, colour),
            Shape::Square => &[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            Shape::Up => &[(0.0, -1.25), (1.15, 0.8), (-1.15, 0.8)],
            Shape::Down => &[(0.0, 1.25), (1.15, -0.8), (-1.15, -0.8)],
            Shape::Diamond => &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)],
        };
        let places: Vec<Place> = corners.iter().map(|(dx, dy)| (x + dx * r, y + dy * r)).collect();
        cell.polygon(&places, colour);
    }
}

fn plus(cell: &Cell, (x, y): Place, r: f64, colour: RGBColor) {
    let (arm, width) = (1.15 * r, 0.55 * r);
    cell.line(&[(x - arm, y), (x + arm, y)], pen(colour, width));
    cell.line(&[(x, y - arm), (x, y + arm)], pen(colour, width));
}
