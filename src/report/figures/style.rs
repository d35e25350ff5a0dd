//! Sizes, colours and line styles of all charts.

use crate::report::scene::{UNITS_PER_POINT, units};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

/// How wide a figure is printed, in points (1/72 inch).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width(f64);

impl Width {
    /// One column of a two-column page: 3.5 inches, the width that IEEE and ACM share.
    pub const COLUMN: Width = Width(252.0);
    /// The whole page: 7 inches.
    pub const PAGE: Width = Width(504.0);
    /// Narrower figures have no room for their labels, and wider ones fit no page.
    const MILLIMETRES: std::ops::RangeInclusive<f64> = 60.0..=400.0;

    /// The width in points.
    pub fn points(self) -> f64 {
        self.0
    }
}

impl std::str::FromStr for Width {
    type Err = String;

    /// Reads `column`, `page` or a width such as `89mm`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "column" => return Ok(Width::COLUMN),
            "page" => return Ok(Width::PAGE),
            _ => {}
        }
        let millimetres = text.strip_suffix("mm").and_then(|number| number.trim().parse::<f64>().ok());
        let (least, most) = (Width::MILLIMETRES.start(), Width::MILLIMETRES.end());
        match millimetres {
            Some(wide) if Width::MILLIMETRES.contains(&wide) => Ok(Width(wide / 25.4 * 72.0)),
            Some(_) => Err(format!("a figure of {text} cannot be printed: between {least}mm and {most}mm are allowed")),
            None => Err(format!("unknown width `{text}` (known: column, page, or millimetres such as 89mm)")),
        }
    }
}

/// Text sizes in points. Journals ask for 8 to 9 in print.
pub(super) const TICK: f64 = 8.0;
pub(super) const LABEL: f64 = 9.0;
pub(super) const LEGEND: f64 = 8.0;
pub(super) const NOTE: f64 = 8.0;
pub(super) const LETTER: f64 = 10.0;
/// Numbers beside points.
pub(super) const SMALL: f64 = 7.0;

/// Line widths in points.
pub(super) const FRAME: f64 = 0.5;
pub(super) const CURVE: f64 = 1.1;
pub(super) const WHISKER: f64 = 0.7;
pub(super) const HAIR: f64 = 0.35;
pub(super) const MARKER: f64 = 2.1;

pub(super) const INK: RGBColor = RGBColor(20, 20, 20);
pub(super) const MUTED: RGBColor = RGBColor(110, 110, 110);
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// The palette of Okabe and Ito (2008), which people with all common kinds of colour vision can tell apart. Their yellow is
/// left out because it is too pale on white. Their black is dark grey here, so that it differs from the frame.
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
pub(super) const ORANGE: RGBColor = PALETTE[4];

pub(super) fn colour(series: usize) -> RGBColor {
    PALETTE[series % PALETTE.len()]
}

/// Whether all colours have been used once. Then markers are open, so that no two series look alike.
pub(super) fn second_round(series: usize) -> bool {
    (series / PALETTE.len()) % 2 == 1
}

/// Lengths of dashes and gaps in points; none for a solid line.
pub(super) type Pattern = &'static [f64];

pub(super) const DASHED: Pattern = &[3.2, 2.0];

/// Line styles that differ in a grey print as well. Five styles and seven colours make 35 different curves.
const PATTERNS: [Pattern; 5] = [&[], &[4.0, 1.6], &[1.2, 1.3], &[6.0, 1.5, 1.2, 1.5], &[2.4, 1.2, 2.4, 3.0]];

pub(super) fn pattern(series: usize) -> Pattern {
    PATTERNS[series % PATTERNS.len()]
}

pub(super) fn pen(colour: impl Color, width: f64) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: units(width).unsigned_abs() }
}

pub(super) fn wash(colour: impl Color) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: true, stroke_width: 0 }
}

/// A colour mixed with white, for areas behind lines. It is opaque, so that overlaps make no third colour.
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
    /// Whether the text reads from bottom to top.
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

/// The height of a chart of this width: flatter on a page than in a column.
pub(super) fn height(width: f64) -> f64 {
    (0.3 * width + 105.0).min(0.75 * width)
}
