//! Writes a scene as PNG at 300 dpi, which journals ask for in figures with lines and text.

use super::{Ink, Mark, Paint, Scene, Text, font};
use std::io;
use tiny_skia::{FillRule, LineJoin, Path, PathBuilder, Pixmap, Stroke, Transform};
use ttf_parser::{GlyphId, OutlineBuilder};

const DPI: f32 = 300.0;
const POINTS_PER_INCH: f32 = 72.0;
const METRES_PER_INCH: f32 = 0.0254;

pub(super) fn encode(scene: &Scene) -> io::Result<Vec<u8>> {
    compress(&paint(scene, DPI / POINTS_PER_INCH)?)
}

/// The scene as pixels, with `scale` pixels for each point.
pub(super) fn paint(scene: &Scene, scale: f32) -> io::Result<Pixmap> {
    let side = |points: f32| (points * scale).round() as u32;
    let pixmap = Pixmap::new(side(scene.width), side(scene.height));
    let mut canvas = pixmap.ok_or_else(|| io::Error::other("the figure is too large for a PNG"))?;
    canvas.fill(tiny_skia::Color::WHITE);
    for mark in &scene.marks {
        draw(&mut canvas, mark, Transform::from_scale(scale, scale));
    }
    Ok(canvas)
}

fn draw(canvas: &mut Pixmap, mark: &Mark, page: Transform) {
    match mark {
        Mark::Path { points, closed, paint } => draw_path(canvas, polygon(points, *closed), *paint, page),
        Mark::Circle { centre: [x, y], radius, paint } => {
            draw_path(canvas, PathBuilder::from_circle(*x, *y, *radius), *paint, page);
        }
        Mark::Text(text) => draw_text(canvas, text, page),
    }
}

/// Fills or strokes a path. A path without points is `None`, and nothing is drawn.
fn draw_path(canvas: &mut Pixmap, path: Option<Path>, paint: Paint, transform: Transform) {
    let Some(path) = path else { return };
    match paint {
        Paint::Fill(ink) => canvas.fill_path(&path, &colour(ink), FillRule::Winding, transform, None),
        Paint::Stroke(ink, width) => {
            let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
            canvas.stroke_path(&path, &colour(ink), &stroke, transform, None);
        }
    }
}

fn colour(ink: Ink) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint::default();
    let [r, g, b] = ink.rgb;
    paint.set_color_rgba8(r, g, b, (ink.alpha * 255.0).round() as u8);
    paint.anti_alias = true;
    paint
}

fn polygon(points: &[[f32; 2]], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, [x, y]) in points.iter().enumerate() {
        if index == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// Draws the outlines of a text's glyphs.
fn draw_text(canvas: &mut Pixmap, text: &Text, page: Transform) {
    let shaped = font::shape(&text.content, text.size, text.face);
    let start = text.align.start(shaped.width);
    let line = page.pre_translate(text.at[0], text.at[1]).pre_concat(Transform::from_rotate(f32::from(text.turn)));
    for glyph in &shaped.glyphs {
        let Some(font) = font::parsed(glyph.face) else { continue };
        let mut outline = Outline(PathBuilder::new());
        // Spaces have no outline.
        if font.outline_glyph(GlyphId(glyph.id), &mut outline).is_some() {
            let em = glyph.size / f32::from(font.units_per_em());
            let place = line.pre_translate(start + glyph.x, glyph.shift).pre_scale(em, -em);
            draw_path(canvas, outline.0.finish(), Paint::Fill(text.ink), place);
        }
    }
}

/// Collects the outline of a glyph as a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

/// Three bytes for each pixel. The page is opaque, so the alpha channel is left out.
pub(super) fn rgb(canvas: &Pixmap) -> Vec<u8> {
    canvas.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

fn compress(canvas: &Pixmap) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let density = (DPI / METRES_PER_INCH).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: density, yppu: density, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&rgb(canvas)).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(out)
}
