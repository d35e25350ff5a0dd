//! Noto Sans: glyphs, advances and kerning, without asking the system for anything.

use super::markup::{Level, runs};
use super::{Face, markup::Run};
use std::sync::OnceLock;
use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{GlyphId, Tag};

/// Scripts are set at this share of the text size: 0.7 is what TeX uses for scripts in text.
pub(super) const SCRIPT_SIZE: f32 = 0.7;

/// One glyph, placed relative to the start of its line.
pub(super) struct Glyph {
    pub face: Face,
    pub id: u16,
    pub character: char,
    pub x: f32,
    /// Downwards, as everything on a page.
    pub shift: f32,
    pub size: f32,
    pub advance: f32,
}

pub(super) struct Shaped {
    pub glyphs: Vec<Glyph>,
    pub width: f32,
}

pub(super) fn data(face: Face) -> &'static [u8] {
    match face {
        Face::Regular => notosans::REGULAR_TTF,
        Face::Bold => notosans::BOLD_TTF,
        Face::Italic => notosans::ITALIC_TTF,
        Face::BoldItalic => notosans::BOLD_ITALIC_TTF,
        Face::Mono => dejavu::sans_mono::regular(),
        Face::MonoBold => dejavu::sans_mono::bold(),
    }
}

/// The parsed face; `None` only if the embedded file were broken, and then text is left out rather than the run lost.
pub(super) fn parsed(face: Face) -> Option<&'static ttf_parser::Face<'static>> {
    static FACES: OnceLock<[Option<ttf_parser::Face<'static>>; 6]> = OnceLock::new();
    let all = [Face::Regular, Face::Bold, Face::Italic, Face::BoldItalic, Face::Mono, Face::MonoBold];
    FACES.get_or_init(|| all.map(|face| ttf_parser::Face::parse(data(face), 0).ok()))[face as usize].as_ref()
}

/// Height of capitals and figures at this size.
pub fn cap_height(size: f64) -> f64 {
    let regular = parsed(Face::Regular);
    let share = regular.and_then(|f| Some(f64::from(f.capital_height()?) / f64::from(f.units_per_em())));
    // 0.714 is the face's own value, used if its table did not say.
    size * share.unwrap_or(0.714)
}

/// Width of a marked-up line in the regular face, in the unit of `size`.
pub fn text_width(markup: &str, size: f64) -> f64 {
    f64::from(shape(markup, size as f32, Face::Regular).width)
}

/// How far a run is moved down at this text size.
pub(super) fn shift(level: Level, size: f32) -> f32 {
    match level {
        Level::Line => 0.0,
        Level::Raised => -0.36 * size,
        Level::Lowered => 0.16 * size,
    }
}

pub(super) fn run_face(base: Face, run: &Run) -> Face {
    match (base, run.italic) {
        (Face::Regular, true) => Face::Italic,
        (Face::Bold, true) => Face::BoldItalic,
        (base, _) => base,
    }
}

/// Sets a marked-up line.
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

/// Pair kerning from the GPOS table, the only place where Noto Sans keeps it.
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
    fn all_faces_parse_and_hold_what_labels_need() {
        for face in [Face::Regular, Face::Bold, Face::Italic, Face::BoldItalic, Face::Mono, Face::MonoBold] {
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
    fn pairs_are_kerned() {
        let separate = text_width("A", 100.0) + text_width("V", 100.0);
        assert!(text_width("AV", 100.0) < separate - 1.0);
    }
}
