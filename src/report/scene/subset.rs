//! Makes a subset of a TrueType font that has only the glyphs that a PDF shows.
//!
//! Glyph numbers stay as they are, and glyphs that are not shown become empty. So no reference to a glyph number has to
//! be rewritten. The empty glyphs have equal offsets, and long runs of these compress to almost nothing. Only the
//! tables that a PDF viewer reads are kept (PDF 32000-1, section 9.9).

use std::collections::BTreeSet;
use std::ops::Range;

use ttf_parser::{RawFace, Tag};

/// The tables that are copied unchanged: metrics, limits, and the programs that hint glyphs.
const COPIED: [&[u8; 4]; 5] = [b"cvt ", b"fpgm", b"hhea", b"maxp", b"prep"];

/// Flags of a composite glyph's component (OpenType, table `glyf`).
const WORD_ARGUMENTS: u16 = 0x0001;
const ONE_SCALE: u16 = 0x0008;
const MORE_COMPONENTS: u16 = 0x0020;
const TWO_SCALES: u16 = 0x0040;
const FOUR_SCALES: u16 = 0x0080;

/// The font with the outlines and widths of `used` only, or `None` if `font` is not a TrueType font.
pub(super) fn subset(font: &[u8], used: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let face = RawFace::parse(font, 0).ok()?;
    let outlines = Outlines::read(&face)?;
    let kept = outlines.with_components(used);
    let (glyf, loca) = outlines.subset(&kept)?;
    let mut tables: Vec<([u8; 4], Vec<u8>)> = vec![(*b"glyf", glyf), (*b"loca", loca)];
    tables.push((*b"head", head(table(&face, b"head")?)?));
    tables.push((*b"hmtx", widths(&face, &kept)?));
    for tag in COPIED {
        tables.extend(table(&face, tag).map(|bytes| (*tag, bytes.to_vec())));
    }
    tables.sort();
    Some(assemble(&tables))
}

fn table<'a>(face: &RawFace<'a>, tag: &[u8; 4]) -> Option<&'a [u8]> {
    face.table(Tag::from_bytes(tag))
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// The outlines of all glyphs, and where each one is.
struct Outlines<'a> {
    data: &'a [u8],
    places: Vec<Range<usize>>,
}

impl<'a> Outlines<'a> {
    fn read(face: &RawFace<'a>) -> Option<Self> {
        let (loca, data) = (table(face, b"loca")?, table(face, b"glyf")?);
        let long = word(table(face, b"head")?, 50)? == 1;
        let offsets: Vec<usize> = match long {
            true => loca.chunks_exact(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize).collect(),
            false => loca.chunks_exact(2).map(|b| 2 * usize::from(u16::from_be_bytes([b[0], b[1]]))).collect(),
        };
        let places = offsets.windows(2).map(|pair| pair[0]..pair[1]).collect();
        Some(Outlines { data, places })
    }

    fn outline(&self, glyph: u16) -> &'a [u8] {
        self.places.get(usize::from(glyph)).and_then(|place| self.data.get(place.clone())).unwrap_or_default()
    }

    /// The glyphs, the glyphs they are composed of, and glyph 0, which every font must have.
    fn with_components(&self, used: &BTreeSet<u16>) -> BTreeSet<u16> {
        let mut kept = BTreeSet::new();
        let mut open: Vec<u16> = used.iter().copied().chain([0]).collect();
        while let Some(glyph) = open.pop() {
            if kept.insert(glyph) {
                open.extend(components(self.outline(glyph)));
            }
        }
        kept
    }

    /// The tables `glyf` and `loca` (with long offsets) of the kept glyphs.
    fn subset(&self, kept: &BTreeSet<u16>) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut glyf, mut loca) = (Vec::new(), vec![0; 4]);
        for glyph in 0..self.places.len() {
            let glyph = u16::try_from(glyph).ok()?;
            if kept.contains(&glyph) {
                glyf.extend_from_slice(self.outline(glyph));
                pad(&mut glyf);
            }
            loca.extend(u32::try_from(glyf.len()).ok()?.to_be_bytes());
        }
        Some((glyf, loca))
    }
}

/// The glyphs that a composite glyph refers to; none for a simple glyph.
fn components(outline: &[u8]) -> Vec<u16> {
    let mut found = Vec::new();
    // A negative number of contours marks a composite glyph. Its components follow a header of ten bytes.
    let is_composite = word(outline, 0).is_some_and(|contours| contours as i16 <= -1);
    let mut at = 10;
    while let Some((flags, glyph)) = word(outline, at).zip(word(outline, at + 2)).filter(|_| is_composite) {
        found.push(glyph);
        let scales = if flags & FOUR_SCALES != 0 {
            8
        } else if flags & TWO_SCALES != 0 {
            4
        } else if flags & ONE_SCALE != 0 {
            2
        } else {
            0
        };
        at += 4 + if flags & WORD_ARGUMENTS != 0 { 4 } else { 2 } + scales;
        if flags & MORE_COMPONENTS == 0 {
            break;
        }
    }
    found
}

