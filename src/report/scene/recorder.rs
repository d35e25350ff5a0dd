//! The plotters backend: records what plotters draws as marks of the scene.

use super::{Align, Face, Ink, Mark, Paint, Scene, Text, cap_height, font, text_width};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle, FontTransform,
};
use std::convert::Infallible;

/// Plotters takes coordinates as whole numbers, so a point is divided into units that are finer than any printer's dots.
pub const UNITS_PER_POINT: f64 = 100.0;

/// Converts points to plotters' units.
pub fn units(points: f64) -> i32 {
    // `as` saturates and maps NaN to 0, so that no number can overflow here.
    (points * UNITS_PER_POINT).round() as i32
}

/// The plotters drawing area of a whole scene.
pub type Sheet<'a> = DrawingArea<&'a mut Scene, Shift>;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

impl Scene {
    /// The scene as a drawing area of plotters.
    pub fn sheet(&mut self) -> Sheet<'_> {
        self.into_drawing_area()
    }

    fn record(&mut self, color: BackendColor, mark: impl FnOnce(Ink) -> Mark) -> Drawn {
        if color.alpha > 0.0 {
            let (r, g, b) = color.rgb;
            self.marks.push(mark(Ink { rgb: [r, g, b], alpha: (color.alpha as f32).min(1.0) }));
        }
        Ok(())
    }
}

fn points(value: i32) -> f32 {
    (f64::from(value) / UNITS_PER_POINT) as f32
}

fn point((x, y): BackendCoord) -> [f32; 2] {
    [points(x), points(y)]
}

fn width<S: BackendStyle>(style: &S) -> f32 {
    (f64::from(style.stroke_width()) / UNITS_PER_POINT) as f32
}

fn paint<S: BackendStyle>(style: &S, ink: Ink, fill: bool) -> Paint {
    if fill { Paint::Fill(ink) } else { Paint::Stroke(ink, width(style)) }
}

impl DrawingBackend for &mut Scene {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        let (width, height) = self.size();
        (units(width).unsigned_abs(), units(height).unsigned_abs())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Drawn {
        self.record(color, |ink| Mark::Circle { centre: point(at), radius: points(1), paint: Paint::Fill(ink) })
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, a: BackendCoord, b: BackendCoord, style: &S, fill: bool) -> Drawn {
        let ([left, top], [right, bottom]) = (point(a), point(b));
        let points = vec![[left, top], [right, top], [right, bottom], [left, bottom]];
        self.record(style.color(), |ink| Mark::Path { points, closed: true, paint: paint(style, ink, fill) })
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let points = path.into_iter().map(point).collect();
        self.record(style.color(), |ink| Mark::Path { points, closed: false, paint: paint(style, ink, false) })
    }

    fn draw_circle<S: BackendStyle>(&mut self, at: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        let radius = (f64::from(radius) / UNITS_PER_POINT) as f32;
        self.record(style.color(), |ink| Mark::Circle { centre: point(at), radius, paint: paint(style, ink, fill) })
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, vertices: I, style: &S) -> Drawn {
        let points = vertices.into_iter().map(point).collect();
        self.record(style.color(), |ink| Mark::Path { points, closed: true, paint: Paint::Fill(ink) })
    }

    fn draw_text<S: BackendTextStyle>(&mut self, content: &str, style: &S, at: BackendCoord) -> Drawn {
        let size = style.size() / UNITS_PER_POINT;
        self.record(style.color(), |ink| {
            Mark::Text(Text {
                at: baseline(point(at), style, size),
                turn: turn(style.transform()),
                align: align(style.anchor().h_pos),
                size: size as f32,
                face: face(style.family(), style.style()),
                ink,
                content: content.to_string(),
            })
        })
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        content: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = text_width(content, style.size() / UNITS_PER_POINT);
        Ok((units(width).unsigned_abs(), style.size() as u32))
    }
}

/// Where the baseline of a text begins. Its top is the top of capital letters, and its bottom is the baseline.
fn baseline<S: BackendTextStyle>([x, y]: [f32; 2], style: &S, size: f64) -> [f32; 2] {
    let cap = cap_height(size) as f32;
    let drop = match style.anchor().v_pos {
        VPos::Top => cap,
        VPos::Center => cap / 2.0,
        VPos::Bottom => 0.0,
    };
    match style.transform() {
        FontTransform::None => [x, y + drop],
        FontTransform::Rotate90 => [x - drop, y],
        FontTransform::Rotate180 => [x, y - drop],
        FontTransform::Rotate270 => [x + drop, y],
    }
}

fn turn(transform: FontTransform) -> u16 {
    match transform {
        FontTransform::None => 0,
        FontTransform::Rotate90 => 90,
        FontTransform::Rotate180 => 180,
        FontTransform::Rotate270 => 270,
    }
}

fn align(anchor: HPos) -> Align {
    match anchor {
        HPos::Left => Align::Start,
        HPos::Center => Align::Middle,
        HPos::Right => Align::End,
    }
}

fn face(family: FontFamily, style: FontStyle) -> Face {
    font::current(match (family, style) {
        (FontFamily::Monospace, FontStyle::Bold) => Face::MonoBold,
        (FontFamily::Monospace, _) => Face::Mono,
        (_, FontStyle::Normal) => Face::Regular,
        (_, FontStyle::Bold) => Face::Bold,
        (_, FontStyle::Italic | FontStyle::Oblique) => Face::Italic,
    })
}
