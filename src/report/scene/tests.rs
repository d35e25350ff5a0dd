//! Tests of the three writers. The files are read back by parsers.

use super::*;
use plotters::prelude::*;
use std::collections::BTreeMap;

fn sample() -> Scene {
    let mut scene = Scene::new(252.0, 180.0, "A <title> & more");
    let sheet = scene.sheet();
    let stroke = ShapeStyle { color: BLUE.mix(0.5), filled: false, stroke_width: units(1.0) as u32 };
    sheet.draw(&PathElement::new(vec![(0, 0), (units(100.0), units(90.0))], stroke)).unwrap();
    sheet.draw(&Circle::new((units(50.0), units(50.0)), units(5.0), RED.filled())).unwrap();
    let style = ("sans", 9.0 * UNITS_PER_POINT).into_font().color(&BLACK);
    sheet.draw_text("*P*(tile ≥ 2048) < 10^{−3} & AV", &style, (units(20.0), units(100.0))).unwrap();
    let turned = style.transform(FontTransform::Rotate270);
    sheet.draw_text("Upwards", &turned, (units(10.0), units(150.0))).unwrap();
    drop(sheet);
    scene
}

/// Parses a file and checks that it has the size and all texts of the scene.
pub fn assert_shows(scene: &Scene, format: Format, bytes: &[u8]) {
    let mut expected: Vec<String> = scene.text_boxes().iter().map(|(text, _)| markup::bare(text)).collect();
    expected.retain(|text| !text.is_empty());
    match format {
        Format::Png => {
            let expected = [scene.width, scene.height].map(|side| side * 300.0 / 72.0);
            // A side that ends between two pixels may be rounded either way.
            assert!(png_size(bytes).iter().zip(expected).all(|(found, side)| (*found as f32 - side).abs() <= 0.51));
        }
        Format::Svg => assert_eq!(svg_texts(bytes, scene), expected),
        Format::Pdf => {
            let pdf = Pdf::read(bytes);
            assert_eq!(pdf.page_size(), [scene.width, scene.height].map(|side| side.round()));
            let texts: Vec<String> = pdf.texts();
            assert_eq!(texts, expected);
        }
    }
}

#[test]
fn all_formats_show_the_size_and_the_texts_of_the_scene() {
    for format in Format::ALL {
        assert_shows(&sample(), format, &sample().encode(format).unwrap());
    }
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for format in Format::ALL {
        assert_eq!(sample().encode(format).unwrap(), sample().encode(format).unwrap());
    }
}

fn png_size(bytes: &[u8]) -> [u32; 2] {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let first = pixels[0];
    assert!(pixels.iter().any(|pixel| *pixel != first), "the picture is empty");
    let info = reader.info();
    let density = info.pixel_dims.unwrap();
    assert_eq!((density.xppu, density.yppu, density.unit), (11_811, 11_811, ::png::Unit::Meter));
    [info.width, info.height]
}

#[test]
fn png_shows_the_marks() {
    let bytes = sample().encode(Format::Png).unwrap();
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let at = |x: f64, y: f64| {
        let (column, row) = ((x / 72.0 * 300.0) as usize, (y / 72.0 * 300.0) as usize);
        <[u8; 3]>::try_from(&pixels[(row * 1050 + column) * 3..][..3]).unwrap()
    };
    assert_eq!(at(50.0, 50.0), [255, 0, 0]);
    assert_eq!(at(200.0, 20.0), [255, 255, 255]);
    let [r, g, b] = at(80.0, 72.0);
    assert!(r.abs_diff(128) <= 1 && g == r && b == 255, "half a blue over white");
}

/// The texts of an SVG file, in order.
fn svg_texts(bytes: &[u8], scene: &Scene) -> Vec<String> {
    let text = std::str::from_utf8(bytes).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("width"), Some(format!("{}pt", svg_number(scene.width)).as_str()));
    let title = root.children().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
    assert_eq!(title.unwrap_or_default(), scene.title);
    let content = |node: roxmltree::Node| node.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect();
    let texts = root.descendants().filter(|node| node.has_tag_name("text")).map(content);
    texts.filter(|text: &String| !text.is_empty()).collect()
}

fn svg_number(value: f32) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[test]
fn svg_has_scripts_and_turned_text() {
    let svg = String::from_utf8(sample().encode(Format::Svg).unwrap()).unwrap();
    assert!(svg.contains("<tspan font-style=\"italic\">P</tspan>(tile ≥ 2048) &lt; 10<tspan dy="));
    assert!(svg.contains("transform=\"rotate(270 "));
}

