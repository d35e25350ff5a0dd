//! Embeds the glyphs that a PDF shows as subset fonts, with a map back to characters that makes text selectable.

use super::Face;
use super::font::{Glyph, data, parsed};
use super::pdf::packed;
use super::subset::subset;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Name, Pdf, Rect, Ref, Str};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use ttf_parser::GlyphId;

const SYSTEM: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// Objects for each font: composite, descendant, descriptor, file, character map.
const OBJECTS: i32 = 5;

#[derive(Default)]
pub(super) struct Subsets {
    faces: BTreeMap<Face, Subset>,
}

/// The glyphs of one face that are shown, each with the character it stands for.
#[derive(Default)]
struct Subset {
    used: BTreeMap<u16, char>,
}

impl Subsets {
    /// The name of a face among the page's resources.
    pub(super) fn name(face: Face) -> &'static str {
        match face {
            Face::Regular => "R",
            Face::Bold => "B",
            Face::Italic => "I",
            Face::BoldItalic => "BI",
            Face::Mono => "M",
            Face::MonoBold => "MB",
            Face::Serif => "S",
            Face::SerifBold => "SB",
            Face::SerifItalic => "SI",
            Face::SerifBoldItalic => "SBI",
        }
    }

    /// Adds a glyph to the subset of its face.
    pub(super) fn add(&mut self, glyph: &Glyph) {
        self.faces.entry(glyph.face).or_default().used.entry(glyph.id).or_insert(glyph.character);
    }

    /// Writes all fonts and returns their resource names and references.
    pub(super) fn embed(&self, pdf: &mut Pdf, first: i32) -> io::Result<Vec<(&'static str, Ref)>> {
        let mut fonts = Vec::new();
        for ((face, subset), index) in self.faces.iter().zip(0..) {
            let base = first + index * OBJECTS;
            subset.embed(pdf, *face, base)?;
            fonts.push((Subsets::name(*face), Ref::new(base)));
        }
        Ok(fonts)
    }
}

/// Six letters and a plus sign mark a subset. They are fixed, so that the same figure gives the same bytes.
fn base_font(face: Face) -> &'static [u8] {
    match face {
        Face::Regular => b"LABREG+NotoSans",
        Face::Bold => b"LABBOL+NotoSans-Bold",
        Face::Italic => b"LABITA+NotoSans-Italic",
        Face::BoldItalic => b"LABBIT+NotoSans-BoldItalic",
        Face::Mono => b"LABMON+DejaVuSansMono",
        Face::MonoBold => b"LABMOB+DejaVuSansMono-Bold",
        Face::Serif => b"LABSER+DejaVuSerifCondensed",
        Face::SerifBold => b"LABSEB+DejaVuSerifCondensed-Bold",
        Face::SerifItalic => b"LABSEI+DejaVuSerifCondensed-Italic",
        Face::SerifBoldItalic => b"LABSBI+DejaVuSerifCondensed-BoldItalic",
    }
}

impl Subset {
    fn embed(&self, pdf: &mut Pdf, face: Face, base: i32) -> io::Result<()> {
        let font = parsed(face).ok_or_else(|| io::Error::other("the embedded font cannot be read"))?;
        let [composite, descendant, descriptor, file, map] = [0, 1, 2, 3, 4].map(|step| Ref::new(base + step));
        let name = Name(base_font(face));
        let mut type0 = pdf.type0_font(composite);
        type0.base_font(name).encoding_predefined(Name(b"Identity-H"));
        type0.descendant_font(descendant).to_unicode(map);
        drop(type0);
        self.write_descendant(pdf, font, name, [descendant, descriptor]);
        write_descriptor(pdf, font, name, [descriptor, file]);
        let glyphs: BTreeSet<u16> = self.used.keys().copied().collect();
        let subset =
            subset(data(face), &glyphs).ok_or_else(|| io::Error::other("the embedded font cannot be subset"))?;
        let length = i32::try_from(subset.len()).map_err(io::Error::other)?;
        let bytes = packed(&subset);
        pdf.stream(file, &bytes).filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
        let characters = packed(&self.to_unicode(name));
        pdf.cmap(map, &characters).filter(Filter::FlateDecode);
        Ok(())
    }

    fn write_descendant(&self, pdf: &mut Pdf, font: &ttf_parser::Face, name: Name, [id, descriptor]: [Ref; 2]) {
        let mut cid = pdf.cid_font(id);
        cid.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(descriptor);
        cid.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = cid.widths();
        for glyph in self.used.keys() {
            let advance = font.glyph_hor_advance(GlyphId(*glyph)).unwrap_or(0);
            widths.same(*glyph, *glyph, per_mille(font, f32::from(advance)));
        }
    }

    fn to_unicode(&self, name: Name) -> Vec<u8> {
        let mut map = UnicodeCmap::new(name, SYSTEM);
        for (glyph, character) in &self.used {
            map.pair(*glyph, *character);
        }
        map.finish().to_vec()
    }
}

fn write_descriptor(pdf: &mut Pdf, font: &ttf_parser::Face, name: Name, [id, file]: [Ref; 2]) {
    let scaled = |value: i16| per_mille(font, f32::from(value));
    let bounds = font.global_bounding_box();
    let bounds = Rect::new(scaled(bounds.x_min), scaled(bounds.y_min), scaled(bounds.x_max), scaled(bounds.y_max));
    let mut flags = FontFlags::SYMBOLIC;
    if font.is_italic() {
        flags |= FontFlags::ITALIC;
    }
    let mut descriptor = pdf.font_descriptor(id);
    descriptor.name(name).flags(flags).bbox(bounds).italic_angle(font.italic_angle());
    descriptor.ascent(scaled(font.ascender())).descent(scaled(font.descender()));
    descriptor.cap_height(scaled(font.capital_height().unwrap_or(714)));
    // The widths of vertical stems in Noto Sans, measured on its outlines.
    descriptor.stem_v(if font.is_bold() { 140.0 } else { 80.0 }).font_file2(file);
}

/// PDF measures glyphs in thousandths of the text size.
fn per_mille(font: &ttf_parser::Face, value: f32) -> f32 {
    (value * 1000.0 / f32::from(font.units_per_em())).round()
}