/// The font header, changed to announce long offsets in `loca`.
fn head(original: &[u8]) -> Option<Vec<u8>> {
    let mut head = original.to_vec();
    head.get_mut(50..52)?.copy_from_slice(&1u16.to_be_bytes());
    // Viewers do not check the checksum of the whole font. Zero means that it is not given.
    head.get_mut(8..12)?.fill(0);
    Some(head)
}

/// The table `hmtx` with the widths of all other glyphs set to zero.
fn widths(face: &RawFace, kept: &BTreeSet<u16>) -> Option<Vec<u8>> {
    let entries = usize::from(word(table(face, b"hhea")?, 34)?);
    let mut widths = table(face, b"hmtx")?.to_vec();
    for (index, entry) in widths.chunks_exact_mut(4).take(entries.saturating_sub(1)).enumerate() {
        if !u16::try_from(index).is_ok_and(|glyph| kept.contains(&glyph)) {
            entry.fill(0);
        }
    }
    Some(widths)
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

/// A font file: the table directory, then the tables, each on a boundary of four bytes.
fn assemble(tables: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let count = tables.len() as u16;
    let power = 1u16 << count.ilog2();
    let mut font = 0x0001_0000u32.to_be_bytes().to_vec();
    for value in [count, 16 * power, count.ilog2() as u16, 16 * (count - power)] {
        font.extend(value.to_be_bytes());
    }
    let mut offset = 12 + 16 * tables.len();
    for (tag, bytes) in tables {
        font.extend(tag);
        for value in [checksum(bytes), offset as u32, bytes.len() as u32] {
            font.extend(value.to_be_bytes());
        }
        offset += bytes.len().next_multiple_of(4);
    }
    for (_, bytes) in tables {
        font.extend(bytes);
        pad(&mut font);
    }
    font
}

/// The sum of the table's big-endian words, as OpenType defines it.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.chunks(4).fold(0, |sum: u32, chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        sum.wrapping_add(u32::from_be_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::super::Face;
    use super::super::font::{data, parsed};
    use super::*;
    use ttf_parser::{GlyphId, OutlineBuilder};

    /// An outline as text, so that two can be compared.
    #[derive(Default)]
    struct Trace(String);

    impl OutlineBuilder for Trace {
        fn move_to(&mut self, x: f32, y: f32) {
            self.0 += &format!("M{x} {y}");
        }
        fn line_to(&mut self, x: f32, y: f32) {
            self.0 += &format!("L{x} {y}");
        }
        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.0 += &format!("Q{x1} {y1} {x} {y}");
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
            self.0 += &format!("C{x} {y}");
        }
        fn close(&mut self) {
            self.0 += "Z";
        }
    }

    fn outline(face: &ttf_parser::Face, glyph: u16) -> Option<String> {
        let mut trace = Trace::default();
        face.outline_glyph(GlyphId(glyph), &mut trace).map(|_| trace.0)
    }

    #[test]
    fn kept_glyphs_have_their_outlines_and_widths_and_others_are_empty() {
        for face in Face::ALL {
            let whole = parsed(face).unwrap();
            // The accented letters are composite glyphs.
            let used: BTreeSet<u16> = "AVeé×ü≥".chars().map(|c| whole.glyph_index(c).unwrap().0).collect();
            let bytes = subset(data(face), &used).unwrap();
            assert!(bytes.len() < data(face).len() / 4);
            let small = ttf_parser::Face::parse(&bytes, 0).unwrap();
            for glyph in &used {
                assert!(outline(whole, *glyph).is_some());
                assert_eq!(outline(&small, *glyph), outline(whole, *glyph));
                assert_eq!(small.glyph_hor_advance(GlyphId(*glyph)), whole.glyph_hor_advance(GlyphId(*glyph)));
            }
            assert_eq!(outline(&small, whole.glyph_index('Q').unwrap().0), None);
            assert_eq!(small.number_of_glyphs(), whole.number_of_glyphs());
        }
    }

    #[test]
    fn table_checksums_are_right() {
        let bytes = subset(data(Face::Regular), &BTreeSet::from([36])).unwrap();
        let count = usize::from(word(&bytes, 4).unwrap());
        for entry in bytes[12..].chunks(16).take(count) {
            let number = |at: usize| u32::from_be_bytes(entry[at..at + 4].try_into().unwrap());
            let (offset, length) = (number(8) as usize, number(12) as usize);
            assert_eq!(checksum(&bytes[offset..offset + length]), number(4));
        }
    }

    #[test]
    fn damaged_fonts_are_refused() {
        assert_eq!(subset(b"", &BTreeSet::new()), None);
        assert_eq!(subset(&data(Face::Regular)[..64], &BTreeSet::new()), None);
    }
}
