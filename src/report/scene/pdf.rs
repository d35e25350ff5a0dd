//! PDF: one page, embedded subset fonts, selectable text.

use super::font::{Glyph, shape};
use super::pdf_fonts::Subsets;
use super::{Ink, Mark, Paint, Scene, Text};
use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeSet;
use std::io;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
/// The number of the first object of the first font.
const FIRST_FONT: i32 = 6;
/// The best and slowest compression level. Figures are small and written once, so the time does not matter.
const BEST: u8 = 9;
/// Length of the Bézier arms, in radii, with which four cubic curves make a circle (error below 1/3000).
const ARC: f32 = 0.552_284_8;

pub(super) fn encode(scene: &Scene) -> io::Result<Vec<u8>> {
    let mut painter = Painter {
        content: Content::new(),
        height: scene.height,
        opacities: BTreeSet::new(),
        subsets: Subsets::default(),
    };
    painter.content.set_line_join(LineJoinStyle::RoundJoin);
    for mark in &scene.marks {
        painter.draw(mark);
    }
    document(scene, painter)
}

fn document(scene: &Scene, painter: Painter) -> io::Result<Vec<u8>> {
    let Painter { content, opacities, subsets, .. } = painter;
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    pdf.document_info(INFO).title(TextStr(&scene.title)).producer(TextStr("lab2048"));
    let fonts = subsets.embed(&mut pdf, FIRST_FONT)?;
    let mut page = pdf.page(PAGE);
    page.parent(PAGES).media_box(Rect::new(0.0, 0.0, scene.width, scene.height)).contents(CONTENT);
    let mut resources = page.resources();
    let mut names = resources.fonts();
    for (name, reference) in &fonts {
        names.pair(Name(name.as_bytes()), reference);
    }
    names.finish();
    let mut states = resources.ext_g_states();
    for opacity in opacities {
        let alpha = f32::from(opacity) / 1000.0;
        let mut state = states.insert(Name(state_name(opacity).as_bytes())).dict();
        state.pair(Name(b"ca"), alpha).pair(Name(b"CA"), alpha);
    }
    states.finish();
    resources.finish();
    page.finish();
    let packed = packed(&content.finish());
    pdf.stream(CONTENT, &packed).filter(pdf_writer::Filter::FlateDecode);
    Ok(pdf.finish())
}

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, BEST)
}

fn state_name(opacity: u16) -> String {
    format!("A{opacity}")
}

struct Painter {
    content: Content,
    height: f32,
    /// In thousandths: each is one graphics state of the page.
    opacities: BTreeSet<u16>,
    subsets: Subsets,
}

impl Painter {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Path { points, closed, paint } => self.path(points, *closed, *paint),
            Mark::Circle { centre, radius, paint } => self.circle(*centre, *radius, *paint),
            Mark::Text(text) => self.text(text),
        }
    }

    fn path(&mut self, points: &[[f32; 2]], closed: bool, paint: Paint) {
        if points.is_empty() {
            return;
        }
        self.set_paint(paint);
        for (index, [x, y]) in points.iter().enumerate() {
            let (x, y) = (round(*x), round(self.height - *y));
            if index == 0 {
                self.content.move_to(x, y)
            } else {
                self.content.line_to(x, y)
            };
        }
        if closed {
            self.content.close_path();
        }
        self.finish(paint);
    }

    fn circle(&mut self, [x, y]: [f32; 2], r: f32, paint: Paint) {
        self.set_paint(paint);
        let (y, k) = (self.height - y, ARC * r);
        let quarter = |c: &mut Content, p: [f32; 6]| {
            let [a, b, d, e, f, g] = p.map(round);
            c.cubic_to(a, b, d, e, f, g);
        };
        let content = &mut self.content;
        content.move_to(round(x + r), round(y));
        quarter(content, [x + r, y + k, x + k, y + r, x, y + r]);
        quarter(content, [x - k, y + r, x - r, y + k, x - r, y]);
        quarter(content, [x - r, y - k, x - k, y - r, x, y - r]);
        quarter(content, [x + k, y - r, x + r, y - k, x + r, y]);
        content.close_path();
        self.finish(paint);
    }

    fn set_paint(&mut self, paint: Paint) {
        match paint {
            Paint::Fill(ink) => {
                let [r, g, b] = self.set_opacity(ink);
                self.content.set_fill_rgb(r, g, b);
            }
            Paint::Stroke(ink, width) => {
                let [r, g, b] = self.set_opacity(ink);
                self.content.set_stroke_rgb(r, g, b).set_line_width(round(width));
            }
        }
    }

    fn set_opacity(&mut self, ink: Ink) -> [f32; 3] {
        let opacity = (ink.alpha * 1000.0).round() as u16;
        self.opacities.insert(opacity);
        self.content.set_parameters(Name(state_name(opacity).as_bytes()));
        ink.rgb.map(|channel| (f32::from(channel) / 255.0 * 1000.0).round() / 1000.0)
    }

    fn finish(&mut self, paint: Paint) {
        match paint {
            Paint::Fill(_) => self.content.fill_nonzero(),
            Paint::Stroke(..) => self.content.stroke(),
        };
    }

    fn text(&mut self, text: &Text) {
        let shaped = shape(&text.content, text.size, text.face);
        self.set_paint(Paint::Fill(text.ink));
        self.content.begin_text();
        let start = text.align.start(shaped.width);
        for run in shaped.glyphs.chunk_by(|a, b| a.face == b.face && a.size == b.size && a.shift == b.shift) {
            self.run(text, start, run);
        }
        self.content.end_text();
    }

    /// Shows glyphs of one face and size. Kerning is the difference between a glyph's place and where the last one ended.
    fn run(&mut self, text: &Text, start: f32, glyphs: &[Glyph]) {
        let Some(first) = glyphs.first() else { return };
        let [x, y] = text.place([start + first.x, first.shift]);
        let (cos, sin) = [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)][usize::from(text.turn / 90) % 4];
        self.content.set_font(Name(Subsets::name(first.face).as_bytes()), round(first.size));
        self.content.set_text_matrix([cos, sin, -sin, cos, round(x), round(self.height - y)]);
        let mut shown = self.content.show_positioned();
        let mut items = shown.items();
        let mut pen = first.x;
        for glyph in glyphs {
            let gap = ((pen - glyph.x) / glyph.size * 1000.0).round();
            if gap != 0.0 {
                items.adjust(gap);
            }
            self.subsets.add(glyph);
            items.show(Str(&glyph.id.to_be_bytes()));
            pen = glyph.x + glyph.advance;
        }
    }
}

fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}
