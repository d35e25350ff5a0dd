//! A picture as a list of marks in typographic points, and its writers.
//!
//! Charts are drawn by plotters onto a [`Scene`], which records the marks. The record is written as SVG with real text, as
//! PNG at 300 dpi and as PDF with selectable text, so that all three show the same. The same marks give the same bytes:
//! there is no clock, no random name and no system font in them.

mod font;
pub mod markup;
mod pdf;
mod pdf_fonts;
mod png;
mod recorder;
mod subset;
mod svg;

pub use font::{Family, cap_height, text_width, with_family};
pub use recorder::{Sheet, UNITS_PER_POINT, units};

use std::io;
use std::path::{Path, PathBuf};

/// File formats of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels at 300 dpi.
    Png,
    /// Vectors for web pages and drawing programs.
    Svg,
    /// Vectors for papers, with embedded fonts.
    Pdf,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Png, Format::Svg, Format::Pdf];

    /// The extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Svg => "svg",
            Format::Pdf => "pdf",
        }
    }
}

/// A colour with its opacity, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    rgb: [u8; 3],
    alpha: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Paint {
    Fill(Ink),
    Stroke(Ink, f32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Middle,
    End,
}

/// The embedded faces: four of Noto Sans, four of DejaVu Serif, and two monospaced ones for pictures of terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Face {
    Regular,
    Bold,
    Italic,
    BoldItalic,
    Mono,
    MonoBold,
    Serif,
    SerifBold,
    SerifItalic,
    SerifBoldItalic,
}

impl Face {
    /// All faces, in the order of the type.
    const ALL: [Face; 10] = [
        Face::Regular,
        Face::Bold,
        Face::Italic,
        Face::BoldItalic,
        Face::Mono,
        Face::MonoBold,
        Face::Serif,
        Face::SerifBold,
        Face::SerifItalic,
        Face::SerifBoldItalic,
    ];
}

/// One line of text. `at` is the anchor on its baseline.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    at: [f32; 2],
    /// Clockwise, in degrees: 0, 90, 180 or 270.
    turn: u16,
    align: Align,
    size: f32,
    face: Face,
    ink: Ink,
    /// Text with [`markup`].
    content: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Path { points: Vec<[f32; 2]>, closed: bool, paint: Paint },
    Circle { centre: [f32; 2], radius: f32, paint: Paint },
    Text(Text),
}

/// A recorded picture. Lengths are points (1/72 inch), y runs downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    width: f32,
    height: f32,
    title: String,
    marks: Vec<Mark>,
}

impl Scene {
    /// An empty page. The title goes into the files' metadata, not onto the picture.
    pub fn new(width: f64, height: f64, title: &str) -> Scene {
        // PDF viewers accept pages of at most 200 inches (14,400 points). A picture of no width or height cannot be
        // encoded.
        let side = |points: f64| if points.is_finite() { points.clamp(1.0, 14_400.0) as f32 } else { 1.0 };
        Scene { width: side(width), height: side(height), title: title.to_string(), marks: Vec::new() }
    }

    /// Width and height in points.
    pub fn size(&self) -> (f64, f64) {
        (f64::from(self.width), f64::from(self.height))
    }

    /// The bytes of a file in this format.
    pub fn encode(&self, format: Format) -> io::Result<Vec<u8>> {
        match format {
            Format::Png => png::encode(self),
            Format::Svg => Ok(svg::encode(self).into_bytes()),
            Format::Pdf => pdf::encode(self),
        }
    }

    /// Width, height and three bytes for each pixel, with `scale` pixels per point.
    pub fn pixels(&self, scale: f32) -> io::Result<(u32, u32, Vec<u8>)> {
        let canvas = png::paint(self, scale)?;
        Ok((canvas.width(), canvas.height(), png::rgb(&canvas)))
    }

    /// Boxes `[left, top, right, bottom]` of all texts with their markup, in drawing order.
    pub fn text_boxes(&self) -> Vec<(String, [f64; 4])> {
        let texts = self.marks.iter().filter_map(|mark| match mark {
            Mark::Text(text) => Some((text.content.clone(), text.bounds().map(f64::from))),
            _ => None,
        });
        texts.collect()
    }
}

#[cfg(test)]
impl Scene {
    /// The centres of all circles.
    pub fn circle_places(&self) -> Vec<[f32; 2]> {
        let centre = |mark: &Mark| match mark {
            Mark::Circle { centre, .. } => Some(*centre),
            _ => None,
        };
        self.marks.iter().filter_map(centre).collect()
    }
}

impl Text {
    /// The box of the text: from the top of capital letters down to the descenders.
    fn bounds(&self) -> [f32; 4] {
        let shaped = font::shape(&self.content, self.size, self.face);
        let start = self.align.start(shaped.width);
        let (top, bottom) = (-font::capitals(self.face, f64::from(self.size)) as f32, 0.2 * self.size);
        let corners = [[start, top], [start + shaped.width, bottom]].map(|p| self.place(p));
        let [[ax, ay], [bx, by]] = corners;
        [ax.min(bx), ay.min(by), ax.max(bx), ay.max(by)]
    }

    /// Converts the text's own coordinates to those of the page.
    fn place(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [ax, ay] = self.at;
        match self.turn {
            90 => [ax - y, ay + x],
            180 => [ax - x, ay - y],
            270 => [ax + y, ay - x],
            _ => [ax + x, ay + y],
        }
    }
}

impl Align {
    /// Where a line of this width starts, relative to its anchor.
    fn start(self, width: f32) -> f32 {
        match self {
            Align::Start => 0.0,
            Align::Middle => -width / 2.0,
            Align::End => -width,
        }
    }
}

/// Writes `dir/name.ext` for every format and returns the paths. Each file is replaced in one step, so that a killed
/// process leaves the old file or the new one.
pub fn write(dir: &Path, name: &str, scene: &Scene, formats: &[Format]) -> io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(dir)?;
    let mut written = Vec::new();
    for format in formats {
        let path = dir.join(format!("{name}.{}", format.extension()));
        super::atomic::write(&path, &scene.encode(*format)?)?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
pub mod tests;
