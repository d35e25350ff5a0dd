//! A screen of the terminal as a picture: every character on its place in the grid.
//!
//! The embedded face is proportional and has no signs for frames and bars, so letters are centred in their cells and
//! those signs are drawn as shapes.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::report::scene::Scene;

use super::palette::Rgb;
use super::sketch::{Lettering, Side, Sketch};

/// A cell of the terminal in points: 18 by 38 whole pixels at 300 dpi, so that neighbours leave no seam.
const CELL: (f64, f64) = (4.32, 9.12);
const SIZE: f64 = 7.0;
/// The terminal's own colours: a dark ground with light text.
const GROUND: Rgb = (0x1e, 0x1e, 0x24);
const TEXT: Rgb = (0xd8, 0xd8, 0xd8);
/// Of a cell's height, for the lines of frames.
const STROKE: f64 = 0.07;

/// Draws what a terminal would show.
pub fn picture(screen: &Buffer, title: &str) -> Scene {
    let area = screen.area;
    let (width, height) = CELL;
    let mut scene = Scene::new(f64::from(area.width) * width, f64::from(area.height) * height, title);
    let sketch = Sketch::new(&mut scene);
    sketch.fill((0.0, 0.0), (f64::from(area.width) * width, f64::from(area.height) * height), GROUND);
    for y in 0..area.height {
        for x in 0..area.width {
            let place = (f64::from(x) * width, f64::from(y) * height);
            if let Some(cell) = screen.cell((area.x + x, area.y + y)) {
                draw_ground(&sketch, cell, place);
            }
        }
    }
    for y in 0..area.height {
        for x in 0..area.width {
            let place = (f64::from(x) * width, f64::from(y) * height);
            if let Some(cell) = screen.cell((area.x + x, area.y + y)) {
                draw_sign(&sketch, cell, place);
            }
        }
    }
    drop(sketch);
    scene
}

/// Text and ground of a cell.
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

fn draw_ground(sketch: &Sketch, cell: &Cell, place: (f64, f64)) {
    let (_, ground) = colours(cell);
    if ground != GROUND {
        sketch.fill(place, CELL, ground);
    }
}

fn draw_sign(sketch: &Sketch, cell: &Cell, (x, y): (f64, f64)) {
    let (ink, _) = colours(cell);
    let Some(sign) = cell.symbol().chars().next().filter(|sign| *sign != ' ') else { return };
    let (width, height) = CELL;
    if let Some((left, top, right, bottom)) = block(sign) {
        return sketch.fill(
            (x + left * width, y + top * height),
            ((right - left) * width, (bottom - top) * height),
            ink,
        );
    }
    if let Some(arms) = arms(sign) {
        return draw_arms(sketch, arms, (x, y), ink);
    }
    if let Some(corners) = shape(sign) {
        let places: Vec<_> = corners.iter().map(|(across, down)| (x + across * width, y + down * height)).collect();
        return sketch.polygon(&places, ink);
    }
    let sign = if sign == '✂' { "×".to_string() } else { sign.to_string() };
    let bold = cell.modifier.contains(Modifier::BOLD);
    let lettering = Lettering { size: SIZE, bold, colour: ink, side: Side::Middle };
    sketch.text(&sign, (x + width / 2.0, y + height / 2.0), lettering);
}

/// Left, top, right and bottom of a sign that fills a part of its cell.
fn block(sign: char) -> Option<(f64, f64, f64, f64)> {
    Some(match sign {
        '█' => (0.0, 0.0, 1.0, 1.0),
        '▄' => (0.0, 0.5, 1.0, 1.0),
        '▀' => (0.0, 0.0, 1.0, 0.5),
        '▉'..='▏' => {
            // U+2589 to U+258F, from seven eighths down to one.
            let eighths = 8 - (sign as u32 - '█' as u32);
            (0.0, 0.0, f64::from(eighths) / 8.0, 1.0)
        }
        _ => return None,
    })
}

/// Whether a line goes left, right, up and down from the middle.
fn arms(sign: char) -> Option<[bool; 4]> {
    let arms = match sign {
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

fn draw_arms(sketch: &Sketch, [left, right, up, down]: [bool; 4], (x, y): (f64, f64), ink: Rgb) {
    let (width, height) = CELL;
    let stroke = STROKE * height;
    let (middle, centre) = (x + width / 2.0 - stroke / 2.0, y + height / 2.0 - stroke / 2.0);
    let half = |reaches: bool, length: f64| if reaches { length / 2.0 } else { stroke / 2.0 };
    let (from, to) = (x + width / 2.0 - half(left, width), x + width / 2.0 + half(right, width));
    sketch.fill((from, centre), (to - from, stroke), ink);
    let (from, to) = (y + height / 2.0 - half(up, height), y + height / 2.0 + half(down, height));
    sketch.fill((middle, from), (stroke, to - from), ink);
}

/// The corners of a sign that is a polygon.
fn shape(sign: char) -> Option<[(f64, f64); 3]> {
    match sign {
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
    fn letters_stay_letters_and_frames_become_shapes() {
        let mut screen = Buffer::empty(Rect::new(0, 0, 6, 2));
        screen.set_string(0, 0, "┌─x▌▸", ratatui::style::Style::new());
        let scene = picture(&screen, "test");
        let texts: Vec<String> = scene.text_boxes().into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["x"]);
        assert!(String::from_utf8(scene.encode(Format::Svg).unwrap()).unwrap().contains("<polygon"));
    }

    #[test]
    fn bars_shrink_by_eighths() {
        assert_eq!(block('▉').map(|part| part.2), Some(7.0 / 8.0));
        assert_eq!(block('▏').map(|part| part.2), Some(1.0 / 8.0));
    }
}
