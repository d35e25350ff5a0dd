//! The embedded fonts: their glyphs, widths and kerning. No font of the system is used, so figures are the same everywhere.

use super::markup::{Level, runs};
use super::{Face, markup::Run};
use std::cell::Cell;
use std::sync::OnceLock;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{GlyphId, Tag};

/// The size of superscripts and subscripts as a share of the text size. TeX uses 0.7 in text of this size.
pub(super) const SCRIPT_SIZE: f32 = 0.7;

/// A glyph and its place, measured from the start of its line.
pub(super) struct Glyph {
    pub face: Face,
    pub id: u16,
    pub character: char,
    pub x: f32,
    /// How far it is moved down. A superscript has a negative shift, because y grows downwards on a page.
    pub shift: f32,
    pub size: f32,
    pub advance: f32,
}

/// A line of text as glyphs.
pub(super) struct Shaped {
    pub glyphs: Vec<Glyph>,
    pub width: f32,
}

/// The family of all texts of a figure except monospaced ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Noto Sans.
    #[default]
    Sans,
    /// DejaVu Serif, condensed: about as wide as Noto Sans, so that labels fit alike.
    Serif,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 2] = [Family::Sans, Family::Serif];

    /// The word that users write.
    pub fn name(self) -> &'static str {
        match self {
            Family::Sans => "sans",
            Family::Serif => "serif",
        }
    }

    /// The face of this family that corresponds to one of Noto Sans.
    fn face(self, face: Face) -> Face {
        match (self, face) {
            (Family::Serif, Face::Regular) => Face::Serif,
            (Family::Serif, Face::Bold) => Face::SerifBold,
            (Family::Serif, Face::Italic) => Face::SerifItalic,
            (Family::Serif, Face::BoldItalic) => Face::SerifBoldItalic,
            (_, face) => face,
        }
    }
}

thread_local! {
    static FAMILY: Cell<Family> = const { Cell::new(Family::Sans) };
}

/// Draws with a family. Charts measure texts in many places, so the family is a setting of the thread that draws instead
/// of an argument of each of them.
pub fn with_family<T>(family: Family, draw: impl FnOnce() -> T) -> T {
    let before = FAMILY.replace(family);
    let drawn = draw();
    FAMILY.set(before);
    drawn
}

/// The face in which the family of this thread sets a text.
pub(super) fn current(face: Face) -> Face {
    FAMILY.get().face(face)
}

/// The font file of a face.
pub(super) fn data(face: Face) -> &'static [u8] {
    match face {
        Face::Regular => notosans::REGULAR_TTF,
        Face::Bold => notosans::BOLD_TTF,
        Face::Italic => notosans::ITALIC_TTF,
        Face::BoldItalic => notosans::BOLD_ITALIC_TTF,
        Face::Mono => dejavu::sans_mono::regular(),
        Face::MonoBold => dejavu::sans_mono::bold(),
        Face::Serif => dejavu::serif_condensed::regular(),
        Face::SerifBold => dejavu::serif_condensed::bold(),
        Face::SerifItalic => dejavu::serif_condensed::italic(),
        Face::SerifBoldItalic => dejavu::serif_condensed::bold_italic(),
    }
}

