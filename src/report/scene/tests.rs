//! What the three writers promise.

use super::*;
use plotters::prelude::*;

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

#[test]
fn the_same_scene_gives_the_same_bytes() {
    for format in Format::ALL {
        assert_eq!(sample().encode(format).unwrap(), sample().encode(format).unwrap());
    }
}

#[test]
fn png_has_the_size_and_density_of_the_page() {
    let bytes = sample().encode(Format::Png).unwrap();
    let reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let info = reader.info();
    assert_eq!((info.width, info.height), (1050, 750));
    let density = info.pixel_dims.unwrap();
    assert_eq!((density.xppu, density.yppu, density.unit), (11_811, 11_811, ::png::Unit::Meter));
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

/// Inflates every stream of a PDF; the bytes between are of no interest here.
fn streams(pdf: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = pdf;
    while let Some(start) = rest.windows(7).position(|w| w == b"stream\n") {
        rest = &rest[start + 7..];
        let end = rest.windows(9).position(|w| w == b"endstream").unwrap();
        let data = miniz_oxide::inflate::decompress_to_vec_zlib(&rest[..end]).unwrap_or_default();
        found.push(String::from_utf8_lossy(&data).into_owned());
        rest = &rest[end + 9..];
    }
    found
}

#[test]
fn pdf_text_is_text_with_a_map_back_to_characters() {
    let pdf = sample().encode(Format::Pdf).unwrap();
    assert!(pdf.starts_with(b"%PDF-1."));
    let dictionary = String::from_utf8_lossy(&pdf).into_owned();
    for needed in ["/ToUnicode", "/FontFile2", "/Identity-H", "LABREG+NotoSans", "LABITA+NotoSans-Italic", "/Title"] {
        assert!(dictionary.contains(needed), "{needed} is missing");
    }
    let streams = streams(&pdf);
    assert!(streams.iter().any(|s| s.contains("BT\n") && s.contains("TJ")), "no text is shown");
    let maps: String = streams.into_iter().filter(|s| s.contains("beginbfchar")).collect();
    for character in "Ptile≥2048<10−3&AVUpwards".chars() {
        let code = format!("<{:04X}>", u32::from(character));
        assert!(maps.to_uppercase().contains(&code), "{character} cannot be selected");
    }
}

#[test]
fn svg_is_well_formed_and_escapes_labels() {
    let svg = String::from_utf8(sample().encode(Format::Svg).unwrap()).unwrap();
    assert!(svg.contains("<title>A &lt;title&gt; &amp; more</title>"));
    assert!(svg.contains("<tspan font-style=\"italic\">P</tspan>(tile ≥ 2048) &lt; 10<tspan dy="));
    assert!(svg.contains("transform=\"rotate(270 "));
    assert_well_formed(&svg);
}

/// Tags balance, attributes are quoted, ampersands begin entities.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(text.split('&').skip(1).all(|tail| tail.contains(';')), "a bare ampersand in {text}");
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "unbalanced quotes in {tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "unclosed {open:?}");
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
