//! Sizes, colours and pens: one place decides how all charts look.

use crate::report::scene::{UNITS_PER_POINT, units};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// How wide a figure is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One column of a two-column page: 3.5 inches, the width IEEE and ACM share.
    Column,
    /// The whole page: 7 inches.
    Page,
}

impl Width {
    pub fn points(self) -> f64 {
        match self {
            Width::Column => 252.0,
            Width::Page => 504.0,
        }
    }
}

/// Text sizes in points: journals ask for 8 to 9 in print.
pub(super) const TICK: f64 = 8.0;
pub(super) const LABEL: f64 = 9.0;
pub(super) const LEGEND: f64 = 8.0;
pub(super) const NOTE: f64 = 8.0;
pub(super) const LETTER: f64 = 10.0;

/// Line widths in points.
pub(super) const FRAME: f64 = 0.5;
pub(super) const CURVE: f64 = 1.1;
pub(super) const WHISKER: f64 = 0.7;
pub(super) const HAIR: f64 = 0.35;
pub(super) const MARKER: f64 = 2.1;

pub(super) const INK: RGBColor = RGBColor(20, 20, 20);
pub(super) const MUTED: RGBColor = RGBColor(110, 110, 110);
pub(super) const GRID: RGBColor = RGBColor(225, 225, 225);
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Okabe and Ito (2008), told apart by all common kinds of colour vision; their yellow is left out, as it fades on
/// white, and their black is a dark grey here, so that the frame stays distinct.
pub(super) const PALETTE: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(70, 70, 70),
];
pub(super) const BLUE: RGBColor = PALETTE[0];
pub(super) const VERMILION: RGBColor = PALETTE[1];
pub(super) const GREEN: RGBColor = PALETTE[2];

pub(super) fn colour(series: usize) -> RGBColor {
    PALETTE[series % PALETTE.len()]
}

/// Whether the colours are in their second round, where lines are dashed, markers open and areas pale.
pub(super) fn second_round(series: usize) -> bool {
    (series / PALETTE.len()) % 2 == 1
}

/// The colour of a series' bars.
pub(super) fn area_colour(series: usize) -> RGBColor {
    if second_round(series) { tint(colour(series), 0.45) } else { colour(series) }
}

pub(super) fn pen(colour: impl Color, width: f64) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: units(width).unsigned_abs() }
}

pub(super) fn wash(colour: impl Color) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: true, stroke_width: 0 }
}

/// A colour thinned towards white, for areas under lines. Opaque, so that overlaps do not invent a third colour.
pub(super) fn tint(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |channel: u8| (255.0 - (255.0 - f64::from(channel)) * share).round() as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// How a line of text is set.
#[derive(Clone, Copy)]
pub(super) struct Lettering {
    pub size: f64,
    pub h: HPos,
    pub v: VPos,
    pub colour: RGBColor,
    pub bold: bool,
    /// Reads from bottom to top.
    pub upwards: bool,
}

impl Lettering {
    pub fn new(size: f64, h: HPos, v: VPos) -> Lettering {
        Lettering { size, h, v, colour: INK, bold: false, upwards: false }
    }

    pub fn colour(self, colour: RGBColor) -> Lettering {
        Lettering { colour, ..self }
    }

    pub fn upwards(self) -> Lettering {
        Lettering { upwards: true, ..self }
    }

    pub fn bold(self) -> Lettering {
        Lettering { bold: true, ..self }
    }

    pub fn style(self) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if self.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let font = ("sans-serif", self.size * UNITS_PER_POINT).into_font().style(weight).transform(turn);
        TextStyle { font, color: self.colour.to_backend_color(), pos: Pos::new(self.h, self.v) }
    }
}

/// Heights that keep the slopes of a chart readable: flatter on a page than in a column.
pub(super) fn height(width: f64) -> f64 {
    (0.3 * width + 105.0).min(0.75 * width)
}