/// A PDF file, read by its cross-reference table: the bytes of each object.
struct Pdf {
    objects: BTreeMap<usize, Vec<u8>>,
}

impl Pdf {
    fn read(bytes: &[u8]) -> Pdf {
        assert!(bytes.starts_with(b"%PDF-1."));
        let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
        let tail = text(&bytes[bytes.len().saturating_sub(200)..]);
        let start: usize = tail.split("startxref").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        let table = text(&bytes[start..]);
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("xref"));
        let count: usize = lines.next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
        let mut objects = BTreeMap::new();
        for (number, line) in lines.take(count).enumerate().filter(|(_, line)| line.trim_end().ends_with('n')) {
            let offset: usize = line[..10].parse().unwrap();
            let head = format!("{number} 0 obj");
            assert!(bytes[offset..].starts_with(head.as_bytes()), "the table of objects is wrong for {number}");
            let body = &bytes[offset + head.len()..];
            let end = find(body, b"endobj").unwrap();
            objects.insert(number, body[..end].to_vec());
        }
        Pdf { objects }
    }

    fn dictionary(&self, number: usize) -> String {
        let object = &self.objects[&number];
        let end = find(object, b"stream").unwrap_or(object.len());
        String::from_utf8_lossy(&object[..end]).into_owned()
    }

    /// The inflated stream of an object, whose length must be the one that it states.
    fn stream(&self, number: usize) -> Vec<u8> {
        let object = &self.objects[&number];
        let start = find(object, b"stream\n").unwrap() + 7;
        let length: usize = value(&self.dictionary(number), "/Length ").parse().unwrap();
        assert!(object[start + length..].trim_ascii_start().starts_with(b"endstream"));
        miniz_oxide::inflate::decompress_to_vec_zlib(&object[start..start + length]).unwrap()
    }

    /// The number of the first object with this text in its dictionary.
    fn with(&self, text: &str) -> usize {
        *self.objects.keys().find(|number| self.dictionary(**number).contains(text)).unwrap()
    }

    fn page_size(&self) -> [f32; 2] {
        let page = self.dictionary(self.with("/MediaBox"));
        let numbers = value_list(&page, "/MediaBox");
        [numbers[2].round(), numbers[3].round()]
    }

    /// The fonts of the page: resource name, and the characters of its glyphs by the map that makes text selectable.
    fn fonts(&self) -> BTreeMap<String, BTreeMap<u16, char>> {
        let page = self.dictionary(self.with("/MediaBox"));
        let list =
            page.split("/Font").nth(1).unwrap().split("<<").nth(1).unwrap().split(">>").next().unwrap().to_string();
        let words: Vec<&str> = list.split_whitespace().collect();
        let font = |words: &[&str]| {
            let number: usize = words[1].parse().unwrap();
            let map: usize = value(&self.dictionary(number), "/ToUnicode ").parse().unwrap();
            (words[0].trim_start_matches('/').to_string(), characters(&self.stream(map)))
        };
        words.chunks(4).filter(|chunk| chunk.len() == 4).map(font).collect()
    }

    /// The texts that a reader would select, in order.
    fn texts(&self) -> Vec<String> {
        let fonts = self.fonts();
        let content = self.stream(value(&self.dictionary(self.with("/MediaBox")), "/Contents ").parse().unwrap());
        let mut texts = Vec::new();
        for block in split(&content, b"BT\n").into_iter().skip(1) {
            let end = find(block, b"ET").unwrap();
            let mut text = String::new();
            for line in split(&block[..end], b" Tf\n").windows(2) {
                let name = line[0].rsplit(|byte| *byte == b'/').next().unwrap();
                let name = String::from_utf8_lossy(name).split_whitespace().next().unwrap().to_string();
                text.extend(shown(line[1]).into_iter().map(|glyph| fonts[&name][&glyph]));
            }
            texts.push(text);
        }
        texts.retain(|text| !text.is_empty());
        texts
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn split<'a>(mut bytes: &'a [u8], by: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while let Some(at) = find(bytes, by) {
        parts.push(&bytes[..at]);
        bytes = &bytes[at + by.len()..];
    }
    parts.push(bytes);
    parts
}

