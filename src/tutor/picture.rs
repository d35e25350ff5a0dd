//! A terminal screen as a picture: every character in its cell of the grid.
//!
//! Lines, bars and triangles are drawn as shapes, so that they join without gaps between cells.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::report::scene::Scene;

use super::painter::{Painter, Side, TextFormat};
use super::palette::Rgb;

/// The size of a cell in points. It is 18 by 38 pixels at 300 dpi, so there are no gaps between cells.
const CELL: (f64, f64) = (4.32, 9.12);
const SIZE: f64 = 7.0;
/// The default colours: a dark background with light text.
const GROUND: Rgb = (0x1e, 0x1e, 0x24);
const TEXT: Rgb = (0xd8, 0xd8, 0xd8);
/// The width of lines as a share of a cell's height.
const STROKE: f64 = 0.07;

/// Draws a screen as a terminal would show it.
pub fn picture(screen: &Buffer, title: &str) -> Scene {
    let area = screen.area;
    let (width, height) = CELL;
    let mut scene = Scene::new(f64::from(area.width) * width, f64::from(area.height) * height, title);
    let painter = Painter::new(&mut scene);
    painter.fill((0.0, 0.0), (f64::from(area.width) * width, f64::from(area.height) * height), GROUND);
    for y in 0..area.height {
        for x in 0..area.width {
            let place = (f64::from(x) * width, f64::from(y) * height);
            if let Some(cell) = screen.cell((area.x + x, area.y + y)) {
                draw_ground(&painter, cell, place);
            }
        }
    }
    for y in 0..area.height {
        for x in 0..area.width {
            let place = (f64::from(x) * width, f64::from(y) * height);
            if let Some(cell) = screen.cell((area.x + x, area.y + y)) {
                draw_character(&painter, cell, place);
            }
        }
    }
    drop(painter);
    scene
}

/// The text colour and the background colour of a cell.
fn colours(cell: &Cell) -> (Rgb, Rgb) {
    let pick = |colour, fallback| match colour {
        Color::Rgb(r, g, b) => (r, g, b),
        _ => fallback,
    };
    let (mut ink, mut ground) = (pick(cell.fg, TEXT), pick(cell.bg, GROUND));
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, ground) = (ground, ink);
    }
    if cell.modifier.contains(Modifier::DIM) {
        ink = halfway(ink, ground);
    }
    (ink, ground)
}

fn halfway(a: Rgb, b: Rgb) -> Rgb {
    let part = |a: u8, b: u8| ((u16::from(a) * 6 + u16::from(b) * 4) / 10) as u8;
    (part(a.0, b.0), part(a.1, b.1), part(a.2, b.2))
}

fn draw_ground(painter: &Painter, cell: &Cell, place: (f64, f64)) {
    let (_, ground) = colours(cell);
    if ground != GROUND {
        painter.fill(place, CELL, ground);
    }
}

fn draw_character(painter: &Painter, cell: &Cell, (x, y): (f64, f64)) {
    let (ink, _) = colours(cell);
    let Some(character) = cell.symbol().chars().next().filter(|character| *character != ' ') else { return };
    let (width, height) = CELL;
    if let Some((left, top, right, bottom)) = block(character) {
        return painter.fill(
            (x + left * width, y + top * height),
            ((right - left) * width, (bottom - top) * height),
            ink,
        );
    }
    if let Some(arms) = arms(character) {
        return draw_arms(painter, arms, (x, y), ink);
    }
    if let Some(corners) = shape(character) {
        let places: Vec<_> = corners.iter().map(|(across, down)| (x + across * width, y + down * height)).collect();
        return painter.polygon(&places, ink);
    }
    let character = character.to_string();
    let bold = cell.modifier.contains(Modifier::BOLD);
    let format = TextFormat { size: SIZE, bold, mono: true, colour: ink, side: Side::Middle };
    painter.text(&character, (x + width / 2.0, y + height / 2.0), format);
}

/// The left, top, right and bottom of a character that fills a part of its cell.
fn block(character: char) -> Option<(f64, f64, f64, f64)> {
    Some(match character {
        '█' => (0.0, 0.0, 1.0, 1.0),
        '▄' => (0.0, 0.5, 1.0, 1.0),
        '▀' => (0.0, 0.0, 1.0, 0.5),
        '▉'..='▏' => {
            // U+2589 to U+258F, from seven eighths down to one.
            let eighths = 8 - (character as u32 - '█' as u32);
            (0.0, 0.0, f64::from(eighths) / 8.0, 1.0)
        }
        _ => return None,
    })
}

/// For box-drawing characters: whether a line goes left, right, up and down from the middle.
fn arms(character: char) -> Option<[bool; 4]> {
    let arms = match character {
        '─' | '━' => "lr",
        '│' => "ud",
        '┌' | '╭' => "rd",
        '┐' | '╮' => "ld",
        '└' | '╰' => "ru",
        '┘' | '╯' => "lu",
        _ => return None,
    };
    Some(['l', 'r', 'u', 'd'].map(|way| arms.contains(way)))
}

fn draw_arms(painter: &Painter, [left, right, up, down]: [bool; 4], (x, y): (f64, f64), ink: Rgb) {
    let (width, height) = CELL;
    let stroke = STROKE * height;
    let (middle, centre) = (x + width / 2.0 - stroke / 2.0, y + height / 2.0 - stroke / 2.0);
    let half = |reaches: bool, length: f64| if reaches { length / 2.0 } else { stroke / 2.0 };
    let (from, to) = (x + width / 2.0 - half(left, width), x + width / 2.0 + half(right, width));
    painter.fill((from, centre), (to - from, stroke), ink);
    let (from, to) = (y + height / 2.0 - half(up, height), y + height / 2.0 + half(down, height));
    painter.fill((middle, from), (stroke, to - from), ink);
}

/// The corners of a character that is a triangle.
fn shape(character: char) -> Option<[(f64, f64); 3]> {
    match character {
        '▸' => Some([(0.15, 0.3), (0.9, 0.5), (0.15, 0.7)]),
        '▾' => Some([(0.05, 0.38), (0.95, 0.38), (0.5, 0.68)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::scene::Format;
    use ratatui::layout::Rect;

    #[test]
    fn letters_are_text_and_lines_are_shapes() {
        let mut screen = Buffer::empty(Rect::new(0, 0, 6, 2));
        screen.set_string(0, 0, "┌─x▌▸", ratatui::style::Style::new());
        let scene = picture(&screen, "test");
        let texts: Vec<String> = scene.text_boxes().into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["x"]);
        assert!(String::from_utf8(scene.encode(Format::Svg).unwrap()).unwrap().contains("<polygon"));
    }

    #[test]
    fn block_characters_fill_eighths_of_their_cell() {
        assert_eq!(block('▉').map(|part| part.2), Some(7.0 / 8.0));
        assert_eq!(block('▏').map(|part| part.2), Some(1.0 / 8.0));
    }
}