/// The parsed font of a face. It is `None` only if the embedded file is broken; then the text is left out, and the run goes
/// on.
pub(super) fn parsed(face: Face) -> Option<&'static ttf_parser::Face<'static>> {
    static FACES: OnceLock<[Option<ttf_parser::Face<'static>>; Face::ALL.len()]> = OnceLock::new();
    let parse = |face| ttf_parser::Face::parse(data(face), 0).ok();
    FACES.get_or_init(|| Face::ALL.map(parse))[face as usize].as_ref()
}

/// The height of capital letters and digits at this size.
pub fn cap_height(size: f64) -> f64 {
    capitals(current(Face::Regular), size)
}

/// As [`cap_height`], for one face.
pub(super) fn capitals(face: Face, size: f64) -> f64 {
    let share = parsed(face).and_then(|font| Some(f64::from(font.capital_height()?) / f64::from(font.units_per_em())));
    // 0.714 is the value of Noto Sans. It is used for fonts that do not state theirs.
    size * share.unwrap_or(0.714)
}

/// The width of a line of [markup](super::markup) in the regular face, in the unit of `size`.
pub fn text_width(markup: &str, size: f64) -> f64 {
    f64::from(shape(markup, size as f32, current(Face::Regular)).width)
}

/// How far a superscript or subscript is moved down at this text size.
pub(super) fn shift(level: Level, size: f32) -> f32 {
    match level {
        Level::Line => 0.0,
        Level::Raised => -0.36 * size,
        Level::Lowered => 0.16 * size,
    }
}

/// The face of a run: the italic face of its line if the run is italic, and otherwise the face of its line.
fn run_face(base: Face, run: &Run) -> Face {
    match (base, run.italic) {
        (Face::Regular, true) => Face::Italic,
        (Face::Bold, true) => Face::BoldItalic,
        (Face::Serif, true) => Face::SerifItalic,
        (Face::SerifBold, true) => Face::SerifBoldItalic,
        (base, _) => base,
    }
}

/// Turns a line of markup into glyphs with their places.
pub(super) fn shape(markup: &str, size: f32, base: Face) -> Shaped {
    let mut shaped = Shaped { glyphs: Vec::new(), width: 0.0 };
    for run in runs(markup) {
        shape_run(&run, size, run_face(base, &run), &mut shaped);
    }
    shaped
}

fn shape_run(run: &Run, line_size: f32, face: Face, line: &mut Shaped) {
    let Some(font) = parsed(face) else { return };
    let size = if run.level == Level::Line { line_size } else { line_size * SCRIPT_SIZE };
    let scale = size / f32::from(font.units_per_em());
    let mut previous = None;
    for character in run.text.chars() {
        let glyph = font.glyph_index(character).unwrap_or(GlyphId(0));
        let kern = previous.map_or(0, |left| kerning(font, left, glyph));
        line.width += f32::from(kern) * scale;
        let advance = f32::from(font.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        let shift = shift(run.level, line_size);
        line.glyphs.push(Glyph { face, id: glyph.0, character, x: line.width, shift, size, advance });
        line.width += advance;
        previous = Some(glyph);
    }
}

/// The kerning of a pair of glyphs. It comes from the GPOS table, because Noto Sans has no other kerning table.
fn kerning(font: &ttf_parser::Face, left: GlyphId, right: GlyphId) -> i16 {
    let Some(table) = font.tables().gpos else { return 0 };
    let Some(feature) = table.features.find(Tag::from_bytes(b"kern")) else { return 0 };
    let lookups = feature.lookup_indices.into_iter().filter_map(|index| table.lookups.get(index));
    for lookup in lookups {
        let adjustment = lookup.subtables.into_iter::<PositioningSubtable>().find_map(|subtable| match subtable {
            PositioningSubtable::Pair(pair) => pair_advance(&pair, left, right),
            _ => None,
        });
        if let Some(advance) = adjustment {
            return advance;
        }
    }
    0
}

fn pair_advance(pair: &PairAdjustment, left: GlyphId, right: GlyphId) -> Option<i16> {
    let covered = pair.coverage().get(left)?;
    let (first, _) = match pair {
        PairAdjustment::Format1 { sets, .. } => sets.get(covered)?.get(right)?,
        PairAdjustment::Format2 { classes, matrix, .. } => matrix.get((classes.0.get(left), classes.1.get(right)))?,
    };
    Some(first.x_advance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faces_have_the_characters_of_labels() {
        for (place, face) in Face::ALL.into_iter().enumerate() {
            assert_eq!(place, face as usize);
            let font = parsed(face).unwrap();
            for character in "azAZ09−–—×±≥≤≈µσλαβ…%().,'·".chars() {
                assert!(font.glyph_index(character).is_some(), "{face:?} lacks {character}");
            }
        }
    }

    #[test]
    fn width_grows_with_text_and_size_and_scripts_are_smaller() {
        assert_eq!(text_width("", 8.0), 0.0);
        assert!(text_width("win rate", 8.0) > text_width("win", 8.0));
        assert!((text_width("win", 16.0) - 2.0 * text_width("win", 8.0)).abs() < 1e-3);
        assert!(text_width("10^{5}", 8.0) < text_width("105", 8.0));
    }

    #[test]
    fn a_family_holds_for_what_is_drawn_with_it() {
        let sans = text_width("Mean score *P*", 8.0);
        let serif = with_family(Family::Serif, || text_width("Mean score *P*", 8.0));
        assert!(serif != sans && (0.85..1.15).contains(&(serif / sans)), "{serif} {sans}");
        assert_eq!(text_width("Mean score *P*", 8.0), sans);
    }

    #[test]
    fn pairs_are_kerned() {
        let separate = text_width("A", 100.0) + text_width("V", 100.0);
        assert!(text_width("AV", 100.0) < separate - 1.0);
    }
}