fn value(dictionary: &str, key: &str) -> String {
    let rest = dictionary.split(key).nth(1).unwrap_or_else(|| panic!("{key} is missing in {dictionary}"));
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().to_string()
}

fn value_list(dictionary: &str, key: &str) -> Vec<f32> {
    let list = dictionary.split(key).nth(1).unwrap().split('[').nth(1).unwrap().split(']').next().unwrap();
    list.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

/// The pairs of a ToUnicode map.
fn characters(map: &[u8]) -> BTreeMap<u16, char> {
    let text = String::from_utf8_lossy(map);
    let pairs = text.split("beginbfchar").skip(1).flat_map(|part| part.split("endbfchar").next().unwrap().lines());
    let pair = |line: &str| {
        let codes: Vec<u32> =
            line.split(['<', '>']).filter_map(|code| u32::from_str_radix(code.trim(), 16).ok()).collect();
        (codes.len() == 2).then(|| (codes[0] as u16, char::from_u32(codes[1]).unwrap()))
    };
    pairs.filter_map(pair).collect()
}

/// The glyphs that a TJ operator shows. Strings are binary with escapes, or hexadecimal.
fn shown(operands: &[u8]) -> Vec<u16> {
    let mut bytes = Vec::new();
    let mut rest = operands.iter().copied().skip_while(|byte| *byte != b'[').skip(1).peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'(' => read_string(&mut rest, &mut bytes),
            b'<' => {
                let digits: Vec<u8> = rest.by_ref().take_while(|byte| *byte != b'>').collect();
                let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
                bytes.extend(digits.chunks(2).map(pair));
            }
            b']' => break,
            _ => {}
        }
    }
    bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

fn read_string(rest: &mut impl Iterator<Item = u8>, bytes: &mut Vec<u8>) {
    let mut depth = 0;
    while let Some(byte) = rest.next() {
        match byte {
            b'\\' => match rest.next().unwrap() {
                b'n' => bytes.push(b'\n'),
                b'r' => bytes.push(b'\r'),
                b't' => bytes.push(b'\t'),
                b'b' => bytes.push(8),
                b'f' => bytes.push(12),
                digit @ b'0'..=b'7' => {
                    let digits = [digit, rest.next().unwrap(), rest.next().unwrap()];
                    bytes.push(digits.iter().fold(0u32, |n, d| 8 * n + u32::from(d - b'0')) as u8);
                }
                other => bytes.push(other),
            },
            b'(' => {
                depth += 1;
                bytes.push(byte);
            }
            b')' if depth == 0 => return,
            b')' => {
                depth -= 1;
                bytes.push(byte);
            }
            other => bytes.push(other),
        }
    }
}

#[test]
fn pdf_fonts_are_embedded_subsets_that_parse() {
    let pdf = Pdf::read(&sample().encode(Format::Pdf).unwrap());
    let whole = font::data(Face::Regular).len();
    let files: Vec<usize> = pdf.objects.keys().copied().filter(|n| pdf.dictionary(*n).contains("/Length1")).collect();
    assert_eq!(files.len(), 2, "regular and italic");
    for file in files {
        let bytes = pdf.stream(file);
        assert_eq!(value(&pdf.dictionary(file), "/Length1 "), bytes.len().to_string());
        assert!(bytes.len() < whole / 4);
        assert!(ttf_parser::Face::parse(&bytes, 0).is_ok());
    }
    assert!(pdf.dictionary(pdf.with("LABREG+NotoSans")).contains("/Identity-H"));
}

#[test]
fn odd_sizes_and_empty_scenes_encode() {
    for (width, height) in [(0.0, 0.0), (f64::NAN, 10.0), (-5.0, f64::INFINITY), (0.1, 3.0)] {
        let scene = Scene::new(width, height, "");
        for format in Format::ALL {
            assert!(!scene.encode(format).unwrap().is_empty());
        }
    }
}

#[test]
fn writing_names_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("figures");
    let written = write(&dir, "sample", &sample(), &Format::ALL).unwrap();
    let names: Vec<_> = written.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["sample.png", "sample.svg", "sample.pdf"]);
    assert_eq!(std::fs::read(&written[1]).unwrap(), sample().encode(Format::Svg).unwrap());
}

#[test]
fn text_boxes_follow_the_turn() {
    let boxes = sample().text_boxes();
    let [left, top, right, bottom] = boxes[1].1;
    assert!(bottom - top > right - left, "a turned line is taller than wide");
}
